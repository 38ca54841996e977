import { keyedHash } from '@/lib/kernel/crypto/secrets'
import { smsReady } from '@/lib/kernel/messages/transports'
import { authenticationSchemas } from '@/lib/platform/authentication-schemas/service'
import { FlowId } from './contract'
import type { AttemptState, Demands } from './machine'
import type { Account } from './queries'
import { schemaFor, simulatedSchema } from './schema'
import { wantedSchemas } from './wanted'

type Asked = Pick<AttemptState, 'identifier' | 'path'> & { schema?: string | undefined }

/**
 * Returns what is demanded of an identifier by the current schemas and wishes: an account's own schema; for unknown and
 * disabled accounts a simulated one, which stays the same during the attempt.
 */
export async function demandsOn({ identifier, path, schema }: Asked, account: Account | null): Promise<Demands> {
  const [schemas, wanted] = await Promise.all([authenticationSchemas(), wantedSchemas(path)])
  if (account?.enabled) return { own: schemaFor(schemas, account.authenticationSchemaId, account.roleIds), wanted }
  const shown = schemas.find(({ code }) => code === schema)
  // the hash ignores the kind: an account whose login is its e-mail shows the same schema for both
  const hash = keyedHash('identifiers', identifier)
  return { own: shown ?? simulatedSchema(schemas, hash), wanted }
}

const isReady = (flow: FlowId) => flow !== 'sms_code' || smsReady()

/** Returns the flows whose transport is ready. */
export const readyFlows = (): FlowId[] => FlowId.options.filter(isReady)

/** Returns the flows that this account can use; all ready ones for unknown and disabled accounts, to reveal nothing. */
export function flowsOf(account: Account | null): FlowId[] {
  if (!account?.enabled) return readyFlows()
  const has: Record<FlowId, boolean> = {
    credentials: account.passwordHash !== null && account.providerId === null,
    email_code: Boolean(account.email),
    sms_code: Boolean(account.mobile),
  }
  return readyFlows().filter((flow) => has[flow])
}
