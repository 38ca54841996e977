import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { requireAnyMethod, requireMethod } from '@/lib/kernel/access'
import { audit, changesBetween } from '@/lib/kernel/audit'
import { cached } from '@/lib/kernel/cache'
import { asRead, changing } from '@/lib/kernel/change'
import { onBroken } from '@/lib/kernel/constraints'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { isPrivateSubnet, isWithin } from '@/lib/kernel/subnet'
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
  allAddresses,
  findAliases,
  holdAlias,
  listUsage,
  removeAlias,
  storeAlias,
} from './queries'

const entity = 'network-aliases'
const inUse = () => new AppError(409, 'networkAliasUsed')
const broken = {
  network_aliases_name: () => fieldError('name', 'errorUnique'),
  access_list_entries_alias_id_network_aliases_id_fk: inUse,
}

/** What an alias says, as history compares it. */
const said = ({ name, ips, comment }: NetworkAliasInput) => ({ name, ips, comment })

const change = <T>(work: (tx: Transaction) => Promise<T>) => onBroken(broken, () => changing('network-aliases', work))

/** One page of aliases with their addresses and where they are used. Needs network-aliases.read. */
export async function networkAliases(ctx: Ctx, { query }: VerbInput<typeof listNetworkAliases>) {
  requireMethod(ctx, 'network-aliases.read')
  const { reverseProxy } = await platformSettings()
  const { rows, meta } = await aliasPage(query, ctx.user?.pagination ?? null, reverseProxy)
  const ids = rows.map(({ id }) => id)
  const [ips, entries] = await Promise.all([addressesOf(db(), ids), listUsage(db(), ids)])
  const networks = rows.map(({ createdAt: _, ...alias }) => ({
    ...alias,
    ips: ips.filter(({ aliasId }) => aliasId === alias.id).map(({ ip, comment }) => ({ ip, comment })),
    usedIn: usage(alias.id, reverseProxy, entries),
    updatedAt: alias.updatedAt.toISOString(),
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
  await change(async (tx) => {
    await storeAlias(tx, id, body, ctx.now())
    await audit(tx, ctx, { type: 'create', entity, entityId: id, changes: changesBetween({}, said(body)) })
  })
  return { id }
}

/** Replaces an alias. Throws 404, 400 for a name that is taken, 409 if somebody saved since `updatedAt`. */
export async function changeNetworkAlias(ctx: Ctx, { params: { id }, body }: VerbInput<typeof updateNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  await change(async (tx) => {
    const before = asRead(await holdAlias(tx, id), body.updatedAt)
    const changes = changesBetween(said(before), said(body))
    if (Object.keys(changes).length === 0) return
    await storeAlias(tx, id, said(body), ctx.now())
    await audit(tx, ctx, { type: 'update', entity, entityId: id, changes })
  })
  return {}
}

/** Deletes an alias. Throws 404, and 409 networkAliasUsed while a setting or an entry of the lists names it. */
export async function dropNetworkAlias(ctx: Ctx, { params: { id } }: VerbInput<typeof deleteNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  await change(async (tx) => {
    const before = asRead(await holdAlias(tx, id))
    const [{ reverseProxy }, entries] = await Promise.all([settingsIn(tx), listUsage(tx, [id])])
    if (usage(id, reverseProxy, entries).length > 0) throw inUse()
    await removeAlias(tx, id)
    await audit(tx, ctx, { type: 'delete', entity, entityId: id, changes: changesBetween(said(before), {}) })
  })
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

/** Whether an alias names this private address. What names it along with public ones, or is link-local, is no leave. */
export async function isNamedPrivate(ip: string): Promise<boolean> {
  const subnets = await cached('network-aliases:private', async () => (await allAddresses()).filter(isPrivateSubnet))
  return subnets.some((subnet) => isWithin(ip, subnet))
}
