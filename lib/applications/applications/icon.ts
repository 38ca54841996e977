import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { drawLogo, replaceLogo } from '@/lib/site/pictures/service'
import type * as calls from './contract'
import { applicationEntity } from './entity'
import { applicationRows, isApplication } from './queries'
import { applicationCaches, lockApplication } from './service'

type Logo = Awaited<ReturnType<typeof drawLogo>>

/**
 * Replaces the icon of an application with a drawn one, or removes it (null). Returns its id. Needs applications.write.
 * Throws 404 if there is no icon to remove, and what `lockApplication` throws.
 */
export async function storeApplicationIcon(ctx: Ctx, id: string, logo: Logo | null): Promise<string | null> {
  requireMethod(ctx, 'applications.write')
  return changing(applicationCaches, async (tx) => {
    const { iconId: before } = await lockApplication(tx, ctx, id, 'itself')
    if (!logo && !before) throw notFound()
    const iconId = await replaceLogo(tx, ctx, { before, logo })
    await applicationRows.update(tx, id, { iconId })
    await audit(tx, ctx, applicationEntity, id, { iconId: before }, { iconId })
    return iconId
  })
}

/**
 * Replaces the icon of an application (docs/rules/administration-screens.md#logos-and-icons). Needs applications.write.
 * Throws 400 with the fault of the file, 413, 415, 503, and what `lockApplication` throws.
 */
export async function patchApplicationIcon(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.patchApplicationIcon>,
) {
  requireMethod(ctx, 'applications.write')
  // checked before the file is drawn, which takes time
  if (!(await isApplication(id))) throw notFound()
  return { fileId: (await storeApplicationIcon(ctx, id, await drawLogo(body.file))) as string }
}

/**
 * Removes the icon of an application. Needs applications.write. Throws 404 without one, and what `lockApplication`
 * throws.
 */
export async function deleteApplicationIcon(
  ctx: Ctx,
  { params: { id } }: ServiceInput<typeof calls.deleteApplicationIcon>,
) {
  await storeApplicationIcon(ctx, id, null)
  return {}
}
