import type { Ctx } from '@/lib/base/context/ctx'
import { projectInfo } from '@/lib/site/project-info/service'

/** Returns the name under which authenticator apps list this platform: the domain's title, else its host. */
export async function issuerName({ domain, locale }: Ctx): Promise<string> {
  const { options } = await projectInfo(domain)
  return options[locale]?.copyright.title || new URL(domain.origin).host
}
