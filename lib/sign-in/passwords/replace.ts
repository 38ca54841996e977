import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { storePassword } from '@/lib/accounts/users/passwords'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { emit } from '@/lib/base/events/events'
import { endAttempts } from '../attempts/attempt'
import { deviceName } from '../device'
import { cancelLinks } from '../email-links/service'
import { openPasswordFlow } from '../factors/password/throttle'
import { endUserSessions } from '../sessions/service'
import { rememberPassword } from './policy'
import { isInHistory, lockAccount, type PasswordAccount, selectPasswordAccount } from './queries'

/**
 * Stores a new password that its owner has chosen, and records an audit event. Adds the old one to the password
 * history. Ends the account's other password links, its sessions except `keptSession` and its attempts except
 * `keptAttempt`. Opens a password flow that wrong passwords have closed. Call the returned function after the commit.
 */
export async function replacePassword(
  tx: Transaction,
  ctx: Ctx,
  account: PasswordAccount,
  {
    passwordHash,
    keptAttempt,
    keptSession,
  }: { passwordHash: string; keptAttempt: string | null; keptSession?: string | undefined },
) {
  const now = ctx.now()
  const { id, passwordHash: oldHash, passwordChangedAt } = account
  if (oldHash && !(await isInHistory(tx, id, oldHash))) {
    const since = passwordChangedAt && passwordChangedAt < now ? passwordChangedAt : new Date(now.getTime() - 1)
    await rememberPassword(tx, id, oldHash, since)
  }
  await storePassword(tx, id, passwordHash, now)
  await rememberPassword(tx, id, passwordHash, now)
  await openPasswordFlow(tx, id)
  await cancelLinks(tx, id, ['recovery', 'entry'], now)
  // attempts before sessions: a session that starts in parallel locks its attempt, so this waits until that session can
  // be ended
  await endAttempts(tx, id, now, keptAttempt)
  await audit(tx, ctx, userEntity, id, { password: oldHash }, { password: passwordHash }, { changerId: id })
  const afterEnding = await endUserSessions(tx, ctx, id, 'passwordChanged', keptSession)
  const afterEvent = await emit(tx, ctx, 'passwordChanged', { userId: id, device: deviceName(ctx), ip: ctx.ip })
  return () => afterEnding().then(afterEvent)
}

/** Locks an account for a change of its password, and returns it. Returns null if the account has been deleted. */
export async function lockPasswordAccount(tx: Transaction, userId: string): Promise<PasswordAccount | null> {
  await lockAccount(tx, userId)
  return selectPasswordAccount(userId, tx)
}
