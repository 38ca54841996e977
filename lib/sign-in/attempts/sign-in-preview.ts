import { extraFactors, schemaOfAccount } from '@/lib/access/authentication-schemas/choice'
import { nextFlows } from '@/lib/access/authentication-schemas/factors'
import { entryOf, readyFlows } from '@/lib/access/authentication-schemas/flows'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import type { FlowId, IdAttribute } from './contract'
import { normalizeIdentifier } from './identifier'
import { identifierKind } from './identifier-kind'
import { selectAccount, selectAccountById } from './queries'
import { requiredFactors } from './required-factors'

type Schemas = Awaited<ReturnType<typeof authenticationSchemas>>

/** Returns the flows that the first step of a schema offers to everybody, with or without an account. */
const offeredFlows = (schema: Schemas[number]): FlowId[] => nextFlows([], [schema], readyFlows())

/**
 * Returns the steps that sign-in would offer to a person, by the schema that applies to them. Returns null for an
 * unknown person.
 */
export async function offerTo(userId: string) {
  const [schemas, account] = await Promise.all([authenticationSchemas(), selectAccountById(userId)])
  if (!account) return null
  const schema = schemaOfAccount(schemas, account)
  const { schemas: demands, flows } = entryOf([schema, ...extraFactors(account)], account)
  const offered = offeredFlows(schema)
  // a directory proves the first factor of its people
  const usable = account.atProvider ? [] : nextFlows([], demands, flows).filter((flow) => offered.includes(flow))
  return {
    schemaId: schema.id,
    by:
      schema.id === account.authenticationSchemaId
        ? ('own' as const)
        : schema.base
          ? ('base' as const)
          : ('role' as const),
    /** The roles of the person to which the schema is tied. */
    roleIds: schema.roleIds.filter((id) => account.roleIds.includes(id)),
    first: offered.map((id) => ({ id, usable: usable.includes(id) })),
    second: usable.map((after) => ({ after, flows: nextFlows([after], demands, flows) })),
    stuck: !account.enabled || (usable.length === 0 && !account.atProvider),
  }
}

/** Returns the normalized identifier. Throws 400 for the field `identifier` of the preview. */
function identifierIn(kind: IdAttribute, typed: string): string {
  try {
    return normalizeIdentifier(kind, typed)
  } catch (error) {
    const [fault] = error instanceof AppError ? (error.data.errorList ?? []) : []
    throw fault ? fieldError('identifier', fault.code) : error
  }
}

/** Returns the schema and the flows that sign-in shows for an identifier, with or without an account. */
export async function offerToAnybody(typed: string) {
  const kind = identifierKind(typed, ['login', 'email', 'mobile'])
  const identifier = identifierIn(kind, typed)
  const account = await selectAccount(kind, identifier)
  const { ownSchema } = await requiredFactors({ identifier, path: null }, account)
  const schema = (await authenticationSchemas()).find(({ id }) => id === (ownSchema as Schemas[number]).id)
  if (!schema) throw new Error('a schema that is shown is not active')
  return { schemaId: schema.id, first: offeredFlows(schema).map((id) => ({ id, usable: null })) }
}
