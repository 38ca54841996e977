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
import { openPasswordFlow } from '../attempts/throttle'
import { cancelLinks, createLink } from '../email-links/service'
import { endUserSessions } from '../sessions/service'
import type * as calls from './contract'
import { rememberPassword } from './policy'
import { isInHistory, selectPasswordAccount } from './queries'

/**
 * Takes somebody's password away and mails them a link to set another one. Their sessions and sign-in attempts end, older
 * links die, and a password flow that wrong passwords have closed opens again. Needs users.write. Throws what
 * `lockAdministered` throws, 409 directoryAccount, 409 userDisabled, and 409 userWithoutEmail
 * (docs/rules/people.md#administration-of-users).
 */
export async function resetUserPassword(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.resetUserPassword>) {
  requireMethod(ctx, 'users.write')
  const { refreshAlive: alive } = await platformSettings()
  const forgetEnded = await db().transaction(async (tx) => {
    await lockAdministered(tx, ctx, id)
    const account = await selectPasswordAccount(id, tx)
    if (!account) throw notFound()
    if (account.providerId) throw new AppError(409, 'directoryAccount')
    if (!account.enabled) throw new AppError(409, 'userDisabled')
    if (!account.email) throw new AppError(409, 'userWithoutEmail')
    const now = ctx.now()
    const { passwordHash: before, passwordChangedAt, login, firstName: name, email: to, lang: locale } = account
    if (before && !(await isInHistory(tx, id, before))) await rememberPassword(tx, id, before, passwordChangedAt ?? now)
    await removePassword(tx, id, now)
    await openPasswordFlow(tx, id)
    await cancelLinks(tx, id, ['recovery', 'entry'], now)
    // before the sessions: a session that is being started locks its attempt until the session can be ended
    await endAttempts(tx, id, now)
    if (before) await audit(tx, ctx, userEntity, id, { password: before }, { password: null })
    const linkId = await createLink(tx, ctx, 'recovery', { userId: id }, alive)
    const link = `${ctx.domain.origin}/platform/new-password/${linkId}`
    const expiresAt = new Date(now.getTime() + alive * 1000)
    const values = { name, login, link, alive }
    await sendMail(tx, ctx, { template: 'passwordReset', to, userId: id, locale, expiresAt, values })
    return endUserSessions(tx, ctx, id, 'passwordReset')
  })
  await forgetEnded()
  return {}
}
