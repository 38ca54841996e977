import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'
import { requisiteOutputs } from '../requisites'

const Named = z.strictObject({ id: Id, name: z.string() })

/** A contractor as its people see it. */
const Company = z.strictObject({
  id: Id,
  name: z.string(),
  ...requisiteOutputs,
  /** While it is disabled, its roles give nobody anything. */
  enabled: z.boolean(),
  /** Since when the person belongs to it. */
  date: z.iso.datetime(),
  /** The roles that the person holds for it, by organization. One in a disabled organization gives nothing. */
  access: z.array(
    z.strictObject({ organizationId: Id, organization: z.string(), enabled: z.boolean(), roles: z.array(Named) }),
  ),
  /** Values of its dynamic fields that the profile shows, by code. */
  additionalInfo: z.record(z.string(), z.unknown()),
})
export type Company = z.output<typeof Company>

export const CompanyQuery = listQuery({
  filters: { search: line(100).optional() },
  sorts: ['date', 'name'],
  defaultSort: { by: 'date', order: 'desc' },
})

const common = { tag: 'companies', access: 'user' } as const
const ById = z.strictObject({ id: Id })
const errors = { notFound: 404 }

export const listCompanies = contract({
  ...common,
  name: 'listCompanies',
  method: 'GET',
  path: '/user/profile/companies',
  summary: 'The companies that the signed-in person belongs to, with requisites and the person’s roles',
  query: CompanyQuery,
  response: z.strictObject({ companies: z.array(Company), meta: ListMeta }),
})

const Leaving = z.strictObject({
  /** How many roles the person holds for the company. */
  roles: z.number().int(),
  /** Services of this domain that they can't open without these roles. */
  services: z.array(z.strictObject({ title: z.string(), titleEn: z.string().nullable() })),
  /** Whether they stop deciding about the company’s people and requests. */
  manager: z.boolean(),
  /** How many of their open invitations to the company will give nothing. */
  invitations: z.number().int(),
  /** Whether nobody else in the company decides about it. */
  lastManager: z.boolean(),
})
export type Leaving = z.output<typeof Leaving>

export const previewLeaving = contract({
  ...common,
  name: 'previewLeaving',
  method: 'GET',
  path: '/user/profile/companies/{id}/leaving',
  summary: 'What the signed-in person would lose by leaving a company',
  params: ById,
  response: Leaving,
  errors,
})

export const leaveCompany = contract({
  ...common,
  name: 'leaveCompany',
  method: 'DELETE',
  path: '/user/profile/companies/{id}',
  summary: 'Leaves a company: the person’s roles for it are gone at once, the account stays',
  snackbar: 'companyLeave',
  params: ById,
  response: Done,
  errors: { ...errors, lastAdministrator: 409 },
})
