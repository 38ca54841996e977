import type { Transaction } from '@/db/client'
import { AppError } from '@/lib/kernel/errors'
import { lockAdministrators as takeLock } from './queries'
import { waysIn } from './ways-in'

/** Makes changes of who is an administrator run one after another. Take this lock before any other of the change. */
export const lockAdministrators = (tx: Transaction) => takeLock(tx)

/**
 * Runs a change that may end somebody's being an administrator, first in the transaction. Throws 409 lastAdministrator
 * if no enabled person would be one any more, or none who could sign in (docs/rules/access.md#the-last-administrator).
 * Changes of this kind run one after another, so that two can't take the last two.
 */
export async function keepingAdministrator<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await lockAdministrators(tx)
  const before = await waysIn(tx, null)
  const done = await work()
  const after = await waysIn(tx, null)
  const lost =
    (before.administrators && !after.administrators) || (before.entering.size > 0 && after.entering.size === 0)
  if (lost) throw new AppError(409, 'lastAdministrator')
  return done
}

/**
 * Runs a change of what people sign in with, under the lock of administrators, which it takes. Throws the error that
 * `refusal` makes if the caller, who could sign in before, couldn't any more, or if no administrator could; whoever
 * couldn't before isn't counted (docs/rules/sign-in.md#changes-of-schemas).
 */
export async function keepingWaysIn<T>(
  tx: Transaction,
  callerId: string | null,
  refusal: (whom: 'caller' | 'administrators') => AppError,
  change: () => Promise<T>,
): Promise<T> {
  await lockAdministrators(tx)
  const before = await waysIn(tx, callerId)
  const done = await change()
  const after = await waysIn(tx, callerId)
  if (before.self && !after.self) throw refusal('caller')
  if (before.entering.size > 0 && after.entering.size === 0) throw refusal('administrators')
  return done
}
