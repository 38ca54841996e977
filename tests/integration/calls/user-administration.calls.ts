import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { authenticationSchemas, providers, roles, sessions, users } from '@/db/schema'
import {
  bulkUsers,
  createUser as createAccount,
  deleteUser,
  sendEntryLink,
  updateUser,
} from '@/lib/account-administration/accounts/contract'
import { enableUser, exportUsers, listUsers, readUser } from '@/lib/accounts/administration/contract'
import { setUserRoles } from '@/lib/accounts/role-holders/contract'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { setUserContractors } from '@/lib/companies/contractors/contract'
import { listUserMessages } from '@/lib/operations/account-limits/contract'
import { resetUserPassword } from '@/lib/sign-in/passwords/contract'
import { endUserSessions, listUserSessions } from '@/lib/sign-in/sessions-of-users/contract'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller, type Input } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { defineField, newCode, refusedValues } from '../../factories/fields'
import { first } from '../../factories/platform'
import { proof, provenIn } from '../../factories/proofs'
import { signedInAdministrator } from '../../factories/roles'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { administrator, lastAdministrator, letInBy } from '../../factories/ways-in'

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
const ofDirectory = async (more: Partial<typeof providers.$inferInsert> = {}) => {
  const keys = { clientId: 'portal', clientSecret: 'sealed' }
  const values = {
    type: 'keycloak',
    name: randomUUID(),
    url: 'https://directory.polaris.example',
    ...keys,
    ...more,
  } as const
  const provider = first(await db().insert(providers).values(values).returning())
  return (await createUser({ roles: [], providerId: provider.id })).id
}

