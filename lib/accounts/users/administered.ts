import { sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { userRoles } from '@/db/schema/people'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { accountOfMobile, accountsOfEmail } from './create'
import { syncIdentifiers } from './identifiers'
import { isLoginTaken } from './personal'
import { type PreparerColumns, preparerColumns } from './prepared'
import { insertUsers, type NewUser, type UserValues, userRows } from './queries'

/** What an administrator changes of an account. */
export type AdministeredValues = UserValues

type Identified = {
  login: string
  email: string | null
  mobile: string | null
  /** The directory that keeps it, which may claim the domain of its e-mail. */
  providerId?: string | null | undefined
}

type Administered = Identified & PreparerColumns & { id: string; authenticationSchemaId: string | null }

/** Requires that no other account has one of the identifiers that change. Throws 400 by field. */
async function requireFree(
  tx: Transaction,
  userId: string,
  values: UserValues,
  before: Identified | null,
  directoryId: string | null = null,
) {
  const { login, email, mobile } = values
  if (email && email !== before?.email?.toLowerCase()) {
    if (await isDirectoryEmail(email, tx, directoryId)) throw fieldError('values.email', 'errorEmailOfDirectory')
    // the same lock as for a registration: one account for each e-mail, also if no index ensures that
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`account ${email}`}, 0))`)
    const otherAccounts = (await accountsOfEmail(email, tx)).filter(({ id }) => id !== userId)
    if (otherAccounts.length > 0) throw fieldError('values.email', 'errorUnique')
  }
  if (mobile && mobile !== before?.mobile) {
    const owner = await accountOfMobile(mobile, tx)
    if (owner && owner !== userId) throw fieldError('values.mobile', 'errorUnique')
  }
  if (login !== undefined && login !== before?.login && (await isLoginTaken(tx, login, userId)))
    throw fieldError('values.login', 'errorUnique')
}

/** Another request may take an identifier between the check and the write. */
const takenMeanwhile = { user_identifiers_kind_value: () => new AppError(409) }

/**
 * Stores a change of an account that the transaction has locked. `by.who` is the preparer who made it (null: an
 * administrator); if `by` is null, a directory made it. A contact that changes becomes unproven, and the account stores
 * who prepared it (docs/rules/access.md#prepared-accounts). Throws 400 by field for an identifier that another account
 * has, and 409 if it is taken at the same moment.
 */
export async function storeAdministered(
  tx: Transaction,
  account: Administered,
  values: UserValues,
  by: { who: string | null; now: Date } | null,
): Promise<void> {
  await requireFree(tx, account.id, values, account, account.providerId)
  const isChanged = (kind: 'email' | 'mobile' | 'authenticationSchemaId') =>
    values[kind] !== undefined && values[kind] !== account[kind]
  const entered = {
    email: isChanged('email'),
    mobile: isChanged('mobile'),
    schema: isChanged('authenticationSchemaId'),
  }
  await userRows.update(tx, account.id, {
    ...values,
    ...(by ? preparerColumns(by.who, account, entered, by.now) : {}),
    // a mobile that a directory enters isn't in doubt, even if a person entered the previous one
    ...(!by && isChanged('mobile') ? { mobileEnteredBy: null } : {}),
    ...(isChanged('email') ? { emailVerifiedAt: null } : {}),
    ...(isChanged('mobile') ? { mobileVerifiedAt: null } : {}),
  })
  if (values.login === undefined && !isChanged('email') && !isChanged('mobile')) return
  await onBroken(takenMeanwhile, () => syncIdentifiers(tx, [account.id]))
}

/** Stores an account that an administrator creates; throws as `storeAdministered`. */
export async function insertAdministered(tx: Transaction, row: NewUser & Identified & { id: string }): Promise<void> {
  await requireFree(tx, row.id, row, null, row.providerId)
  await insertUsers(tx, [row])
  await onBroken(takenMeanwhile, () => syncIdentifiers(tx, [row.id]))
}

/** Gives new accounts their first role. */
export const giveDefaultRole = (tx: Transaction, userIds: readonly string[], roleId: string) =>
  tx.insert(userRoles).values(userIds.map((userId) => ({ userId, roleId })))

/**
 * Stores the values that an account takes over from others, which are deleted already; their contacts stay proven.
 * Throws 409 if somebody has taken an identifier meanwhile.
 */
export async function storeMerged(tx: Transaction, userId: string, values: UserValues): Promise<void> {
  await userRows.update(tx, userId, values)
  await onBroken(takenMeanwhile, () => syncIdentifiers(tx, [userId]))
}
