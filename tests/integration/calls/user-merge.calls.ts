import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { providers, users } from '@/db/schema'
import { mergeUsers, previewUserMerge } from '@/lib/account-administration/user-merge/contract'
import { readUser } from '@/lib/accounts/administration/contract'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'
import { signedInAdministrator } from '../../factories/roles'
import { createUser } from '../../factories/users'

const person = () => createUser({ roles: [] })
/** Two accounts of one person; the double holds a contractor and a role for it. */
const pair = async () => {
  const [target, source] = [await person(), await person()]
  const company = await createContractor()
  await join(company, source.id, [(await createContractorRole([])).id])
  await db().update(users).set({ birthDate: '1990-05-05' }).where(eq(users.id, source.id))
  return { target, source, contractor: company.contractor.id }
}
const beyond = async () => (await createUser({ roles: [await createRoleWith(['license.write'])] })).id
const merge = (targetId: string, sourceId: string) => ({ body: { targetId, sourceIds: [sourceId] } })
const ofDirectory = async () => {
  const keys = { clientId: 'portal', clientSecret: 'sealed' }
  const values = { type: 'keycloak', name: randomUUID(), url: 'https://directory.polaris.example', ...keys } as const
  const provider = first(await db().insert(providers).values(values).returning())
  return (await createUser({ roles: [], providerId: provider.id })).id
}
let signedIn: ReturnType<typeof signedInWith> | undefined
const self = () => {
  signedIn ??= signedInWith(['users.write'])
  return signedIn
}

export default [
  proof(previewUserMerge, {
    prepare: pair,
    input: ({ target, source }) => ({ query: { targetId: target.id, sourceIds: [source.id] } }),
    shows: ({ target, source }) => ({
      users: [{ id: target.id }, { id: source.id }],
      effects: { roles: 1, contractors: 1, requests: 0, sessions: 0 },
      allowed: true,
    }),
    errors: {
      notFound: { input: async () => ({ query: { targetId: (await person()).id, sourceIds: [randomUUID()] } }) },
      errorUser: {
        field: 'sourceIds',
        input: async () => {
          const { id } = await person()
          return { query: { targetId: id, sourceIds: [id] } }
        },
      },
    },
  }),
  proof(mergeUsers, {
    makes: ['update users', 'delete users'],
    prepare: pair,
    input: ({ target, source }) => merge(target.id, source.id),
    look: (caller, { target }) => caller.call(readUser, { params: { id: target.id } }),
    shows: ({ contractor }) => ({ contractors: [{ id: contractor }], values: { birthDate: '1990-05-05' } }),
    errors: {
      notFound: { input: async () => merge((await person()).id, randomUUID()) },
      conflict: {
        input: async () => {
          const { target, source } = await pair()
          const versions = { [source.id]: new Date(0).toISOString() }
          return { body: { ...merge(target.id, source.id).body, versions } }
        },
      },
      errorUser: {
        field: 'sourceIds',
        input: async () => {
          const { id } = await person()
          return merge(id, id)
        },
      },
      forbiddenUser: { input: async () => merge((await person()).id, await beyond()) },
      directoryAccount: { input: async () => merge((await person()).id, await ofDirectory()) },
      ownAccount: {
        by: async () => new Caller((await self()).browser),
        input: async () => merge((await person()).id, (await self()).user.id),
      },
      lastAdministrator: {
        by: async () => new Caller((await signedInWith(systemicMethods)).browser),
        input: async () => {
          const { user } = await signedInAdministrator(true)
          return merge((await createUser({ roles: [], enabled: false })).id, user.id)
        },
      },
    },
  }),
]
