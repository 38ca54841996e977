import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { hashPassword, verifyPassword } from '@/lib/base/crypto/password'
import { AppError, type FieldError, notFound } from '@/lib/base/runtime/errors'
import { currentAttempt } from '../attempts/attempt'
import { completeAfterEntry } from '../attempts/complete'
import { settleAccount } from '../attempts/settle'
import { linkState, liveLink, useLink } from '../email-links/service'
import type * as calls from './contract'
import { type NewPassword, newPasswordFaults } from './policy'
import { lockAccount, selectPasswordAccount } from './queries'
import { countNewPassword } from './recovery-limits'
import { replacePassword } from './replace'

/** Checks that the link is live. Throws the state of a dead link. */
export async function entryLinkStatus(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.entryLinkStatus>) {
  await liveLink(ctx, 'entry', id)
  return {}
}

/** Returns the state of a first-entry link for its page: the data of the form, or why the link is dead. */
export const entryLinkState = (ctx: Ctx, id: string) =>
  linkState(async () => {
    const { userId } = await liveLink(ctx, 'entry', id)
    const user = userId ? await selectPasswordAccount(userId) : null
    if (!user) throw notFound()
    return { login: user.login }
  })

/**
 * Returns the faults of a first password by field. Whatever the settings say, it must differ from the temporary
 * password.
 */
async function firstPasswordFaults(ctx: Ctx, input: NewPassword, temporaryHash: string | null): Promise<FieldError[]> {
  const faults = await newPasswordFaults(ctx, input)
  const [fault] = faults.filter(({ field }) => field === 'password')
  if (fault && fault.code !== 'errorPasswordRecent' && fault.code !== 'errorMatch') return faults
  if (!temporaryHash || !(await verifyPassword(temporaryHash, input.password)).right) return faults
  return [{ field: 'password', code: 'errorPasswordSame' }, ...faults.filter(({ field }) => field !== 'password')]
}

/**
 * Sets the first-entry password, once for each link, and ends the account's sessions. If this browser's attempt has
 * proven the account, it starts a session and answers like authLogin; else it redirects to the sign-in page. Throws 400
 * with the faulty fields, the state of a dead link, 409 if another request was first, 429.
 */
export async function setEntryPassword(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.setEntryPassword>,
): Promise<ServiceOutput<typeof calls.setEntryPassword>> {
  const link = await liveLink(ctx, 'entry', id)
  const user = link.userId ? await selectPasswordAccount(link.userId) : null
  if (!user) throw notFound()
  await countNewPassword(ctx.ip)
  const input = { password: body.password, repeatPassword: body.repeatPassword, userId: user.id }
  const errorList = await firstPasswordFaults(ctx, input, user.passwordHash)
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  const passwordHash = await hashPassword(body.password)
  const keptAttempt = (await currentAttempt(ctx))?.id ?? null
  const afterCommit = await db().transaction(async (tx) => {
    await lockAccount(tx, user.id)
    await useLink(tx, link, ctx.now())
    const afterCommit = await replacePassword(tx, ctx, user, { passwordHash, keptAttempt })
    // a link for a temporary password comes from the sign-in, any other one from a mail, which proves the e-mail
    if (user.passwordChangeRequired) return afterCommit
    const proof = { setsPassword: true, attempt: keptAttempt ?? undefined }
    const afterSettling = await settleAccount(tx, ctx, user.id, proof)
    return () => afterCommit().then(afterSettling)
  })
  await afterCommit()
  const redirect = await completeAfterEntry(ctx, user.id, body.termsAgree)
  return { next: 'done', redirect: redirect ?? '/platform/login' }
}
