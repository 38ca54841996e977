import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { drawLogo, replaceLogo } from '../pictures/service'
import { domainRows, lockDomains, selectDomain } from './administration-queries'
import type * as calls from './contract'
import { domainEntity } from './entity'

type Logo = Awaited<ReturnType<typeof drawLogo>>

async function currentLogo(run: Parameters<typeof selectDomain>[0], id: string) {
  const domain = await selectDomain(run, id)
  if (!domain) throw notFound()
  return domain.logoId
}

/**
 * Replaces the logo of a domain with a drawn one, or removes it (null). Returns its id. Needs domains.write. Throws 404
 * for an unknown domain, and if there is no logo to remove.
 */
export async function storeDomainLogo(ctx: Ctx, id: string, logo: Logo | null): Promise<string | null> {
  requireMethod(ctx, 'domains.write')
  return changing(['domains', 'project-info'], async (tx: Transaction) => {
    await lockDomains(tx)
    const logoBefore = await currentLogo(tx, id)
    if (!logo && !logoBefore) throw notFound()
    const logoId = await replaceLogo(tx, ctx, { before: logoBefore, logo })
    await domainRows.update(tx, id, { logoId })
    await audit(tx, ctx, domainEntity, id, { logoId: logoBefore }, { logoId })
    return logoId
  })
}

/**
 * Replaces the logo of a domain (docs/rules/administration-screens.md#logos-and-icons). Needs domains.write. Throws
 * 404, 400 with the fault of the file, 413, 415 and 503.
 */
export async function patchDomainLogo(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.patchDomainLogo>) {
  requireMethod(ctx, 'domains.write')
  // checked before the file is drawn, which takes time
  await currentLogo(db(), id)
  return { fileId: (await storeDomainLogo(ctx, id, await drawLogo(body.file))) as string }
}

/** Removes the logo of a domain. Needs domains.write. Throws 404 for an unknown domain and one without a logo. */
export async function deleteDomainLogo(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteDomainLogo>) {
  await storeDomainLogo(ctx, id, null)
  return {}
}
