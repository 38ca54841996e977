import { db } from '@/db/client'
import { linkState, liveLink, useLink } from '@/lib/entry/links/service'
import { currentAttempt } from '@/lib/entry/sign-in/attempt'
import { completeAfterEntry } from '@/lib/entry/sign-in/complete'
import { hashPassword, verifyPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, type FieldError, notFound } from '@/lib/kernel/errors'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import type { entryLinkStatus, setEntryPassword } from './contract'
import { type NewPassword, newPasswordFaults } from './policy'
import { holdAccount, passwordOf } from './queries'
import { countSetting } from './recovery-limits'
import { replacePassword } from './replace'

/** Tells whether the link is live; throws its state otherwise. */
export async function entryStatus(ctx: Ctx, { params: { id } }: VerbInput<typeof entryLinkStatus>) {
  await liveLink(ctx, 'entry', id)
  return {}
}

/** What the first-entry page shows for a link: its form, or why it is of no use. */
export const entryLinkState = (ctx: Ctx, id: string) =>
  linkState(async () => {
    const { userId } = await liveLink(ctx, 'entry', id)
    const user = userId ? await passwordOf(userId) : null
    if (!user) throw notFound()
    return { login: user.login }
  })

/** Field errors of a first password: it must differ from the temporary one, whatever the settings say. */
async function firstPasswordFaults(ctx: Ctx, wanted: NewPassword, before: string | null): Promise<FieldError[]> {
  const faults = await newPasswordFaults(ctx, wanted)
  const [fault] = faults.filter(({ field }) => field === 'password')
  if (fault && fault.code !== 'errorPasswordRecent' && fault.code !== 'errorMatch') return faults
  if (!before || !(await verifyPassword(before, wanted.password)).right) return faults
  return [{ field: 'password', code: 'errorPasswordSame' }, ...faults.filter(({ field }) => field !== 'password')]
}

/**
 * Sets the first-entry password, once per link. Ends the account's other sessions. In the browser whose attempt
 * proved the account it goes on to the session and answers like login; elsewhere it leads to sign in.
 */
export async function setFirstPassword(
  ctx: Ctx,
  { params: { id }, body }: VerbInput<typeof setEntryPassword>,
): Promise<VerbOutput<typeof setEntryPassword>> {
  const link = await liveLink(ctx, 'entry', id)
  const user = link.userId ? await passwordOf(link.userId) : null
  if (!user) throw notFound()
  await countSetting(ctx.ip)
  const wanted = { password: body.password, repeatPassword: body.repeatPassword, userId: user.id }
  const errorList = await firstPasswordFaults(ctx, wanted, user.passwordHash)
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  const passwordHash = await hashPassword(body.password)
  const keptAttempt = (await currentAttempt(ctx))?.id ?? null
  const forgetEnded = await db().transaction(async (tx) => {
    await holdAccount(tx, user.id)
    await useLink(tx, link, ctx.now())
    return replacePassword(tx, ctx, user, { passwordHash, keptAttempt })
  })
  await forgetEnded()
  const redirect = await completeAfterEntry(ctx, user.id, body.termsAgree)
  return { next: 'done', redirect: redirect ?? '/platform/login' }
}
