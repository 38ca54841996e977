import { db, type Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit, auditMany } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { AppError } from '@/lib/base/runtime/errors'
import { mailOwner } from '../../mail-owner'
import {
  countRecoveryCodes,
  insertAuthenticatorApps,
  lockOwner,
  removeAuthenticatorApp,
  removeRecoveryCode,
  replaceRecoveryCodes,
  selectAuthenticatorApp,
} from '../queries'
import type { AppFacts } from './facts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes'
import { newKey } from './totp'

/**
 * Returns the encrypted key of a new authenticator app. `boundTo` names the attempt or the session in which the app may
 * be stored.
 */
export const newAppKey = (boundTo: string): string => encrypt('factors', newKey(), boundTo)

/** Returns the key in base32. Throws if it was made for another attempt or session, or with a key that is gone. */
export const plainAppKey = (encrypted: string, boundTo: string): string => decrypt('factors', encrypted, boundTo)

/**
 * A new authenticator app: its key in base32, the time step of its first code, the session that sets it up, and the hash
 * of the e-mail that was proven for it.
 */
type NewApp = { key: string; step: number; sessionId: string; emailHash: string | null }

/** Stores a person's authenticator app, and mails the owner. Returns false and changes nothing if the person has one. */
async function addAuthenticatorApp(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  { key, step, sessionId, emailHash }: NewApp,
): Promise<boolean> {
  const owner = await lockOwner(tx, userId)
  const terms = { lastStep: step, sessionId, emailHash, createdAt: ctx.now() }
  const app = { userId, secret: encrypt('factors', key, userId), ...terms }
  if (!owner || (await insertAuthenticatorApps(tx, [app])) === 0) return false
  const by = { changerId: userId }
  await audit(tx, ctx, userEntity, userId, { authenticatorApp: false }, { authenticatorApp: true }, by)
  await mailOwner(tx, ctx, owner, 'factorAdded', sessionId)
  return true
}

/**
 * Starts a session by `start`, and stores the authenticator app that the person has set up in the attempt. Locks the
 * account first, as a change of the password does. Throws 409 if the person has an app.
 */
export async function startWithApp<S extends { sessionId: string }>(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  { app, start }: { app: Omit<NewApp, 'sessionId'>; start: () => Promise<S> },
): Promise<S> {
  await lockOwner(tx, userId)
  const session = await start()
  const isStored = await addAuthenticatorApp(tx, ctx, userId, { ...app, sessionId: session.sessionId })
  if (!isStored) throw new AppError(409)
  return session
}

/**
 * Removes a person's authenticator app with its recovery codes. Mails the owner, unless an administrator gave a `reason`:
 * their mail is about all factors. `changerId` names who does it if that isn't the caller. Returns false if there is none.
 */
export async function dropAuthenticatorApp(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  { changerId, reason }: { changerId?: string; reason?: string } = {},
) {
  const owner = await lockOwner(tx, userId)
  if (!owner || !(await removeAuthenticatorApp(tx, userId))) return false
  const [before, after] = [{ authenticatorApp: true }, { authenticatorApp: false }]
  if (reason === undefined) await audit(tx, ctx, userEntity, userId, before, after, { changerId })
  else await audit(tx, ctx, userEntity, userId, { ...before, resetReason: null }, { ...after, resetReason: reason })
  if (reason === undefined) await mailOwner(tx, ctx, owner, 'factorRemoved')
  return true
}

/** When and in which session an app was set up, and the hash of the e-mail that was proven for it. */
type SetUp = { createdAt: Date; sessionId: string | null; emailHash: string | null }

/**
 * Removes a person's authenticator app if somebody else may have set it up, as `isForeign` says of the set-up and the
 * account. The person counts as the changer.
 */
