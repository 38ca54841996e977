import { db } from '@/db/client'
import { lockEnabledAccount } from '@/lib/accounts/users/own'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'
import { invalidateSessions } from '../sessions/service'
import type * as calls from './contract'
import { selectAgreed } from './queries'
import { pendingAgreements, requireAgreement, storeAgreements } from './service'

type Agreed = readonly { documentId: string; version: number }[]

/**
 * Returns the agreements that a signed-in person must agree to before they continue. Returns none while the setting
 * `agreementsAtOnce` is off (docs/rules/agreements.md#people-who-are-signed-in). `agreed` may be a minute old.
 */
export async function requiredAgreements(
  ctx: Pick<Ctx, 'domain' | 'locale'>,
  userId: string,
  agreed: Agreed,
): Promise<TermsRequired[]> {
  const pending = await pendingAgreements(ctx, agreed)
  if (pending.length === 0 || !(await platformSettings()).agreementsAtOnce) return []
  return pendingAgreements(ctx, await selectAgreed(db(), userId))
}

/**
 * Stores the agreements that the domain requires at sign-in for the signed-in person. Throws 401, and 403 termsRequired
 * with the whole list if an answer is missing, negative, or about an old version.
 */
export async function acceptAgreements(ctx: Ctx, { body }: ServiceInput<typeof calls.acceptAgreements>) {
  requireUser(ctx)
  const userId = ctx.user.id
  const afterCommit = await db().transaction(async (tx) => {
    await lockEnabledAccount(tx, userId)
    const pending = await pendingAgreements(ctx, await selectAgreed(tx, userId))
    await storeAgreements(tx, ctx, userId, requireAgreement(pending, body.termsAgree))
    return invalidateSessions(tx, userId, ctx.now())
  })
  await afterCommit()
  return {}
}
