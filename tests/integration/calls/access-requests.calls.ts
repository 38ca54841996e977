import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import {
  allowAccess,
  approveWithContractor,
  createAccessRequests,
  listAccessRequests,
  listAvailableRoles,
  listGrantableRoles,
  listIncomingRequests,
  listManagedContractors,
  markDuplicate,
  refuseAccess,
  revokeAccessRequest,
} from '@/lib/companies/access-requests/contract'
import { makeManager, newInn, requester } from '../../factories/access-requests'
import { type Caller, callerFor } from '../../factories/caller'
import { createContractor, createContractorRole, join, openService } from '../../factories/companies'
import { store } from '../../factories/platform'
import { proof } from '../../factories/proofs'
import { administrator, shutOutBy, tie } from '../../factories/ways-in'

const company = (inn: string, more: object = {}) => ({
  name: `ООО «${inn}»`,
  inn,
  kpp: '770101001',
  roles: [],
  ...more,
})
const asking = (...companies: object[]) => ({ body: { companies } })
const mine = async (caller: Caller, inn: string) =>
  (await caller.call(listAccessRequests, { query: { filter: { search: inn } } })).requests

/** A company that the caller manages, and a request of somebody else for it. */
async function managed(caller: Caller) {
  const company = await createContractor()
  await makeManager(caller, company)
  const role = await createContractorRole()
  const inn = company.contractor.inn ?? ''
  return { ...company, role, inn, ...(await requester(inn)), person: caller }
}
type Managed = Awaited<ReturnType<typeof managed>>

const incoming = async (caller: Caller, { inn }: Managed) =>
  (await caller.call(listIncomingRequests, { query: { filter: { search: inn } } })).requests

const rolesFor = ({ organization, role }: Managed) => [{ organizationId: organization.id, rolesIds: [role.id] }]
const granting = (given: Managed, more: object = {}) => ({
  body: { requestIds: [given.requestId], contractorId: given.contractor.id, contractorRoles: rolesFor(given), ...more },
})

/** The failures of every decision. */
const decided = {
  notFound: {
    input: async (_: Caller, given: Managed) => granting(given, { requestIds: [randomUUID()], reason: 'a' }),
  },
  errorResponseStatus: {
    field: 'responseStatus',
    input: (_: Caller, given: Managed) => granting(given, { reason: 'a', responseStatus: 'any' }),
  },
  requestDecided: {
    input: async (caller: Caller, given: Managed) => {
      await caller.call(markDuplicate, { body: { requestIds: [given.requestId] } })
      return granting(given, { reason: 'a' })
    },
  },
}

/** The failures of a decision that gives roles. */
const refused = {
  requesterDisabled: {
    input: async (_: Caller, given: Managed) => {
      const { userId, requestId } = await requester(given.inn)
      await db().update(users).set({ enabled: false }).where(eq(users.id, userId))
      return granting(given, { requestIds: [requestId] })
    },
  },
  errorOrganization: {
    field: 'contractorRoles.0.organizationId',
    input: (_: Caller, given: Managed) =>
      granting(given, { contractorRoles: [{ organizationId: randomUUID(), rolesIds: [given.role.id] }] }),
  },
  errorRole: {
    field: 'contractorRoles.0.rolesIds',
    input: async (_: Caller, given: Managed) => {
      const systemic = await createContractorRole([], 'systemic')
      return granting(given, { contractorRoles: [{ organizationId: given.organization.id, rolesIds: [systemic.id] }] })
    },
  },
  forbiddenRole: {
    input: async (_: Caller, given: Managed) => {
      const strong = await createContractorRole(['users.write'])
      return granting(given, { contractorRoles: [{ organizationId: given.organization.id, rolesIds: [strong.id] }] })
    },
  },
  lastAdministrator: {
    by: administrator,
    input: async (_: Caller, given: Managed) => {
      const { userId, requestId } = await requester(given.inn)
      await shutOutBy(userId, given.role.id)
      return granting(given, { requestIds: [requestId] })
    },
  },
  forbiddenUser: {
    // the role brings a schema by which it is easier to pass for somebody who holds more
    input: async (_: Caller, given: Managed) => {
      const elsewhere = await createContractor()
      const { userId, requestId } = await requester(given.inn)
      const [strong, hard] = [await createContractorRole(['users.write']), await createContractorRole()]
      await join(elsewhere, userId, [strong.id, hard.id])
      await tie(hard.id, 'credentials', 0, ['email_code'])
      await tie(given.role.id, 'credentials', 1_000_000)
      return granting(given, { requestIds: [requestId] })
    },
  },
}

/** As the only one of thirty tests that needs it: each has its own names. */
const nothingElse = { contractorId: null, reason: '' }

