import { db } from '@/db/client'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { normalSubnet } from '@/lib/base/runtime/subnet'
import { platformSettings } from '@/lib/site/settings/service'
import type * as calls from './contract'
import { selectEnabledEntries, selectEntryState } from './queries'
import { compileLists, entriesOn, isActive, verdictOf, whitelistEnds } from './verdict'

const iso = (date: Date | null) => date?.toISOString() ?? null

/**
 * Returns whether an address is allowed now, with the enabled entries that contain it: those that count now first, the
 * blacklist before the whitelist. It compiles the lists as requests do. Needs access-lists.read.
 */
export async function checkAddress(ctx: Ctx, { query: { ip } }: ServiceInput<typeof calls.checkAddress>) {
  requireMethod(ctx, 'access-lists.read')
  const [{ whitelistMode }, rows] = await Promise.all([platformSettings(), selectEnabledEntries()])
  const lists = compileLists(rows)
  const now = ctx.now()
  const entries = entriesOn(lists, ip)
    .map((entry) => ({
      id: entry.id,
      list: entry.list,
      subnet: normalSubnet(entry.subnet) ?? entry.subnet,
      aliasName: entry.alias,
      comment: entry.comment,
      dateFrom: iso(entry.dateFrom),
      dateTo: iso(entry.dateTo),
      active: isActive(entry, now),
    }))
    .toSorted((a, b) => Number(b.active) - Number(a.active) || a.list.localeCompare(b.list))
  return { verdict: verdictOf(lists, whitelistMode, ip, now), whitelistMode, entries }
}

const whitelistEntries = async () => (await selectEnabledEntries(db())).filter(({ list }) => list === 'whitelist')

/**
 * Returns the moment from which nobody is allowed, because no entry of the whitelist counts any more by its dates; null
 * if that never happens or whitelistMode is off (docs/rules/address-lists.md#an-empty-whitelist).
 */
export async function whitelistEnd(now: Date): Promise<Date | null> {
  const { whitelistMode } = await platformSettings()
  return whitelistMode ? whitelistEnds(await whitelistEntries(), now) : null
}

/** Returns whether whitelistMode is on, and what `whitelistEnd` returns. Needs access-lists.read. */
export async function whitelistState(ctx: Ctx): Promise<{ whitelistMode: boolean; ends: Date | null }> {
  requireMethod(ctx, 'access-lists.read')
  const [{ whitelistMode }, ends] = await Promise.all([platformSettings(), whitelistEnd(ctx.now())])
  return { whitelistMode, ends }
}

/**
 * Returns what `whitelistEnd` would return after an entry is saved with these dates, so that its form can warn. An entry
 * that is switched off changes nothing. Needs access-lists.read. Throws 404.
 */
export async function readWhitelistEnd(ctx: Ctx, { query }: ServiceInput<typeof calls.readWhitelistEnd>) {
  requireMethod(ctx, 'access-lists.read')
  const { id, dateFrom, dateTo } = query
  const [{ whitelistMode }, entries, entryState] = await Promise.all([
    platformSettings(),
    whitelistEntries(),
    id ? selectEntryState('whitelist', id) : { enabled: true },
  ])
  if (!entryState) throw notFound()
  const dateOrNull = (text: string | undefined) => (text ? new Date(text) : null)
  const otherEntries = entries.filter((entry) => entry.id !== id)
  const entriesAfter = entryState.enabled
    ? [...otherEntries, { dateFrom: dateOrNull(dateFrom), dateTo: dateOrNull(dateTo) }]
    : otherEntries
  return { whitelistMode, ends: whitelistMode ? iso(whitelistEnds(entriesAfter, ctx.now())) : null }
}
