import { db } from '@/db/client'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { userEntity } from '@/lib/accounts/users/entity'
import { removePassword } from '@/lib/accounts/users/passwords'
import { audit } from '@/lib/base/audit/audit'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { sendMail } from '@/lib/messaging/sender/service'
import { platformSettings } from '@/lib/site/settings/service'
import { endAttempts } from '../attempts/attempt'
import { cancelLinks, createLink } from '../email-links/service'
import { openPasswordFlow } from '../factors/password/throttle'
import { endUserSessions } from '../sessions/service'
import type * as calls from './contract'
import { rememberPassword } from './policy'
import { isInHistory, selectPasswordAccount } from './queries'

/**
 * Removes a user's password and mails them a link to set another one. Ends their sessions and attempts, cancels older
 * links, and opens a password flow that wrong passwords have closed. Needs users.write. Throws what `lockAdministered`
 * throws, 409 directoryAccount, 409 userDisabled, and 409 userWithoutEmail
 * (docs/rules/people.md#administration-of-users).
 */
export async function resetUserPassword(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.resetUserPassword>) {
  requireMethod(ctx, 'users.write')
  const { refreshAlive: alive } = await platformSettings()
  const afterCommit = await db().transaction(async (tx) => {
    await lockAdministered(tx, ctx, id)
    const account = await selectPasswordAccount(id, tx)
    if (!account) throw notFound()
    if (account.providerId) throw new AppError(409, 'directoryAccount')
    if (!account.enabled) throw new AppError(409, 'userDisabled')
    if (!account.email) throw new AppError(409, 'userWithoutEmail')
    const now = ctx.now()
    const { passwordHash: oldHash, passwordChangedAt, login, firstName: name, email: to, lang: locale } = account
    if (oldHash && !(await isInHistory(tx, id, oldHash)))
      await rememberPassword(tx, id, oldHash, passwordChangedAt ?? now)
    await removePassword(tx, id, now)
    await openPasswordFlow(tx, id)
    await cancelLinks(tx, id, ['recovery', 'entry'], now)
    // attempts before sessions: a session that starts in parallel locks its attempt, so this waits until that session
    // can be ended
    await endAttempts(tx, id, now)
    if (oldHash) await audit(tx, ctx, userEntity, id, { password: oldHash }, { password: null })
    const linkId = await createLink(tx, ctx, 'recovery', { userId: id }, alive)
    const link = `${ctx.domain.origin}/platform/new-password/${linkId}`
    const expiresAt = new Date(now.getTime() + alive * 1000)
    const values = { name, login, link, alive }
    await sendMail(tx, ctx, { template: 'passwordReset', to, userId: id, locale, expiresAt, values })
    return endUserSessions(tx, ctx, id, 'passwordReset')
  })
  await afterCommit()
  return {}
}
