import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { providers, sessions, users } from '@/db/schema'
import { endUserSessions, listUserSessions } from '@/lib/entry/sessions-of-users/contract'
import { systemicMethods } from '@/lib/kernel/access-methods'
import { enableUser, listUsers, readUser, resetUserPassword } from '@/lib/people/user-administration/contract'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'
import { signedInAdministrator } from '../../factories/roles'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'

const person = () => createUser({ roles: [] })
/** Somebody who is signed in. */
const present = async () => {
  const made = await person()
  await signInByPassword(new Browser(), made.login, password)
  const session = first(await db().select().from(sessions).where(eq(sessions.userId, made.id)))
  return { ...made, session: session.id }
}
/** Somebody who holds what the caller lacks. */
const beyond = async () => (await createUser({ roles: [await createRoleWith(['license.write'])] })).id
const read = (caller: Caller, { id }: { id: string }) => caller.call(readUser, { params: { id } })
const sessionsOf = async (caller: Caller, { id }: { id: string }) =>
  (await caller.call(listUserSessions, { params: { id }, query: {} })).sessions
const ofDirectory = async () => {
  const keys = { clientId: 'portal', clientSecret: 'sealed' }
  const values = { type: 'keycloak', name: randomUUID(), url: 'https://directory.polaris.example', ...keys } as const
  const provider = first(await db().insert(providers).values(values).returning())
  return (await createUser({ roles: [], providerId: provider.id })).id
}

export default [
  proof(listUsers, {
    prepare: person,
    input: ({ login: search }) => ({ query: { filter: { search } } }),
    shows: ({ id, fio: name, login, email, mobile }) => ({
      users: [{ id, name, login, email, mobile, enabled: true, provider: null }],
    }),
  }),
  proof(readUser, {
    prepare: person,
    input: ({ id }) => ({ params: { id } }),
    shows: ({ id, fio: name }) => ({ id, name, hasPassword: true, roles: [], contractors: [], allowed: true }),
  }),
  proof(enableUser, {
    makes: ['update users'],
    prepare: person,
    input: ({ id }) => ({ params: { id }, body: { enabled: false, reason: 'Уволен' } }),
    look: read,
    shows: () => ({ enabled: false }),
    errors: {
      forbiddenUser: { input: async () => ({ params: { id: await beyond() }, body: { enabled: false } }) },
      lastAdministrator: {
        by: async () => new Caller((await signedInWith(systemicMethods)).browser),
        input: async () => {
          const { user } = await signedInAdministrator(true)
          return { params: { id: user.id }, body: { enabled: false } }
        },
      },
    },
  }),
  proof(listUserSessions, {
    prepare: present,
    input: ({ id }) => ({ params: { id }, query: {} }),
    shows: ({ session }) => ({ sessions: [{ id: session, current: false, provider: null }] }),
  }),
  proof(endUserSessions, {
    makes: ['delete sessions'],
    prepare: present,
    input: ({ id }) => ({ params: { id }, query: {} }),
    look: sessionsOf,
    shows: () => [],
    errors: { forbiddenUser: { input: async () => ({ params: { id: await beyond() } }) } },
  }),
  proof(resetUserPassword, {
    makes: ['update users'],
    prepare: person,
    input: ({ id }) => ({ params: { id } }),
    look: read,
    shows: () => ({ hasPassword: false }),
    errors: {
      forbiddenUser: { input: async () => ({ params: { id: await beyond() } }) },
      directoryAccount: { input: async () => ({ params: { id: await ofDirectory() } }) },
      userDisabled: {
        input: async () => {
          const { id } = await person()
          await db().update(users).set({ enabled: false }).where(eq(users.id, id))
          return { params: { id } }
        },
      },
      userWithoutEmail: {
        input: async () => {
          const { id } = await person()
          await db().update(users).set({ email: null }).where(eq(users.id, id))
          return { params: { id } }
        },
      },
    },
  }),
]