/** Somebody who can't sign in by a password yet. */
const newcomer = async () => {
  const made = await person()
  await db().update(users).set({ passwordHash: null }).where(eq(users.id, made.id))
  return made
}
const changed = async (values: Partial<typeof users.$inferInsert>) => {
  const { id } = await person()
  await db().update(users).set(values).where(eq(users.id, id))
  return id
}
const roleId = async (codes: string[]) => {
  const code = await createRoleWith(codes)
  return first(await db().select({ id: roles.id }).from(roles).where(eq(roles.code, code))).id
}
let signedIn: ReturnType<typeof signedInWith> | undefined
const self = () => {
  signedIn ??= signedInWith(['users.write'])
  return signedIn
}
/** How values of fields are refused, each by the code of its field. */
const valueFaults = (inputOf: (values: Record<string, string>) => Input | Promise<Input>) => {
  const valueFault = (name: string, value: string) => ({
    field: `values.${name}`,
    input: () => inputOf({ [name]: value }),
  })
  const defined = Object.entries({ ...refusedValues, errorReadOnly: { wishes: { adminEdit: false }, value: 'x' } })
  const refused = defined.map(([code, { wishes, value }]) => {
    const name = newCode()
    const input = async () => inputOf({ [await defineField({ code: name, ...wishes })]: value })
    return [code, { field: `values.${name}`, input }] as const
  })
  return {
    ...Object.fromEntries(refused),
    errorUnknownField: valueFault('nothing', 'x'),
    errorBirthDate: valueFault('birthDate', '2999-01-01'),
    errorLogin: valueFault('login', '+79210000000'),
    errorEmailOfDirectory: {
      field: 'values.email',
      input: async () => {
        const domain = `${randomUUID()}.example`
        await ofDirectory({ enabled: true, emailDomains: [domain] })
        return inputOf({ email: `somebody@${domain}` })
      },
    },
  }
}
const named = { lastName: 'Орлова', firstName: 'Вера', middleName: 'Ильинична' }

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
  proof(createAccount, {
    makes: ['create users'],
    prepare: async () => `new-${randomUUID()}@polaris.example`,
    input: (email) => ({ body: { values: { ...named, email }, sendLink: true } }),
    look: async (caller, email) => (await caller.call(listUsers, { query: { filter: { search: email } } })).users,
    shows: (email) => [{ email, login: email, name: 'Орлова Вера Ильинична', enabled: true }],
    errors: {
      errorUnique: {
        field: 'values.email',
        input: async () => ({ body: { values: { ...named, email: (await person()).email } } }),
      },
      ...valueFaults((values) => ({ body: { values: { ...named, ...values } } })),
    },
  }),
  proof(updateUser, {
    makes: ['update users'],
    prepare: person,
    input: ({ id }) => ({ params: { id }, body: { values: { lastName: 'Новая' }, isEditable: false } }),
    look: read,
    shows: () => ({ lastName: 'Новая', isEditable: false }),
    errors: {
      forbiddenUser: { input: async () => ({ params: { id: await beyond() }, body: { isEditable: false } }) },
      lastAdministrator: {
        // a schema that somebody with less chooses isn't in force
        by: administrator,
        input: async () => {
          const { id } = await createUser({ roles: ['administrator'] })
          await lastAdministrator(id)
          const code = randomUUID()
          const [schema] = await db()
            .insert(authenticationSchemas)
            .values({ code, name: code, priority: 0, firstFactor: ['sms_code'] })
            .returning()
          return { params: { id }, body: { authenticationSchemaId: schema?.id ?? '' } }
        },
      },
      errorUnique: {
        field: 'values.login',
        input: async () => ({
          params: { id: (await person()).id },
          body: { values: { login: (await person()).login } },
        }),
      },
      errorSchema: {
        field: 'authenticationSchemaId',
        input: async () => ({ params: { id: (await person()).id }, body: { authenticationSchemaId: randomUUID() } }),
      },
      errorDirectoryField: {
        field: 'values.lastName',
        input: async () => ({ params: { id: await ofDirectory() }, body: { values: { lastName: 'Новая' } } }),
      },
      ...valueFaults(async (values) => ({ params: { id: (await person()).id }, body: { values } })),
    },
  }),
  proof(deleteUser, {
    makes: ['delete users'],
    prepare: person,
    input: ({ id }) => ({ params: { id } }),
    look: async (caller, { login }) => (await caller.call(listUsers, { query: { filter: { search: login } } })).users,
    shows: () => [],
    errors: {
      forbiddenUser: { input: async () => ({ params: { id: await beyond() } }) },
      ownAccount: {
        by: async () => new Caller((await self()).browser),
        input: async () => ({ params: { id: (await self()).user.id } }),
      },
      lastAdministrator: {
        by: async () => new Caller((await signedInWith(systemicMethods)).browser),
        input: async () => ({ params: { id: (await signedInAdministrator(true)).user.id } }),
      },
    },
  }),
  proof(sendEntryLink, {
    unrecorded: 'a mail changes nothing of the account',
    prepare: newcomer,
    input: ({ id }) => ({ params: { id } }),
    look: async (caller, { id }) =>
      (await caller.call(listUserMessages, { params: { id }, query: {} })).messages.map(({ template }) => template),
    shows: () => ['firstEntry'],
    errors: {
      forbiddenUser: { input: async () => ({ params: { id: await beyond() } }) },
      directoryAccount: { input: async () => ({ params: { id: await ofDirectory() } }) },
      userHasPassword: { input: async () => ({ params: { id: (await person()).id } }) },
      userDisabled: { input: async () => ({ params: { id: await changed({ enabled: false }) } }) },
      userWithoutEmail: {
        input: async () => ({ params: { id: await changed({ email: null, passwordHash: null }) } }),
      },
    },
  }),
  proof(setUserRoles, {
    makes: ['update users', 'update roles'],
    prepare: async () => ({ ...(await person()), role: await roleId([]) }),
    input: ({ id, role }) => ({ params: { id }, body: { roles: [{ roleId: role }] } }),
    look: read,
    shows: ({ role }) => ({ roles: [{ role: { id: role }, organization: null, contractor: null }] }),
    errors: {
      forbiddenUser: { input: async () => ({ params: { id: await beyond() }, body: { roles: [] } }) },
      forbiddenRole: {
        input: async () => ({
          params: { id: (await person()).id },
          body: { roles: [{ roleId: await roleId(['license.write']) }] },
        }),
      },
      errorRole: {
        field: 'roles.0.roleId',
        input: async () => ({ params: { id: (await person()).id }, body: { roles: [{ roleId: randomUUID() }] } }),
      },
      errorRolePlace: {
        field: 'roles.0.organizationId',
        input: async () => ({
          params: { id: (await person()).id },
          body: { roles: [{ roleId: await roleId([]), organizationId: randomUUID() }] },
        }),
      },
      errorRoleOrganization: {
        field: 'roles.0.organizationId',
        input: async () => {
          const { contractor } = await createContractor()
          const heldRole = { roleId: (await createContractorRole([])).id, contractorId: contractor.id }
          return {
            params: { id: (await person()).id },
            body: { roles: [{ ...heldRole, organizationId: randomUUID() }] },
          }
        },
      },
      errorRoleMember: {
        field: 'roles.0.contractorId',
        input: async () => {
          const { contractor, organization } = await createContractor()
          const place = { contractorId: contractor.id, organizationId: organization.id }
          const roles = [{ roleId: (await createContractorRole([])).id, ...place }]
          return { params: { id: (await person()).id }, body: { roles } }
        },
      },
      lastAdministrator: {
        by: async () => new Caller((await signedInWith(systemicMethods)).browser),
        input: async () => ({ params: { id: (await signedInAdministrator(true)).user.id }, body: { roles: [] } }),
      },
    },
  }),
  proof(setUserContractors, {
    makes: ['update users'],
    prepare: async () => {
      const [old, next] = [await createContractor(), await createContractor()]
      const made = await person()
      await join(old, made.id, [(await createContractorRole([])).id])
      return { ...made, contractor: next.contractor.id }
    },
    input: ({ id, contractor }) => ({ params: { id }, body: { contractors: [contractor] } }),
    look: read,
    shows: ({ contractor }) => ({ contractors: [{ id: contractor }], roles: [] }),
    errors: {
      forbiddenUser: { input: async () => ({ params: { id: await beyond() }, body: { contractors: [] } }) },
      lastAdministrator: {
        by: administrator,
        input: async () => {
          const [{ id }, role] = [await person(), await createContractorRole([])]
          await join(await createContractor(), id, [role.id])
          await letInBy(id, role.id)
          return { params: { id }, body: { contractors: [] } }
        },
      },
      errorContractor: {
        field: 'contractors.0',
        input: async () => ({ params: { id: (await person()).id }, body: { contractors: [randomUUID()] } }),
      },
    },
  }),
  proof(bulkUsers, {
    makes: ['update users'],
    prepare: async () => ({ ...(await person()), other: await person() }),
    input: ({ id, other }) => ({ body: { userIds: [id, other.id], act: 'disable' as const, reason: 'Уволены' } }),
    look: async (caller, { id, other }) => [await read(caller, { id }), await read(caller, other)],
    shows: () => [{ enabled: false }, { enabled: false }],
  }),
  provenIn(exportUsers, ['accounts/users-export.test.ts']),
]
