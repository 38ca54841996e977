import { extraFactors, schemaOfAccount, simulatedSchema } from '@/lib/access/authentication-schemas/choice'
import { readyFlows, usableFlows } from '@/lib/access/authentication-schemas/flows'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import { keyedHash } from '@/lib/base/crypto/encryption'
import type { FlowId } from './contract'
import type { AttemptState, Demands } from './machine'
import type { Account } from './queries'
import { requestedSchemas } from './requested-schemas'

type Asked = Pick<AttemptState, 'identifier' | 'path'> & { schema?: string | undefined }

/**
 * Returns what is demanded of an identifier by the current schemas and wishes: an account's own schema, and a code by
 * e-mail if somebody with less prepared it (docs/rules/access.md#prepared-accounts); for unknown and disabled accounts a
 * simulated schema, which stays the same during the attempt.
 */
export async function requiredFactors({ identifier, path, schema }: Asked, account: Account | null): Promise<Demands> {
  const [schemas, wanted] = await Promise.all([authenticationSchemas(), requestedSchemas(path)])
  if (account?.enabled) return { own: schemaOfAccount(schemas, account), also: extraFactors(account), wanted }
  const shown = schemas.find(({ code }) => code === schema)
  // the hash ignores the kind: an account whose login is its e-mail shows the same schema for both
  const hash = keyedHash('identifiers', identifier)
  return { own: shown ?? simulatedSchema(schemas, hash), wanted }
}

/** Returns the flows that this account can use; all ready ones for unknown and disabled accounts, to reveal nothing. */
export function flowsOf(account: Account | null): FlowId[] {
  return account?.enabled ? usableFlows(account) : readyFlows()
}
