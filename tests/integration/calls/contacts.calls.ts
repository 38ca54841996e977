import { randomUUID } from 'node:crypto'
import {
  changeContactRoles,
  listContacts,
  previewRemoval,
  readContact,
  removeContact,
} from '@/lib/companies/colleagues/contract'
import { idOf } from '../../factories/access-requests'
import type { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, openService } from '../../factories/companies'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'
import { administrator, letInBy, shutOutBy } from '../../factories/ways-in'

/** A company of the caller, with a colleague who holds a role there. */
async function colleague(caller: Caller) {
  const company = await createContractor()
  const [role, other] = [await createContractorRole(), await createContractorRole()]
  const person = await createUser({ fio: 'Северный Юрий Львович' })
  await join(company, await idOf(caller), [])
  await join(company, person.id, [role.id])
  return { ...company, role, other, person }
}
type Given = Awaited<ReturnType<typeof colleague>>

const ids = ({ contractor, person }: Given) => ({ userId: person.id, contractorId: contractor.id })
const access = ({ organization }: Given, ...roles: string[]) => [{ organizationId: organization.id, roles }]
const changing = (given: Given, more: object = {}) => ({
  body: { ...ids(given), access: access(given, given.other.id), ...more },
})
const card = (caller: Caller, { person }: Given) => caller.call(readContact, { params: { userId: person.id } })
const roleOf = ({ id, name }: Given['role']) => ({ id, name })

/** The contact holds a right elsewhere that the caller lacks. */
const stronger = async ({ person }: Given) =>
  join(await createContractor(), person.id, [(await createContractorRole(['users.write'])).id])

export default [
  proof(listContacts, {
    prepare: colleague,
    input: ({ contractor }) => ({ query: { filter: { contractorId: contractor.id } } }),
    shows: ({ contractor, person, role }) => ({
      contacts: [
        {
          userId: person.id,
          name: 'Северный Юрий Львович',
          email: person.email,
          mobile: person.mobile,
          access: 'active',
          expiresAt: null,
          contractors: [{ id: contractor.id, name: contractor.name, roles: [roleOf(role)] }],
        },
      ],
      meta: { total: 1 },
    }),
  }),
  proof(readContact, {
    prepare: colleague,
    input: ({ person }) => ({ params: { userId: person.id } }),
    shows: ({ contractor, organization, person, role }) => ({
      name: 'Северный Юрий Львович',
      email: person.email,
      access: 'active',
      contractors: [
        {
          id: contractor.id,
          name: contractor.name,
          inn: contractor.inn,
          managed: false,
          editable: false,
          availableOrganizations: [],
          access: [
            { organizationId: organization.id, organization: organization.name, enabled: true, roles: [roleOf(role)] },
          ],
        },
      ],
    }),
  }),
  proof(changeContactRoles, {
    makes: ['update roles', 'update users'],
    prepare: colleague,
    input: (given) => changing(given),
    look: card,
    shows: ({ organization, other }) => ({
      contractors: [{ access: [{ organizationId: organization.id, roles: [roleOf(other)] }] }],
    }),
    errors: {
      notFound: { input: (_, given) => changing(given, { userId: randomUUID() }) },
      conflict: { input: (_, given) => changing(given, { version: 'another' }) },
      lastAdministrator: {
        by: administrator,
        input: async (_, given) => {
          await shutOutBy(given.person.id, given.other.id)
          return changing(given)
        },
      },
      errorOrganization: {
        field: 'access.0.organizationId',
        input: (_, given) => changing(given, { access: [{ organizationId: randomUUID(), roles: [given.other.id] }] }),
      },
      errorRole: {
        field: 'access.0.roles',
        input: async (_, given) =>
          changing(given, { access: access(given, (await createContractorRole([], 'systemic')).id) }),
      },
      forbiddenRole: {
        input: async (_, given) =>
          changing(given, { access: access(given, (await createContractorRole(['users.write'])).id) }),
      },
      forbiddenUser: {
        input: async (_, given) => {
          await stronger(given)
          return changing(given)
        },
      },
    },
  }),
  proof(removeContact, {
    makes: ['update roles', 'update users'],
    prepare: colleague,
    input: (given) => ({ query: ids(given) }),
    look: (caller, { contractor }) =>
      caller
        .call(listContacts, { query: { filter: { contractorId: contractor.id } } })
        .then(({ contacts }) => contacts.flatMap(({ contractors: [{ roles } = { roles: [] }] }) => roles)),
    shows: () => [],
    errors: {
      notFound: { input: (_, given) => ({ query: { ...ids(given), userId: randomUUID() } }) },
      lastAdministrator: {
        by: administrator,
        input: async (_, given) => {
          await letInBy(given.person.id, given.role.id)
          return { query: ids(given) }
        },
      },
      forbiddenUser: {
        input: async (_, given) => {
          await stronger(given)
          return { query: ids(given) }
        },
      },
    },
  }),
  proof(previewRemoval, {
    prepare: async (caller) => {
      const given = await colleague(caller)
      return { ...given, service: await openService(given.role.id) }
    },
    input: (given) => ({ params: ids(given) }),
    shows: ({ service }) => ({ roles: 1, services: [{ title: service }], manager: false, invitations: 0 }),
  }),
]
