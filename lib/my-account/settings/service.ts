import { db, type Transaction } from '@/db/client'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { type ColumnChoice, type ListColumns, maxColumns, StoredColumns } from '@/lib/base/contracts/list-columns'
import { screenNamed } from '@/lib/base/navigation/screens'
import { fieldError } from '@/lib/base/runtime/errors'
import { timeZoneFrom } from '@/lib/base/text/time-zone'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'
import { lockColumns, selectUserSettings, storeUserSettings } from './queries'

/** Returns the signed-in person's own settings; null for those that they haven't chosen. Throws 401. */
export async function getUserSettings(ctx: Ctx) {
  requireUser(ctx)
  const row = await selectUserSettings(ctx.user.id)
  const { lang = null, navMini = null, pagination = null, cookie = null, columns } = row ?? {}
  const { timeZone = null, chosenTimeZone = null } = row ?? {}
  const zones = { timeZone, chosenTimeZone }
  return { settings: { lang, navMini, pagination, cookie, ...zones, columns: StoredColumns.parse(columns) } }
}

/** Returns the choice of columns with these changes. Throws 400 for an unknown list, and for too many columns. */
function withColumns(before: ListColumns, changed: ListColumns): ListColumns {
  const merged: Record<string, ColumnChoice> = { ...before }
  for (const [list, choice] of Object.entries(changed)) {
    const columns = { ...before[list], ...choice }
    if (!screenNamed(list)) throw fieldError(`settings.columns.${list}`, 'errorFormat')
    if (Object.keys(columns).length > maxColumns) throw fieldError(`settings.columns.${list}`, 'errorTooMany')
    merged[list] = columns
  }
  return merged
}

/**
 * Stores these settings; returns all of them. Columns that aren't in the change stay, so that two tabs don't undo each
 * other's choice. Throws 401, and 400 for a language that the domain doesn't have, an unknown time zone, or an unknown
 * list.
 */
export async function patchUserSettings(
  ctx: Ctx,
  { body: { settings } }: ServiceInput<typeof calls.patchUserSettings>,
) {
  requireUser(ctx)
  if (settings.lang !== undefined && !ctx.domain.locales.includes(settings.lang))
    throw fieldError('settings.lang', 'errorLocale')
  const zoneIn = (field: 'timeZone' | 'chosenTimeZone') => {
    const zoneName = settings[field]
    const zone = zoneName && timeZoneFrom(zoneName)
    if (zoneName !== undefined && zoneName !== null && !zone) throw fieldError(`settings.${field}`, 'errorTimeZone')
    return zone || (zoneName as null | undefined)
  }
  const zones = { timeZone: zoneIn('timeZone') ?? undefined, chosenTimeZone: zoneIn('chosenTimeZone') }
  const { id } = ctx.user
  const refresh = await db().transaction(async (tx) => {
    const { columns, ...otherSettings } = settings
    const merged = columns && { columns: withColumns(await lockColumns(tx, id), columns) }
    await storeUserSettings(tx, id, { ...otherSettings, ...zones, ...merged })
    return invalidateSessions(tx, id, ctx.now())
  })
  await refresh()
  return getUserSettings(ctx)
}

/** Stores a language as the person's own, for pages in a new browser and for mails. */
export const storeLanguage = (tx: Transaction, userId: string, lang: string) => storeUserSettings(tx, userId, { lang })
