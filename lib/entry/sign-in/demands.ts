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
 * What is asked of an identifier now, as schemas and wishes are at this moment: of an account its own schema, of
 * nobody and the blocked a simulated one, which stays the same for the attempt.
 */
export async function demandsOn({ identifier, path, schema }: Asked, account: Account | null): Promise<Demands> {
  const [schemas, wanted] = await Promise.all([authenticationSchemas(), wantedSchemas(path)])
  if (account?.enabled) return { own: schemaFor(schemas, account.authenticationSchemaId, account.roleIds), wanted }
  const shown = schemas.find(({ code }) => code === schema)
  // whatever kind it is typed as: of an account whose login is its e-mail both show one schema
  const hash = keyedHash('identifiers', identifier)
  return { own: shown ?? simulatedSchema(schemas, hash), wanted }
}

const isReady = (flow: FlowId) => flow !== 'sms_code' || smsReady()

/** Flows that somebody could use now: their transport is ready. */
export const readyFlows = (): FlowId[] => FlowId.options.filter(isReady)

/** Flows that this account can use; of nobody and the blocked, who are told nothing, the ready ones. */
export function flowsOf(account: Account | null): FlowId[] {
  if (!account?.enabled) return readyFlows()
  const has: Record<FlowId, boolean> = {
    credentials: account.passwordHash !== null && account.providerId === null,
    email_code: Boolean(account.email),
    sms_code: Boolean(account.mobile),
  }
  return readyFlows().filter((flow) => has[flow])
}
