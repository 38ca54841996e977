import type { Transaction } from '@/db/client'
import { AppError } from '@/lib/kernel/errors'
import { selectHasAdministrator, lockAdministrators as takeLock } from './queries'

/** Makes changes of who is an administrator run one after another. Take this lock before any other of the change. */
export const lockAdministrators = (tx: Transaction) => takeLock(tx)

/**
 * Runs a change that may end somebody's being an administrator, first in the transaction. Throws 409 lastAdministrator
 * if no enabled person would be one any more (docs/rules/access.md#the-last-administrator). Changes of this kind run
 * one after another, so that two can't take the last two.
 */
export async function keepingAdministrator<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await lockAdministrators(tx)
  const before = await selectHasAdministrator(tx)
  const done = await work()
  if (before && !(await selectHasAdministrator(tx))) throw new AppError(409, 'lastAdministrator')
  return done
}
