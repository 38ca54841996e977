import { randomUUID } from 'node:crypto'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { db } from '@/db/client'
import { contractorOrganizations, contractors, userRoles, users } from '@/db/schema'
import { systemicMethods } from '@/lib/base/access/access-methods'
import {
  createOrganization,
  deleteOrganization,
  enableOrganization,
  listOrganizations,
  readOrganization,
  searchOrganizations,
  updateOrganization,
} from '@/lib/companies/organizations/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'
import { shippedRole } from '../../factories/roles'
import { holdInOrganization } from '../../factories/roles-held'
import { createUser } from '../../factories/users'

const code = () => `o-${randomUUID()}`
const organization = () => ({
  name: randomUUID(),
  nameEn: 'Polaris',
  code: code(),
  inn: '7707083893',
  kpp: '770701001',
  ogrn: '1027700132195',
  okpo: '00032537',
  registrationNumber: 'HRB 1',
  taxNumber: 'DE 2',
  externalCode: 'К-3',
})
const newOrganization = async (caller: Caller) => {
  const body = organization()
  return { ...body, ...(await caller.call(createOrganization, { body })) }
}
const read = (caller: Caller, { id }: { id: string }) => caller.call(readOrganization, { params: { id } })
const named = async (caller: Caller, search: string) =>
  (await caller.call(listOrganizations, { query: { filter: { search } } })).organizations
/** How a field is refused: by the creation and, with an id, by the change. */
const refused = (field: string, value: string) => ({
  field,
  input: (_: Caller, prepared: object) => ({
    ...('id' in prepared ? { params: { id: String(prepared.id) } } : {}),
    body: { ...organization(), [field]: value },
  }),
})
const wrongLengths = {
  errorInn: refused('inn', '12345678901'),
  errorKpp: refused('kpp', '1234567'),
  errorOgrn: refused('ogrn', '12345678901234'),
  errorOkpo: refused('okpo', '123456789'),
}
/** An organization in which somebody holds what the caller lacks. */
const beyond = async (caller: Caller) => {
  const { id } = await newOrganization(caller)
  await holdInOrganization(id, ['license.write'])
  return id
}

/** Makes somebody an administrator by a role in an organization, and disables all others. */
const administratorsOnlyIn = async (organizationId: string) => {
  const roleId = await shippedRole('administrator')
  const { id: userId } = await createUser({ roles: [] })
  await db().insert(userRoles).values({ userId, roleId, organizationId })
  const holders = db().select({ id: userRoles.userId }).from(userRoles).where(eq(userRoles.roleId, roleId))
  await db()
    .update(users)
    .set({ enabled: false })
    .where(and(inArray(users.id, holders), ne(users.id, userId)))
}

export default [
  proof(listOrganizations, {
    prepare: newOrganization,
    input: ({ code: search }) => ({ query: { filter: { search } } }),
    shows: (made) => ({ organizations: [{ ...made, enabled: true, people: { count: 0, more: false } }] }),
  }),
  proof(readOrganization, {
    prepare: newOrganization,
    input: ({ id }) => ({ params: { id } }),
    shows: (made) => ({ ...made, contractors: { count: 0 }, invitations: { count: 0 } }),
  }),
  proof(searchOrganizations, {
    prepare: newOrganization,
    input: ({ id }) => ({ query: { ids: [id] } }),
    shows: ({ id, name, code }) => ({ organizations: [{ id, name, code, enabled: true }] }),
  }),
  proof(createOrganization, {
    makes: ['create organizations'],
    prepare: async () => organization(),
    input: (body) => ({ body }),
    look: (caller, body) => named(caller, body.code),
    shows: (body, { id }) => [{ id, ...body, enabled: true }],
    errors: {
      ...wrongLengths,
      errorUnique: {
        field: 'code',
        input: async (caller) => ({ body: { ...organization(), code: (await newOrganization(caller)).code } }),
      },
    },
  }),
  proof(updateOrganization, {
    makes: ['update organizations'],
    prepare: newOrganization,
    input: ({ id, code }) => ({
      params: { id },
      body: { ...organization(), name: 'Другая', inn: '7736050003', code: `${code}-2` },
    }),
    look: read,
    shows: ({ code }) => ({ name: 'Другая', inn: '7736050003', code: `${code}-2`, enabled: true }),
    errors: {
      ...wrongLengths,
      errorUnique: {
        field: 'code',
        input: async (caller, { id }) => ({
          params: { id },
          body: { ...organization(), code: (await newOrganization(caller)).code },
        }),
      },
    },
  }),
  proof(enableOrganization, {
    makes: ['update organizations'],
    prepare: newOrganization,
    input: ({ id }) => ({ params: { id }, body: { enabled: false } }),
    look: read,
    shows: () => ({ enabled: false }),
    errors: {
      forbiddenOrganization: {
        input: async (caller) => ({ params: { id: await beyond(caller) }, body: { enabled: false } }),
      },
      lastAdministrator: {
        by: async () => new Caller((await signedInWith(systemicMethods)).browser),
        input: async (_, { id }) => {
          await administratorsOnlyIn(id)
          return { params: { id }, body: { enabled: false } }
        },
      },
    },
  }),
  proof(deleteOrganization, {
    makes: ['delete organizations'],
    prepare: newOrganization,
    input: ({ id }) => ({ params: { id } }),
    look: (caller, { code }) => named(caller, code),
    shows: () => [],
    errors: {
      forbiddenOrganization: { input: async (caller) => ({ params: { id: await beyond(caller) } }) },
      organizationUsed: {
        input: async (caller) => {
          const { id } = await newOrganization(caller)
          const contractor = first(
            await db()
              .insert(contractors)
              .values({ name: randomUUID(), inn: String(Date.now()).slice(-10) })
              .returning(),
          )
          await db().insert(contractorOrganizations).values({ contractorId: contractor.id, organizationId: id })
          return { params: { id } }
        },
      },
    },
  }),
]
