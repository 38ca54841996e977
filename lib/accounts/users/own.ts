import { sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/administrators'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { emit } from '@/lib/base/events/events'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { accountsOfEmail, isMobileTaken } from './create'
import { userEntity } from './entity'
import { syncIdentifiers } from './identifiers'
import { deleteUser, keepUsers, lockUser, lockUsers, touchUser, updateUser } from './queries'

export type ContactKind = 'email' | 'mobile'

/**
 * Locks the account of a person who changes it. Throws 404 if it is gone, 401 if it was disabled while the request was
 * under way, and 403 profileReadOnly if it is locked.
 */
export async function lockOwnAccount(tx: Transaction, userId: string) {
  const row = await lockUser(tx, userId)
  if (!row) throw notFound()
  if (!row.enabled) throw new AppError(401)
  if (!row.isEditable) throw new AppError(403, 'profileReadOnly')
  return row
}
export type OwnAccount = Awaited<ReturnType<typeof lockOwnAccount>>

/**
 * Locks the account of a person who changes what isn't part of their profile, such as their companies. Throws 401 if it
 * is gone, or was disabled while the request was under way (docs/rules/profile.md#a-locked-profile). `told` are those
 * whom the change tells or names: all are locked in the order of their ids, as whoever changes several accounts does.
 */
export async function lockEnabledAccount(tx: Transaction, userId: string, told: readonly string[] = []) {
  await keepUsers(
    tx,
    told.filter((id) => id < userId),
  )
  const [row] = await lockUsers(tx, [userId])
  await keepUsers(
    tx,
    told.filter((id) => id > userId),
  )
  if (!row?.enabled) throw new AppError(401)
  return row
}

/** Keeps accounts that a change will name until the transaction ends. Call it before what they own is locked. */
export const keepAccounts = keepUsers

/** Gives an account a new version, after a change of rows that belong to it. */
export const touchAccount = (tx: Transaction, userId: string) => touchUser(tx, userId)

async function requireFree(tx: Transaction, kind: ContactKind, value: string, taken: () => AppError) {
  if (kind === 'mobile') {
    if (await isMobileTaken(value, tx)) throw taken()
    return
  }
  // the same lock as of a registration: one account for each e-mail, also if no index ensures that
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`account ${value}`}, 0))`)
  if ((await accountsOfEmail(value, tx)).length > 0) throw taken()
}

/**
 * Gives a locked account another main contact that its person has proven, and the identifiers that follow from it.
 * Throws what `taken` makes if the contact is somebody else's.
 */
export async function changeMainContact(
  tx: Transaction,
  account: OwnAccount,
  { kind, value, verifiedAt, taken }: { kind: ContactKind; value: string; verifiedAt: Date; taken: () => AppError },
) {
  // a contact that differs from the present one in letter case alone is the person's own
  if ((account[kind] ?? '').toLowerCase() !== value) await requireFree(tx, kind, value, taken)
  const proven = kind === 'email' ? { emailVerifiedAt: verifiedAt } : { mobileVerifiedAt: verifiedAt }
  await updateUser(tx, account.id, { [kind]: value, ...proven })
  await onBroken({ user_identifiers_kind_value: taken }, () => syncIdentifiers(tx, [account.id]))
}

/** Notes that the person has proven their present main contact. */
export const confirmMainContact = (tx: Transaction, userId: string, kind: ContactKind, verifiedAt: Date) =>
  updateUser(tx, userId, kind === 'email' ? { emailVerifiedAt: verifiedAt } : { mobileVerifiedAt: verifiedAt })

/**
 * Deletes an account for its person, first in the transaction. The history keeps no more than the id. `before` runs with
 * the locked account and ends what must end while it is still there. Throws 404, 403 profileReadOnly, 405
 * directoryAccount, and 409 lastAdministrator. Call the returned function after the commit.
 */
export async function deleteOwnAccount(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  before: (account: OwnAccount) => Promise<() => Promise<void>>,
): Promise<() => Promise<void>> {
  return keepingAdministrator(tx, async () => {
    const account = await lockOwnAccount(tx, userId)
    if (account.providerId) throw new AppError(405, 'directoryAccount')
    const ended = await before(account)
    const told = await removeAccount(tx, ctx, userId)
    return async () => {
      await ended()
      await told()
    }
  })
}

/**
 * Deletes an account that the transaction has locked; the history keeps no more than the id. Call the returned function
 * after the commit.
 */
export async function removeAccount(tx: Transaction, ctx: Ctx, userId: string): Promise<() => Promise<void>> {
  const told = await emit(tx, ctx, 'accountDeleted', { userId })
  await audit(tx, ctx, userEntity, userId, {}, null)
  await deleteUser(tx, userId)
  return told
}
