import { extraFactors, schemaOfAccount } from '@/lib/access/authentication-schemas/choice'
import { nextFlows } from '@/lib/access/authentication-schemas/factors'
import { passkeyFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { entryOf, readyFlows } from '@/lib/access/authentication-schemas/flows'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import { selectAccountById } from './queries'

/**
 * Returns what passkeys are to a person: whether the schema that applies names them, and whether nothing else signs the
 * person in.
 */
export async function passkeyUse(userId: string): Promise<{ signIn: boolean; isOnlyWay: boolean }> {
  const [schemas, account] = await Promise.all([authenticationSchemas(), selectAccountById(userId)])
  if (!account || !readyFlows().includes(passkeyFlow)) return { signIn: false, isOnlyWay: false }
  const schema = schemaOfAccount(schemas, account)
  const canEnter = (hasPasskey: boolean) => {
    const { schemas: demands, flows } = entryOf([schema, ...extraFactors(account)], { ...account, hasPasskey })
    return nextFlows([], demands, flows).length > 0
  }
  return {
    signIn: [...schema.firstFactor, ...schema.secondFactor].includes(passkeyFlow),
    isOnlyWay: !account.atProvider && canEnter(true) && !canEnter(false),
  }
}

/** Returns whether an active schema begins with a passkey, so that the sign-in page offers it to everybody. */
export const offersPasskeys = async (): Promise<boolean> =>
  readyFlows().includes(passkeyFlow) &&
  (await authenticationSchemas()).some(({ firstFactor }) => firstFactor.includes(passkeyFlow))
