import { z } from 'zod'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { CursorMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'
import { Subnet } from '@/lib/base/runtime/subnet'

export const accessLists = ['whitelist', 'blacklist'] as const
export type AccessListName = (typeof accessLists)[number]

/** A moment of our era: PostgreSQL has no year 0. */
const Moment = z.iso.datetime({ error: 'errorFormat' }).refine((text) => Date.parse(text) >= 0, 'errorDate')

const fields = {
  ip: Subnet.nullable().default(null),
  alias: Id.nullable().default(null),
  dateFrom: Moment.nullable().default(null),
  dateTo: Moment.nullable().default(null),
  comment: line().default(''),
}

type EntryTarget = { ip: string | null; alias: string | null; dateFrom: string | null; dateTo: string | null }

/** An entry names a subnet or an alias, not both, and ends after it begins. */
function checkEntry({ ip, alias, dateFrom, dateTo }: EntryTarget, check: z.RefinementCtx<unknown>) {
  if (!ip && !alias) check.addIssue({ code: 'custom', message: 'errorSubnetOrAlias', path: ['ip'] })
  if (ip && alias) check.addIssue({ code: 'custom', message: 'errorSubnetAndAlias', path: ['alias'] })
  if (dateFrom && dateTo && Date.parse(dateTo) <= Date.parse(dateFrom))
    check.addIssue({ code: 'custom', message: 'errorPeriod', path: ['dateTo'] })
}

const EntryCreation = z
  .strictObject({ ...fields, enabled: z.boolean({ error: 'errorFormat' }).default(true) })
  .superRefine(checkEntry)
const EntryUpdate = z.strictObject({ ...fields, ...readVersion }).superRefine(checkEntry)
export type EntryInput = Omit<z.output<typeof EntryUpdate>, 'updatedAt'>

const Entry = z.strictObject({
  id: Id,
  enabled: z.boolean(),
  ip: z.string().nullable(),
  alias: Id.nullable(),
  aliasName: z.string().nullable(),
  dateFrom: z.iso.datetime().nullable(),
  dateTo: z.iso.datetime().nullable(),
  comment: z.string(),
  updatedAt: z.iso.datetime(),
})
export type Entry = z.output<typeof Entry>

export const EntryQuery = listQuery({
  filters: { search: line(100).optional(), enabled: yesNoFilter().optional(), ip: Subnet.optional() },
  sorts: ['date', 'dateTo', 'updatedAt'],
  defaultSort: { by: 'date', order: 'desc' },
  cursor: true,
})

const Entries = z.strictObject({ accesses: z.array(Entry), meta: CursorMeta })
const ownAddress = { ownAddressDenied: 400, ownAddressDeniedLater: 400 }
const storeErrors = { ...ownAddress, errorNetworkAlias: 400 }
const shutOutNote = 'refused where it would shut out whoever does it'

const white = areaCalls('access-lists', '/setting/whitelist', {
  one: 'WhitelistEntry',
  many: 'Whitelist',
  snackbar: 'whitelist',
})
const black = areaCalls('access-lists', '/setting/blacklist', {
  one: 'BlacklistEntry',
  many: 'Blacklist',
  snackbar: 'blacklist',
})

export const listWhitelist = white.list({
  summary: 'Entries of the whitelist; `filter[ip]` finds those that overlap an address or a subnet',
  query: EntryQuery,
  response: Entries,
})
export const listBlacklist = black.list({
  summary: 'Entries of the blacklist; `filter[ip]` finds those that overlap an address or a subnet',
  query: EntryQuery,
  response: Entries,
})

export const createWhitelistEntry = white.create({
  summary: 'Allows a subnet or an alias, for a time or for good',
  body: EntryCreation,
  // a new entry of the whitelist shuts nobody out
  errors: { errorNetworkAlias: 400 },
})
export const createBlacklistEntry = black.create({
  summary: `Denies a subnet or an alias, for a time or for good; ${shutOutNote}`,
  body: EntryCreation,
  errors: storeErrors,
})

export const updateWhitelistEntry = white.update({
  summary: `Replaces an entry of the whitelist; ${shutOutNote}`,
  body: EntryUpdate,
  errors: storeErrors,
})
export const updateBlacklistEntry = black.update({
  summary: `Replaces an entry of the blacklist; ${shutOutNote}`,
  body: EntryUpdate,
  errors: storeErrors,
})

export const deleteWhitelistEntry = white.remove({
  summary: `Deletes an entry of the whitelist; ${shutOutNote}`,
  errors: ownAddress,
})
export const deleteBlacklistEntry = black.remove({
  summary: 'Deletes an entry of the blacklist',
})

export const enableWhitelistEntry = white.enable({
  summary: `Switches an entry of the whitelist on or off; ${shutOutNote}`,
  errors: ownAddress,
})
export const enableBlacklistEntry = black.enable({
  summary: `Switches an entry of the blacklist on or off; ${shutOutNote}`,
  errors: ownAddress,
})

const Address = z
  .string({ error: 'errorEmpty' })
  .trim()
  .min(1, 'errorEmpty')
  .max(64, 'errorAddress')
  .pipe(z.union([z.ipv4(), z.ipv6()], { error: 'errorAddress' }))

const MatchingEntry = z.strictObject({
  id: Id,
  list: z.enum(accessLists),
  subnet: z.string(),
  aliasName: z.string().nullable(),
  comment: z.string(),
  dateFrom: z.iso.datetime().nullable(),
  dateTo: z.iso.datetime().nullable(),
  active: z.boolean().meta({ description: 'Whether it counts at this moment, by its dates' }),
})
export type MatchingEntry = z.output<typeof MatchingEntry>

export const checkAddress = contract({
  name: 'checkAddress',
  tag: 'access-lists',
  access: { area: 'access-lists' },
  method: 'GET',
  path: '/setting/access-lists/verdict',
  summary: 'Whether an address would get in now, and the enabled entries that contain it',
  query: z.strictObject({ ip: Address }),
  response: z.strictObject({
    verdict: z.enum(['allowed', 'denied']),
    whitelistMode: z.boolean(),
    entries: z.array(MatchingEntry),
  }),
})

export const readWhitelistEnd = contract({
  name: 'readWhitelistEnd',
  tag: 'access-lists',
  access: { area: 'access-lists' },
  method: 'GET',
  path: '/setting/access-lists/whitelist-end',
  summary: 'From when the whitelist would let nobody in by its dates, with an entry as it is about to be saved',
  query: z.strictObject({
    /** The entry that is edited; a new one without it. */
    id: Id.optional(),
    dateFrom: Moment.optional(),
    dateTo: Moment.optional(),
  }),
  response: z.strictObject({
    whitelistMode: z.boolean(),
    ends: z.iso.datetime().nullable().meta({ description: 'Null if that never happens, or whitelistMode is off' }),
  }),
  errors: { notFound: 404 },
})
