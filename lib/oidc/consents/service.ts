import { db } from '@/db/client'
import { requireUser } from '@/lib/kernel/access'
import { audit, changesBetween } from '@/lib/kernel/audit'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import { usableClient } from '@/lib/oidc/clients/service'
import { findConsent, lockConsent, uniteConsent } from './queries'

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
export async function giveConsent(ctx: Ctx, { clientId, scopes }: { clientId: string; scopes: string[] }) {
  requireUser(ctx)
  const userId = ctx.user.id
  await db().transaction(async (tx) => {
    const before = await lockConsent(tx, userId, clientId)
    const kept = await uniteConsent(tx, { userId, clientId, scopes, at: ctx.now() })
    if (!kept) throw notFound()
    const changes = before
      ? changesBetween({ scopes: before.scopes }, { scopes: kept.scopes })
      : changesBetween<Record<string, unknown>>({}, { client: clientId, scopes: kept.scopes })
    await audit(tx, ctx, { type: before ? 'update' : 'create', entity: 'consents', entityId: kept.id, changes })
  })
}
