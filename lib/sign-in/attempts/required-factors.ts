import { extraFactors, schemaOfAccount, simulatedSchema } from '@/lib/access/authentication-schemas/choice'
import { appFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { flowsBesideApp, readyFlows, usableFlows } from '@/lib/access/authentication-schemas/flows'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import { keyedHash } from '@/lib/base/crypto/encryption'
import type { AccountFlows, AttemptState, RequiredSchemas } from './machine'
import type { Account } from './queries'
import { requestedSchemas } from './requested-schemas'

type SignInStart = Pick<AttemptState, 'identifier' | 'path'> & { schema?: string | undefined }

/**
 * Returns the factors that an identifier needs by the current schemas and the requested ones. For an enabled account:
 * its own schema, and a code by e-mail if a preparer with fewer methods prepared it
 * (docs/rules/access.md#prepared-accounts). For unknown and disabled accounts: a simulated schema, which stays the same
 * during the attempt.
 */
export async function requiredFactors(
  { identifier, path, schema }: SignInStart,
  account: Account | null,
): Promise<RequiredSchemas> {
  const [schemas, requested] = await Promise.all([authenticationSchemas(), requestedSchemas(path)])
  if (account?.enabled)
    return { ownSchema: schemaOfAccount(schemas, account), extraFactors: extraFactors(account), requested }
  const shownSchema = schemas.find(({ code }) => code === schema)
  // the hash ignores the kind: an account whose login is its e-mail shows the same schema for both
  const hash = keyedHash('identifiers', identifier)
  return { ownSchema: shownSchema ?? simulatedSchema(schemas, hash), requested }
}

/** Returns the flows of an account for the next step of its attempt. A disabled one shows what others would show. */
export function accountFlowsOf(account: Account): AccountFlows {
  const { enabled, hasAuthenticatorApp } = account
  if (enabled) return { usable: usableFlows(account), besideApp: hasAuthenticatorApp ? null : flowsBesideApp(account) }
  return {
    usable: hasAuthenticatorApp ? readyFlows() : readyFlows().filter((flow) => flow !== appFlow),
    besideApp: null,
  }
}
