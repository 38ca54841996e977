import { extraFactors, schemaOfAccount } from '@/lib/access/authentication-schemas/choice'
import { nextFlows } from '@/lib/access/authentication-schemas/factors'
import { readyFlows } from '@/lib/access/authentication-schemas/flows'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import type { FlowId, IdAttribute } from './contract'
import { normalizeIdentifier } from './identifier'
import { identifierKind } from './identifier-kind'
import { selectAccount, selectAccountById } from './queries'
import { flowsOf, requiredFactors } from './required-factors'

type Schemas = Awaited<ReturnType<typeof authenticationSchemas>>

/** The flows that the first step of a schema offers to everybody, and so to strangers too. */
const offered = (schema: Schemas[number]): FlowId[] => nextFlows([], [schema], readyFlows())

/** Returns what sign-in would offer to a person, by the schema that applies to them; null if there is no such person. */
export async function offerTo(userId: string) {
  const [schemas, account] = await Promise.all([authenticationSchemas(), selectAccountById(userId)])
  if (!account) return null
  const schema = schemaOfAccount(schemas, account)
  const demands = [schema, ...extraFactors(account)]
  const own = flowsOf(account)
  // a directory proves the first factor of its people
  const usable = account.atProvider ? [] : nextFlows([], demands, own)
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
    second: usable.map((after) => ({ after, flows: nextFlows([after], demands, own) })),
    stuck: !account.enabled || (usable.length === 0 && !account.atProvider),
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
  const { own } = await requiredFactors({ identifier, path: null }, account)
  const schema = (await authenticationSchemas()).find(({ id }) => id === (own as Schemas[number]).id)
  if (!schema) throw new Error('a schema that is shown is not active')
  return { schemaId: schema.id, first: offered(schema).map((id) => ({ id, usable: null })) }
}
