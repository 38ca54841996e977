import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import { nextFlows } from '@/lib/platform/authentication-schemas/factors'
import { authenticationSchemas, schemasIn } from '@/lib/platform/authentication-schemas/service'
import type { FlowId, IdAttribute } from './contract'
import { demandsOn, flowsOf, readyFlows } from './demands'
import { normalizeIdentifier } from './identifier'
import { identifierKind } from './identifier-kind'
import { type Account, selectAccount, selectAccountById, selectAdministratorsAnd } from './queries'
import { schemaFor } from './schema'

type Schemas = Awaited<ReturnType<typeof authenticationSchemas>>

const ownSchema = (schemas: Schemas, { authenticationSchemaId, roleIds }: Account) =>
  schemaFor(schemas, authenticationSchemaId, roleIds)

/** Whether a person can complete a sign-in by the schema that applies to them. */
const canEnter = (schemas: Schemas, account: Account) =>
  nextFlows([], [ownSchema(schemas, account)], flowsOf(account)).length > 0

/** The flows that the first step of a schema offers to everybody, and so to strangers too. */
const offered = (schema: Schemas[number]): FlowId[] => nextFlows([], [schema], readyFlows())

/** Returns what sign-in would offer to a person, by the schema that applies to them; null if there is no such person. */
export async function offerTo(userId: string) {
  const [schemas, account] = await Promise.all([authenticationSchemas(), selectAccountById(userId)])
  if (!account) return null
  const schema = ownSchema(schemas, account)
  const own = flowsOf(account)
  const usable = nextFlows([], [schema], own)
  return {
    schemaId: schema.id,
    by:
      schema.id === account.authenticationSchemaId
        ? ('own' as const)
        : schema.base
          ? ('base' as const)
          : ('role' as const),
    /** Through which of their roles. */
    roleIds: schema.roleIds.filter((id) => account.roleIds.includes(id)),
    first: offered(schema).map((id) => ({ id, usable: usable.includes(id) })),
    second: usable.map((after) => ({ after, flows: nextFlows([after], [schema], own) })),
    stuck: !account.enabled || usable.length === 0,
  }
}

/** Names the field of the preview in place of that of the sign-in. */
function identifierIn(kind: IdAttribute, typed: string): string {
  try {
    return normalizeIdentifier(kind, typed)
  } catch (error) {
    const [fault] = error instanceof AppError ? (error.data.errorList ?? []) : []
    throw fault ? fieldError('identifier', fault.code) : error
  }
}

/** Returns the schema and the flows that everybody sees who types this identifier, whether or not it has an account. */
export async function offerToAnybody(typed: string) {
  const kind = identifierKind(typed, ['login', 'email', 'mobile'])
  const identifier = identifierIn(kind, typed)
  const account = await selectAccount(kind, identifier)
  const { own } = await demandsOn({ identifier, path: null }, account)
  const schema = (await authenticationSchemas()).find(({ id }) => id === (own as Schemas[number]).id)
  if (!schema) throw new Error('a schema that is shown is not active')
  return { schemaId: schema.id, first: offered(schema).map((id) => ({ id, usable: null })) }
}

/**
 * Runs a change of schemas, under the lock that serializes changes of administrators. Throws 409 schemaOwnLockout if the
 * caller could sign in before and couldn't any more, and 409 schemaLockout if no administrator could.
 */
export async function keepingWaysIn<T>(tx: Transaction, ctx: Ctx, change: () => Promise<T>): Promise<T> {
  const accounts = await selectAdministratorsAnd(tx, ctx.user?.id ?? null)
  const before = await schemasIn(tx)
  const done = await change()
  const after = await schemasIn(tx)
  const lost = accounts.filter((account) => canEnter(before, account) && !canEnter(after, account))
  if (lost.some(({ id }) => id === ctx.user?.id)) throw new AppError(409, 'schemaOwnLockout')
  const isLeft = accounts.some((account) => account.administrator && canEnter(after, account))
  if (lost.some(({ administrator }) => administrator) && !isLeft) throw new AppError(409, 'schemaLockout')
  return done
}
