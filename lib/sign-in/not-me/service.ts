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
import { createLink, type Link, linkState, liveLink, useLink } from '../email-links/service'
import { rememberPassword } from '../passwords/policy'
import { countSetting } from '../passwords/recovery-limits'
import { lockPasswordAccount } from '../passwords/replace'
import { sessionEntity } from '../sessions/entity'
import { clearSessionCookie, endSessions, forgetBrowser } from '../sessions/service'
import type * as calls from './contract'
import { selectSessionsBeside } from './queries'

/** What the link keeps of the sign-in. */
const Reported = z.object({ sessionId: z.guid(), device: z.string(), ip: z.string(), date: z.iso.datetime() })

const reportedOf = ({ data }: Link) => {
  const { success, data: kept } = Reported.safeParse(data)
  if (!success) throw notFound()
  return kept
}

/** Returns what the page of the link shows: the sign-in, or why the link is dead. Opening it changes nothing. */
export const reportState = (ctx: Ctx, id: string) =>
  linkState(async () => {
    const { device, ip, date } = reportedOf(await liveLink(ctx, 'device', id))
    return { device, ip, date }
  })

/**
 * A person says that a sign-in wasn't theirs: ends it with every session in its browser, which the account no longer
 * knows, takes the password that somebody else knows from the account, and returns the address where a new one is set
 * (docs/rules/sign-in.md#a-new-device). Throws the state of a dead link, 409 for the second of two at once, 429.
 */
export async function reportSignIn(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.reportSignIn>) {
  await countSetting(ctx.ip)
  const link = await liveLink(ctx, 'device', id)
  const { sessionId } = reportedOf(link)
  const userId = link.userId ?? ''
  const { refreshAlive } = await platformSettings()
  const { ended, redirect, afterCommit } = await db().transaction(async (tx) => {
    const account = await lockPasswordAccount(tx, userId)
    if (!account?.enabled) throw new AppError(403, 'canceledError', { expired: false })
    await useLink(tx, link, ctx.now())
    await endAttempts(tx, userId, ctx.now())
    const open = await selectSessionsBeside(tx, userId, sessionId)
    const done = await endSessions(
      tx,
      ctx,
      open.map((session) => session.id),
      'reported',
    )
    for (const { id, ...session } of open)
      if (done.ended.includes(id)) await audit(tx, ctx, sessionEntity, id, session, null, { changerId: userId })
    await forgetBrowser(tx, userId, sessionId)
    const { passwordHash, passwordChangedAt, providerId } = account
    // a directory's password is changed there; a password that was set after the sign-in is the person's own
    const changed = passwordChangedAt !== null && passwordChangedAt > link.createdAt
    if (providerId || !passwordHash || changed) return { ...done, redirect: null }
    await rememberPassword(tx, userId, passwordHash, passwordChangedAt ?? link.createdAt)
    await removePassword(tx, userId, ctx.now())
    await audit(tx, ctx, userEntity, userId, { password: passwordHash }, { password: null }, { changerId: userId })
    const recovery = await createLink(tx, ctx, 'recovery', { userId }, refreshAlive)
    return { ...done, redirect: `/platform/new-password/${recovery}` }
  })
  await afterCommit()
  if (ctx.session && ended.includes(ctx.session.id)) clearSessionCookie(ctx)
  return { redirect }
}
