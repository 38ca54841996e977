import { db } from '@/db/client'
import { wrongByAccount } from '@/lib/entry/codes/limits'
import { closedAfter, forgetPasswordTries, openPasswordFlow } from '@/lib/entry/sign-in/throttle'
import { callerId, requireMethod } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { record } from '@/lib/kernel/record/record'
import { lockAdministered } from '@/lib/people/users/administer'
import { userEntity } from '@/lib/people/users/entity'
import type * as calls from './contract'
import type { UserLimits } from './contract'
import { removeWrongCodes, selectCounted, selectMessagePage, selectNames } from './queries'

const limitsOf = ({ failures, day, month }: Awaited<ReturnType<typeof selectCounted>>): UserLimits => ({
  password: { failures, closed: failures >= closedAfter },
  codes: { day, month, closed: day >= wrongByAccount.perDay || month >= wrongByAccount.perMonth },
})

/** Returns what wrong passwords and codes have closed for an account. Needs users.read. Throws 404. */
export async function readUserLimits(ctx: Ctx, { params: { id } }: VerbInput<typeof calls.readUserLimits>) {
  requireMethod(ctx, 'users.read')
  if (!(await selectNames(db(), id))) throw notFound()
  return limitsOf(await selectCounted(db(), id, ctx.now()))
}

/**
 * Forgets the wrong passwords and codes of an account, and records what they had closed. Needs users.write. Throws what
 * `lockAdministered` throws (docs/rules/people.md#administration-of-users).
 */
export async function liftUserLimits(ctx: Ctx, { params: { id } }: VerbInput<typeof calls.liftUserLimits>) {
  requireMethod(ctx, 'users.write')
  const names = await db().transaction(async (tx) => {
    const account = await lockAdministered(tx, ctx, id)
    const { failures, month } = await selectCounted(tx, id, ctx.now())
    await openPasswordFlow(tx, id)
    await removeWrongCodes(tx, id)
    const was = { wrongPasswords: failures, wrongCodes: month }
    await record(tx, ctx, userEntity, id, was, { wrongPasswords: 0, wrongCodes: 0 })
    return account
  })
  // these rest for minutes, in Redis
  await forgetPasswordTries(names, null)
  return {}
}

/** Returns one page of the messages to an account, without their text. Needs users.read. Throws 404. */
export async function listUserMessages(ctx: Ctx, { params: { id }, query }: VerbInput<typeof calls.listUserMessages>) {
  requireMethod(ctx, 'users.read')
  if (!(await selectNames(db(), id))) throw notFound()
  const { rows, meta } = await selectMessagePage(id, query, callerId(ctx), ctx.user?.pagination ?? null)
  const messages = rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }))
  return { messages, meta }
}
