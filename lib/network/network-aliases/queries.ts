import { asc, count, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage, rowsOf } from '@/db/cursor'
import { chosen, countRows } from '@/db/list'
import { rowsById } from '@/db/rows'
import { accessListEntries, networkAliases, networkAliasIps } from '@/db/schema/platform'
import { found } from '@/db/search'
import { cached } from '@/lib/base/cache/cache'
import { callerId } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { normalSubnet } from '@/lib/base/runtime/subnet'
import type { listNetworkAliases, NetworkAliasInput, searchNetworkAliases } from './contract'

type ListInput = ServiceInput<typeof listNetworkAliases>['query']
type SearchInput = ServiceInput<typeof searchNetworkAliases>['query']

/**
 * Selects the ids of the aliases whose name, comment, address or address comment contains the text; each table uses its
 * own index.
 */
const aliasesMatching = (text: string) => sql`(
  select ${networkAliases.id} from ${networkAliases}
    where ${found(text, [networkAliases.name, networkAliases.comment])}
  union select ${networkAliasIps.aliasId} from ${networkAliasIps}
    where ${found(text, [sql`text(${networkAliasIps.ip})`, networkAliasIps.comment])})`

/** Selects the ids of the aliases that an entry of the lists or the setting of trusted proxies uses. */
const usedAliases = (proxies: readonly string[]) => sql`(
  select ${accessListEntries.aliasId} from ${accessListEntries} where ${isNotNull(accessListEntries.aliasId)}
  union all select unnest(${sql.param(proxies)}::uuid[]))`

const aliasesOverlapping = (subnet: string) => sql`(
  select ${networkAliasIps.aliasId} from ${networkAliasIps} where ${networkAliasIps.ip} && ${subnet}::inet)`

/** The number of all aliases is cached until one changes; search results are counted each time. */
const countAliases = (where: SQL | undefined) =>
  where ? countRows(networkAliases, where) : cached('network-aliases:count', () => countRows(networkAliases))

/** Returns one page of aliases, without their addresses and uses. */
export const selectNetworkAliasPage = (query: ListInput, ctx: Ctx, proxies: readonly string[]) =>
  cursorPage(
    query,
    ctx.user?.pagination ?? null,
    {
      list: 'network-aliases',
      caller: callerId(ctx),
      sorts: { name: networkAliases.name, updatedAt: networkAliases.updatedAt },
      tie: networkAliases.id,
      filters: {
        search: (text) => sql`${networkAliases.id} in ${aliasesMatching(text)}`,
        used: (isUsed) => sql`${networkAliases.id} ${sql.raw(isUsed ? 'in' : 'not in')} ${usedAliases(proxies)}`,
        ip: (subnet) => sql`${networkAliases.id} in ${aliasesOverlapping(subnet)}`,
      },
    },
    { rows: rowsOf(networkAliases), count: countAliases },
  )

/** Returns the addresses of these aliases, in the order of each alias. */
export async function selectAddresses(database: Database | Transaction, ids: string[]) {
  const rows = await database
    .select({ aliasId: networkAliasIps.aliasId, ip: networkAliasIps.ip, comment: networkAliasIps.comment })
    .from(networkAliasIps)
    .where(inArray(networkAliasIps.aliasId, ids))
    .orderBy(asc(networkAliasIps.aliasId), asc(networkAliasIps.order), asc(networkAliasIps.ip))
  // PostgreSQL writes the prefix length of single addresses too
  return rows.map((row) => ({ ...row, ip: normalSubnet(row.ip) ?? row.ip }))
}

/** Returns how many entries of each list use these aliases. */
export const selectListUsage = (database: Database | Transaction, ids: string[]) =>
  database
    .select({ aliasId: accessListEntries.aliasId, place: accessListEntries.list, count: count() })
    .from(accessListEntries)
    .where(inArray(accessListEntries.aliasId, ids))
    .groupBy(accessListEntries.aliasId, accessListEntries.list)
    .orderBy(accessListEntries.list)

async function lockNetworkAlias(tx: Transaction, id: string) {
  const [row] = await tx.select().from(networkAliases).where(eq(networkAliases.id, id)).for('update')
  if (!row) return undefined
  const ips = (await selectAddresses(tx, [id])).map(({ ip, comment }) => ({ ip, comment }))
  return { ...row, ips }
}

/** Inserts the alias, or replaces it with its addresses. */
export async function storeNetworkAlias(tx: Transaction, id: string, { ips, ...values }: NetworkAliasInput, now: Date) {
  await tx
    .insert(networkAliases)
    .values({ id, ...values, createdAt: now })
    .onConflictDoUpdate({ target: networkAliases.id, set: values })
  await tx.delete(networkAliasIps).where(eq(networkAliasIps.aliasId, id))
  await tx.insert(networkAliasIps).values(ips.map((row, order) => ({ ...row, aliasId: id, order })))
}

/** An alias is locked with its addresses. */
export const networkAliasRows = { ...rowsById(networkAliases), lock: lockNetworkAlias }

/** Returns the aliases that a search by name (50 at most) or by ids finds, sorted by name. */
export const selectNetworkAliasOptions = (query: SearchInput) =>
  chosen(db().select({ id: networkAliases.id, name: networkAliases.name }).from(networkAliases).$dynamic(), query, {
    id: networkAliases.id,
    called: (text) => found(text, [networkAliases.name]),
    by: networkAliases.name,
  })
