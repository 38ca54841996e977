import { db, type Transaction } from '@/db/client'
import { preparer } from '@/lib/accounts/users/prepared'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { callerId, holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { encrypt } from '@/lib/base/crypto/encryption'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import { takePoints } from '@/lib/base/limits/limits'
import { env } from '@/lib/base/runtime/env'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { periodOf } from '@/lib/directory-sync/providers/details'
import { startedBy } from '@/lib/site/domains/run-context'
import { type IntegrationKey, isImport } from '../exchange-journal/keys'
import type * as calls from './contract'
import { exchangeFaults, isAuthHeader, longestPeriod, shortestPeriod } from './contract'
import { exchangeAnswers, lastRunOf, startRefusal } from './details'
import { integrationSyncEntity } from './entity'
import { ExchangeFailed, exchange, secretOf } from './exchange'
import { methodOf } from './exchange-rows'
import { type ImportKey, pageOf, readItems } from './items'
import { type SyncRow, selectSyncPage, syncRows } from './queries'
import { startExchangeRun } from './start'

const [read, write] = ['integration.read', 'integration.write'] as const

/** How often a caller may check exchanges in an hour: each check calls another system. */
const checkTiers = [{ points: 60, duration: 3_600 }]

/** Returns whether the caller holds the method of the data that an exchange writes here or sends out (`methodOf`). */
export const holdsData = (ctx: Ctx, { key }: Pick<SyncRow, 'key'>): boolean =>
  holdsMethod(ctx, methodOf(key as IntegrationKey))

/** Throws 403 unless the caller holds the method of the exchanged data, which every change of an exchange needs. */
function requireDataMethod(ctx: Ctx, sync: Pick<SyncRow, 'key'>) {
  if (!holdsData(ctx, sync)) throw new AppError(403, 'forbiddenExchange')
}

/** Returns one page of exchanges. Needs integration.read. */
export async function listIntegrationSyncs(ctx: Ctx, { query }: ServiceInput<typeof calls.listIntegrationSyncs>) {
  requireMethod(ctx, read)
  const { rows, meta } = await selectSyncPage(query, ctx.user?.pagination ?? null)
  return { synchronizations: await exchangeAnswers(rows), meta }
}

type ById = { params: { id: string } }

/** Returns an exchange without its secret. Needs integration.read. Throws 404. */
export async function readIntegrationSync(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, read)
  const row = await syncRows.select(id)
  const [synchronization] = row ? await exchangeAnswers([row]) : []
  if (!synchronization) throw notFound()
  return { synchronization }
}

type Body = ServiceInput<typeof calls.updateIntegrationSync>['body']

/** Throws 400 by field for values that contradict each other. */
function requireConsistent({ url, auth, authName, ...period }: Body) {
  if (env().PLATFORM_MODE === 'production' && !url.startsWith('https:'))
    throw fieldError('url', 'errorIntegrationHttps')
  if ((auth === 'basic' || auth === 'header') && authName === '') throw fieldError('authName', 'errorEmpty')
  if (auth === 'header' && !isAuthHeader(authName)) throw fieldError('authName', 'errorIntegrationHeader')
  // a colon would end the user name of basic authentication
  if (auth === 'basic' && authName.includes(':')) throw fieldError('authName', 'errorChars')
  const seconds = periodOf(period)
  if (seconds !== 0 && (seconds < shortestPeriod || seconds > longestPeriod))
    throw fieldError('periodUnit', 'errorIntegrationPeriod')
}

/**
 * Returns the encrypted secret to store; a stored one is used for no other address. Throws 400 errorSecretAgain and
 * errorEmpty.
 */
function encryptedSecret(before: SyncRow, { url, auth, authName, secret }: Body): string | null {
  if (auth === 'none') return null
  if (secret) return secret === secretOf(before) ? before.secret : encrypt('integration', secret, before.id)
  if (!before.secret) throw fieldError('secret', 'errorEmpty')
  const elsewhere = before.url !== url || before.auth !== auth || before.authName !== authName
  if (elsewhere) throw fieldError('secret', 'errorSecretAgain')
  return before.secret
}

/**
 * Replaces the address and the schedule of an exchange. Needs integration.write and the method of the exchanged data.
 * Throws 400 by field, also errorSecretAgain if another address would get the stored secret, 403 forbiddenExchange,
 * 404, and 409 if somebody has saved it since (docs/rules/integration.md#synchronizations).
 */
export async function updateIntegrationSync(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateIntegrationSync>,
) {
  requireMethod(ctx, write)
  requireConsistent(body)
  const { updatedAt, ...settings } = body
  const authName = body.auth === 'basic' || body.auth === 'header' ? body.authName : ''
  await changing([], async (tx) => {
    const row = await syncRows.lock(tx, id)
    const before = await requireVersion(tx, ctx, integrationSyncEntity, { id, row, updatedAt })
    requireDataMethod(ctx, before)
    const values = { ...settings, authName, secret: encryptedSecret(before, { ...body, authName }) }
    const after = recorded(integrationSyncEntity, { ...before, ...values })
    await audit(tx, ctx, integrationSyncEntity, id, recorded(integrationSyncEntity, before), after)
    // a save resumes scheduled runs after a stop, even if no value differs; an application has no roles to act with
    await syncRows.update(tx, id, { ...values, actorId: ctx.user?.id ?? null, enteredBy: await preparer(tx, ctx) })
  })
  return {}
}

