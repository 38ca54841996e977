import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { storePassword } from '@/lib/accounts/users/passwords'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { emit } from '@/lib/base/events/events'
import { endAttempts } from '../attempts/attempt'
import { openPasswordFlow } from '../attempts/throttle'
import { deviceName } from '../device'
import { cancelLinks } from '../email-links/service'
import { endUserSessions } from '../sessions/service'
import { rememberPassword } from './policy'
import { isInHistory, lockAccount, type PasswordAccount, selectPasswordAccount } from './queries'

/**
 * Stores a new password that its owner has chosen, and records the change. The old one goes into the password
 * history; the account's other password links, its sessions except `keptSession` and its attempts except `keptAttempt` end; a password flow
 * that wrong passwords have closed opens again. Call the returned function after the commit.
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
  const { id, passwordHash: before, passwordChangedAt } = account
  if (before && !(await isInHistory(tx, id, before))) {
    const since = passwordChangedAt && passwordChangedAt < now ? passwordChangedAt : new Date(now.getTime() - 1)
    await rememberPassword(tx, id, before, since)
  }
  await storePassword(tx, id, passwordHash, now)
  await rememberPassword(tx, id, passwordHash, now)
  await openPasswordFlow(tx, id)
  await cancelLinks(tx, id, ['recovery', 'entry'], now)
  // before the sessions: a session that is being started locks its attempt until the session can be ended
  await endAttempts(tx, id, now, keptAttempt)
  await audit(tx, ctx, userEntity, id, { password: before }, { password: passwordHash }, { changerId: id })
  const ended = await endUserSessions(tx, ctx, id, 'passwordChanged', keptSession)
  const wake = await emit(tx, ctx, 'passwordChanged', { userId: id, device: deviceName(ctx), ip: ctx.ip })
  return () => ended().then(wake)
}

/** Locks an account for a change of its password, and returns what is known of the password; null if it is gone. */
export async function lockPasswordAccount(tx: Transaction, userId: string): Promise<PasswordAccount | null> {
  await lockAccount(tx, userId)
  return selectPasswordAccount(userId, tx)
}
