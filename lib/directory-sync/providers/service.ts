import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/administrators'
import { preparer } from '@/lib/accounts/users/prepared'
import { audit, auditEvent } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { encrypt } from '@/lib/base/crypto/encryption'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import { emit } from '@/lib/base/events/events'
import { takePoints } from '@/lib/base/limits/limits'
import { onBroken } from '@/lib/base/postgres/constraints'
import { env } from '@/lib/base/runtime/env'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { redirectTo } from '@/lib/identity-providers/connections/addresses'
import { directories, type ProviderRow, secretOf, wholeProvider } from '@/lib/identity-providers/connections/service'
import { servedDomains } from '@/lib/site/domains/service'
import type * as calls from './contract'
import { isClientCode } from './contract'
import { shownSyncs } from './details'
import { providerEntity } from './entity'
import {
  insertProvider,
  insertSync,
  lockProvider,
  providerTable,
  removeProvider,
  selectKnownDomains,
  selectLinkCounts,
  selectOffers,
  selectPeopleCounts,
  selectProviderPage,
  storeActor,
  storeOffers,
  storeProvider,
} from './queries'
import { requireMayChangeProvider, withdrawVouching } from './who-may-change'

const [read, write] = ['providers.read', 'providers.write'] as const
const inUse = () => new AppError(409, 'providerUsed')
const broken = {
  providers_name: () => fieldError('name', 'errorUnique'),
  users_provider_id_providers_id_fk: inUse,
}
const change = <T>(work: (tx: Transaction) => Promise<T>) => onBroken(broken, () => changing('providers', work))
/** The same for a change after which people may have to sign in at the provider. */
const changeWays = <T>(work: (tx: Transaction) => Promise<T>) =>
  change((tx) => keepingAdministrator(tx, () => work(tx)))

/** How often a person may try connections in an hour: each is a call to an address that they entered. */
const checks = [{ points: 60, duration: 3_600 }]

/** The end of the secret; empty if no key opens it, because the rest of the directory can be seen and mended anyway. */
function tailOf(row: ProviderRow): string {
  try {
    return secretOf(row).slice(-4)
  } catch {
    return ''
  }
}

async function shownProviders(rows: readonly ProviderRow[]): Promise<calls.Provider[]> {
  const ids = rows.map(({ id }) => id)
  const [offers, people, links, syncs, domains] = await Promise.all([
    selectOffers(db(), ids),
    selectPeopleCounts(db(), ids),
    selectLinkCounts(db(), ids),
    shownSyncs(rows),
    servedDomains(),
  ])
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    enabled: row.enabled,
    name: row.name,
    url: row.url,
    realm: row.realm ?? '',
    clientId: row.clientId,
    secretTail: tailOf(row),
    emailDomains: row.emailDomains,
    domains: offers.filter(({ providerId }) => providerId === row.id).map(({ domainId }) => domainId),
    scopes: row.scopes,
    redirects: domains
      .filter((domain) => isOffered(row, domain.id, offers))
      .map(({ origin }) => redirectTo(origin, row.id)),
    people: people.find(({ providerId }) => providerId === row.id)?.people ?? 0,
    linked: links.find(({ providerId }) => providerId === row.id)?.linked ?? 0,
    sync: syncs.get(row.id) ?? [],
    vouched: row.enteredBy === null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
}

/** Returns one page of directories. Needs providers.read. */
export async function listProviders(ctx: Ctx, { query }: ServiceInput<typeof calls.listProviders>) {
  requireMethod(ctx, read)
  const { rows, meta } = await selectProviderPage(query, ctx.user?.pagination ?? null)
  return { providers: await shownProviders(rows), meta }
}

/** Returns a directory without its secret. Needs providers.read. Throws 404. */
export async function readProvider(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readProvider>) {
  requireMethod(ctx, read)
  const row = await wholeProvider(db(), id)
  const [provider] = row ? await shownProviders([row]) : []
  if (!provider) throw notFound()
  return { provider }
}

type Body = ServiceInput<typeof calls.createProvider>['body']
type Connection = Pick<Body, 'type' | 'url' | 'realm'>

/** Throws 400 by field for an address without https in production, and for what another type of provider has. */
function requireConnection({ type, url, realm, clientId }: Connection & Pick<Body, 'clientId'>) {
  if (env().PLATFORM_MODE === 'production' && !url.startsWith('https:')) throw fieldError('url', 'errorProviderHttps')
  if (type === 'keycloak' && realm === '') throw fieldError('realm', 'errorEmpty')
  if (type !== 'keycloak' && realm !== '') throw fieldError('realm', 'errorRealm')
  if (type !== 'oidc' && !isClientCode(clientId)) throw fieldError('clientId', 'errorClientCode')
}

