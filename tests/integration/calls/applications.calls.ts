import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { oidcClients, oidcConsents } from '@/db/schema'
import { setApplicationEnabled } from '@/lib/applications/applications/service'
import { listApplicationsOfUser, withdrawApplicationOfUser } from '@/lib/openid/applications-of-users/contract'
import * as clients from '@/lib/openid/clients/service'
import { listUserApplications, withdrawUserApplication } from '@/lib/openid/consents/contract'
import { giveConsent } from '@/lib/openid/consents/service'
import { createRoleWith, signedInWith } from '../../factories/access'
import { administrator, clientInput, newApplication } from '../../factories/applications'
import type { Caller } from '../../factories/caller'
import { contextOf } from '../../factories/invitations'
import { first } from '../../factories/platform'
import { proof, recording } from '../../factories/proofs'
import { holdMethods } from '../../factories/service-accounts'
import { createUser } from '../../factories/users'

const createClient = async (applicationId: string) => {
  const clientId = randomUUID()
  const proven = { authMethod: 'client_secret_basic' as const, pkceRequired: true }
  const { secret } = await clients.createClient(await administrator(), {
    ...clientInput,
    ...proven,
    clientId,
    applicationId,
  })
  return { clientId, secret }
}
const newClient = async () => createClient((await newApplication()).id)
/** An application to which the caller has consented. */
const consented = async (caller: Caller) => {
  const application = await newApplication()
  const { clientId } = await createClient(application.id)
  const client = first(await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId)))
  const { userId } = await caller.serve(async ({ user }) => ({ userId: user?.id ?? '' }))
  await db()
    .insert(oidcConsents)
    .values({ userId, clientId: client.id, scopes: ['openid', 'email'] })
  return { id: application.id, type: 'external' }
}
/** An application to which somebody else has consented. */
const ofSomebody = async () => {
  const application = await newApplication()
  const { clientId } = await createClient(application.id)
  const client = first(await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId)))
  const { id: person } = await createUser({ roles: [] })
  await db()
    .insert(oidcConsents)
    .values({ userId: person, clientId: client.id, scopes: ['openid'] })
  return { id: application.id, person }
}
const applicationsOf = async (caller: Caller) => (await caller.call(listUserApplications, { query: {} })).applications

/** A verb that changes a client. */
const changing = (
  name: string,
  change: (ctx: Awaited<ReturnType<typeof administrator>>, clientId: string) => Promise<unknown>,
) =>
  recording(name, {
    makes: ['update oidcClients'],
    prepare: async () => {
      const [ctx, { clientId }] = [await administrator(), await newClient()]
      return () => change(ctx, clientId)
    },
  })

export default [
  proof(listUserApplications, {
    prepare: consented,
    input: () => ({ query: { meta: { perPage: 100 } } }),
    shows: (application) => ({ applications: expect.arrayContaining([expect.objectContaining(application)]) }),
  }),
  proof(withdrawUserApplication, {
    makes: ['delete consents'],
    prepare: consented,
    input: ({ id }) => ({ params: { applicationId: id } }),
    look: async (caller, { id }) => (await applicationsOf(caller)).filter((application) => application.id === id),
    shows: () => [],
  }),
  proof(listApplicationsOfUser, {
    prepare: ofSomebody,
    input: ({ person }) => ({ params: { id: person }, query: {} }),
    shows: ({ id }) => ({ applications: [{ id }] }),
  }),
  proof(withdrawApplicationOfUser, {
    makes: ['delete consents'],
    prepare: ofSomebody,
    input: ({ id, person }) => ({ params: { id: person, applicationId: id } }),
    look: async (caller, { person }) =>
      (await caller.call(listApplicationsOfUser, { params: { id: person }, query: {} })).applications,
    shows: () => [],
    errors: {
      forbiddenUser: {
        input: async () => {
          const { id } = await createUser({ roles: [await createRoleWith(['license.write'])] })
          return { params: { id, applicationId: randomUUID() } }
        },
      },
    },
  }),
  recording('createApplication', { makes: ['create applications'], prepare: async () => newApplication }),
  recording('setApplicationEnabled', {
    makes: ['update applications'],
    prepare: async () => {
      const [ctx, { id }] = [await administrator(), await newApplication()]
      return () => setApplicationEnabled(ctx, { id, enabled: false })
    },
  }),
  recording('setServiceMethods', {
    makes: ['update applications'],
    prepare: async () => {
      const { id } = await newApplication()
      return () => holdMethods(id, ['users.read'])
    },
  }),
  recording('createClient', {
    makes: ['create oidcClients'],
    prepare: async () => {
      const { id } = await newApplication()
      return () => createClient(id)
    },
  }),
  changing('updateClient', (ctx, clientId) =>
    clients.updateClient(ctx, { ...clientInput, clientId, name: 'Other', updatedAt: undefined }),
  ),
  changing('rotateClientSecret', (ctx, clientId) => clients.rotateClientSecret(ctx, { clientId, overlap: 60 })),
  changing('updateClientAuthMethod', (ctx, clientId) =>
    clients.updateClientAuthMethod(ctx, { clientId, authMethod: 'none' }),
  ),
  changing('updateClientKeys', (ctx, clientId) =>
    clients.updateClientKeys(ctx, { clientId, jwksUri: 'https://app.example/keys.json' }),
  ),
  changing('updateClientPkce', (ctx, clientId) => clients.updateClientPkce(ctx, { clientId, required: false })),
  changing('enableClient', (ctx, clientId) => clients.enableClient(ctx, { clientId, enabled: false })),
  changing('readClientSecret', (ctx, clientId) => clients.readClientSecret(ctx, { clientId })),
  recording('giveConsent', {
    makes: ['create consents'],
    prepare: async () => {
      const [{ browser }, { clientId }] = [await signedInWith(), await newClient()]
      const ownContext = await contextOf(browser)
      return () => giveConsent(ownContext, { clientId, scopes: ['openid', 'email'] })
    },
  }),
]