export default [
  proof(listAvailableRoles, {
    prepare: async () => {
      const role = await createContractorRole()
      return { role, service: await openService(role.id) }
    },
    input: () => ({}),
    shows: ({ role, service }) => ({
      roles: expect.arrayContaining([
        expect.objectContaining({
          roleId: role.id,
          name: role.name,
          roleType: 'contractor',
          services: [expect.objectContaining({ title: service })],
        }),
      ]),
    }),
  }),
  proof(listAccessRequests, {
    prepare: async (caller) => {
      const inn = newInn()
      const role = await createContractorRole()
      await caller.call(createAccessRequests, asking(company(inn, { roles: [role.id] })) as never)
      return { inn, role }
    },
    input: ({ inn }) => ({ query: { filter: { search: inn, status: ['considered' as const] } } }),
    shows: ({ inn, role }) => ({
      requests: [
        {
          requestCompanyName: `ООО «${inn}»`,
          requestCompanyInn: inn,
          requestCompanyKpp: '770101001',
          requestCompanyRoles: [{ roleId: role.id, roleName: role.name }],
          responseCompanyName: null,
          responseDate: null,
          status: 'considered',
          reason: '',
        },
      ],
      meta: { total: 1 },
    }),
  }),
  proof(createAccessRequests, {
    makes: ['create access-requests'],
    prepare: async () => ({ inn: newInn(), role: await createContractorRole() }),
    input: ({ inn, role }) => asking(company(inn, { kpp: '770101001', roles: [role.id] })) as never,
    look: (caller, { inn }) => mine(caller, inn),
    shows: ({ inn, role }) => [
      { requestCompanyInn: inn, requestCompanyKpp: '770101001', requestCompanyRoles: [{ roleId: role.id }] },
    ],
    errors: {
      errorInn: { field: 'companies.0.inn', input: () => asking(company('123')) },
      errorKpp: { field: 'companies.0.kpp', input: () => asking(company(newInn(), { kpp: '12' })) },
      errorKppInn: {
        field: 'companies.0.kpp',
        input: () => asking(company('500100732259', { kpp: '770101001' })),
      },
      errorRole: { field: 'companies.0.roles', input: () => asking(company(newInn(), { roles: [randomUUID()] })) },
      errorRepeated: {
        field: 'companies.1.inn',
        input: () => {
          const inn = newInn()
          return asking(company(inn), company(inn))
        },
      },
      accessRequestsOff: {
        input: async (_, { inn }) => {
          await store('accessRequests', false)
          return asking(company(inn))
        },
      },
      requestConsidered: {
        input: async (caller) => {
          await store('accessRequests', true)
          const inn = newInn()
          await caller.call(createAccessRequests, asking(company(inn)) as never)
          return asking(company(newInn()), company(inn))
        },
      },
      tooManyAttempts: {
        by: async () => {
          const eager = await callerFor(createAccessRequests)
          for (let n = 0; n < 30; n++) await eager.send(createAccessRequests, asking(company(newInn())))
          return eager
        },
        input: () => asking(company(newInn())),
      },
    },
  }),
  proof(revokeAccessRequest, {
    makes: ['update access-requests'],
    prepare: async (caller) => {
      const inn = newInn()
      const { requests } = await caller.call(createAccessRequests, asking(company(inn)) as never)
      return { inn, requestId: requests[0]?.requestId ?? '' }
    },
    input: ({ requestId }) => ({ params: { requestId } }),
    look: (caller, { inn }) => mine(caller, inn),
    shows: () => [{ status: 'remove' }],
    errors: {
      requestDecided: {
        input: async (caller, { requestId }) => {
          await caller.call(revokeAccessRequest, { params: { requestId } })
          return { params: { requestId } }
        },
      },
    },
  }),
  proof(listIncomingRequests, {
    prepare: managed,
    input: ({ inn }) => ({ query: { filter: { search: inn } } }),
    shows: ({ requestId, userId, inn }) => ({
      requests: [{ requestId, requestCompanyInn: inn, status: 'considered', user: { id: userId } }],
      meta: { total: 1 },
    }),
  }),
  proof(approveWithContractor, {
    makes: ['update access-requests', 'update users'],
    prepare: managed,
    input: (given) => granting(given),
    look: incoming,
    shows: ({ contractor }) => [{ status: 'approved', responseCompanyName: contractor.name }],
    errors: {
      contractorExists: {
        field: 'contractorId',
        input: async (_, given) => {
          const other = await requester(given.inn)
          await join(given, other.userId, [])
          return granting(given, { requestIds: [other.requestId] })
        },
      },
      ...decided,
      ...refused,
    },
  }),
  proof(refuseAccess, {
    makes: ['update access-requests'],
    prepare: managed,
    input: ({ requestId }) => ({ body: { requestIds: [requestId], reason: `Нет договора ${requestId}` } }),
    look: incoming,
    shows: ({ requestId }) => [{ status: 'failure', reason: `Нет договора ${requestId}` }],
    errors: decided,
  }),
  proof(markDuplicate, {
    makes: ['update access-requests'],
    prepare: managed,
    input: ({ requestId }) => ({ body: { requestIds: [requestId], ...nothingElse } }),
    look: incoming,
    shows: () => [{ status: 'duplicate', responseCompanyName: null }],
    errors: decided,
  }),
  proof(allowAccess, {
    makes: ['update access-requests', 'update users'],
    prepare: managed,
    input: (given) => granting(given),
    look: incoming,
    shows: ({ contractor }) => [{ status: 'approved', responseCompanyName: contractor.name }],
    errors: { ...decided, ...refused },
  }),
  proof(listManagedContractors, {
    prepare: managed,
    input: ({ inn }) => ({ query: { filter: { inn } } }),
    shows: ({ contractor, organization, inn }) => ({
      contractors: [
        {
          id: contractor.id,
          name: contractor.name,
          inn,
          availableOrganizations: [{ id: organization.id, name: organization.name }],
        },
      ],
    }),
  }),
  proof(listGrantableRoles, {
    prepare: async (caller) => {
      const given = await managed(caller)
      return { ...given, strong: await createContractorRole(['users.write']) }
    },
    input: ({ contractor }) => ({ params: { id: contractor.id } }),
    shows: ({ role, strong }) => ({
      roles: expect.arrayContaining([
        expect.objectContaining({ roleId: role.id, allowed: true }),
        expect.objectContaining({ roleId: strong.id, allowed: false }),
      ]),
    }),
  }),
]
