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
import { countSetting } from './recovery-limits'
import { replacePassword } from './replace'

/** Checks that the link is live. Throws the state of a dead one. */
export async function entryLinkStatus(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.entryLinkStatus>) {
  await liveLink(ctx, 'entry', id)
  return {}
}

/** Returns what the first-entry page shows for a link: the form, or why the link is dead. */
export const entryLinkState = (ctx: Ctx, id: string) =>
  linkState(async () => {
    const { userId } = await liveLink(ctx, 'entry', id)
    const user = userId ? await selectPasswordAccount(userId) : null
    if (!user) throw notFound()
    return { login: user.login }
  })

/** Faults of a first password, by field: whatever the settings, it must differ from the temporary one. */
async function firstPasswordFaults(ctx: Ctx, wanted: NewPassword, before: string | null): Promise<FieldError[]> {
  const faults = await newPasswordFaults(ctx, wanted)
  const [fault] = faults.filter(({ field }) => field === 'password')
  if (fault && fault.code !== 'errorPasswordRecent' && fault.code !== 'errorMatch') return faults
  if (!before || !(await verifyPassword(before, wanted.password)).right) return faults
  return [{ field: 'password', code: 'errorPasswordSame' }, ...faults.filter(({ field }) => field !== 'password')]
}

/**
 * Sets the first-entry password, once per link, and ends the account's sessions. If this browser's attempt has proven
 * the account, it starts a session and answers like authLogin; else it redirects to the sign-in page. Throws 400 with
 * the faulty fields, the state of a dead link, 409 if another request was first, 429.
 */
export async function setEntryPassword(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.setEntryPassword>,
): Promise<ServiceOutput<typeof calls.setEntryPassword>> {
  const link = await liveLink(ctx, 'entry', id)
  const user = link.userId ? await selectPasswordAccount(link.userId) : null
  if (!user) throw notFound()
  await countSetting(ctx.ip)
  const wanted = { password: body.password, repeatPassword: body.repeatPassword, userId: user.id }
  const errorList = await firstPasswordFaults(ctx, wanted, user.passwordHash)
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  const passwordHash = await hashPassword(body.password)
  const keptAttempt = (await currentAttempt(ctx))?.id ?? null
  const forgetEnded = await db().transaction(async (tx) => {
    await lockAccount(tx, user.id)
    await useLink(tx, link, ctx.now())
    const forgetEnded = await replacePassword(tx, ctx, user, { passwordHash, keptAttempt })
    // a link for a temporary password came from the sign-in, any other one by mail
    if (user.passwordChangeRequired) return forgetEnded
    const kept = { setsPassword: true, attempt: keptAttempt ?? undefined }
    const settled = await settleAccount(tx, ctx, user.id, kept)
    return () => forgetEnded().then(settled)
  })
  await forgetEnded()
  const redirect = await completeAfterEntry(ctx, user.id, body.termsAgree)
  return { next: 'done', redirect: redirect ?? '/platform/login' }
}
