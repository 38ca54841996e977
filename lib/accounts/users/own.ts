import { sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { emit } from '@/lib/base/events/events'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { accountsOfEmail, isMobileTaken } from './create'
import { userEntity } from './entity'
import { syncIdentifiers } from './identifiers'
import { keepUsers, lockUsers, touchUsers, userRows } from './queries'

export type ContactKind = 'email' | 'mobile'

/**
 * Locks the account of a person who changes it. Throws 404 if it no longer exists, 401 if it was disabled during the
 * request, and 403 profileReadOnly if its profile is locked.
 */
export async function lockOwnAccount(tx: Transaction, userId: string) {
  const row = await userRows.lock(tx, userId)
  if (!row) throw notFound()
  if (!row.enabled) throw new AppError(401)
  if (!row.isEditable) throw new AppError(403, 'profileReadOnly')
  return row
}
export type OwnAccount = Awaited<ReturnType<typeof lockOwnAccount>>

/**
 * Locks the account of a person who changes what isn't part of their profile, such as their companies. Throws 401 if
 * the account no longer exists or was disabled during the request (docs/rules/profile.md#a-locked-profile). `namedIds`
 * are accounts that the change notifies or names: all are locked in the order of their ids, as in every change of
 * several accounts.
 */
export async function lockEnabledAccount(tx: Transaction, userId: string, namedIds: readonly string[] = []) {
  await keepUsers(
    tx,
    namedIds.filter((id) => id < userId),
  )
  const [row] = await lockUsers(tx, [userId])
  await keepUsers(
    tx,
    namedIds.filter((id) => id > userId),
  )
  if (!row?.enabled) throw new AppError(401)
  return row
}

/** Keeps accounts that a change will name until the transaction ends. Call it before you lock what belongs to them. */
export const keepAccounts = keepUsers

/** Gives accounts a new version, after a change of rows that belong to them. */
export const touchAccounts = (tx: Transaction, userIds: readonly string[]) => touchUsers(tx, userIds)

async function requireFree(tx: Transaction, kind: ContactKind, value: string, taken: () => AppError) {
  if (kind === 'mobile') {
    if (await isMobileTaken(value, tx)) throw taken()
    return
  }
  // the same lock as for a registration: one account for each e-mail, also if no index ensures that
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`account ${value}`}, 0))`)
  if ((await accountsOfEmail(value, tx)).length > 0) throw taken()
}

/**
 * Gives a locked account another main contact that its person has proven, and updates its identifiers. Throws the error
 * of `taken` if another account has the contact.
 */
export async function changeMainContact(
  tx: Transaction,
  account: OwnAccount,
  { kind, value, verifiedAt, taken }: { kind: ContactKind; value: string; verifiedAt: Date; taken: () => AppError },
) {
  // a contact that differs from the present one only in letter case is the person's own
  if ((account[kind] ?? '').toLowerCase() !== value) await requireFree(tx, kind, value, taken)
  const proven = kind === 'email' ? { emailVerifiedAt: verifiedAt } : { mobileVerifiedAt: verifiedAt }
  await userRows.update(tx, account.id, { [kind]: value, ...proven })
  await onBroken({ user_identifiers_kind_value: taken }, () => syncIdentifiers(tx, [account.id]))
}

/** Notes that the person has proven their present main contact. */
export const confirmMainContact = (tx: Transaction, userId: string, kind: ContactKind, verifiedAt: Date) =>
  userRows.update(tx, userId, kind === 'email' ? { emailVerifiedAt: verifiedAt } : { mobileVerifiedAt: verifiedAt })

/**
 * Deletes an account for its person. Call it first in the transaction. The history keeps only the id. `beforeDeletion`
 * runs with the locked account and ends what must end while the account exists. Throws 404, 403 profileReadOnly, 405
 * directoryAccount, and 409 lastAdministrator. Call the returned function after the commit.
 */
export async function deleteOwnAccount(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  beforeDeletion: (account: OwnAccount) => Promise<() => Promise<void>>,
): Promise<() => Promise<void>> {
  return keepingAdministrator(tx, async () => {
    const account = await lockOwnAccount(tx, userId)
    if (account.providerId) throw new AppError(405, 'directoryAccount')
    const afterEnd = await beforeDeletion(account)
    const afterDeletion = await removeAccount(tx, ctx, userId)
    return async () => {
      await afterEnd()
      await afterDeletion()
    }
  })
}

/**
 * Deletes an account that the transaction has locked; the history keeps only the id. Call the returned function after
 * the commit.
 */
export async function removeAccount(tx: Transaction, ctx: Ctx, userId: string): Promise<() => Promise<void>> {
  const afterCommit = await emit(tx, ctx, 'accountDeleted', { userId })
  await audit(tx, ctx, userEntity, userId, {}, null)
  await userRows.remove(tx, userId)
  return afterCommit
}
