import type { Database, Transaction } from '@/db/client'
import { cached } from '@/lib/base/cache/cache'
import { log } from '@/lib/base/runtime/log'
import { type Factors, isDeadEnd } from './factors'
import { passkeyFlow } from './flow-ids'
import { readyFlows } from './flows'
import { selectActiveSchemas, selectUsage, selectUsedSchemas } from './queries'

/** The name of the cache that a change of the schemas invalidates. */
export const schemaCache = 'authentication-schemas'

type AuthenticationSchema = {
  id: string
  base: boolean
  code: string
  /** Flow ids, best first. */
  firstFactor: string[]
  secondFactor: string[]
  roleIds: string[]
  /** May be some minutes old: a change of roles doesn't invalidate the schemas. */
  usersCount: number
}

/** Returns the active schemas, highest priority first. */
export const authenticationSchemas = (): Promise<AuthenticationSchema[]> =>
  cached(schemaCache, async () => {
    const schemas = await selectUsedSchemas()
    // the schema stays in force: otherwise another schema with fewer factors might apply to its users
    for (const { code } of schemas.filter(isDeadEnd)) log.error({ schema: code }, 'nobody can sign in by this schema')
    return schemas
  })

/**
 * The code by which an application asks for a sign-in that nobody can phish (OpenID Connect EAP ACR Values 1.0, section
 * 2): one with a passkey.
 */
export const phishingResistant = 'phr'

/** Returns the schemas that an application can ask for: the active ones, and that of a sign-in with a passkey. */
export async function requestableSchemas(): Promise<(Factors & { code: string })[]> {
  const schemas = await authenticationSchemas()
  if (!readyFlows().includes(passkeyFlow)) return schemas
  // a schema of an earlier version may have that code
  const others = schemas.filter(({ code }) => code !== phishingResistant)
  return [{ code: phishingResistant, firstFactor: [passkeyFlow], secondFactor: [] }, ...others]
}

/** Returns the active schemas as a transaction sees them, highest priority first. */
export const schemasIn = (run: Database | Transaction): Promise<Omit<AuthenticationSchema, 'usersCount'>[]> =>
  selectActiveSchemas(run)

/** Returns how many users each schema applies to at this moment, by its id. Counts all users. */
export const schemaUsage = (run: Database | Transaction) => selectUsage(run)
