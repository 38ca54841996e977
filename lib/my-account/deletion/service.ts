import { db } from '@/db/client'
import { deleteOwnAccount } from '@/lib/accounts/users/own'
import { isOwnAccountEditable } from '@/lib/accounts/users/service'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { loginOf } from '@/lib/base/text/email'
import { sendMail } from '@/lib/messaging/sender/service'
import { requirePresentPassword } from '@/lib/sign-in/attempts/present-password'
import { ownPasswordAccount } from '@/lib/sign-in/passwords/own-password'
import { clearSessionCookie, endUserSessions } from '@/lib/sign-in/sessions/service'
import { enterOwnCode, sendOwnCode } from '../own-code'
import type { deleteProfile as call } from './contract'

const isLogin = (typed: string, login: string) => loginOf(typed) === loginOf(login)

async function deletableAccount(ctx: Ctx) {
  const account = await ownPasswordAccount(ctx)
  if (!(await isOwnAccountEditable(account.id))) throw new AppError(403, 'profileReadOnly')
  return account
}

/**
 * Deletes the account of the signed-in person, who enters its login, and the password or a code. Sessions and all
 * tokens of applications end at once; a mail reports the deletion. Throws 401, 400 with the faulty field, 403
 * profileReadOnly, 405 directoryAccount, 409 lastAdministrator, 429.
 */
export async function deleteProfile(ctx: Ctx, { body }: ServiceInput<typeof call>) {
  const account = await deletableAccount(ctx)
  if (!isLogin(body.login, account.login)) throw fieldError('login', 'errorConfirmation')
  // a person who forgot the password, or has none, enters a code
  if (body.password || (account.passwordHash && !body.code))
    await requirePresentPassword(ctx, 'password', body.password)
  else await enterOwnCode(ctx, 'deletion', account, body.code)
  const afterCommit = await db().transaction((tx) =>
    deleteOwnAccount(tx, ctx, account.id, async ({ email, firstName: name, login }) => {
      const { lang: locale } = account
      if (email)
        await sendMail(tx, ctx, {
          template: 'accountDeleted',
          to: email,
          userId: null,
          locale,
          values: { name, login, date: ctx.now() },
        })
      return endUserSessions(tx, ctx, account.id, 'deleted')
    }),
  )
  clearSessionCookie(ctx)
  await afterCommit()
  return {}
}

/** Sends the code for deleting the account. Throws 401, 403, 405, 409 errorNoContact, 429, 503. */
export async function requestDeletionCode(ctx: Ctx) {
  return sendOwnCode(ctx, 'deletion', await deletableAccount(ctx))
}
