import { asc, count, eq, getTableColumns, ilike, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage } from '@/db/cursor'
import { chosen, containing, countRows, paged } from '@/db/list'
import { accessListEntries, networkAliases, networkAliasIps } from '@/db/schema/platform'
import { cached } from '@/lib/kernel/cache'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { normalSubnet } from '@/lib/kernel/subnet'
import type { listNetworkAliases, NetworkAliasInput, searchNetworkAliases } from './contract'

type ListInput = VerbInput<typeof listNetworkAliases>['query']
type SearchInput = VerbInput<typeof searchNetworkAliases>['query']

/** Ids of the aliases where name, comment, an address or its comment holds the text; each table by its own index. */
const matching = (text: string) => sql`(
  select ${networkAliases.id} from ${networkAliases}
    where ${or(ilike(networkAliases.name, containing(text)), ilike(networkAliases.comment, containing(text)))}
  union select ${networkAliasIps.aliasId} from ${networkAliasIps}
    where text(${networkAliasIps.ip}) ilike ${containing(text)} or ${ilike(networkAliasIps.comment, containing(text))})`

/** Ids of the aliases that an entry of the lists or the setting of trusted proxies names. */
const used = (proxies: readonly string[]) => sql`(
  select ${accessListEntries.aliasId} from ${accessListEntries} where ${isNotNull(accessListEntries.aliasId)}
  union all select unnest(${sql.param(proxies)}::uuid[]))`

const overlapping = (subnet: string) => sql`(
  select ${networkAliasIps.aliasId} from ${networkAliasIps} where ${networkAliasIps.ip} && ${subnet}::inet)`

/** The whole is counted once until something changes; what is searched for, each time. */
const counted = (where: SQL | undefined) =>
  where ? countRows(networkAliases, where) : cached('network-aliases:count', () => countRows(networkAliases))

/** One page of aliases, without what hangs on them. */
export const aliasPage = (query: ListInput, caller: string, pageSize: number | null, proxies: readonly string[]) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'network-aliases',
      caller,
      sorts: { name: networkAliases.name, updatedAt: networkAliases.updatedAt },
      tie: networkAliases.id,
      filters: {
        search: (text) => sql`${networkAliases.id} in ${matching(text)}`,
        used: (wanted) => sql`${networkAliases.id} ${sql.raw(wanted ? 'in' : 'not in')} ${used(proxies)}`,
        ip: (subnet) => sql`${networkAliases.id} in ${overlapping(subnet)}`,
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({ ...getTableColumns(networkAliases), keys })
            .from(networkAliases)
            .$dynamic(),
          parts,
        ),
      count: counted,
    },
  )

/** The addresses of these aliases, each alias's in its order. */
export async function addressesOf(database: Database | Transaction, ids: string[]) {
  const rows = await database
    .select({ aliasId: networkAliasIps.aliasId, ip: networkAliasIps.ip, comment: networkAliasIps.comment })
    .from(networkAliasIps)
    .where(inArray(networkAliasIps.aliasId, ids))
    .orderBy(asc(networkAliasIps.aliasId), asc(networkAliasIps.order), asc(networkAliasIps.ip))
  // PostgreSQL writes the length of whole addresses too
  return rows.map((row) => ({ ...row, ip: normalSubnet(row.ip) ?? row.ip }))
}

/** Every address and subnet that an alias names. */
export async function allAddresses(): Promise<string[]> {
  const rows = await db().selectDistinct({ ip: networkAliasIps.ip }).from(networkAliasIps)
  return rows.map(({ ip }) => ip)
}

/** How many entries of each list name these aliases. */
export const listUsage = (database: Database | Transaction, ids: string[]) =>
  database
    .select({ aliasId: accessListEntries.aliasId, place: accessListEntries.list, count: count() })
    .from(accessListEntries)
    .where(inArray(accessListEntries.aliasId, ids))
    .groupBy(accessListEntries.aliasId, accessListEntries.list)
    .orderBy(accessListEntries.list)

/** An alias held for a change, with its addresses; undefined when there is none. */
export async function holdAlias(tx: Transaction, id: string) {
  const [row] = await tx.select().from(networkAliases).where(eq(networkAliases.id, id)).for('update')
  if (!row) return undefined
  const ips = (await addressesOf(tx, [id])).map(({ ip, comment }) => ({ ip, comment }))
  return { ...row, ips }
}

/** Inserts the alias, or replaces it whole. */
export async function storeAlias(tx: Transaction, id: string, { ips, ...values }: NetworkAliasInput, at: Date) {
  await tx
    .insert(networkAliases)
    .values({ id, ...values, createdAt: at })
    .onConflictDoUpdate({ target: networkAliases.id, set: values })
  await tx.delete(networkAliasIps).where(eq(networkAliasIps.aliasId, id))
  await tx.insert(networkAliasIps).values(ips.map((row, order) => ({ ...row, aliasId: id, order })))
}

export const removeAlias = (tx: Transaction, id: string) => tx.delete(networkAliases).where(eq(networkAliases.id, id))

/** Up to 50 by name, and every one of `ids` if told. */
export const findAliases = (query: SearchInput) =>
  chosen(db().select({ id: networkAliases.id, name: networkAliases.name }).from(networkAliases).$dynamic(), query, {
    id: networkAliases.id,
    called: (text) => ilike(networkAliases.name, containing(text)),
    by: networkAliases.name,
  })
