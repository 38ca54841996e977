import { db } from '@/db/client'
import { keepingSignInOf } from '@/lib/access/rights/last-administrator'
import { lockAdministered, requireAccount } from '@/lib/accounts/users/administer'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError } from '@/lib/base/runtime/errors'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import { dropPasskeys, passkeysOf } from '@/lib/sign-in/factors/passkey/passkeys'
import { mailAboutReset } from '@/lib/sign-in/factors/reset-mail'
import { authenticatorAppOf, dropAuthenticatorApp } from '@/lib/sign-in/factors/totp/apps'
import { endUserSessions } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'

/** Returns the authenticator app and the passkeys of a person. Needs users.read. Throws 404. */
export async function readUserFactors(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readUserFactors>) {
  requireMethod(ctx, 'users.read')
  await db().transaction((tx) => requireAccount(tx, id))
  return { authenticatorApp: await authenticatorAppOf(id), passkeys: await passkeysOf(id) }
}

/**
 * Removes a person's authenticator app and passkeys, so that they can set up new ones; with passkeys all sessions end.
 * Needs users.write. Throws the errors of `lockAdministered`, 409 ownFactors for the caller's own account, 409
 * factorsNone if there are none, lastAdministrator (docs/rules/people.md#administration-of-users).
 */
export async function resetUserFactors(
  ctx: Ctx,
  { params: { id }, body: { reason } }: ServiceInput<typeof calls.resetUserFactors>,
) {
  requireMethod(ctx, 'users.write')
  if (id === ctx.user?.id) throw new AppError(409, 'ownFactors')
  const afterCommit = await db().transaction((tx) =>
    keepingSignInOf(tx, id, async () => {
      await lockAdministered(tx, ctx, id)
      const hadApp = await dropAuthenticatorApp(tx, ctx, id, { reason })
      const passkeys = await dropPasskeys(tx, ctx, id, () => true, { reason })
      if (!hadApp && passkeys.length === 0) throw new AppError(409, 'factorsNone')
      await mailAboutReset(tx, ctx, id)
      // what is removed may have been proven in one
      await endAttempts(tx, id, ctx.now())
      // whoever has a passkey may be signed in with it
      return passkeys.length > 0 ? await endUserSessions(tx, ctx, id, 'passkeyRemoved') : null
    }),
  )
  await afterCommit?.()
  return {}
}
