import type { Transaction } from '@/db/client'
import { cancelLinks } from '@/lib/entry/links/service'
import { endUserSessions } from '@/lib/entry/sessions/service'
import { audit } from '@/lib/kernel/audit'
import type { Ctx } from '@/lib/kernel/ctx'
import { rememberPassword } from './policy'
import { dropAttempts, isKept, type PasswordAccount, storePassword } from './queries'

/**
 * Gives an account a new password, chosen by its owner: the one before is kept for the refusal of recent ones, other
 * links to a password die, sign-ins under way but `keptAttempt` and all sessions end, the history tells. Call what it
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
  await cancelLinks(tx, id, ['recovery', 'entry'], now)
  // before the sessions: one that is being started holds its attempt until it is there to be ended
  await dropAttempts(tx, id, keptAttempt, now)
  const changes = { password: { previous: '', current: '' } }
  await audit(tx, ctx, { type: 'update', entity: 'users', entityId: id, changes, changerId: id })
  return endUserSessions(tx, ctx, id, 'passwordChanged')
}
