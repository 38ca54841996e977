import { db } from '@/db/client'
import { requireMethod } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { normalSubnet } from '@/lib/kernel/subnet'
import { platformSettings } from '@/lib/platform/settings/service'
import type { checkAddress as contract } from './contract'
import { selectEnabledEntries } from './queries'
import { compileLists, entriesOn, isActive, verdictOf, whitelistEnds } from './verdict'

const iso = (date: Date | null) => date?.toISOString() ?? null

/**
 * Returns whether an address would get in now, with the enabled entries that contain it: those that count now first,
 * the blacklist before the whitelist. It compiles the lists as requests do. Needs access-lists.read.
 */
export async function checkAddress(ctx: Ctx, { query: { ip } }: VerbInput<typeof contract>) {
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
    .toSorted((one, other) => Number(other.active) - Number(one.active) || one.list.localeCompare(other.list))
  return { verdict: verdictOf(lists, whitelistMode, ip, now), whitelistMode, entries }
}

/**
 * Returns whether whitelistMode is on and, if so, from when nobody gets in because no entry of the whitelist counts any
 * more by its dates; null if that never happens. Needs access-lists.read.
 */
export async function whitelistState(ctx: Ctx): Promise<{ whitelistMode: boolean; ends: Date | null }> {
  requireMethod(ctx, 'access-lists.read')
  const { whitelistMode } = await platformSettings()
  if (!whitelistMode) return { whitelistMode, ends: null }
  const entries = (await selectEnabledEntries(db())).filter(({ list }) => list === 'whitelist')
  return { whitelistMode, ends: whitelistEnds(entries, ctx.now()) }
}
