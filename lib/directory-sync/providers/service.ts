import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
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
import { callbackAddress } from '@/lib/identity-providers/connections/addresses'
import { directories, type ProviderRow, secretOf, wholeProvider } from '@/lib/identity-providers/connections/service'
import { servedDomains } from '@/lib/site/domains/service'
import type * as calls from './contract'
import { isClientCode } from './contract'
import { syncAnswers } from './details'
import { providerEntity } from './entity'
import {
  insertSync,
  providerRows,
  removeProvider,
  selectKnownDomains,
  selectLinkCounts,
  selectOffers,
  selectPeopleCounts,
  selectProviderPage,
  storeActor,
  storeOffers,
} from './queries'
import { requireMayChangeProvider, withdrawVouching } from './who-may-change'

const [read, write] = ['providers.read', 'providers.write'] as const
const inUse = () => new AppError(409, 'providerUsed')
const constraintErrors = {
  providers_name: () => fieldError('name', 'errorUnique'),
  users_provider_id_providers_id_fk: inUse,
}
const change = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken(constraintErrors, () => changing('providers', work))
/**
 * Runs a change after which people may have to sign in at the provider; an administrator must still be able to sign in.
 */
const changeSignIn = <T>(work: (tx: Transaction) => Promise<T>) =>
  change((tx) => keepingAdministrator(tx, () => work(tx)))

/** How often a caller may check connections in an hour: each check calls an address that they entered. */
const checkTiers = [{ points: 60, duration: 3_600 }]

/**
 * Returns the last characters of the secret; empty if no key decrypts it, so that the rest can still be read and
 * changed.
 */
function secretTailOf(row: ProviderRow): string {
  try {
    return secretOf(row).slice(-4)
  } catch {
    return ''
  }
}

