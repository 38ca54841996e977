import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { applicationServiceMethods, applications, methods, oidcClients } from '@/db/schema'
import { encrypt } from '@/lib/base/crypto/encryption'
import { readApplicationDetails } from '@/lib/openid/applications/contract'
import { clientInput, newApplication } from './applications'
import type { Caller } from './caller'
import { holdMethods } from './service-accounts'

export type MadeApplication = { id: string; code: string }
const fixed = async (level = 2) => {
  const made = await newApplication()
  await db().update(applications).set({ actionsAccess: level }).where(eq(applications.id, made.id))
  return made
}
const beyond = async () => {
  const made = await newApplication()
  await holdMethods(made.id, ['users.write'])
  return made
}
/** An application of which a service account has a method that nobody else holds. */
export async function withGivenMethod(): Promise<MadeApplication> {
  const [made, other] = [await newApplication(), await newApplication()]
  const code = `m-${randomUUID()}`
  const [method] = await db()
    .insert(methods)
    .values({ code, name: 'X', kind: 'application', applicationId: made.id })
    .returning()
  if (!method) throw new Error('no method')
  await db().insert(applicationServiceMethods).values({ applicationId: other.id, methodId: method.id })
  return made
}
/** How a call is refused for an application that ships, or whose service account holds more than the caller. */
export const refusals = (input: (made: MadeApplication) => Promise<object> | object) => ({
  forbiddenApplication: { input: async () => (await input(await beyond())) as never },
  applicationFixed: { input: async () => (await input(await fixed())) as never },
})
export const readApplication = async (caller: Caller, { id }: { id: string }) =>
  (await caller.call(readApplicationDetails, { params: { id } })).application

export const clientBody = (values: object = {}) => ({
  ...clientInput,
  clientId: `c-${randomUUID()}`,
  authMethod: 'client_secret_basic' as const,
  ...values,
})
export const newClient = async (made?: MadeApplication, values: object = {}) => {
  const application = made ?? (await newApplication())
  const { clientId, ...rest } = clientBody(values)
  await db()
    .insert(oidcClients)
    .values({
      ...rest,
      clientId,
      applicationId: application.id,
      type: rest.authMethod === 'client_secret_basic' ? 'confidential' : 'public',
      secrets: [`${clientId}-Qx7e`, `${clientId}-m2Kd`].map((secret, at) => ({
        sealed: encrypt('clients', secret, clientId),
        expiresAt: at === 0 ? null : '2126-01-01T00:00:00.000Z',
      })),
    })
  return { application, clientId }
}
