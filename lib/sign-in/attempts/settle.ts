import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { type EmailProof, settlePrepared } from '@/lib/accounts/users/passwords'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { emailHashOf } from '../email-hash'
import { cancelLinks } from '../email-links/service'
import { dropPasskeys } from '../factors/passkey/passkeys'
import { dropForeignApp } from '../factors/totp/apps'
import { mailOwner } from '../mail-owner'
import { endUserSessions } from '../sessions/service'
import { endAttempts } from './attempt'
import { selectOwner } from './queries'

/**
 * The proof of the e-mail, the passkey that was proven with it, and the attempt and the session in which it was given,
 * which don't end.
 */
type Proof = EmailProof & { attempt?: string | undefined; session?: string | undefined; passkey?: string | undefined }

/**
 * Settles an account that a preparer had prepared, once its person has proven the e-mail: removes the proofs from
 * before, an authenticator app and passkeys from the time in doubt, ends attempts, sessions and links, and mails the owner of what
 * was removed. Locks the account, and changes nothing of an account without a preparer. Call the returned function after
 * the commit (docs/rules/access.md#prepared-accounts).
 */
export async function settleAccount(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  { attempt, session, passkey, ...proof }: Proof,
): Promise<() => Promise<void>> {
  const now = ctx.now()
  const settled = await settlePrepared(tx, userId, proof, now)
  if (!settled) return async () => undefined
  const { password, since } = settled
  const isForeign = (setUp: { createdAt: Date; emailHash: string | null }, { email }: { email: string | null }) =>
    setUp.createdAt >= since && !(email && setUp.emailHash === emailHashOf(email))
  // who has proven both in one sign-in has the app, and so has who has set it up with this e-mail
  if (!proof.proven?.includes('totp')) await dropForeignApp(tx, ctx, userId, isForeign)
  const byOwner = { changerId: userId }
  await dropPasskeys(tx, ctx, userId, (row, owner) => row.id !== passkey && isForeign(row, owner), byOwner)
  if (password) {
    await audit(tx, ctx, userEntity, userId, { password }, { password: null }, { changerId: userId })
    const owner = await selectOwner(tx, userId)
    if (owner) await mailOwner(tx, ctx, owner, 'passwordEnded')
  }
  await cancelLinks(tx, userId, ['recovery', 'entry'], now)
  await endAttempts(tx, userId, now, attempt)
  return endUserSessions(tx, ctx, userId, 'emailProven', session)
}
