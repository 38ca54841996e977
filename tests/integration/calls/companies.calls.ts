import { db } from '@/db/client'
import { leaveCompany, listCompanies, previewLeaving } from '@/lib/companies/own-companies/contract'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { idOf } from '../../factories/access-requests'
import type { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, openService } from '../../factories/companies'
import { proof } from '../../factories/proofs'
import { administrator, letInBy } from '../../factories/ways-in'

/** A company that the caller belongs to, with one role. */
async function ownCompany(caller: Caller) {
  const company = await createContractor()
  const role = await createContractorRole(['masterAccountAccess'])
  const userId = await caller.serve(async ({ user }) => user?.id ?? '')
  await join(company, userId, [role.id])
  const service = await openService(role.id)
  const refreshed = await invalidateSessions(db(), userId, new Date())
  await refreshed()
  return { ...company, role, service }
}

/** An administrator who leaves a company. */
let leaver: Caller | undefined

export default [
  proof(listCompanies, {
    prepare: ownCompany,
    input: ({ contractor }) => ({ query: { filter: { search: contractor.inn ?? '' } } }),
    shows: ({ contractor, organization, role }) => ({
      companies: [
        {
          id: contractor.id,
          name: contractor.name,
          inn: contractor.inn,
          kpp: '',
          enabled: true,
          access: [
            {
              organizationId: organization.id,
              organization: organization.name,
              enabled: true,
              roles: [{ id: role.id, name: role.name }],
            },
          ],
        },
      ],
      meta: { total: 1 },
    }),
  }),
  proof(previewLeaving, {
    prepare: ownCompany,
    input: ({ contractor }) => ({ params: { id: contractor.id } }),
    shows: ({ service }) => ({
      roles: 1,
      services: [{ title: service }],
      manager: true,
      lastManager: true,
      invitations: 0,
    }),
  }),
  proof(leaveCompany, {
    makes: ['update users'],
    prepare: ownCompany,
    input: ({ contractor }) => ({ params: { id: contractor.id } }),
    look: async (caller, { contractor }) =>
      (await caller.call(listCompanies, { query: {} })).companies.filter(({ id }) => id === contractor.id),
    shows: () => [],
    errors: {
      lastAdministrator: {
        by: async () => {
          leaver = await administrator()
          return leaver
        },
        input: async (caller) => {
          const { contractor, role } = await ownCompany(leaver ?? caller)
          await letInBy(await idOf(leaver ?? caller), role.id)
          return { params: { id: contractor.id } }
        },
      },
    },
  }),
]
