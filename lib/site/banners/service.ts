import type { Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { removeRow, replaceRow } from '@/lib/base/audit/rows'
import { requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'
import type * as calls from './contract'
import { bannerEntity } from './entity'
import { bannerRows, insertBanner, isShown, selectBannerOptions, selectBannerPage } from './queries'

const banner = { rows: bannerRows, entity: bannerEntity }
const codeTaken = () => fieldError('code', 'errorUnique')
const change = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken({ banners_code: codeTaken }, () => changing('project-info', work))

/** Returns one page of banners. Needs libraries.read. */
export async function listBanners(ctx: Ctx, { query }: ServiceInput<typeof calls.listBanners>) {
  requireMethod(ctx, 'libraries.read')
  const { rows, meta } = await selectBannerPage(query, ctx.user?.pagination ?? null)
  const banners = rows.map(({ link, date, updatedAt, ...row }) => ({
    ...row,
    link: link ?? '',
    date: date.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }))
  return { banners, meta }
}

/** Creates a banner. Returns its id and code. Needs libraries.write. Throws 400 for a code that another one has. */
export async function createBanner(ctx: Ctx, { body }: ServiceInput<typeof calls.createBanner>) {
  requireMethod(ctx, 'libraries.write')
  const { code, link, ...fields } = body
  return change(async (tx) => {
    for (const candidate of code ? [code] : codesLike(latinCode(body.title, 'banner'))) {
      const values = { ...fields, code: candidate, link: link || null }
      const row = await insertBanner(tx, { ...values, createdAt: ctx.now() })
      if (!row) continue
      await audit(tx, ctx, bannerEntity, row.id, null, values)
      return row
    }
    throw codeTaken()
  })
}

/**
 * Replaces a banner. Needs libraries.write. Throws 404, 400 for a code that another one has, and 409 if somebody has
 * saved it since `updatedAt`.
 */
export async function updateBanner(ctx: Ctx, input: ServiceInput<typeof calls.updateBanner>) {
  requireMethod(ctx, 'libraries.write')
  const { updatedAt: _, link, ...values } = input.body
  await change((tx) => replaceRow(tx, ctx, input, banner, () => ({ ...values, link: link || null })))
  return {}
}

/** Deletes a banner. Needs libraries.write. Throws 404, and 409 bannerUsed while a domain has it. */
export async function deleteBanner(ctx: Ctx, input: ServiceInput<typeof calls.deleteBanner>) {
  requireMethod(ctx, 'libraries.write')
  await change((tx) =>
    removeRow(tx, ctx, input, banner, async ({ id }) => {
      if (await isShown(tx, id)) throw new AppError(409, 'bannerUsed')
    }),
  )
  return {}
}

/** Shows or hides a banner. Needs libraries.write. Throws 404, and 409 if it was saved since `updatedAt`. */
export async function showBanner(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.showBanner>) {
  requireMethod(ctx, 'libraries.write')
  const { visible, updatedAt } = body
  await change(async (tx) => {
    const before = requireUnchanged(await bannerRows.lock(tx, id), updatedAt)
    if (await audit(tx, ctx, bannerEntity, id, { visible: before.visible }, { visible }))
      await bannerRows.update(tx, id, { visible })
  })
  return {}
}

/** Returns banners to choose from. Needs the read method of an area whose screens offer them. */
export async function searchBanners(ctx: Ctx, { query }: ServiceInput<typeof calls.searchBanners>) {
  requireAnyMethod(ctx, ['libraries.read', 'domains.read'])
  const rows = await selectBannerOptions(query)
  return { banners: rows.map(({ link, ...row }) => ({ ...row, link: link ?? '' })) }
}
