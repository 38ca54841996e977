import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { usableClient } from '../clients/service'
import { queueLogout } from '../logout/service'
import { type ClientAccess, endClientRecords, readClientAccess } from '../token-store/service'
import type * as calls from './contract'
import { consentEntity } from './entity'
import {
  lockConsent,
  removeConsents,
  selectApplicationName,
  selectClientsWithConsents,
  selectConsent,
  selectUserApplicationPage,
  storeConsent,
} from './queries'

/** Returns whether a client needs the consent of people: those of external applications do. */
export async function needsConsent(clientId: string): Promise<boolean> {
  return (await usableClient(clientId))?.application.type === 'external'
}

/**
 * Returns which of these scopes a client may use for a user: all for the platform's own applications, else those that
 * the user has granted.
 */
export async function allowedScopes(userId: string, clientId: string, requested: readonly string[]): Promise<string[]> {
  if (!(await needsConsent(clientId))) return [...requested]
  const agreed = (await selectConsent(userId, clientId)) ?? []
  return requested.filter((scope) => agreed.includes(scope))
}

/**
 * Returns whether a client still has access to a user: it needs no consent, or the consent has not been withdrawn.
 * `given` says whether there is one, if the caller has read it.
 */
export const hasConsent = async (userId: string, clientId: string, given?: { hasConsent: boolean }): Promise<boolean> =>
  !(await needsConsent(clientId)) || (given?.hasConsent ?? (await selectConsent(userId, clientId)) !== null)

/** Stores the scopes that the signed-in person grants a client, in addition to earlier ones. Throws 401 and 404. */
export async function giveConsent(ctx: Ctx, { clientId, scopes: newScopes }: { clientId: string; scopes: string[] }) {
  requireUser(ctx)
  const userId = ctx.user.id
  await db().transaction(async (tx) => {
    const before = await lockConsent(tx, userId, clientId)
    const stored = await storeConsent(tx, { userId, clientId, scopes: newScopes, at: ctx.now() })
    if (!stored) throw notFound()
    const [client, scopes] = [clientId, stored.scopes]
    await audit(tx, ctx, consentEntity, stored.id, before ? { client, scopes: before.scopes } : null, {
      client,
      scopes,
    })
  })
}

const earliest = (dates: (Date | null | undefined)[]) =>
  dates.reduce<Date | null>((first, date) => (date && (!first || date < first) ? date : first), null)
const latest = (dates: (Date | null | undefined)[]) =>
  dates.reduce<Date | null>((last, date) => (date && (!last || date > last) ? date : last), null)

/**
 * Returns a page of the applications that have access to data of the signed-in person, with their scopes. Throws 401.
 */
export async function listUserApplications(
  ctx: Ctx,
  { query }: ServiceInput<typeof calls.listUserApplications>,
): Promise<ServiceOutput<typeof calls.listUserApplications>> {
  requireUser(ctx)
  return applicationsOf(ctx, ctx.user.id, query)
}

/** Returns a page of the applications that have access to data of a person. */
export async function applicationsOf(
  ctx: Ctx,
  userId: string,
  query: ServiceInput<typeof calls.listUserApplications>['query'],
): Promise<ServiceOutput<typeof calls.listUserApplications>> {
  const { rows, meta } = await selectUserApplicationPage(query, ctx.user?.pagination ?? null, {
    userId,
    locale: ctx.locale,
    now: ctx.now(),
  })
  const clients = await selectClientsWithConsents(
    db(),
    userId,
    rows.map(({ id }) => id),
  )
  const clientIds = clients.map(({ clientId }) => clientId)
  const accessByClient = await readClientAccess(userId, clientIds, ctx.now())
  return {
    applications: rows.map(({ type, ...application }) => {
      const applicationClients = clients.filter(({ applicationId }) => applicationId === application.id)
      const accesses = applicationClients.flatMap(
        ({ clientId }): ClientAccess | never[] => accessByClient.get(clientId) ?? [],
      )
      const scopes = [...applicationClients, ...accesses].flatMap((source) => source.scopes ?? [])
      return {
        ...application,
        type: type === 'external' ? ('external' as const) : ('own' as const),
        scopes: [...new Set(scopes)],
        since: earliest([...applicationClients, ...accesses].map(({ since }) => since))?.toISOString() ?? null,
        lastUsed: latest(accesses.map(({ lastUsed }) => lastUsed))?.toISOString() ?? null,
      }
    }),
    meta,
  }
}

/**
 * Withdraws an application's access to the signed-in person's data: consents, grants and tokens end at once, and the
 * application is notified. Throws 401, and 404 for one without access.
 */
export async function withdrawUserApplication(
  ctx: Ctx,
  { params: { applicationId } }: ServiceInput<typeof calls.withdrawUserApplication>,
) {
  requireUser(ctx)
  const userId = ctx.user.id
  await db().transaction((tx) => withdrawApplication(tx, ctx, userId, applicationId))
  return {}
}

/** Withdraws an application's access to data of a person. Throws 404 for one without access. */
export async function withdrawApplication(
  tx: Transaction,
  ctx: Ctx,
  accountId: string,
  applicationId: string,
): Promise<void> {
  const clients = await selectClientsWithConsents(tx, accountId, [applicationId])
  const consents = await removeConsents(tx, accountId, applicationId)
  const clientIds = clients.map(({ clientId }) => clientId)
  const { removed, logouts } = await endClientRecords(tx, accountId, clientIds)
  if (consents.length === 0 && removed === 0) throw notFound()
  for (const logout of logouts) await queueLogout(tx, { accountId, ...logout })
  const scopes = [...new Set(consents.flatMap((consent) => consent.scopes))]
  const application = await selectApplicationName(tx, applicationId)
  const before = { application, scopes: scopes.length > 0 ? scopes : null }
  await audit(tx, ctx, consentEntity, applicationId, before, null)
}
