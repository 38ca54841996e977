import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { removeRow } from '@/lib/base/audit/rows'
import { requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { platformSettings, settingsIn } from '@/lib/site/settings/service'
import { keepingOwnAddress } from '../access-lists/own-address'
import type * as calls from './contract'
import { networkAliasEntity } from './entity'
import {
  networkAliasRows,
  selectAddresses,
  selectListUsage,
  selectNetworkAliasOptions,
  selectNetworkAliasPage,
  storeNetworkAlias,
} from './queries'

const inUse = () => new AppError(409, 'networkAliasUsed')
const constraintErrors = {
  network_aliases_name: () => fieldError('name', 'errorUnique'),
  access_list_entries_alias_id_network_aliases_id_fk: inUse,
}

const change = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken(constraintErrors, () => changing('network-aliases', work))

/** Runs a change of an alias that the lists or the trusted proxies may use. */
const changeUsedAlias = <T>(ctx: Ctx, field: string, work: (tx: Transaction) => Promise<T>) =>
  change((tx) => keepingOwnAddress(tx, ctx, field, () => work(tx)))

/** Returns one page of aliases with their addresses and where they are used. Needs network-aliases.read. */
export async function listNetworkAliases(ctx: Ctx, { query }: ServiceInput<typeof calls.listNetworkAliases>) {
  requireMethod(ctx, 'network-aliases.read')
  const { reverseProxy } = await platformSettings()
  const { rows, meta } = await selectNetworkAliasPage(query, ctx, reverseProxy)
  const ids = rows.map(({ id }) => id)
  const [ips, entries] = await Promise.all([selectAddresses(db(), ids), selectListUsage(db(), ids)])
  const networks = rows.map(({ createdAt: _, ...alias }) => ({
    ...alias,
    ips: ips.filter(({ aliasId }) => aliasId === alias.id).map(({ ip, comment }) => ({ ip, comment })),
    usedIn: usageOf(alias.id, reverseProxy, entries),
    updatedAt: alias.updatedAt.toISOString(),
  }))
  return { networks, meta }
}

type ListUsage = Awaited<ReturnType<typeof selectListUsage>>

function usageOf(id: string, proxies: readonly string[], entries: ListUsage): calls.Usage[] {
  const listUsage = entries.filter(({ aliasId }) => aliasId === id).map(({ place, count }) => ({ place, count }))
  return proxies.includes(id) ? [{ place: 'reverseProxy', count: 1 }, ...listUsage] : listUsage
}

/** Creates an alias; returns its id. Needs network-aliases.write. Throws 400 for a name that is taken. */
export async function createNetworkAlias(ctx: Ctx, { body }: ServiceInput<typeof calls.createNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  const id = randomUUID()
  await change(async (tx) => {
    await storeNetworkAlias(tx, id, body, ctx.now())
    await audit(tx, ctx, networkAliasEntity, id, null, body)
  })
  return { id }
}

type AliasAddresses = calls.NetworkAliasInput['ips']

/**
 * Throws 403 forbiddenSetting for addresses that an alias of trusted proxies gets or loses, unless the caller is an
 * administrator (docs/rules/access.md#administrators-alone).
 */
async function refuseOtherProxies(
  tx: Transaction,
  ctx: Ctx,
  id: string,
  before: AliasAddresses,
  after: AliasAddresses,
) {
  const added = after.flatMap(({ ip }, index) => (before.some((row) => row.ip === ip) ? [] : [`ips.${index}.ip`]))
  const removed = before.some(({ ip }) => !after.some((row) => row.ip === ip)) ? ['ips'] : []
  const changed = added.length > 0 ? added : removed
  if (changed.length === 0 || !(await settingsIn(tx)).reverseProxy.includes(id) || (await isAdministrator(tx, ctx)))
    return
  throw new AppError(403, 'forbiddenSetting', {
    errorList: changed.map((field) => ({ field, code: 'errorReservedAlias' })),
  })
}

/**
 * Replaces an alias. Needs network-aliases.write. Throws 404, 400 for a name that is taken and for addresses that would
 * shut out the caller, 403 for other trusted proxies, and 409 if somebody has saved it since `updatedAt`.
 */
export async function updateNetworkAlias(ctx: Ctx, { params, body }: ServiceInput<typeof calls.updateNetworkAlias>) {
  const { id } = params
  requireMethod(ctx, 'network-aliases.write')
  await changeUsedAlias(ctx, 'ips', async (tx) => {
    const row = await networkAliasRows.lock(tx, id)
    const before = await requireVersion(tx, ctx, networkAliasEntity, { id, row, updatedAt: body.updatedAt })
    const values = recorded(networkAliasEntity, body)
    await refuseOtherProxies(tx, ctx, id, before.ips, values.ips)
    if (await audit(tx, ctx, networkAliasEntity, id, recorded(networkAliasEntity, before), values))
      await storeNetworkAlias(tx, id, values, ctx.now())
  })
  return {}
}

/**
 * Deletes an alias. Needs network-aliases.write. Throws 404, and 409 networkAliasUsed while a setting or an entry of
 * the lists uses it.
 */
export async function deleteNetworkAlias(ctx: Ctx, input: ServiceInput<typeof calls.deleteNetworkAlias>) {
  requireMethod(ctx, 'network-aliases.write')
  const alias = { rows: networkAliasRows, entity: networkAliasEntity }
  await changeUsedAlias(ctx, 'id', (tx) =>
    removeRow(tx, ctx, input, alias, async ({ id }) => {
      const [{ reverseProxy }, entries] = await Promise.all([settingsIn(tx), selectListUsage(tx, [id])])
      if (usageOf(id, reverseProxy, entries).length > 0) throw inUse()
    }),
  )
  return {}
}

/** Returns aliases to choose from. Needs the read method of an area whose screens offer them. */
export async function searchNetworkAliases(ctx: Ctx, { query }: ServiceInput<typeof calls.searchNetworkAliases>) {
  requireAnyMethod(ctx, ['network-aliases.read', 'settings.read', 'access-lists.read'])
  return { networks: await selectNetworkAliasOptions(query) }
}
