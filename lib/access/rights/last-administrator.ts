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

/**
 * Takes the lock under which changes of administrators run one after another. Take it before every other lock of the
 * change.
 */
export const lockAdministrators = (tx: Transaction) => takeLock(tx)

/**
 * Runs a change after which a person may no longer be an administrator. Call it first in the transaction. Throws 409
 * lastAdministrator if no enabled account would be an administrator, or none that can sign in
 * (docs/rules/access.md#the-last-administrator). Such changes run one after another, so that two of them can't remove
 * the last two administrators.
 */
export async function keepingAdministrator<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await lockAdministrators(tx)
  const before = await waysToSignIn(tx, null)
  const result = await work()
  const after = await waysToSignIn(tx, null)
  const endsLast =
    (before.administrators && !after.administrators) || (before.entering.size > 0 && after.entering.size === 0)
  if (endsLast) throw new AppError(409, 'lastAdministrator')
  return result
}

/**
 * Runs a change of what an account signs in with. Call it first in the transaction, or under `lockAdministrators`.
 * Throws 409 lastAdministrator if the account is an administrator's and no administrator could sign in any more
 * (docs/rules/access.md#the-last-administrator).
 */
export async function keepingSignInOf<T>(tx: Transaction, userId: string, work: () => Promise<T>): Promise<T> {
  await lockAdministrators(tx)
  return (await isAdministratorNow(tx, userId)) ? keepingAdministrator(tx, work) : work()
}

/**
 * Runs a change of a person's roles in a transaction. A role can bring or remove an authentication schema. Throws 409
 * lastAdministrator if the person is an administrator and no administrator could sign in any more
 * (docs/rules/access.md#the-last-administrator), and 409 if the person becomes an administrator at this moment. Changes
 * of people who aren't administrators run in parallel.
 */
export const changingRolesOf = <T>(userId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db().transaction(async (tx) => {
    if (await isAdministratorNow(tx, userId)) return keepingAdministrator(tx, () => work(tx))
    await shareAdministrators(tx)
    if (await isAdministratorNow(tx, userId)) throw new AppError(409)
    return work(tx)
  })

/**
 * Checks a change of domains that removes kinds of identifiers. Throws 400 errorOwnDevice if the caller has no
 * identifier of a kind that stays on their own domain and device, and 409 domainLockout if no administrator could sign
 * in on any domain (docs/rules/domains.md#own-domain).
 */
export const keepOfferedSignIn: EventHandler<'identifiersLimited'> = async (
  tx,
  ctx,
  { before: kindsBefore, own: ownKinds },
) => {
  await lockAdministrators(tx)
  const callerId = ctx.user?.id ?? null
  const kinds = (await selectAdministratorsAnd(tx, callerId)).find(({ id }) => id === callerId)?.kinds
  if (ownKinds && kinds && !ownKinds.some((kind) => kinds.includes(kind)))
    throw fieldError('devicesIdAttributes', 'errorOwnDevice')
  const waysBefore = await waysToSignIn(tx, null, kindsBefore)
  const waysNow = await waysToSignIn(tx, null)
  if (waysBefore.entering.size > 0 && waysNow.entering.size === 0) throw new AppError(409, 'domainLockout')
  return undefined
}

/**
 * Takes the lock of administrators and runs a change of what people sign in with. Throws the error that `refusal` makes
 * if the caller could sign in before and can't any more, or if administrators could and none can any more
 * (docs/rules/sign-in.md#changes-of-schemas).
 */
export async function keepingSignIn<T>(
  tx: Transaction,
  callerId: string | null,
  refusal: (affected: 'caller' | 'administrators') => AppError,
  change: () => Promise<T>,
): Promise<T> {
  await lockAdministrators(tx)
  const before = await waysToSignIn(tx, callerId)
  const result = await change()
  const after = await waysToSignIn(tx, callerId)
  if (before.self && !after.self) throw refusal('caller')
  if (before.entering.size > 0 && after.entering.size === 0) throw refusal('administrators')
  return result
}
