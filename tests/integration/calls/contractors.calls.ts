import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { contractors, userContractors } from '@/db/schema'
import {
  createContractor,
  deleteContractor,
  enableContractor,
  listContractorInvitations,
  listContractorPeople,
  listContractors,
  mergeContractors,
  previewContractor,
  previewContractorMerge,
  readContractor,
  searchContractors,
  updateContractor,
} from '@/lib/companies/contractors/contract'
import type { Caller } from '../../factories/caller'
import {
  createContractor as createCompany,
  createContractorRole,
  join,
  plantInvitation,
} from '../../factories/companies'
import { defineField, newCode, refusedValues } from '../../factories/fields'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'
import { administrator, letInBy } from '../../factories/ways-in'

let made = 0
const inn = () => String(7_000_000_000 + ++made + Math.floor(Math.random() * 900_000) * 1000)
const contractor = (wishes: object = {}) => ({
  name: `ООО «Контрагент ${randomUUID()}»`,
  inn: inn(),
  kpp: '770101001',
  ogrn: '1027700132195',
  okpo: '',
  registrationNumber: '',
  taxNumber: '',
  externalCode: randomUUID(),
  availableOrganizations: [] as string[],
  ...wishes,
})
const newContractor = async (caller: Caller, wishes: object = {}) => {
  const body = contractor(wishes)
  return { ...body, ...(await caller.call(createContractor, { body })) }
}
const card = (caller: Caller, id: string) => caller.call(readContractor, { params: { id } })
/** A company with a person whose role has a method that the caller of this area lacks. */
const withRights = async (codes = ['users.write']) => {
  const company = await createCompany()
  const person = await createUser()
  const role = await createContractorRole(codes)
  await join(company, person.id, [role.id])
  return { ...company, id: company.contractor.id, person, role }
}
/** How values of fields that administrators define are refused, and how one is read-only. */
const refusedFields = (of: (body: object) => { params?: { id: string }; body: object }) =>
  Object.fromEntries(
    Object.entries({ ...refusedValues, errorReadOnly: { wishes: { adminEdit: false }, value: 'x' } }).map(
      ([error, { wishes, value }]) => {
        const code = newCode()
        const input = async () => {
          await defineField({ type: 'contractors', ...wishes, code })
          return of(contractor({ values: { [code]: value } }))
        }
        return [error, { field: `values.${code}`, input }]
      },
    ),
  )
/** What every write answers for wrong fields. */
const wrongFields = (of: (body: object) => { params?: { id: string }; body: object }) => {
  const wrong = (field: string, wishes: object) => ({ field, input: async () => of(contractor(wishes)) })
  return {
    errorInn: wrong('inn', { inn: '77012', kpp: '' }),
    errorKpp: wrong('kpp', { kpp: '1' }),
    errorOgrn: wrong('ogrn', { ogrn: '12' }),
    errorOkpo: wrong('okpo', { okpo: '12' }),
    errorKppInn: wrong('kpp', { inn: '770708389312' }),
    ...refusedFields(of),
    errorOrganizationUnknown: wrong('availableOrganizations', { availableOrganizations: [randomUUID()] }),
  }
}
const pair = async (caller: Caller) => {
  const [target, source] = [await newContractor(caller, { externalCode: '' }), await newContractor(caller)]
  const person = await createUser()
  await db().insert(userContractors).values({ userId: person.id, contractorId: source.id })
  return { target, source, person }
}
const unknown = randomUUID()

