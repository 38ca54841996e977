import type { Transaction } from '@/db/client'
import { cancelLinks } from '@/lib/entry/links/service'
import { endUserSessions } from '@/lib/entry/sessions/service'
import type { Ctx } from '@/lib/kernel/ctx'
import { record } from '@/lib/kernel/record/record'
import { userEntity } from '@/lib/people/users/entity'
import { type EmailProof, settlePrepared } from '@/lib/people/users/passwords'
import { finishAttempts } from './queries'

/** With the sign-in attempt or the session in which the e-mail was proven, which stay. */
type Proof = EmailProof & { attempt?: string | undefined; session?: string | undefined }

/**
 * Settles an account that others had prepared, once its person has proven the e-mail: what was proven in the doubtful
 * time ends. Locks the account, and does nothing to one that nobody prepared. Call the returned function after the commit
 * (docs/rules/access.md#prepared-accounts).
 */
export async function settleAccount(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  { attempt, session, ...proof }: Proof,
): Promise<() => Promise<void>> {
  const now = ctx.now()
  const settled = await settlePrepared(tx, userId, proof, now)
  if (!settled) return async () => undefined
  const { password } = settled
  if (password) await record(tx, ctx, userEntity, userId, { password }, { password: null }, { changerId: userId })
  await cancelLinks(tx, userId, ['recovery', 'entry'], now)
  await finishAttempts(tx, userId, attempt ?? null, now)
  return endUserSessions(tx, ctx, userId, 'emailProven', session)
}
