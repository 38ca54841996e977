import { and, eq, ne } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { userIdentifiers } from '@/db/schema/people'
import { onBroken } from '@/lib/base/postgres/constraints'
import { fieldError } from '@/lib/base/runtime/errors'
import { syncIdentifiers } from './identifiers'
import { lockUsers, type UserValues, userRows } from './queries'

/** What a person changes of their own account: names, the other columns of the profile, and dynamic values. */
export type PersonalValues = Pick<
  UserValues,
  'fio' | 'lastName' | 'firstName' | 'middleName' | 'birthDate' | 'gender' | 'locale' | 'comment' | 'login' | 'values'
>

/** Locks an account for a change; undefined if there is none. */
export const lockAccount = userRows.lock

/** Locks accounts for a change that names others in their rows, in the order of their ids; returns those there are. */
export const lockAccounts = lockUsers

/** Returns whether another account has this login, in lower case. */
export async function isLoginTaken(tx: Transaction, login: string, userId: string): Promise<boolean> {
  const [row] = await tx
    .select({ userId: userIdentifiers.userId })
    .from(userIdentifiers)
    .where(and(eq(userIdentifiers.kind, 'login'), eq(userIdentifiers.value, login), ne(userIdentifiers.userId, userId)))
  return row !== undefined
}

/** Stores values of an account that the transaction has locked. Throws 400 errorUnique for a login in use. */
export async function storePersonal(tx: Transaction, userId: string, values: PersonalValues): Promise<void> {
  await userRows.update(tx, userId, values)
  if (values.login === undefined) return
  const taken = () => fieldError('mainInfo.login', 'errorUnique')
  await onBroken({ user_identifiers_kind_value: taken }, () => syncIdentifiers(tx, [userId]))
}
