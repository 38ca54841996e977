import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { dynamicFields, users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { readProvider } from '@/lib/directory-sync/providers/contract'
import { signedInWith } from './access'
import { Caller } from './caller'
import { directoryPerson } from './keycloak'

/** Signs in an administrator of providers, with further methods. */
export const administrator = async (more: string[] = []) =>
  new Caller((await signedInWith(['providers.write', ...more])).browser)
/** The account that has an external id. */
export const accountOf = async (externalId: string) =>
  (await db().select().from(users).where(eq(users.externalId, externalId)))[0]
/** Makes a field one that synchronization requires, or no longer. */
export async function requireField(code: string, integrationRequired: boolean) {
  await db().update(dynamicFields).set({ integrationRequired }).where(eq(dynamicFields.code, code))
  dropCached('dynamic-fields')
}
/** People of an imitation. */
export const crowd = (count: number) => Array.from({ length: count }, () => directoryPerson())
/** The details of a provider's synchronization. */
export const detailsOf = async (caller: Caller, id: string) =>
  (await caller.call(readProvider, { params: { id } })).provider.sync[0]?.details
/** The status and the code of a refused call. */
export const refusal = async (caller: Caller, contract: Parameters<Caller['send']>[0], input: object) => {
  const { status, body } = await caller.send(contract, input)
  const { code, data } = body as { code: string; data: { errorList?: { code: string }[] } }
  return [status, data.errorList?.[0]?.code ?? code]
}
