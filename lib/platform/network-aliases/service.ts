import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { requireAnyMethod, requireMethod } from '@/lib/kernel/access'
import { audit, changesBetween } from '@/lib/kernel/audit'
import { cached, forget, invalidate } from '@/lib/kernel/cache'
import { onBroken } from '@/lib/kernel/constraints'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError, notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { platformSettings, settingsIn } from '@/lib/platform/settings/service'
import type {
  createNetworkAlias,
  deleteNetworkAlias,
  listNetworkAliases,
  NetworkAliasInput,
  searchNetworkAliases,
  Usage,
  updateNetworkAlias,
} from './contract'
import {
  addressesOf,
  aliasPage,
  countAliases,
  findAliases,
  holdAlias,
  listUsage,
  removeAlias,
  storeAlias,
} from './queries'

const entity = 'network-aliases'
const taken = { network_aliases_name: () => fieldError('name', 'errorUnique') }
const inUse = () => new AppError(409, 'networkAliasUsed')

/** What an alias says, as history compares it. */
const said = ({ name, ips, comment }: NetworkAliasInput) => ({ name, ips, comment })

/** Writes, and lets every process read aliases anew once that is committed: whom the proxies are trusted by follows. */
async function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await db().transaction(async (tx) => {
    const done = await work(tx)
    await invalidate(tx, 'network-aliases')
    return done
  })
  forget('network-aliases')
  return result
}

/** One page of aliases with their addresses and where they are used. Needs network-aliases.read. */
export async function networkAliases(ctx: Ctx, { query }: VerbInput<typeof listNetworkAliases>) {
  requireMethod(ctx, 'network-aliases.read')
  const { reverseProxy } = await platformSettings()
  const { rows, meta } = await aliasPage(query, ctx.user.pagination, reverseProxy, (where) =>
    // the whole is counted once until something changes; what is searched for, each time
    where ? countAliases(where) : cached('network-aliases:count', () => countAliases(undefined)),
  )
  const ids = rows.map(({ id }) => id)
  const [ips, entries] = await Promise.all([addressesOf(db(), ids), listUsage(db(), ids)])
  const networks = rows.map(({ id, name, comment, updatedAt }) => ({
    id,
    name,
    comment,
    ips: ips.filter(({ aliasId }) => aliasId === id).map(({ ip, comment }) => ({ ip, comment })),
    usedIn: usage(id, reverseProxy, entries),
    updatedAt: updatedAt.toISOString(),
  }))
  return { networks, meta }
}

function usage(id: string, proxies: readonly string[], entries: Awaited<ReturnType<typeof listUsage>>): Usage[] {
  const named = entries.filter(({ aliasId }) => aliasId === id).map(({ place, count }) => ({ place, count }))
  return proxies.includes(id) ? [{ place: 'reverseProxy', count: 1 }, ...named] : named
}

/** Creates an alias; gives its id. Needs network-aliases.write. Throws 400 for a name that is taken. */
export async function addNetworkAlias(ctx: Ctx, { body }: VerbInput<typeof createNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  const id = randomUUID()
  await onBroken(taken, () =>
    write(async (tx) => {
      await storeAlias(tx, id, body, ctx.now())
      await audit(tx, ctx, { type: 'create', entity, entityId: id, changes: changesBetween({}, said(body)) })
    }),
  )
  return { id }
}

/** Replaces an alias. Throws 404, 400 for a name that is taken, 409 if somebody saved since `updatedAt`. */
export async function changeNetworkAlias(ctx: Ctx, { params, body }: VerbInput<typeof updateNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  const { updatedAt, ...values } = body
  await onBroken(taken, () =>
    write(async (tx) => {
      const before = await holdAlias(tx, params.id)
      if (!before) throw notFound()
      if (updatedAt && before.updatedAt.getTime() !== Date.parse(updatedAt)) throw new AppError(409)
      const changes = changesBetween(said(before), said(values))
      if (Object.keys(changes).length === 0) return
      await storeAlias(tx, params.id, values, ctx.now())
      await audit(tx, ctx, { type: 'update', entity, entityId: params.id, changes })
    }),
  )
  return {}
}

/** Deletes an alias. Throws 404, and 409 networkAliasUsed while a setting or an entry of the lists names it. */
export async function dropNetworkAlias(ctx: Ctx, { params: { id } }: VerbInput<typeof deleteNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  await onBroken({ access_list_entries_alias_id_network_aliases_id_fk: inUse }, () =>
    write(async (tx) => {
      const before = await holdAlias(tx, id)
      if (!before) throw notFound()
      const [{ reverseProxy }, entries] = await Promise.all([settingsIn(tx), listUsage(tx, [id])])
      if (usage(id, reverseProxy, entries).length > 0) throw inUse()
      await removeAlias(tx, id)
      await audit(tx, ctx, { type: 'delete', entity, entityId: id, changes: changesBetween(said(before), {}) })
    }),
  )
  return {}
}

/** Aliases to choose from. Needs the reading right of an area whose screens offer them. */
export async function networkAliasChoice(ctx: Ctx, { query }: VerbInput<typeof searchNetworkAliases>) {
  requireAnyMethod(ctx, ['network-aliases.read', 'settings.read', 'access-lists.read'])
  return { networks: await findAliases(query) }
}

/** Addresses and subnets of the aliases that the setting reverseProxy names: their forwarding headers are believed. */
export async function trustedProxies(): Promise<string[]> {
  const { reverseProxy } = await platformSettings()
  if (reverseProxy.length === 0) return []
  const rows = await cached(`network-aliases:${reverseProxy.join()}`, () => addressesOf(db(), reverseProxy))
  return [...new Set(rows.map(({ ip }) => ip))]
}
