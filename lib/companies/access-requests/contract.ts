import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { CursorMeta, listQuery, many } from '@/lib/base/lists/lists'
import { requisiteErrors, requisiteInputs } from '../requisites'

export const requestStatuses = ['considered', 'approved', 'failure', 'duplicate', 'remove'] as const
export type RequestStatus = (typeof requestStatuses)[number]

/** Up to how many companies one form asks for. */
export const companiesAtMost = 10

const AskedRole = z.strictObject({ roleId: Id, roleName: z.string() })

const Row = z.strictObject({
  requestId: Id,
  requestDate: z.iso.datetime(),
  /** When it was decided or revoked. */
  responseDate: z.iso.datetime().nullable(),
  requestCompanyName: z.string(),
  requestCompanyInn: z.string(),
  requestCompanyKpp: z.string(),
  requestCompanyRoles: z.array(AskedRole),
  /** The contractor that the person got access to. */
  responseCompanyName: z.string().nullable(),
  responseCompanyInn: z.string().nullable(),
  responseCompanyTax: z.string().nullable(),
  status: z.enum(requestStatuses),
  /** Why it was refused; else empty. */
  reason: z.string(),
})
export type AccessRequest = z.output<typeof Row>

const IncomingRow = Row.extend({
  user: z.strictObject({
    id: Id,
    name: z.string(),
    email: z.string().nullable(),
    /** Whether the account is enabled: a disabled one gets no access. */
    enabled: z.boolean(),
  }),
  /** Who decided, if the account still exists. */
  decider: z.string().nullable(),
})
export type IncomingRequest = z.output<typeof IncomingRow>

export const AccessRequestQuery = listQuery({
  filters: { search: line(100).optional(), status: many(z.enum(requestStatuses)).optional() },
  sorts: ['requestDate', 'responseDate', 'requestCompanyName'],
  defaultSort: { by: 'requestDate', order: 'desc' },
  cursor: true,
})

const common = { tag: 'access-requests', access: 'user' } as const
const path = '/user/access/requests'

export const listAvailableRoles = contract({
  ...common,
  name: 'listAvailableRoles',
  method: 'GET',
  path: `${path}/roles/available`,
  summary: 'The roles that people can ask for, with the services of this domain that each opens',
  response: z.strictObject({
    roles: z.array(
      z.strictObject({
        roleId: Id,
        name: z.string(),
        comment: z.string(),
        roleType: z.literal('contractor'),
        services: z.array(z.strictObject({ code: z.string(), title: z.string(), titleEn: z.string().nullable() })),
      }),
    ),
  }),
})

export const listAccessRequests = contract({
  ...common,
  name: 'listAccessRequests',
  method: 'GET',
  path,
  summary: 'The access requests of the signed-in person',
  query: AccessRequestQuery,
  response: z.strictObject({ requests: z.array(Row), meta: CursorMeta }),
})

const { inn, kpp } = requisiteInputs
const AskedRow = z.strictObject({
  name: line(255).default(''),
  inn: inn,
  kpp: kpp,
  /** Ids of the roles that the person asks for. */
  roles: z.array(Id).max(50, 'errorTooMany').default([]),
})

/** Returns whether a row is empty. Empty rows after the first one are left out. */
export const isEmptyRow = ({ name, inn, kpp, roles }: z.output<typeof AskedRow>) =>
  name === '' && inn === '' && kpp === '' && roles.length === 0

/** Returns whether the parts of a row have their types, whatever else is wrong with them. */
const isRow = (row: unknown): row is z.output<typeof AskedRow> => {
  const { name, inn, kpp, roles } = (row ?? {}) as Record<string, unknown>
  return [name, inn, kpp].every((text) => typeof text === 'string') && Array.isArray(roles)
}

/** A field that a row needs if it has any other. Its absence is reported also if another field is wrong. */
const needed = (field: 'name' | 'inn' | 'kpp') => ({
  path: [field],
  error: 'errorEmpty',
  when: ({ value }: { value: unknown }) => isRow(value),
})
const AskedCompany = AskedRow.refine((row) => row.name !== '' || isEmptyRow(row), needed('name'))
  .refine((row) => row.inn !== '' || isEmptyRow(row), needed('inn'))
  // a branch is another company, and its inn alone doesn't say which
  .refine((row) => row.kpp !== '' || !/^\d{10}$/.test(row.inn), needed('kpp'))
export type AskedCompany = z.output<typeof AskedCompany>

export const createAccessRequests = contract({
  ...common,
  name: 'createAccessRequests',
  method: 'POST',
  path,
  summary: 'Asks for access to companies: a request for each. Rows after the first that are empty are left out',
  snackbar: 'accessRequestCreate',
  body: z.strictObject({ companies: z.array(AskedCompany).min(1, 'errorEmpty').max(companiesAtMost, 'errorTooMany') }),
  response: z.strictObject({ requests: z.array(z.strictObject({ requestId: Id })) }),
  errors: {
    errorInn: requisiteErrors.errorInn,
    errorKpp: requisiteErrors.errorKpp,
    errorKppInn: 400,
    errorRole: 400,
    errorRepeated: 400,
    accessRequestsOff: 403,
    requestConsidered: 409,
    tooManyAttempts: 429,
  },
})