export default [
  proof(listContractors, {
    prepare: (caller) => newContractor(caller),
    input: ({ name }) => ({ query: { filter: { search: name } } }),
    shows: ({ availableOrganizations, ...made }) => ({
      contractors: [{ ...made, enabled: true, people: 0, availableOrganizations }],
    }),
  }),
  proof(readContractor, {
    prepare: (caller) => newContractor(caller),
    input: ({ id }) => ({ params: { id } }),
    shows: ({ availableOrganizations, ...made }) => ({
      ...made,
      availableOrganizations,
      values: {},
      roles: 0,
      invitations: 0,
    }),
  }),
  proof(searchContractors, {
    prepare: (caller) => newContractor(caller),
    input: ({ id }) => ({ query: { ids: [id] } }),
    shows: ({ id, name, inn, kpp }) => ({ contractors: [{ id, name, inn, kpp, enabled: true }] }),
  }),
  proof(createContractor, {
    makes: ['create contractors'],
    prepare: async () => contractor(),
    input: (body) => ({ body }),
    look: async (caller, { name }) =>
      (await caller.call(listContractors, { query: { filter: { search: name } } })).contractors,
    shows: (body, { id }) => [{ id, ...body }],
    errors: {
      ...wrongFields((body) => ({ body })),
      errorUnique: {
        field: 'inn',
        input: async (caller) => ({ body: contractor({ inn: (await newContractor(caller)).inn }) }),
      },
    },
  }),
  proof(updateContractor, {
    makes: ['update contractors'],
    prepare: async (caller) => ({
      ...(await newContractor(caller)),
      field: await defineField({ type: 'contractors' }),
    }),
    input: ({ id, name, field }) => ({
      params: { id },
      body: { name: `${name} 2`, inn: '', kpp: '', ogrn: '', registrationNumber: 'DE 1', values: { [field]: 'К-1' } },
    }),
    look: (caller, { id }) => card(caller, id),
    shows: ({ name, field }) => ({
      name: `${name} 2`,
      inn: '',
      registrationNumber: 'DE 1',
      externalCode: '',
      values: { [field]: 'К-1' },
    }),
    errors: {
      ...Object.fromEntries(
        Object.entries(wrongFields((body) => ({ body }))).map(([code, { field, input }]) => [
          code,
          {
            field,
            input: async (_: Caller, { id }: { id: string }) => ({ params: { id }, ...(await input()) }),
          },
        ]),
      ),
      errorUnique: {
        field: 'externalCode',
        input: async (caller, { id }) => ({
          params: { id },
          body: contractor({ externalCode: (await newContractor(caller)).externalCode }),
        }),
      },
      forbiddenContractor: {
        input: async () => {
          const { id } = await withRights()
          return { params: { id }, body: contractor() }
        },
      },
      lastAdministrator: {
        by: administrator,
        input: async () => {
          const { id, person, role } = await withRights([])
          await letInBy(person.id, role.id)
          return { params: { id }, body: contractor() }
        },
      },
    },
  }),
  proof(deleteContractor, {
    makes: ['delete contractors'],
    prepare: (caller) => newContractor(caller),
    input: ({ id }) => ({ params: { id } }),
    look: async (caller, { name }) =>
      (await caller.call(listContractors, { query: { filter: { search: name } } })).contractors,
    shows: () => [],
    errors: {
      contractorUsed: {
        input: async () => ({ params: { id: (await plantInvitation()).contractor.id } }),
      },
    },
  }),
  proof(enableContractor, {
    makes: ['update contractors'],
    prepare: (caller) => newContractor(caller),
    input: ({ id }) => ({ params: { id }, body: { enabled: false } }),
    look: (caller, { id }) => card(caller, id),
    shows: () => ({ enabled: false }),
    errors: {
      forbiddenContractor: {
        input: async () => ({ params: { id: (await withRights()).id }, body: { enabled: false } }),
      },
    },
  }),
  proof(previewContractor, {
    prepare: () => withRights(),
    input: ({ id }) => ({ params: { id }, query: {} }),
    shows: ({ organization }) => ({
      people: 1,
      roles: 1,
      allowed: false,
      organizations: [{ id: organization.id, people: 1, roles: 1 }],
    }),
  }),
  proof(listContractorPeople, {
    prepare: () => withRights([]),
    input: ({ id }) => ({ params: { id }, query: {} }),
    shows: ({ person, organization }) => ({
      people: [{ id: person.id, login: null, access: [{ organizationId: organization.id, roles: [{}] }] }],
    }),
  }),
  proof(listContractorInvitations, {
    prepare: () => plantInvitation(),
    input: ({ contractor }) => ({ params: { id: contractor.id }, query: {} }),
    shows: ({ id, email }) => ({ invitations: [{ id, email, status: 'active' }] }),
  }),
  proof(previewContractorMerge, {
    prepare: pair,
    input: ({ target, source }) => ({ query: { targetId: target.id, sourceIds: [source.id] } }),
    shows: ({ target, source }) => ({
      allowed: true,
      effects: { people: 1, roles: 0, organizations: 0, invitations: 0 },
      contractors: [{ id: target.id }, { id: source.id, people: 1 }],
      conflicts: [
        { field: 'name', from: target.id },
        { field: 'inn', from: target.id },
      ],
    }),
    errors: {
      notFound: { input: (_, { target }) => ({ query: { targetId: target.id, sourceIds: [unknown] } }) },
      errorContractor: {
        field: 'sourceIds',
        input: (_, { target }) => ({ query: { targetId: target.id, sourceIds: [target.id] } }),
      },
    },
  }),
  proof(mergeContractors, {
    makes: ['update users', 'update contractors', 'delete contractors'],
    prepare: pair,
    input: ({ target, source }) => ({
      body: { targetId: target.id, sourceIds: [source.id], take: { name: source.id } },
    }),
    look: (caller, { target }) => card(caller, target.id),
    shows: ({ target, source }) => ({
      name: source.name,
      inn: target.inn,
      externalCode: source.externalCode,
      people: 1,
    }),
    errors: {
      notFound: { input: (_, { target }) => ({ body: { targetId: target.id, sourceIds: [unknown] } }) },
      conflict: {
        input: (_, { target, source }) => ({
          body: {
            targetId: target.id,
            sourceIds: [source.id],
            versions: { [source.id]: new Date(0).toISOString() },
          },
        }),
      },
      errorContractor: {
        field: 'take.name',
        input: (_, { target, source }) => ({
          body: { targetId: target.id, sourceIds: [source.id], take: { name: unknown } },
        }),
      },
      errorKppInn: {
        field: 'take.kpp',
        input: async (caller, { source }) => {
          const trader = await newContractor(caller, { inn: '770708389312', kpp: '' })
          return {
            body: { targetId: trader.id, sourceIds: [source.id], take: { kpp: source.id, inn: trader.id } },
          }
        },
      },
      errorUnique: {
        field: 'inn',
        input: async (caller, { target, source }) => {
          // the same inn with the kpp that the target takes belongs to a third one
          await newContractor(caller, { inn: target.inn, kpp: '990101001' })
          await db().update(contractors).set({ kpp: '990101001' }).where(eq(contractors.id, source.id))
          return { body: { targetId: target.id, sourceIds: [source.id], take: { kpp: source.id } } }
        },
      },
      forbiddenContractor: {
        input: async (_, { target }) => ({ body: { targetId: target.id, sourceIds: [(await withRights()).id] } }),
      },
    },
  }),
]
