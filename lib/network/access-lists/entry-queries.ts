import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { type CursorParts, cursorPage } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { rowsById } from '@/db/rows'
import { accessListEntries, networkAliases, networkAliasIps } from '@/db/schema/platform'
import { found } from '@/db/search'
import { callerId } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { normalSubnet } from '@/lib/base/runtime/subnet'
import type { AccessListName, listWhitelist } from './contract'

type ListInput = ServiceInput<typeof listWhitelist>['query']

/** The moment from which an entry counts: its own date, else that of its creation. */
const startDate = sql`coalesce(${accessListEntries.dateFrom}, ${accessListEntries.createdAt})`

/** Selects the aliases whose name, or one of whose addresses, contains the text. */
const aliasesMatching = (text: string) => sql`(
  select ${networkAliases.id} from ${networkAliases} where ${found(text, [networkAliases.name])}
  union select ${networkAliasIps.aliasId} from ${networkAliasIps}
    where ${found(text, [sql`text(${networkAliasIps.ip})`])})`

const aliasesOverlapping = (subnet: string) => sql`(
  select ${networkAliasIps.aliasId} from ${networkAliasIps} where ${networkAliasIps.ip} && ${subnet}::inet)`

const matchesText = (text: string) =>
  or(
    found(text, [sql`text(${accessListEntries.ip})`, accessListEntries.comment]),
    sql`${accessListEntries.aliasId} in ${aliasesMatching(text)}`,
  )

const rowsIn =
  (inList: SQL) =>
  ({ keys, where, ...parts }: CursorParts) =>
    paged(
      db()
        .select({
          id: accessListEntries.id,
          enabled: accessListEntries.enabled,
          ip: accessListEntries.ip,
          alias: accessListEntries.aliasId,
          aliasName: networkAliases.name,
          dateFrom: accessListEntries.dateFrom,
          dateTo: accessListEntries.dateTo,
          comment: accessListEntries.comment,
          updatedAt: accessListEntries.updatedAt,
          keys,
        })
        .from(accessListEntries)
        .leftJoin(networkAliases, eq(networkAliases.id, accessListEntries.aliasId))
        .$dynamic(),
      { ...parts, where: and(inList, where) },
    )

/** Returns an address as people write it: PostgreSQL writes the prefix length of single addresses too. */
const shortAddress = (ip: string | null) => (ip === null ? null : (normalSubnet(ip) ?? ip))

/** Returns one page of the entries of a list. */
export async function selectEntryPage(list: AccessListName, query: ListInput, ctx: Ctx) {
  const inList = eq(accessListEntries.list, list)
  const { rows, meta } = await cursorPage(
    query,
    ctx.user?.pagination ?? null,
    {
      list,
      caller: callerId(ctx),
      sorts: {
        date: { by: startDate, type: 'timestamptz', nullable: false },
        dateTo: accessListEntries.dateTo,
        updatedAt: accessListEntries.updatedAt,
      },
      tie: accessListEntries.id,
      filters: {
        search: matchesText,
        enabled: (enabled) => eq(accessListEntries.enabled, enabled),
        ip: (subnet) =>
          or(
            sql`${accessListEntries.ip} && ${subnet}::inet`,
            sql`${accessListEntries.aliasId} in ${aliasesOverlapping(subnet)}`,
          ),
      },
    },
    { rows: rowsIn(inList), count: (where) => countRows(accessListEntries, and(inList, where)) },
  )
  return { rows: rows.map((row) => ({ ...row, ip: shortAddress(row.ip) })), meta }
}

/** Locks an entry of a list for a change and returns it; undefined if the list has none with this id. */
export async function lockEntry(tx: Transaction, list: AccessListName, id: string) {
  const [row] = await tx
    .select()
    .from(accessListEntries)
    .where(and(eq(accessListEntries.id, id), eq(accessListEntries.list, list)))
    .for('update')
  return row && { ...row, ip: shortAddress(row.ip) }
}

export const accessListEntryRows = rowsById(accessListEntries)
