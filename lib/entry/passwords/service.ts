import { db } from '@/db/client'
import { liveLink, useLink } from '@/lib/entry/links/service'
import { endUserSessions } from '@/lib/entry/sessions/service'
import { completeAfterEntry } from '@/lib/entry/sign-in/complete'
import { audit } from '@/lib/kernel/audit'
import { hashPassword, verifyPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, type FieldError, notFound } from '@/lib/kernel/errors'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import { platformSettings } from '@/lib/platform/settings/service'
import type { entryLinkStatus, setEntryPassword } from './contract'
import { passwordOf, storePassword } from './queries'
import { isAcceptable, type PasswordRules } from './rules'

/** The rules of the settings, with custom ones titled in a language. */
export async function passwordRules(locale: string): Promise<PasswordRules> {
  const settings = await platformSettings()
  return {
    min: settings.passwordMin,
    max: settings.passwordMax,
    symbols: settings.passwordSymbols,
    uppercase: settings.passwordUppercase,
    lowercase: settings.passwordLowercase,
    numbers: settings.passwordNumbers,
    generate: settings.passwordGenerate,
    custom: settings.passwordCustomRules.map(({ pattern, title }) => ({
      pattern,
      title: title[locale] ?? Object.values(title)[0] ?? pattern,
    })),
  }
}

/** Tells whether the link is live; throws its state otherwise. */
export async function entryStatus(ctx: Ctx, { params: { id } }: VerbInput<typeof entryLinkStatus>) {
  await liveLink(ctx, 'entry', id)
  return {}
}

export type EntryLinkState =
  | { kind: 'live'; login: string }
  | { kind: 'linkUsed' | 'expired' | 'canceledError' | 'accessError' | 'notFound' }

/** What the first-entry page shows for a link: its form, or why it is of no use. */
export async function entryLinkState(ctx: Ctx, id: string): Promise<EntryLinkState> {
  try {
    const { userId } = await liveLink(ctx, 'entry', id)
    const user = userId ? await passwordOf(userId) : null
    return user ? { kind: 'live', login: user.login } : { kind: 'notFound' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, data } = error
    if (code === 'canceledError') return { kind: data.expired ? 'expired' : 'canceledError' }
    if (code === 'linkUsed' || code === 'accessError' || code === 'notFound') return { kind: code }
    throw error
  }
}

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
