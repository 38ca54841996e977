import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { drawLogo, replaceLogo } from '../pictures/service'
import { lockDomains, selectDomain, storeLogo } from './administration-queries'
import type * as calls from './contract'
import { domainEntity } from './entity'

type Logo = Awaited<ReturnType<typeof drawLogo>>

async function before(run: Parameters<typeof selectDomain>[0], id: string) {
  const domain = await selectDomain(run, id)
  if (!domain) throw notFound()
  return domain.logoId
}

/**
 * Stores a drawn logo of a domain, or that it has none. Needs domains.write. Throws 404 for an unknown domain and for none
 * in place of none.
 */
export async function storeDomainLogo(ctx: Ctx, id: string, logo: Logo | null): Promise<string | null> {
  requireMethod(ctx, 'domains.write')
  return changing(['domains', 'project-info'], async (tx: Transaction) => {
    await lockDomains(tx)
    const was = await before(tx, id)
    if (!logo && !was) throw notFound()
    const logoId = await replaceLogo(tx, ctx, { before: was, logo })
    await storeLogo(tx, id, logoId)
    await audit(tx, ctx, domainEntity, id, { logoId: was }, { logoId })
    return logoId
  })
}

/**
 * Replaces the logo of a domain (docs/rules/administration-screens.md#logos-and-icons). Needs domains.write. Throws 404,
 * 400 with the fault of the file, 413, 415 and 503.
 */
export async function patchDomainLogo(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.patchDomainLogo>) {
  requireMethod(ctx, 'domains.write')
  // before the file is drawn, which is work
  await before(db(), id)
  return { fileId: (await storeDomainLogo(ctx, id, await drawLogo(body.file))) as string }
}

/** Removes the logo of a domain. Needs domains.write. Throws 404 for an unknown domain and one without a logo. */
export async function deleteDomainLogo(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteDomainLogo>) {
  await storeDomainLogo(ctx, id, null)
  return {}
}