export async function dropForeignApp(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  isForeign: (setUp: SetUp, account: { email: string | null }) => boolean | Promise<boolean>,
) {
  const [owner, app] = [await lockOwner(tx, userId), await selectAuthenticatorApp(userId, tx)]
  if (owner && app && (await isForeign(app, owner))) await dropAuthenticatorApp(tx, ctx, userId, { changerId: userId })
}

/** Removes the recovery codes of a person, which a stranger may have seen. The person counts as the changer. */
export async function dropRecoveryCodes(tx: Transaction, ctx: Ctx, userId: string) {
  const before = await countRecoveryCodes(userId, tx)
  await replaceRecoveryCodes(tx, userId, [])
  await audit(
    tx,
    ctx,
    userEntity,
    userId,
    { recoveryCodesLeft: before },
    { recoveryCodesLeft: 0 },
    { changerId: userId },
  )
}

/** Stores ten new recovery codes of a person in place of others, and returns them: only their hashes are stored. */
async function storeRecoveryCodes(tx: Transaction, ctx: Ctx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  const hashes = codes.map((code) => recoveryCodeHash(userId, code))
  await replaceRecoveryCodes(tx, userId, hashes)
  await audit(tx, ctx, userEntity, userId, { recoveryCodes: null }, { recoveryCodes: hashes.join() })
  return codes
}

/** Stores a person's authenticator app as `addAuthenticatorApp` does, and returns its recovery codes; null if not. */
export async function addAppWithCodes(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  app: NewApp,
): Promise<string[] | null> {
  return (await addAuthenticatorApp(tx, ctx, userId, app)) ? storeRecoveryCodes(tx, ctx, userId) : null
}

/** Replaces the recovery codes of a person, mails the owner, and returns the new ones; null without an app. */
export async function renewRecoveryCodes(tx: Transaction, ctx: Ctx, userId: string): Promise<string[] | null> {
  const owner = await lockOwner(tx, userId)
  if (!owner || !(await selectAuthenticatorApp(userId, tx))) return null
  await mailOwner(tx, ctx, owner, 'recoveryCodesRenewed', ctx.session?.id)
  return storeRecoveryCodes(tx, ctx, userId)
}

/** Uses up a person's recovery code, and mails the owner. Returns false if there is no such code. */
export const spendRecoveryCode = (ctx: Ctx, userId: string, typed: string): Promise<boolean> =>
  db().transaction(async (tx) => {
    const owner = await lockOwner(tx, userId)
    const before = await countRecoveryCodes(userId, tx)
    if (!owner || !(await removeRecoveryCode(tx, userId, recoveryCodeHash(userId, typed)))) return false
    const [full, rest] = [{ recoveryCodesLeft: before }, { recoveryCodesLeft: before - 1 }]
    await audit(tx, ctx, userEntity, userId, full, rest, { changerId: userId })
    await mailOwner(tx, ctx, owner, 'recoveryCodeUsed')
    return true
  })

/**
 * Stores the authenticator apps that people of new accounts had in another system, by their keys in base32. Nobody is
 * mailed: for them nothing has changed.
 */
export async function importApps(tx: Transaction, ctx: Ctx, apps: readonly { userId: string; key: string }[]) {
  if (apps.length === 0) return
  const createdAt = ctx.now()
  const rows = apps.map(({ userId, key }) => ({
    ...{ userId, secret: encrypt('factors', key, userId), lastStep: 0, sessionId: null, createdAt },
  }))
  await insertAuthenticatorApps(tx, rows)
  const [before, after] = [{ authenticatorApp: false }, { authenticatorApp: true }]
  await auditMany(
    tx,
    ctx,
    userEntity,
    apps.map(({ userId: id }) => ({ id, before, after })),
  )
}

/** Returns what a page shows of a person's authenticator app; null without one. */
export async function authenticatorAppOf(userId: string): Promise<AppFacts | null> {
  const app = await selectAuthenticatorApp(userId)
  return app && { since: app.createdAt.toISOString(), recoveryCodes: await countRecoveryCodes(userId) }
}