async function providerAnswers(rows: readonly ProviderRow[]): Promise<calls.Provider[]> {
  const ids = rows.map(({ id }) => id)
  const [offers, people, links, syncs, domains] = await Promise.all([
    selectOffers(db(), ids),
    selectPeopleCounts(db(), ids),
    selectLinkCounts(db(), ids),
    syncAnswers(rows),
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
    secretTail: secretTailOf(row),
    emailDomains: row.emailDomains,
    domains: offers.filter(({ providerId }) => providerId === row.id).map(({ domainId }) => domainId),
    scopes: row.scopes,
    redirects: domains
      .filter((domain) => isOffered(row, domain.id, offers))
      .map(({ origin }) => callbackAddress(origin, row.id)),
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
  return { providers: await providerAnswers(rows), meta }
}

/** Returns a directory without its secret. Needs providers.read. Throws 404. */
export async function readProvider(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readProvider>) {
  requireMethod(ctx, read)
  const row = await wholeProvider(db(), id)
  const [provider] = row ? await providerAnswers([row]) : []
  if (!provider) throw notFound()
  return { provider }
}

type Body = ServiceInput<typeof calls.createProvider>['body']
type Connection = Pick<Body, 'type' | 'url' | 'realm'>

/**
 * Throws 400 by field for an address without https in production, and for a field that this type of provider doesn't
 * have.
 */
function requireConnection({ type, url, realm, clientId }: Connection & Pick<Body, 'clientId'>) {
  if (env().PLATFORM_MODE === 'production' && !url.startsWith('https:')) throw fieldError('url', 'errorProviderHttps')
  if (type === 'keycloak' && realm === '') throw fieldError('realm', 'errorEmpty')
  if (type !== 'keycloak' && realm !== '') throw fieldError('realm', 'errorRealm')
  if (type !== 'oidc' && !isClientCode(clientId)) throw fieldError('clientId', 'errorClientCode')
}

/**
 * Throws 400 for scopes of a directory: a sign-in asks it only who the person is, the synchronization reads the rest.
 */
function requireScopes(type: Body['type'], scopes: readonly string[]) {
  if (type !== 'oidc' && scopes.length > 0) throw fieldError('scopes', 'errorScopes')
}

async function requireDomains(tx: Transaction, ids: readonly string[]) {
  const existingIds = await selectKnownDomains(tx, ids)
  const index = ids.findIndex((id) => !existingIds.has(id))
  if (index >= 0) throw fieldError(`domains.${index}`, 'errorDomain')
}

/** Whether people may sign in through a provider on a domain: the domain offers it, or it claims mail domains. */
const isOffered = (
  { id, emailDomains }: Pick<ProviderRow, 'id' | 'emailDomains'>,
  domainId: string,
  offers: Awaited<ReturnType<typeof selectOffers>>,
) => emailDomains.length > 0 || offers.some((offer) => offer.providerId === id && offer.domainId === domainId)

/**
 * Throws 403 forbiddenSetting unless the caller is an administrator: people with an e-mail of a claimed domain sign in
 * at the provider, also people who get more rights or such an e-mail later (docs/rules/access.md#administrators-alone).
 */
async function requireMayClaim(tx: Transaction, ctx: Ctx) {
  if (await isAdministrator(tx, ctx)) return
  throw new AppError(403, 'forbiddenSetting', {
    errorList: [{ field: 'emailDomains', code: 'errorReservedMailDomain' }],
  })
}

/**
 * Adds a disabled directory with a disabled synchronization. Returns its id. Needs providers.write. Throws 400 by
 * field, also for a name that another one has (docs/rules/providers.md#providers), and 403 forbiddenSetting for a mail
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
    if (values.emailDomains.length > 0) await requireMayClaim(tx, ctx)
    const row = {
      ...values,
      id,
      realm: values.realm || null,
      clientSecret: encrypt('providers', clientSecret, id),
      enabled: false,
      enteredBy: await preparer(tx, ctx),
      createdAt: ctx.now(),
    }
    await providerRows.insert(tx, row)
    await storeOffers(tx, id, domains)
    await insertSync(tx, { providerId: id, actorId: ctx.user?.id ?? null, createdAt: ctx.now() })
    await audit(tx, ctx, providerEntity, id, null, { ...recorded(providerEntity, row), domains: [...domains].sort() })
  })
  return { id }
}

/** Whether a change would send the secret to another address, realm or client. */
const isElsewhere = (row: ProviderRow, connection: Omit<Connection, 'type'> & { clientId: string }) =>
  row.url !== connection.url || (row.realm ?? '') !== connection.realm || row.clientId !== connection.clientId

/**
 * Replaces a directory. Needs providers.write, and what `requireMayChangeProvider` requires. Throws 400 by field, also
 * errorSecretAgain if another address would get the stored secret, 403 forbiddenUser and forbiddenRole, 403
 * forbiddenSetting for a mail domain that is new or would lead to another address, unless the caller is an
 * administrator, 404, 409 lastAdministrator, and 409 if somebody has saved it since.
 */
export async function updateProvider(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateProvider>) {
  requireMethod(ctx, write)
  const { domains, clientSecret, updatedAt, ...values } = body
  await changeSignIn(async (tx) => {
    const row = await providerRows.lock(tx, id)
    const before = await requireVersion(tx, ctx, providerEntity, { id, row, updatedAt })
    await requireMayChangeProvider(tx, ctx, id)
    requireConnection({ ...values, type: before.type })
    requireScopes(before.type, values.scopes)
    if (!clientSecret && isElsewhere(before, values)) throw fieldError('clientSecret', 'errorSecretAgain')
    await requireDomains(tx, domains)
    const offeredIds = (await selectOffers(tx, [id])).map(({ domainId }) => domainId)
    const secret =
      clientSecret && clientSecret !== secretOf(before) ? encrypt('providers', clientSecret, id) : before.clientSecret
    const next = { ...before, ...values, realm: values.realm || null, clientSecret: secret }
    const valuesBefore = { ...recorded(providerEntity, before), domains: offeredIds }
    const valuesAfter = { ...recorded(providerEntity, next), domains: [...domains].sort() }
    if (!(await audit(tx, ctx, providerEntity, id, valuesBefore, valuesAfter))) return
    const leadsElsewhere = isElsewhere(before, values)
    const claims = leadsElsewhere
      ? values.emailDomains
      : values.emailDomains.filter((domain) => !before.emailDomains.includes(domain))
    if (claims.length > 0) await requireMayClaim(tx, ctx)
    await providerRows.update(tx, id, { ...values, realm: next.realm, clientSecret: secret })
    if (leadsElsewhere) await withdrawVouching(tx, ctx, id)
    await storeOffers(tx, id, domains)
    // an application holds no roles that could limit a run, so scheduled runs wait for a person
    await storeActor(tx, id, ctx.user?.id ?? null)
  })
  return {}
}

/**
 * Deletes a directory, and ends the sessions that began there. Needs providers.write, and what
 * `requireMayChangeProvider` requires. Throws 403 forbiddenUser and forbiddenRole, 404, and 409 providerUsed while the
 * directory keeps accounts.
 */
export async function deleteProvider(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteProvider>) {
  requireMethod(ctx, write)
  const forgetEnded = await change(async (tx) => {
    const row = await providerRows.lock(tx, id)
    if (!row) throw notFound()
    if ((await selectPeopleCounts(tx, [id])).length > 0) throw inUse()
    await requireMayChangeProvider(tx, ctx, id)
    const domains = (await selectOffers(tx, [id])).map(({ domainId }) => domainId)
    // without its provider such a session would count even where the provider had proven too little
    const forgetEnded = await emit(tx, ctx, 'providerDeleted', { providerId: id })
    await removeProvider(tx, id)
    await audit(tx, ctx, providerEntity, id, { ...recorded(providerEntity, row), domains }, null)
    return forgetEnded
  })
  await forgetEnded()
  return {}
}

/**
 * Enables or disables a directory. Needs providers.write, and what `requireMayChangeProvider` requires. Throws 403
 * forbiddenUser and forbiddenRole, 403 forbiddenSetting for one that claims mail domains, unless the caller is an
 * administrator, 404, 409 lastAdministrator, and 409 if somebody has changed it since. An administrator who enables it
 * vouches for it (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export async function enableProvider(ctx: Ctx, input: ServiceInput<typeof calls.enableProvider>) {
  requireMethod(ctx, write)
  const { id } = input.params
  await changeSignIn((tx) =>
    switchEnabled(tx, ctx, input, {
      ...providerRows,
      entity: providerEntity,
      check: async (enabled) => {
        await requireMayChangeProvider(tx, ctx, id)
        if (!enabled) return
        if ((await wholeProvider(tx, id))?.emailDomains.length) await requireMayClaim(tx, ctx)
        if (await isAdministrator(tx, ctx)) await providerRows.update(tx, id, { enteredBy: null })
      },
    }),
  )
  return {}
}

/**
 * Checks a connection with the values of a form; an empty secret stands for the stored one, which goes to no other
 * address. Needs providers.write. Throws 400 by field or with `providerError`, 404, and 429
 * (docs/rules/providers.md#check).
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
  await takePoints({ name: 'provider-check', key: callerId(ctx), tiers: checkTiers })
  const people = await directories[type]({ id: stored?.id ?? null, url, realm, clientId, clientSecret }).check()
  return { status: 'success' as const, people }
}

/**
 * Returns the secret of a directory, and records an audit event of the reading. Needs providers.write, and what
 * `requireMayChangeProvider` requires. Throws 403 forbiddenUser and forbiddenRole, and 404.
 */
export async function readProviderSecret(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readProviderSecret>) {
  requireMethod(ctx, write)
  return db().transaction(async (tx) => {
    const row = await providerRows.lock(tx, id)
    if (!row) throw notFound()
    await requireMayChangeProvider(tx, ctx, id)
    await auditEvent(tx, ctx, providerEntity, id, 'update', { secretRead: ctx.now() })
    return { secret: secretOf(row) }
  })
}
