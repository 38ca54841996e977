import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { type EmailProof, settlePrepared } from '@/lib/accounts/users/passwords'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { cancelLinks } from '../email-links/service'
import { mailOwner } from '../mail-owner'
import { endUserSessions } from '../sessions/service'
import { endAttempts } from './attempt'
import { selectOwner } from './queries'

/** With the sign-in attempt or the session in which the e-mail was proven, which stay. */
type Proof = EmailProof & { attempt?: string | undefined; session?: string | undefined }

/**
 * Settles an account that others had prepared, once its person has proven the e-mail: what was proven in the doubtful
 * time ends, and a mail says so of a password. Locks the account, and does nothing to one that nobody prepared. Call the returned function after the commit
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
  if (password) {
    await audit(tx, ctx, userEntity, userId, { password }, { password: null }, { changerId: userId })
    const owner = await selectOwner(tx, userId)
    if (owner) await mailOwner(tx, ctx, owner, 'passwordEnded')
  }
  await cancelLinks(tx, userId, ['recovery', 'entry'], now)
  await endAttempts(tx, userId, now, attempt)
  return endUserSessions(tx, ctx, userId, 'emailProven', session)
}
