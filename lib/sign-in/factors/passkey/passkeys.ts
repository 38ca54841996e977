import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { mailOwner } from '../../mail-owner'
import { lockOwner } from '../queries'
import type { PasskeyFacts } from './credential'
import { insertPasskey, type PasskeyRow, removePasskeys, selectPasskeys, storeName } from './queries'

/** How many passkeys a person can have. */
export const mostPasskeys = 20

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

/** What is stored of a new passkey, with the session that sets it up and the hash of the e-mail that was proven for it. */
export type NewPasskeyValues = Omit<PasskeyRow, 'id' | 'userId' | 'createdAt' | 'usedAt'>

/**
 * Stores a passkey of a person, and mails the owner. Throws 409 passkeyKnown for one that is stored already.
 */
export async function addPasskey(tx: Transaction, ctx: Ctx, userId: string, values: NewPasskeyValues) {
  const owner = await lockOwner(tx, userId)
  const before = await selectPasskeys(userId, tx)
  if (!owner || !(await insertPasskey(tx, { ...values, userId, createdAt: ctx.now() })))
    throw new AppError(409, 'passkeyKnown')
  const after = await selectPasskeys(userId, tx)
  const by = { changerId: userId }
  await audit(tx, ctx, userEntity, userId, { passkeys: namesOf(before) }, { passkeys: namesOf(after) }, by)
  await mailOwner(tx, ctx, owner, 'passkeyAdded', values.sessionId)
}

/** Names a passkey of a person. Returns false if the person has no such passkey. */
export async function renamePasskey(tx: Transaction, ctx: Ctx, userId: string, { id, name }: PasskeyName) {
  await lockOwner(tx, userId)
  const before = await selectPasskeys(userId, tx)
  if (!(await storeName(tx, userId, id, name))) return false
  const after = before.map((row) => (row.id === id ? { name } : row))
  await audit(tx, ctx, userEntity, userId, { passkeys: namesOf(before) }, { passkeys: namesOf(after) })
  return true
}
type PasskeyName = { id: string; name: string }

type Account = { email: string | null }

/**
 * Removes the passkeys of a person that `isRemoved` names, and returns them. Mails the owner, unless an administrator
 * gave a `reason`: their mail is about all factors. `changerId` names who does it if that isn't the caller.
 */
export async function dropPasskeys(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  isRemoved: (passkey: PasskeyRow, account: Account) => boolean | Promise<boolean>,
  { changerId, reason }: { changerId?: string; reason?: string } = {},
): Promise<PasskeyRow[]> {
  const owner = await lockOwner(tx, userId)
  if (!owner) return []
  const before = await selectPasskeys(userId, tx)
  const removed: PasskeyRow[] = []
  // one after another: they may ask the transaction
  for (const row of before) if (await isRemoved(row, owner)) removed.push(row)
  if (removed.length === 0) return []
  const after = before.filter((row) => !removed.includes(row))
  await removePasskeys(
    tx,
    userId,
    removed.map(({ id }) => id),
  )
  const [from, to] = [{ passkeys: namesOf(before) }, { passkeys: namesOf(after) }]
  if (reason === undefined) await audit(tx, ctx, userEntity, userId, from, to, { changerId })
  else await audit(tx, ctx, userEntity, userId, { ...from, resetReason: null }, { ...to, resetReason: reason })
  if (reason === undefined) await mailOwner(tx, ctx, owner, 'passkeyRemoved')
  return removed
}

/** Returns what a page shows of a person's passkeys, the oldest first. */
export async function passkeysOf(userId: string): Promise<PasskeyFacts[]> {
  const rows = await selectPasskeys(userId)
  return rows.map(({ id, name, isSynced, createdAt, usedAt }) => ({
    ...{ id, name, isSynced },
    since: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }))
}

/** Returns whether a person has this passkey. */
export const hasPasskeyOf = async (userId: string, id: string): Promise<boolean> =>
  (await selectPasskeys(userId)).some((row) => row.id === id)

/** Returns the passkeys of a person as authenticators know them. */
export const credentialsOf = async (userId: string, run?: Transaction) =>
  (await selectPasskeys(userId, run)).map(({ credentialId: id, transports }) => ({ id, transports }))