export const revokeAccessRequest = contract({
  ...common,
  name: 'revokeAccessRequest',
  method: 'DELETE',
  path: `${path}/{requestId}`,
  summary: 'Revokes an access request that is not decided yet',
  snackbar: 'accessRequestRevoke',
  params: z.strictObject({ requestId: Id }),
  response: Done,
  errors: { notFound: 404, requestDecided: 409 },
})

const master = { tag: 'access-requests', access: { method: 'masterAccountAccess' } } as const

export const listIncomingRequests = contract({
  ...master,
  name: 'listIncomingRequests',
  method: 'GET',
  path: '/master-account/access/requests',
  summary: 'The access requests of others on which the caller may decide: those that name a company they manage',
  query: AccessRequestQuery,
  response: z.strictObject({ requests: z.array(IncomingRow), meta: CursorMeta }),
})

/** Up to how many requests one decision takes. */
export const decidedAtMost = 100

const ContractorRoles = z
  .array(z.strictObject({ organizationId: Id, rolesIds: z.array(Id).max(100, 'errorTooMany') }))
  .max(200, 'errorTooMany')

/**
 * The approval form as the documents have it; a decision ignores what it doesn't need. If the form names a decision, it
 * must be the one of the call.
 */
const form = <S extends 'deny' | 'contractor' | 'allow' | 'duplicate'>(responseStatus: S) => ({
  requestIds: z.array(Id).min(1, 'errorEmpty').max(decidedAtMost, 'errorTooMany'),
  responseStatus: z.literal(responseStatus, { error: 'errorResponseStatus' }).optional(),
  reason: line(500).default(''),
  contractorId: Id.or(z.literal('')).nullish(),
  contractorRoles: ContractorRoles.default([]),
})

const Results = z.strictObject({
  results: z.array(
    z.strictObject({
      requestId: Id,
      /** The code of the failure, or null. A decision on a single request fails with it instead. */
      code: z.string().nullable(),
      /** Of requestDecided: who decided, if their account still exists, and when. */
      decided: z
        .strictObject({
          at: z.iso.datetime(),
          by: z.strictObject({ name: z.string(), you: z.boolean() }).nullable(),
        })
        .optional(),
    }),
  ),
})
export type DecisionResult = z.output<typeof Results>['results'][number]

const decision = { method: 'POST', response: Results, bodyLimit: 256 * 1024 } as const
const approve = '/master-account/access/requests/approve'
const decided = { notFound: 404, requestDecided: 409, errorResponseStatus: 400 }
const granting = {
  requesterDisabled: 409,
  errorOrganization: 400,
  errorRole: 400,
  forbiddenRole: 403,
  forbiddenUser: 403,
  lastAdministrator: 409,
}

export const approveWithContractor = contract({
  ...master,
  ...decision,
  name: 'approveWithContractor',
  path: `${approve}/contractor`,
  summary: 'Approves requests: their people become people of a contractor, with these roles',
  snackbar: 'accessRequestContractor',
  body: z.strictObject({ ...form('contractor'), contractorId: Id }),
  errors: { ...decided, ...granting, contractorExists: 409 },
})

export const refuseAccess = contract({
  ...master,
  ...decision,
  name: 'refuseAccess',
  path: `${approve}/failure`,
  summary: 'Refuses requests, with a reason that their people are told',
  snackbar: 'accessRequestFailure',
  body: z.strictObject({ ...form('deny'), reason: requiredLine(500) }),
  errors: decided,
})

export const markDuplicate = contract({
  ...master,
  ...decision,
  name: 'markDuplicate',
  path: `${approve}/duplicate`,
  summary: 'Marks requests as duplicates of others',
  snackbar: 'accessRequestDuplicate',
  body: z.strictObject(form('duplicate')),
  errors: decided,
})

export const allowAccess = contract({
  ...master,
  ...decision,
  name: 'allowAccess',
  path: `${approve}/allow`,
  summary: 'Approves requests whose rights are given by hand: roles for a contractor of the caller, or none',
  snackbar: 'accessRequestAllow',
  body: z.strictObject(form('allow')),
  errors: { ...decided, ...granting },
})

export const ManagedContractorQuery = listQuery({
  filters: { search: line(100).optional(), inn: line(12).optional() },
  sorts: ['name', 'inn'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const Named = z.strictObject({ id: Id, name: z.string() })

export const listManagedContractors = contract({
  ...master,
  name: 'listManagedContractors',
  method: 'GET',
  path: '/master-account/contractors',
  summary:
    'The enabled contractors that the caller manages, with the organizations in which their people may hold roles',
  query: ManagedContractorQuery,
  response: z.strictObject({
    contractors: z.array(
      z.strictObject({
        id: Id,
        name: z.string(),
        inn: z.string(),
        kpp: z.string(),
        taxNumber: z.string(),
        availableOrganizations: z.array(Named),
      }),
    ),
    meta: CursorMeta,
  }),
})

export const listGrantableRoles = contract({
  ...master,
  name: 'listGrantableRoles',
  method: 'GET',
  path: '/master-account/contractors/{id}/roles',
  summary: 'The contractor roles, and whether the caller may give each for a contractor',
  params: z.strictObject({ id: Id }),
  response: z.strictObject({
    roles: z.array(z.strictObject({ roleId: Id, name: z.string(), comment: z.string(), allowed: z.boolean() })),
  }),
  errors: { notFound: 404 },
})
