import type { Transaction } from '@/db/client'
import { cancelLinks } from '@/lib/entry/links/service'
import { endUserSessions } from '@/lib/entry/sessions/service'
import { openPasswordFlow } from '@/lib/entry/sign-in/throttle'
import type { Ctx } from '@/lib/kernel/ctx'
import { record } from '@/lib/kernel/record/record'
import { userEntity } from '@/lib/people/users/entity'
import { storePassword } from '@/lib/people/users/passwords'
import { rememberPassword } from './policy'
import { dropAttempts, isKept, type PasswordAccount } from './queries'

/**
 * Gives an account a new password, chosen by its owner: the one before is kept for the refusal of recent ones, other
 * links to a password die, sign-ins under way but `keptAttempt` and all sessions end, a password flow that
 * wrong passwords have closed opens, the history tells. Call what it
 * gives after the commit.
 */
export async function replacePassword(
  tx: Transaction,
  ctx: Ctx,
  account: PasswordAccount,
  { passwordHash, keptAttempt }: { passwordHash: string; keptAttempt: string | null },
) {
  const now = ctx.now()
  const { id, passwordHash: before, passwordChangedAt } = account
  if (before && !(await isKept(tx, id, before))) {
    const since = passwordChangedAt && passwordChangedAt < now ? passwordChangedAt : new Date(now.getTime() - 1)
    await rememberPassword(tx, id, before, since)
  }
  await storePassword(tx, id, passwordHash, now)
  await rememberPassword(tx, id, passwordHash, now)
  await openPasswordFlow(tx, id)
  await cancelLinks(tx, id, ['recovery', 'entry'], now)
  // before the sessions: one that is being started holds its attempt until it is there to be ended
  await dropAttempts(tx, id, keptAttempt, now)
  await record(tx, ctx, userEntity, id, { password: before }, { password: passwordHash }, { changerId: id })
  return endUserSessions(tx, ctx, id, 'passwordChanged')
}
