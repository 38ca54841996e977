import { db } from '@/db/client'
import { lockEnabledAccount } from '@/lib/accounts/users/own'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'
import { refreshSessions } from '../sessions/service'
import type * as calls from './contract'
import { selectAgreed } from './queries'
import { pendingAgreements, requireAgreement, storeAgreements } from './service'

type Agreed = readonly { documentId: string; version: number }[]

/**
 * Returns what somebody who is signed in must agree to before they go on; nothing while the setting `agreementsAtOnce` is
 * off (docs/rules/agreements.md#people-who-are-signed-in). `agreed` may be a minute old.
 */
export async function askedNow(
  ctx: Pick<Ctx, 'domain' | 'locale'>,
  userId: string,
  agreed: Agreed,
): Promise<TermsRequired[]> {
  const pending = await pendingAgreements(ctx, agreed)
  if (pending.length === 0 || !(await platformSettings()).agreementsAtOnce) return []
  return pendingAgreements(ctx, await selectAgreed(db(), userId))
}

/**
 * Stores that the signed-in person agrees to all that the domain asks at sign-in. Throws 401, and 403 termsRequired with
 * the whole list if one is missing, refused, or of an old version.
 */
export async function acceptAgreements(ctx: Ctx, { body }: ServiceInput<typeof calls.acceptAgreements>) {
  requireUser(ctx)
  const userId = ctx.user.id
  const refreshed = await db().transaction(async (tx) => {
    await lockEnabledAccount(tx, userId)
    const pending = await pendingAgreements(ctx, await selectAgreed(tx, userId))
    await storeAgreements(tx, ctx, userId, requireAgreement(pending, body.termsAgree))
    return refreshSessions(tx, userId, ctx.now())
  })
  await refreshed()
  return {}
}
