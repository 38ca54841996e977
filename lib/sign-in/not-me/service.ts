import { z } from 'zod'
import { db } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { removePassword } from '@/lib/accounts/users/passwords'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'
import { endAttempts } from '../attempts/attempt'
import { letsInByMailbox } from '../attempts/passkey-use'
import { createLink, type Link, linkState, liveLink, useLink } from '../email-links/service'
import { dropPasskeys } from '../factors/passkey/passkeys'
import type { PasskeyRow } from '../factors/passkey/queries'
import { dropForeignApp, dropRecoveryCodes } from '../factors/totp/apps'
import { rememberPassword } from '../passwords/policy'
import { countNewPassword } from '../passwords/recovery-limits'
import { lockPasswordAccount } from '../passwords/replace'
import { endRecordedSessions } from '../sessions/ending'
import { clearSessionCookie, endUserSessions, forgetBrowser } from '../sessions/service'
import type * as calls from './contract'
import { isOfSameBrowser, selectSessionsBeside } from './queries'

/** The data of the sign-in that the link stores. */
const ReportedSignIn = z.object({
  ...{ sessionId: z.guid(), device: z.string(), ip: z.string(), date: z.iso.datetime() },
  /** Where the link was mailed; an earlier version didn't store it. */
  emailHash: z.string().optional(),
  /** The passkey that began the session. */
  passkey: z.string().optional(),
})

const reportedOf = ({ data }: Link) => {
  const { success, data: report } = ReportedSignIn.safeParse(data)
  if (!success) throw notFound()
  return report
}

/** Returns the state of the link for its page: the sign-in, or why the link is dead. It changes nothing. */
export const reportState = (ctx: Ctx, id: string) =>
  linkState(async () => {
    const { device, ip, date } = reportedOf(await liveLink(ctx, 'device', id))
    return { device, ip, date }
  })

/**
 * Handles the report of a person that a sign-in wasn't theirs. Ends all sessions in the browser of that sign-in, which
 * the account no longer knows, and removes the password, which another person knows, an authenticator app and passkeys
 * that were set up there, and the recovery codes. Returns the address where the person sets a new password (docs/rules/sign-in.md#a-new-device). Throws
 * the state of a dead link, 409 for the second of two parallel requests, 429.
 */
export async function reportSignIn(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.reportSignIn>) {
  await countNewPassword(ctx.ip)
  const link = await liveLink(ctx, 'device', id)
  const { sessionId, emailHash, passkey } = reportedOf(link)
  const userId = link.userId ?? ''
  const { refreshAlive } = await platformSettings()
  const entersByMail = await letsInByMailbox(userId)
  const { ended, redirect, afterCommit } = await db().transaction(async (tx) => {
    const account = await lockPasswordAccount(tx, userId)
    if (!account?.enabled) throw new AppError(403, 'canceledError', { expired: false })
    await useLink(tx, link, ctx.now())
    await endAttempts(tx, userId, ctx.now())
    const sessions = await selectSessionsBeside(tx, userId, sessionId)
    const ids = sessions.map((session) => session.id)
    const ending = await endRecordedSessions(tx, ctx, ids, 'reported', { changerId: userId })
    // with the mailbox alone nobody gets rid of what was set up with a proof of the same mailbox
    const isForeign = async (setUp: { emailHash: string | null; sessionId: string | null }) =>
      setUp.emailHash !== (emailHash ?? '') && (await isOfSameBrowser(tx, userId, sessionId, setUp.sessionId))
    await dropForeignApp(tx, ctx, userId, isForeign)
    const isReported = async (row: PasskeyRow) =>
      (entersByMail || row.emailHash !== (emailHash ?? '')) &&
      (row.id === passkey || (await isOfSameBrowser(tx, userId, sessionId, row.sessionId)))
    const dropped = await dropPasskeys(tx, ctx, userId, isReported, { changerId: userId })
    // whoever had one may be signed in with it elsewhere
    const endSessions = dropped.length > 0 ? await endUserSessions(tx, ctx, userId, 'passkeyRemoved') : null
    const afterEnding = async () => {
      await ending.afterCommit()
      await endSessions?.()
    }
    await dropRecoveryCodes(tx, ctx, userId)
    await forgetBrowser(tx, userId, sessionId)
    const { passwordHash, passwordChangedAt, providerId } = account
    // a directory keeps its passwords itself; a password that was set after the sign-in is the person's own
    const changed = passwordChangedAt !== null && passwordChangedAt > link.createdAt
    if (providerId || !passwordHash || changed) return { ...ending, afterCommit: afterEnding, redirect: null }
    await rememberPassword(tx, userId, passwordHash, passwordChangedAt ?? link.createdAt)
    await removePassword(tx, userId, ctx.now())
    await audit(tx, ctx, userEntity, userId, { password: passwordHash }, { password: null }, { changerId: userId })
    const recovery = await createLink(tx, ctx, 'recovery', { userId }, refreshAlive)
    return { ...ending, afterCommit: afterEnding, redirect: `/platform/new-password/${recovery}` }
  })
  await afterCommit()
  if (ctx.session && ended.includes(ctx.session.id)) clearSessionCookie(ctx)
  return { redirect }
}
