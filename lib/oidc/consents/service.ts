import { db } from '@/db/client'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import { record } from '@/lib/kernel/record/record'
import { usableClient } from '@/lib/oidc/clients/service'
import { queueLogout } from '@/lib/oidc/logout/service'
import { endClientRecords, type Held, heldByClients } from '@/lib/oidc/records/service'
import type { listUserApplications, withdrawUserApplication } from './contract'
import { consentEntity } from './entity'
import {
  clientsWithConsents,
  findApplicationName,
  findConsent,
  heldApplications,
  lockConsent,
  removeConsents,
  uniteConsent,
} from './queries'

/** Whether people are asked what a client's application may learn of them: one of others must ask, an own one doesn't. */
export async function asksConsent(clientId: string): Promise<boolean> {
  return (await usableClient(clientId))?.application.type === 'external'
}

/** What of `all` a client may be told of a user: everything if it is our own, else what the user has agreed to. */
export async function grantableScopes(userId: string, clientId: string, all: readonly string[]): Promise<string[]> {
  if (!(await asksConsent(clientId))) return [...all]
  const agreed = (await findConsent(userId, clientId)) ?? []
  return all.filter((scope) => agreed.includes(scope))
}

/** Whether a client goes on being told of a user: it asks nobody, or the consent hasn't been withdrawn. */
export const hasConsent = async (userId: string, clientId: string): Promise<boolean> =>
  !(await asksConsent(clientId)) || (await findConsent(userId, clientId)) !== null

/** Remembers what the signed-in person lets a client learn, beside what they let it before. Throws 401, 404. */
export async function giveConsent(ctx: Ctx, { clientId, scopes: given }: { clientId: string; scopes: string[] }) {
  requireUser(ctx)
  const userId = ctx.user.id
  await db().transaction(async (tx) => {
    const before = await lockConsent(tx, userId, clientId)
    const kept = await uniteConsent(tx, { userId, clientId, scopes: given, at: ctx.now() })
    if (!kept) throw notFound()
    const [client, scopes] = [clientId, kept.scopes]
    await record(tx, ctx, consentEntity, kept.id, before ? { client, scopes: before.scopes } : null, { client, scopes })
  })
}

const earliest = (dates: (Date | null | undefined)[]) =>
  dates.reduce<Date | null>((first, date) => (date && (!first || date < first) ? date : first), null)
const latest = (dates: (Date | null | undefined)[]) =>
  dates.reduce<Date | null>((last, date) => (date && (!last || date > last) ? date : last), null)

/** Which applications may learn something of the signed-in person, and what. */
export async function userApplications(
  ctx: Ctx,
  { query }: VerbInput<typeof listUserApplications>,
): Promise<VerbOutput<typeof listUserApplications>> {
  requireUser(ctx)
  const { id: userId, pagination } = ctx.user
  const { rows, meta } = await heldApplications(query, pagination, userId, ctx.now())
  const clients = await clientsWithConsents(
    db(),
    userId,
    rows.map(({ id }) => id),
  )
  const clientIds = clients.map(({ clientId }) => clientId)
  const held = await heldByClients(userId, clientIds, ctx.now())
  return {
    applications: rows.map(({ type, ...application }) => {
      const own = clients.filter(({ applicationId }) => applicationId === application.id)
      const records = own.flatMap(({ clientId }): Held | never[] => held.get(clientId) ?? [])
      const scopes = [...own, ...records].flatMap((each) => each.scopes ?? [])
      return {
        ...application,
        type: type === 'external' ? ('external' as const) : ('own' as const),
        scopes: [...new Set(scopes)],
        since: earliest([...own, ...records].map(({ since }) => since))?.toISOString() ?? null,
        lastUsed: latest(records.map(({ lastUsed }) => lastUsed))?.toISOString() ?? null,
      }
    }),
    meta,
  }
}

/**
 * Withdraws an application's access to the signed-in person's data: consents, grants and tokens end at once, and it
 * is told so. Throws 404 for one that has none.
 */
export async function withdrawApplication(
  ctx: Ctx,
  { params: { applicationId } }: VerbInput<typeof withdrawUserApplication>,
) {
  requireUser(ctx)
  const accountId = ctx.user.id
  await db().transaction(async (tx) => {
    const clients = await clientsWithConsents(tx, accountId, [applicationId])
    const consents = await removeConsents(tx, accountId, applicationId)
    const clientIds = clients.map(({ clientId }) => clientId)
    const { removed, told } = await endClientRecords(tx, accountId, clientIds)
    if (consents.length === 0 && removed === 0) throw notFound()
    for (const logout of told) await queueLogout(tx, { accountId, ...logout })
    const scopes = [...new Set(consents.flatMap((consent) => consent.scopes))]
    const application = await findApplicationName(tx, applicationId)
    const before = { application, scopes: scopes.length > 0 ? scopes : null }
    await record(tx, ctx, consentEntity, applicationId, before, null)
  })
  return {}
}