/** A directory is asked for nothing besides who the person is: everything else comes by the synchronization. */
function requireScopes(type: Body['type'], scopes: readonly string[]) {
  if (type !== 'oidc' && scopes.length > 0) throw fieldError('scopes', 'errorScopes')
}

async function requireDomains(tx: Transaction, ids: readonly string[]) {
  const known = await selectKnownDomains(tx, ids)
  const at = ids.findIndex((id) => !known.has(id))
  if (at >= 0) throw fieldError(`domains.${at}`, 'errorDomain')
}

/** Whether people may sign in through it on a domain: it is offered there, or mail domains lead to it everywhere. */
const isOffered = (
  { id, emailDomains }: Pick<ProviderRow, 'id' | 'emailDomains'>,
  domainId: string,
  offers: Awaited<ReturnType<typeof selectOffers>>,
) => emailDomains.length > 0 || offers.some((offer) => offer.providerId === id && offer.domainId === domainId)

/**
 * Throws 403 forbiddenSetting unless the caller is an administrator: mail domains lead their people to the provider, also
 * whoever gets more rights or such an e-mail later (docs/rules/access.md#administrators-alone).
 */
async function requireClaims(tx: Transaction, ctx: Ctx) {
  if (await isAdministrator(tx, ctx)) return
  throw new AppError(403, 'forbiddenSetting', {
    errorList: [{ field: 'emailDomains', code: 'errorReservedMailDomain' }],
  })
}

/**
 * Adds a directory, switched off, with a synchronization that is off too. Returns its id. Needs providers.write. Throws
 * 400 by field, also for a name that is taken (docs/rules/providers.md#providers), and 403 forbiddenSetting for a mail
 * domain, unless the caller is an administrator.
 */
export async function createProvider(ctx: Ctx, { body }: ServiceInput<typeof calls.createProvider>) {
  requireMethod(ctx, write)
  requireConnection(body)
  requireScopes(body.type, body.scopes)
  const { domains, clientSecret, ...values } = body
  const id = randomUUID()
  await change(async (tx) => {
    await requireDomains(tx, domains)
    if (values.emailDomains.length > 0) await requireClaims(tx, ctx)
    const row = {
      ...values,
      id,
      realm: values.realm || null,
      clientSecret: encrypt('providers', clientSecret, id),
      enabled: false,
      enteredBy: await preparer(tx, ctx),
      createdAt: ctx.now(),
    }
    await insertProvider(tx, row)
    await storeOffers(tx, id, domains)
    await insertSync(tx, { providerId: id, actorId: ctx.user?.id ?? null, createdAt: ctx.now() })
    await audit(tx, ctx, providerEntity, id, null, { ...recorded(providerEntity, row), domains: [...domains].sort() })
  })
  return { id }
}

/** Whether the secret would be sent to where it wasn't sent before. */
const isElsewhere = (row: ProviderRow, to: Omit<Connection, 'type'> & { clientId: string }) =>
  row.url !== to.url || (row.realm ?? '') !== to.realm || row.clientId !== to.clientId

/**
 * Replaces a directory. Needs providers.write, and what its people may come to and its mappers give. Throws 400 by field,
 * also errorSecretAgain if another address would get the stored secret, 403 forbiddenUser and forbiddenRole, 403
 * forbiddenSetting for a mail domain that is new or would lead elsewhere, unless the caller is an administrator, 404, 409
 * lastAdministrator, and 409 if somebody has saved it since.
 */
export async function updateProvider(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateProvider>) {
  requireMethod(ctx, write)
  const { domains, clientSecret, updatedAt, ...values } = body
  await changeWays(async (tx) => {
    const row = await lockProvider(tx, id)
    const before = await requireVersion(tx, ctx, providerEntity, { read, id, row, updatedAt })
    await requireMayChangeProvider(tx, ctx, id)
    requireConnection({ ...values, type: before.type })
    requireScopes(before.type, values.scopes)
    if (!clientSecret && isElsewhere(before, values)) throw fieldError('clientSecret', 'errorSecretAgain')
    await requireDomains(tx, domains)
    const offered = (await selectOffers(tx, [id])).map(({ domainId }) => domainId)
    const secret =
      clientSecret && clientSecret !== secretOf(before) ? encrypt('providers', clientSecret, id) : before.clientSecret
    const next = { ...before, ...values, realm: values.realm || null, clientSecret: secret }
    const was = { ...recorded(providerEntity, before), domains: offered }
    const is = { ...recorded(providerEntity, next), domains: [...domains].sort() }
    if (!(await audit(tx, ctx, providerEntity, id, was, is))) return
    const leadsElsewhere = isElsewhere(before, values)
    const claims = leadsElsewhere
      ? values.emailDomains
      : values.emailDomains.filter((domain) => !before.emailDomains.includes(domain))
    if (claims.length > 0) await requireClaims(tx, ctx)
    await storeProvider(tx, id, { ...values, realm: next.realm, clientSecret: secret })
    if (leadsElsewhere) await withdrawVouching(tx, ctx, id)
    await storeOffers(tx, id, domains)
    // a program holds nothing that runs could be limited to: they wait for a person
    await storeActor(tx, id, ctx.user?.id ?? null)
  })
  return {}
}

