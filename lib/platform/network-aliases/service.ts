import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { callerId, requireAnyMethod, requireMethod } from '@/lib/kernel/access'
import { cached } from '@/lib/kernel/cache'
import { changing, requireUnchanged } from '@/lib/kernel/change'
import { onBroken } from '@/lib/kernel/constraints'
import type { Ctx } from '@/lib/kernel/ctx'
import { env } from '@/lib/kernel/env'
import { AppError, fieldError } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { recorded } from '@/lib/kernel/record/entity'
import { record } from '@/lib/kernel/record/record'
import { isPrivateSubnet, isWithin } from '@/lib/kernel/subnet'
import { keepingOwnAddress } from '@/lib/platform/access-lists/own-address'
import { platformSettings, settingsIn } from '@/lib/platform/settings/service'
import type {
  createNetworkAlias,
  deleteNetworkAlias,
  listNetworkAliases,
  searchNetworkAliases,
  Usage,
  updateNetworkAlias,
} from './contract'
import { networkAliasEntity } from './entity'
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

const inUse = () => new AppError(409, 'networkAliasUsed')
const broken = {
  network_aliases_name: () => fieldError('name', 'errorUnique'),
  access_list_entries_alias_id_network_aliases_id_fk: inUse,
}

const change = <T>(work: (tx: Transaction) => Promise<T>) => onBroken(broken, () => changing('network-aliases', work))

/** A change of an alias that the lists or the trusted proxies may name. */
const changeNamed = <T>(ctx: Ctx, field: string, work: (tx: Transaction) => Promise<T>) =>
  change((tx) => keepingOwnAddress(tx, ctx, field, () => work(tx)))

/** One page of aliases with their addresses and where they are used. Needs network-aliases.read. */
export async function networkAliases(ctx: Ctx, { query }: VerbInput<typeof listNetworkAliases>) {
  requireMethod(ctx, 'network-aliases.read')
  const { reverseProxy } = await platformSettings()
  const { rows, meta } = await aliasPage(query, callerId(ctx), ctx.user?.pagination ?? null, reverseProxy)
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
    await record(tx, ctx, networkAliasEntity, id, null, body)
  })
  return { id }
}

/**
 * Replaces an alias. Throws 404, 400 for a name that is taken and for addresses that would shut the caller out, 409 if
 * somebody saved since `updatedAt`.
 */
export async function changeNetworkAlias(ctx: Ctx, { params: { id }, body }: VerbInput<typeof updateNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  await changeNamed(ctx, 'ips', async (tx) => {
    const before = requireUnchanged(await holdAlias(tx, id), body.updatedAt)
    const values = recorded(networkAliasEntity, body)
    if (await record(tx, ctx, networkAliasEntity, id, recorded(networkAliasEntity, before), values))
      await storeAlias(tx, id, values, ctx.now())
  })
  return {}
}

/** Deletes an alias. Throws 404, and 409 networkAliasUsed while a setting or an entry of the lists names it. */
export async function dropNetworkAlias(ctx: Ctx, { params: { id } }: VerbInput<typeof deleteNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  await changeNamed(ctx, 'id', async (tx) => {
    const before = requireUnchanged(await holdAlias(tx, id))
    const [{ reverseProxy }, entries] = await Promise.all([settingsIn(tx), listUsage(tx, [id])])
    if (usage(id, reverseProxy, entries).length > 0) throw inUse()
    await removeAlias(tx, id)
    await record(tx, ctx, networkAliasEntity, id, recorded(networkAliasEntity, before), null)
  })
  return {}
}

/** Aliases to choose from. Needs the reading right of an area whose screens offer them. */
export async function networkAliasChoice(ctx: Ctx, { query }: VerbInput<typeof searchNetworkAliases>) {
  requireAnyMethod(ctx, ['network-aliases.read', 'settings.read', 'access-lists.read'])
  return { networks: await findAliases(query) }
}

/**
 * Addresses and subnets whose forwarding headers are believed: those of the environment's REVERSE_PROXY, and of the
 * aliases that the setting reverseProxy names.
 */
export async function trustedProxies(): Promise<string[]> {
  const { reverseProxy } = await platformSettings()
  const { REVERSE_PROXY: first } = env()
  if (reverseProxy.length === 0) return first
  const rows = await cached(`network-aliases:${reverseProxy.join()}`, () => addressesOf(db(), reverseProxy))
  return [...new Set([...first, ...rows.map(({ ip }) => ip)])]
}

/** Whether an alias names this private address. What names it along with public ones, or is link-local, is no leave. */
export async function isNamedPrivate(ip: string): Promise<boolean> {
  const subnets = await cached('network-aliases:private', async () => (await allAddresses()).filter(isPrivateSubnet))
  return subnets.some((subnet) => isWithin(ip, subnet))
}
