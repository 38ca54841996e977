import type { Database, Transaction } from '@/db/client'
import { cached } from '@/lib/base/cache/cache'
import { log } from '@/lib/base/runtime/log'
import { isDeadEnd } from './factors'
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

/** Returns the active schemas as a transaction sees them, highest priority first. */
export const schemasIn = (run: Database | Transaction): Promise<Omit<AuthenticationSchema, 'usersCount'>[]> =>
  selectActiveSchemas(run)

/** Returns how many users each schema applies to at this moment, by its id. Counts all users. */
export const schemaUsage = (run: Database | Transaction) => selectUsage(run)