/**
 * Deletes a directory, and ends the sessions that began there. Needs providers.write, and what people linked to it hold
 * and its mappers give. Throws 403 forbiddenUser and forbiddenRole, 404, and 409 providerUsed while accounts are of it.
 */
export async function deleteProvider(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteProvider>) {
  requireMethod(ctx, write)
  const forgetEnded = await change(async (tx) => {
    const row = await lockProvider(tx, id)
    if (!row) throw notFound()
    if ((await selectPeopleCounts(tx, [id])).length > 0) throw inUse()
    await requireMayChangeProvider(tx, ctx, id)
    const domains = (await selectOffers(tx, [id])).map(({ domainId }) => domainId)
    // a session that is nobody's would count again where its provider proved too little
    const forgetEnded = await emit(tx, ctx, 'providerDeleted', { providerId: id })
    await removeProvider(tx, id)
    await audit(tx, ctx, providerEntity, id, { ...recorded(providerEntity, row), domains }, null)
    return forgetEnded
  })
  await forgetEnded()
  return {}
}

/**
 * Switches a directory on or off. Needs providers.write, and what its people may come to and its mappers give. Throws 403
 * forbiddenUser and forbiddenRole, 403 forbiddenSetting for one that claims mail domains, unless the caller is an
 * administrator, 404, 409 lastAdministrator, and 409 if somebody has changed it since. An administrator who switches it
 * on vouches for it (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export async function enableProvider(ctx: Ctx, input: ServiceInput<typeof calls.enableProvider>) {
  requireMethod(ctx, write)
  const { id } = input.params
  await changeWays((tx) =>
    switchEnabled(tx, ctx, input, {
      table: providerTable,
      entity: providerEntity,
      check: async (enabled) => {
        await requireMayChangeProvider(tx, ctx, id)
        if (!enabled) return
        if ((await wholeProvider(tx, id))?.emailDomains.length) await requireClaims(tx, ctx)
        if (await isAdministrator(tx, ctx)) await storeProvider(tx, id, { enteredBy: null })
      },
    }),
  )
  return {}
}

/**
 * Tries a connection as it stands in a form; an empty secret is the stored one, if it goes where it went before. Needs
 * providers.write. Throws 400 by field or with `providerError`, 404, and 429 (docs/rules/providers.md#check).
 */
export async function checkProvider(ctx: Ctx, { body }: ServiceInput<typeof calls.checkProvider>) {
  requireMethod(ctx, write)
  requireConnection(body)
  const { id, type, url, realm, clientId } = body
  const stored = id ? await wholeProvider(db(), id) : undefined
  if (id && stored?.type !== type) throw notFound()
  let { clientSecret } = body
  if (!clientSecret) {
    if (!stored) throw fieldError('clientSecret', 'errorEmpty')
    if (isElsewhere(stored, body)) throw fieldError('clientSecret', 'errorSecretAgain')
    clientSecret = secretOf(stored)
  }
  await takePoints({ name: 'provider-check', key: callerId(ctx), tiers: checks })
  const people = await directories[type]({ id: stored?.id ?? null, url, realm, clientId, clientSecret }).check()
  return { status: 'success' as const, people }
}

/**
 * Returns the secret of a directory, and records that it was read. Needs providers.write, and what its people may come to
 * and its mappers give. Throws 403 forbiddenUser and forbiddenRole, and 404.
 */
export async function readProviderSecret(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readProviderSecret>) {
  requireMethod(ctx, write)
  return db().transaction(async (tx) => {
    const row = await lockProvider(tx, id)
    if (!row) throw notFound()
    await requireMayChangeProvider(tx, ctx, id)
    await auditEvent(tx, ctx, providerEntity, id, 'update', { secretRead: ctx.now() })
    return { secret: secretOf(row) }
  })
}
