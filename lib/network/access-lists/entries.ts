import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { EnableCall } from '@/lib/base/lists/area-calls'
import { onBroken } from '@/lib/base/postgres/constraints'
import { fieldError } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import type { AccessListName, EntryInput } from './contract'
import { accessListEntity } from './entity'
import { accessListEntryRows, lockEntry, selectEntryPage } from './entry-queries'
import { keepingOwnAddress } from './own-address'
import { entryRows } from './queries'

type LockedEntry = NonNullable<Awaited<ReturnType<typeof lockEntry>>>

const iso = (date: Date | null) => date?.toISOString() ?? null
const dateOrNull = (text: string | null) => (text === null ? null : new Date(text))

/** Returns the audited fields of an entry. Equal moments have equal texts, in whatever form they were sent. */
const auditedFieldsOf = (
  list: AccessListName,
  enabled: boolean,
  { ip, alias, dateFrom, dateTo, comment }: EntryInput,
) => ({
  list,
  enabled,
  ip,
  alias,
  dateFrom: iso(dateOrNull(dateFrom)),
  dateTo: iso(dateOrNull(dateTo)),
  comment,
})
const auditedFieldsOfRow = ({ list, enabled, aliasId, dateFrom, dateTo, ...row }: LockedEntry) =>
  auditedFieldsOf(list, enabled, { ...row, alias: aliasId, dateFrom: iso(dateFrom), dateTo: iso(dateTo) })

const valuesOf = (list: AccessListName, enabled: boolean, { alias, dateFrom, dateTo, ip, comment }: EntryInput) => ({
  list,
  enabled,
  ip,
  aliasId: alias,
  dateFrom: dateOrNull(dateFrom),
  dateTo: dateOrNull(dateTo),
  comment,
})

const constraintErrors = {
  access_list_entries_alias_id_network_aliases_id_fk: () => fieldError('alias', 'errorNetworkAlias'),
}

/**
 * Runs a change of an entry, after which every process compiles the lists anew. The lists contain the subnets of
 * aliases, so they are cached under the name of the aliases. Throws 400 on `field` if the change would shut out the
 * caller.
 */
const change = <T>(ctx: Ctx, field: string, work: (tx: Transaction) => Promise<T>) =>
  onBroken(constraintErrors, () =>
    changing('network-aliases', (tx) => keepingOwnAddress(tx, ctx, field, () => work(tx))),
  )

const addressField = ({ alias }: Pick<EntryInput, 'alias'>) => (alias ? 'alias' : 'ip')

/** Returns the service function that reads one page of a list. It needs access-lists.read. */
const listing =
  (list: AccessListName) =>
  async (ctx: Ctx, { query }: ServiceInput<typeof calls.listWhitelist>) => {
    requireMethod(ctx, 'access-lists.read')
    const { rows, meta } = await selectEntryPage(list, query, ctx)
    const accesses = rows.map((row) => ({
      ...row,
      dateFrom: iso(row.dateFrom),
      dateTo: iso(row.dateTo),
      updatedAt: row.updatedAt.toISOString(),
    }))
    return { accesses, meta }
  }

/** Returns the service function that adds an entry to a list and returns its id. */
const creating =
  (list: AccessListName) =>
  async (ctx: Ctx, { body }: ServiceInput<typeof calls.createWhitelistEntry>) => {
    requireMethod(ctx, 'access-lists.write')
    const id = randomUUID()
    await change(ctx, addressField(body), async (tx) => {
      await accessListEntryRows.insert(tx, { id, ...valuesOf(list, body.enabled, body), createdAt: ctx.now() })
      await audit(tx, ctx, accessListEntity, id, null, auditedFieldsOf(list, body.enabled, body))
    })
    return { id }
  }

/** Returns the service function that replaces an entry of a list, and leaves it on or off. */
const updating =
  (list: AccessListName) =>
  async (ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateWhitelistEntry>) => {
    requireMethod(ctx, 'access-lists.write')
    await change(ctx, addressField(body), async (tx) => {
      const row = await lockEntry(tx, list, id)
      const versioned = row && { ...row, alias: row.aliasId, dateFrom: iso(row.dateFrom), dateTo: iso(row.dateTo) }
      await requireVersion(tx, ctx, accessListEntity, { id, row: versioned, updatedAt: body.updatedAt })
      const before = requireUnchanged(row)
      const after = auditedFieldsOf(list, before.enabled, body)
      if (await audit(tx, ctx, accessListEntity, id, auditedFieldsOfRow(before), after))
        await accessListEntryRows.update(tx, id, valuesOf(list, before.enabled, body))
    })
    return {}
  }

/** Returns the service function that deletes an entry of a list. */
const deleting =
  (list: AccessListName) =>
  async (ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteWhitelistEntry>) => {
    requireMethod(ctx, 'access-lists.write')
    await change(ctx, 'id', async (tx) => {
      const before = requireUnchanged(await lockEntry(tx, list, id))
      await accessListEntryRows.remove(tx, id)
      await audit(tx, ctx, accessListEntity, id, auditedFieldsOfRow(before), null)
    })
    return {}
  }

/** Returns the service function that switches the entries of a list on and off. */
const enabling = (list: AccessListName) => async (ctx: Ctx, input: ServiceInput<EnableCall>) => {
  requireMethod(ctx, 'access-lists.write')
  await change(ctx, 'enabled', (tx) => switchEnabled(tx, ctx, input, { ...entryRows(list), entity: accessListEntity }))
  return {}
}

/** Returns one page of the whitelist. Needs access-lists.read. */
export const listWhitelist = listing('whitelist')
/** Returns one page of the blacklist. Needs access-lists.read. */
export const listBlacklist = listing('blacklist')

/** Adds an entry to the whitelist. Needs access-lists.write. Throws 400 for an alias that doesn't exist. */
export const createWhitelistEntry = creating('whitelist')
/** Adds an entry to the blacklist; it also throws 400 if it would shut out the caller. */
export const createBlacklistEntry = creating('blacklist')

/**
 * Replaces an entry of the whitelist. Throws 404, 409 if somebody has changed it since `updatedAt`, and 400 for an alias
 * that doesn't exist and if the change would shut out the caller, now or later.
 */
export const updateWhitelistEntry = updating('whitelist')
/** The same for the blacklist. */
export const updateBlacklistEntry = updating('blacklist')

/** Deletes an entry of the whitelist. Throws 404, and 400 if this would shut out the caller. */
export const deleteWhitelistEntry = deleting('whitelist')
/** Deletes an entry of the blacklist. Throws 404. */
export const deleteBlacklistEntry = deleting('blacklist')

/**
 * Switches an entry of the whitelist on or off. Throws 404, 409 if somebody has changed the entry since `updatedAt`,
 * and 400 if the change would shut out the caller.
 */
export const enableWhitelistEntry = enabling('whitelist')
/** The same for the blacklist. */
export const enableBlacklistEntry = enabling('blacklist')