/**
 * Enables or disables an exchange. Needs integration.write; to enable it also the method of the exchanged data. An
 * administrator who enables it vouches for it. Throws 403 forbiddenExchange, 404, 409 integrationUnset without an
 * address, and 409 if somebody has changed it since (docs/rules/integration.md#who-vouches-for-an-exchange).
 */
export async function enableIntegrationSync(ctx: Ctx, input: ServiceInput<typeof calls.enableIntegrationSync>) {
  requireMethod(ctx, write)
  const { id } = input.params
  await changing([], async (tx) => {
    const row = await syncRows.lock(tx, id)
    const check = (enabled: boolean) => {
      if (!row || !enabled) return
      requireDataMethod(ctx, row)
      if (row.url === '') throw new AppError(409, 'integrationUnset')
    }
    const switched = await switchEnabled(tx, ctx, input, { ...syncRows, entity: integrationSyncEntity, check })
    if (!switched || !input.body.enabled) return
    if (ctx.user) await syncRows.update(tx, id, { actorId: ctx.user.id })
    if (await isAdministrator(tx, ctx)) await syncRows.update(tx, id, { enteredBy: null })
  })
  return {}
}

/** The values of an exchange that nobody has set up. */
const unsetValues: Partial<SyncRow> = {
  ...{ url: '', auth: 'none', authName: '', secret: null, enabled: false, actorId: null, enteredBy: null },
  ...{ periodUnit: 0, periodAmount: 'hours', pageSize: 100 },
}

/**
 * Resets an exchange to the state before it was set up; only an import of a configuration does this. Needs
 * integration.write and the method of the exchanged data. Throws 404 and 403 forbiddenExchange.
 */
export async function unsetIntegrationSync(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, write)
  await changing([], async (tx) => {
    const row = await syncRows.lock(tx, id)
    if (!row) throw notFound()
    requireDataMethod(ctx, row)
    const after = recorded(integrationSyncEntity, { ...row, ...unsetValues })
    await audit(tx, ctx, integrationSyncEntity, id, recorded(integrationSyncEntity, row), after)
    await syncRows.update(tx, id, unsetValues)
  })
  return {}
}

/**
 * Locks an exchange for a run with the caller's rights. Returns it with the actor's id. Throws 404 and 403
 * forbiddenExchange.
 */
export async function lockForActing(tx: Transaction, ctx: Ctx, id: string) {
  const sync = await syncRows.lock(tx, id)
  if (!sync) throw notFound()
  requireDataMethod(ctx, sync)
  // a service account holds no roles of its own to compare with
  const actorId = ctx.user?.id ?? sync.actorId
  return { sync, actorId }
}

/**
 * Starts a run by hand, which works with the rights of the caller. Returns its id. Needs integration.write and the
 * method of the exchanged data. Throws 404, 403 forbiddenExchange, and 409 with the reason why it can't start.
 */
export async function startIntegrationSync(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, write)
  return db().transaction(async (tx) => {
    const { sync, actorId } = await lockForActing(tx, ctx, id)
    const refusal = startRefusal(sync, await lastRunOf(tx, id))
    if (refusal) throw new AppError(409, refusal)
    if (ctx.user) await syncRows.update(tx, id, { actorId })
    return { id: await startExchangeRun(tx, sync, { trigger: 'manual', actorId, ...startedBy(ctx) }) }
  })
}

/**
 * Checks a stored exchange: reads the first row of a source without writing it, or sends a page without rows. Needs
 * integration.write and the method of the exchanged data. Throws 400 with the fault of the other system, 403
 * forbiddenExchange, 404, 409 integrationUnset and 429 (docs/rules/integration.md#check).
 */
export async function checkIntegrationSync(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, write)
  const sync = await syncRows.select(id)
  if (!sync) throw notFound()
  requireDataMethod(ctx, sync)
  if (sync.url === '') throw new AppError(409, 'integrationUnset')
  await takePoints({ name: 'integration-check', key: callerId(ctx), tiers: checkTiers })
  const key = sync.key as IntegrationKey
  try {
    if (!isImport(key)) {
      const body = { type: key, run: null, page: 0, last: true, items: [] }
      await exchange(sync, { runId: null, body })
      return { status: 'success' as const, rows: null, faults: [] }
    }
    const { items } = pageOf(await exchange(sync, { runId: null, query: { limit: '1' } }))
    const faults = readItems(key as ImportKey, items, 0).flatMap(({ title, fault, input: { fault: member } }) => {
      if (fault) return [{ title, ...fault }]
      return member ? [{ title, code: member.code, params: { column: member.column } }] : []
    })
    return { status: 'success' as const, rows: items.length, faults: faults.slice(0, 10) }
  } catch (error) {
    if (error instanceof ExchangeFailed) throw new AppError(exchangeFaults[error.code], error.code)
    throw error
  }
}
