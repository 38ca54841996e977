import { cached } from '@/lib/kernel/cache'
import type { CtxDomain, CtxUser } from '@/lib/kernel/ctx'
import { menuApplications } from './queries'

export type Service = { id: string; code: string; title: string; titleEn: string | null; serviceUrl: string }

/** The user's service menu on this domain: applications that ask for no method, or for one that the user has. */
export async function userServices(
  user: Pick<CtxUser, 'methodIds'>,
  domain: Pick<CtxDomain, 'id'>,
): Promise<Service[]> {
  const rows = await cached('applications:menu', async () => menuApplications())
  return rows
    .filter(
      ({ domainIds, methodIds }) =>
        (domainIds.length === 0 || domainIds.includes(domain.id)) &&
        (methodIds.length === 0 || methodIds.some((id) => user.methodIds.has(id))),
    )
    .map(({ id, code, name, nameEn, url }) => ({ id, code, title: name, titleEn: nameEn, serviceUrl: url }))
}
