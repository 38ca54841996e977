import { db } from '@/db/client'
import { linkState, liveLink, useLink } from '@/lib/entry/links/service'
import { endUserSessions } from '@/lib/entry/sessions/service'
import { completeAfterEntry } from '@/lib/entry/sign-in/complete'
import { audit } from '@/lib/kernel/audit'
import { hashPassword, verifyPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, type FieldError, notFound } from '@/lib/kernel/errors'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import type { entryLinkStatus, setEntryPassword } from './contract'
import { passwordOf, storePassword } from './queries'
import { isAcceptable } from './rules'
import { passwordRules } from './rules-of-settings'

/** Tells whether the link is live; throws its state otherwise. */
export async function entryStatus(ctx: Ctx, { params: { id } }: VerbInput<typeof entryLinkStatus>) {
  await liveLink(ctx, 'entry', id)
  return {}
}

export type EntryLinkState = Awaited<ReturnType<typeof entryLinkState>>

/** What the first-entry page shows for a link: its form, or why it is of no use. */
export const entryLinkState = (ctx: Ctx, id: string) =>
  linkState(async () => {
    const { userId } = await liveLink(ctx, 'entry', id)
    const user = userId ? await passwordOf(userId) : null
    if (!user) throw notFound()
    return { login: user.login }
  })

/** Field errors of a new password: the rules, the repeat, and that it isn't the one before. */
async function passwordFaults(
  ctx: Ctx,
  password: string,
  repeat: string,
  before: string | null,
): Promise<FieldError[]> {
  const faults: FieldError[] = []
  if (!isAcceptable(await passwordRules(ctx.locale), password))
    faults.push({ field: 'password', code: 'errorPasswordRules' })
  else if (before && (await verifyPassword(before, password)).right)
    faults.push({ field: 'password', code: 'errorPasswordSame' })
  if (password !== repeat)
    faults.push({ field: 'password', code: 'errorMatch' }, { field: 'repeatPassword', code: 'errorMatch' })
  return faults
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
  const errorList = await passwordFaults(ctx, body.password, body.repeatPassword, user.passwordHash)
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  const passwordHash = await hashPassword(body.password)
  const forgetEnded = await db().transaction(async (tx) => {
    await useLink(tx, link, ctx.now())
    await storePassword(tx, user.id, passwordHash, ctx.now())
    const changes = { password: { previous: '', current: '' } }
    await audit(tx, ctx, { type: 'update', entity: 'users', entityId: user.id, changes, changerId: user.id })
    return endUserSessions(tx, ctx, user.id, 'passwordChanged')
  })
  await forgetEnded()
  const redirect = await completeAfterEntry(ctx, user.id, body.termsAgree)
  return { next: 'done', redirect: redirect ?? '/platform/login' }
}
