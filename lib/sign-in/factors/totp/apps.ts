import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { mailOwner } from '../../mail-owner'
import {
  countRecoveryCodes,
  insertAuthenticatorApp,
  lockOwner,
  removeAuthenticatorApp,
  replaceRecoveryCodes,
  selectAuthenticatorApp,
} from '../queries'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes'
import { newKey, stepOfCode } from './totp'

/**
 * Returns the encrypted key of a new authenticator app. The app is stored when its first code was right. `boundTo` names
 * the attempt or the session in which that may happen.
 */
export const newAppKey = (boundTo: string): string => encrypt('factors', newKey(), boundTo)

/** Returns the key in base32. Throws if it was made for another attempt or session. */
export const plainAppKey = (encrypted: string, boundTo: string): string => decrypt('factors', encrypted, boundTo)

/**
 * Stores a person's authenticator app if `code` is one of its codes, and mails the owner. `key` is in base32. Returns
 * false for a wrong code, and if the person has an app.
 */
export async function addAuthenticatorApp(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  { key, code }: { key: string; code: string },
): Promise<boolean> {
  const lastStep = stepOfCode(key, code, ctx.now())
  const owner = lastStep === null ? undefined : await lockOwner(tx, userId)
  if (lastStep === null || !owner) return false
  const app = { userId, secret: encrypt('factors', key, userId), lastStep, createdAt: ctx.now() }
  if (!(await insertAuthenticatorApp(tx, app))) return false
  const by = { changerId: userId }
  await audit(tx, ctx, userEntity, userId, { authenticatorApp: false }, { authenticatorApp: true }, by)
  await mailOwner(tx, ctx, owner, 'factorAdded')
  return true
}

/**
 * Removes a person's authenticator app with its recovery codes, and mails the owner. `changerId` names who does it if
 * that isn't the caller, `reason` is what an administrator gave. Returns false if there is none.
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
  await mailOwner(tx, ctx, owner, 'factorRemoved')
  return true
}

/**
 * Removes a person's authenticator app that was set up at `since` or later: somebody else may have done it. The person
 * counts as the changer.
 */
export async function dropAppSince(tx: Transaction, ctx: Ctx, userId: string, since: Date): Promise<void> {
  const app = await selectAuthenticatorApp(userId, tx)
  if (app && app.createdAt >= since) await dropAuthenticatorApp(tx, ctx, userId, { changerId: userId })
}

/** Replaces a person's recovery codes by ten new ones, and returns these: only their hashes are stored. */
export async function renewRecoveryCodes(tx: Transaction, ctx: Ctx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryCodeHash(userId, code)),
  )
  await audit(tx, ctx, userEntity, userId, { recoveryCodes: null }, { recoveryCodes: codes.join() })
  return codes
}

/** Returns since when a person has an authenticator app, and how many recovery codes are left; null without an app. */
export async function authenticatorAppOf(userId: string) {
  const app = await selectAuthenticatorApp(userId)
  return app && { since: app.createdAt, recoveryCodes: await countRecoveryCodes(userId) }
}
