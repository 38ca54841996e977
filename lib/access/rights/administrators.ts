import { db, type Transaction } from '@/db/client'
import type { EventHandler } from '@/lib/base/events/events'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import {
  isAdministratorNow,
  selectAdministratorsAnd,
  shareAdministrators,
  lockAdministrators as takeLock,
} from './queries'
import { waysToSignIn } from './ways-to-sign-in'

/** Makes changes of who is an administrator run one after another. Take this lock before any other of the change. */
export const lockAdministrators = (tx: Transaction) => takeLock(tx)

/**
 * Runs a change that may end somebody's being an administrator, first in the transaction. Throws 409 lastAdministrator
 * if no enabled person would be one any more, or none who could sign in (docs/rules/access.md#the-last-administrator).
 * Changes of this kind run one after another, so that two can't take the last two.
 */
export async function keepingAdministrator<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await lockAdministrators(tx)
  const before = await waysToSignIn(tx, null)
  const done = await work()
  const after = await waysToSignIn(tx, null)
  const lost =
    (before.administrators && !after.administrators) || (before.entering.size > 0 && after.entering.size === 0)
  if (lost) throw new AppError(409, 'lastAdministrator')
  return done
}

/**
 * Runs a change of how an account can be reached, first in the transaction or under `lockAdministrators`. Throws 409
 * lastAdministrator if it is an administrator's and none could sign in any more
 * (docs/rules/access.md#the-last-administrator).
 */
export async function keepingSignInOf<T>(tx: Transaction, userId: string, work: () => Promise<T>): Promise<T> {
  await lockAdministrators(tx)
  return (await isAdministratorNow(tx, userId)) ? keepingAdministrator(tx, work) : work()
}

/**
 * Runs a change of what a person holds in a transaction: a role can bring another schema of sign-in, or take one. Throws
 * 409 lastAdministrator if the person is an administrator and none could sign in any more
 * (docs/rules/access.md#the-last-administrator), and 409 if they become one at this moment. Changes of people who are no
 * administrators run beside each other.
 */
export const changingHeldBy = <T>(userId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db().transaction(async (tx) => {
    if (await isAdministratorNow(tx, userId)) return keepingAdministrator(tx, () => work(tx))
    await shareAdministrators(tx)
    if (await isAdministratorNow(tx, userId)) throw new AppError(409)
    return work(tx)
  })

/**
 * After a change of domains that takes kinds of identifier away: throws 400 errorOwnDevice if the caller has none of
 * those that stay on their own domain and device, and 409 domainLockout if no administrator could sign in on any domain
 * (docs/rules/domains.md#own-domain).
 */
export const keepOfferedSignIn: EventHandler<'identifiersLimited'> = async (tx, ctx, { before, own }) => {
  await lockAdministrators(tx)
  const self = ctx.user?.id ?? null
  const kinds = (await selectAdministratorsAnd(tx, self)).find(({ id }) => id === self)?.kinds
  if (own && kinds && !own.some((kind) => kinds.includes(kind)))
    throw fieldError('devicesIdAttributes', 'errorOwnDevice')
  const could = await waysToSignIn(tx, null, before)
  const can = await waysToSignIn(tx, null)
  if (could.entering.size > 0 && can.entering.size === 0) throw new AppError(409, 'domainLockout')
  return undefined
}

/**
 * Runs a change of what people sign in with, under the lock of administrators, which it takes. Throws the error that
 * `refusal` makes if the caller, who could sign in before, couldn't any more, or if no administrator could; whoever
 * couldn't before isn't counted (docs/rules/sign-in.md#changes-of-schemas).
 */
export async function keepingSignIn<T>(
  tx: Transaction,
  callerId: string | null,
  refusal: (whom: 'caller' | 'administrators') => AppError,
  change: () => Promise<T>,
): Promise<T> {
  await lockAdministrators(tx)
  const before = await waysToSignIn(tx, callerId)
  const done = await change()
  const after = await waysToSignIn(tx, callerId)
  if (before.self && !after.self) throw refusal('caller')
  if (before.entering.size > 0 && after.entering.size === 0) throw refusal('administrators')
  return done
}
