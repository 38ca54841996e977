import { z } from 'zod'
import { namedAtMost } from '@/lib/accounts/users/named'
import { contract, Done, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { CursorMeta, listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'
import { PictureCode, pictureChange, pictureRemoval } from '@/lib/fields/field-pictures/contract'
import { FieldInputs, fieldErrors } from '@/lib/fields/values/input'
import { requisiteErrors, requisiteInputs, requisiteNames, requisiteOutputs } from '../requisites'

/** The fields of which each contractor has one value; a merge takes each from one of them. */
export const mergeFields = ['name', ...requisiteNames] as const
export type MergeField = (typeof mergeFields)[number]

const fields = {
  name: requiredLine(255),
  ...requisiteInputs,
  /** Ids of the organizations in which its people may hold roles. */
  availableOrganizations: z.array(Id).max(200, 'errorTooMany').default([]),
  /** Values of dynamic fields by code; those that are left out stay. */
  values: FieldInputs.default({}),
}

/**
 * Returns whether a kpp stands without the inn of a company: only companies have a kpp, and their inn has ten digits.
 */
export const isKppWithoutCompany = ({ inn, kpp }: { inn: string; kpp: string }) => kpp !== '' && inn.length !== 10

/** A company's branches have one inn of ten digits, and each has a kpp of its own. */
export const isCompanyWithoutKpp = ({ inn, kpp }: { inn: string; kpp: string }) => kpp === '' && inn.length === 10

const ContractorInput = z.strictObject(fields)
export type ContractorInput = z.output<typeof ContractorInput>
type Check = { addIssue: (issue: { code: 'custom'; message: string; path: string[] }) => void }
const refused = (message: string, check: Check) => check.addIssue({ code: 'custom', message, path: ['kpp'] })
/** A stored company may stay without a kpp, which only its row tells. */
const companyOnly = (numbers: { inn: string; kpp: string }, check: Check) => {
  if (isKppWithoutCompany(numbers)) refused('errorKppInn', check)
}
const wholeCompany = (numbers: { inn: string; kpp: string }, check: Check) => {
  companyOnly(numbers, check)
  if (isCompanyWithoutKpp(numbers)) refused('errorEmpty', check)
}

const Named = z.strictObject({ id: Id, name: z.string() })

const Contractor = z.strictObject({
  id: Id,
  name: z.string(),
  ...requisiteOutputs,
  enabled: z.boolean(),
  availableOrganizations: z.array(Named),
  /** How many people belong to it, and how many invitations to it are open. */
  people: z.number().int(),
  invitations: z.number().int(),
  updatedAt: z.iso.datetime(),
})
export type Contractor = z.output<typeof Contractor>

const ContractorCard = Contractor.extend({
  /** Values of its dynamic fields that the administration shows, by code. */
  values: z.record(z.string(), z.unknown()),
  /** How many roles its people hold for it. */
  roles: z.number().int(),
  createdAt: z.iso.datetime(),
})
export type ContractorCard = z.output<typeof ContractorCard>

export const ContractorQuery = listQuery({
  filters: {
    search: line(100).optional(),
    enabled: yesNoFilter().optional(),
    organizationId: Id.optional(),
    people: yesNoFilter().optional(),
    similarTo: Id.optional(),
  },
  sorts: ['name', 'inn', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const calls = areaCalls('contractors', '/setting/contractors', {
  one: 'Contractor',
  many: 'Contractors',
  snackbar: 'contractor',
})
const writes = {
  bodyLimit: 64 * 1024,
  errors: {
    ...requisiteErrors,
    ...fieldErrors,
    errorReadOnly: 400,
    errorKppInn: 400,
    errorOrganizationUnknown: 400,
  },
}

export const listContractors = calls.list({
  summary: 'Companies whose people use the platform; `filter[similarTo]` finds possible doubles of one',
  query: ContractorQuery,
  response: z.strictObject({ contractors: z.array(Contractor), meta: CursorMeta }),
})

export const readContractor = calls.read({
  summary: 'A contractor with its requisites, and how many people, roles and open invitations it has',
  response: ContractorCard,
})

export const createContractor = calls.create({
  summary: 'Creates a contractor',
  body: ContractorInput.superRefine(wholeCompany),
  ...writes,
})

export const updateContractor = calls.update({
  summary:
    'Replaces a contractor’s requisites and available organizations; roles in an organization that is taken away go too',
  body: ContractorInput.extend(readVersion).superRefine(companyOnly),
  ...writes,
  errors: { ...writes.errors, forbiddenContractor: 403, lastAdministrator: 409 },
})

export const deleteContractor = calls.remove({
  summary: 'Deletes a contractor that has neither people nor open invitations',
  errors: { contractorUsed: 409 },
})

export const enableContractor = calls.enable({
  summary: 'Enables or disables a contractor: while it is disabled, roles for it give nobody a method',
  errors: { forbiddenContractor: 403 },
})

export const searchContractors = calls.search({
  summary: 'Up to 50 contractors for a choice: by part of the name or of the inn, or these ids',
  areas: ['users', 'roles', 'organizations', 'dynamic-fields'],
  response: z.strictObject({
    contractors: z.array(Contractor.pick({ id: true, name: true, inn: true, kpp: true, enabled: true })),
  }),
})

/** What people lose in organizations that are taken away from a contractor. */
const Loss = z.strictObject({
  organizations: z.array(Named.extend({ people: z.number().int(), roles: z.number().int() })),
  people: z.number().int(),
  roles: z.number().int(),
  /** Whether the caller may take what they hold there. */
  allowed: z.boolean(),
})
export type Loss = z.output<typeof Loss>

export const previewContractor = contract({
  name: 'previewContractor',
  method: 'GET',
  path: '/setting/contractors/{id}/loss',
  summary: 'What people would lose if the contractor had these available organizations only',
  tag: 'contractors',
  access: { area: 'contractors' },
  params: z.strictObject({ id: Id }),
  query: z.strictObject({ availableOrganizations: many(Id, 200).optional() }),
  response: Loss,
  errors: { notFound: 404 },
})

const PersonRoles = z.strictObject({ organizationId: Id, organization: z.string(), roles: z.array(Named) })
const Person = z.strictObject({
  id: Id,
  name: z.string(),
  /** For callers with users.read only, because people sign in by it. */
  login: z.string().nullable(),
  enabled: z.boolean(),
  access: z.array(PersonRoles),
})
export type ContractorPerson = z.output<typeof Person>

export const ContractorPeopleQuery = listQuery({
  filters: { search: line(100).optional() },
  sorts: ['name'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

export const listContractorPeople = contract({
  name: 'listContractorPeople',
  method: 'GET',
  path: '/setting/contractors/{id}/people',
  summary: 'The people of a contractor with their roles by organization',
  tag: 'contractors',
  access: { area: 'contractors' },
  params: z.strictObject({ id: Id }),
  query: ContractorPeopleQuery,
  response: z.strictObject({ people: z.array(Person), meta: CursorMeta }),
  errors: { notFound: 404 },
})

/** A role that an open invitation wouldn't give now, and why: the first reason that applies. */
const Withheld = z.strictObject({
  reason: z.enum(['contractor', 'organization', 'unavailable', 'role', 'inviter', 'manager', 'methods']),
  role: Named,
  organization: Named,
})
const Invitation = z.strictObject({
  id: Id,
  email: z.string(),
  status: z.enum(['active', 'deactivated', 'refusal', 'success', 'autoSuccess', 'deleted']),
  /** Empty for an account without a name. */
  inviter: z.string(),
  /** How many of its roles an open invitation gives; null for one that is no longer open. */
  gives: z.enum(['all', 'part', 'nothing']).nullable(),
  withheld: z.array(Withheld),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type ContractorInvitation = z.output<typeof Invitation>

export const ContractorInvitationQuery = listQuery({
  filters: { search: line(100).optional() },
  sorts: ['createdAt'],
  defaultSort: { by: 'createdAt', order: 'desc' },
  cursor: true,
})

export const listContractorInvitations = contract({
  name: 'listContractorInvitations',
  method: 'GET',
  path: '/setting/contractors/{id}/invitations',
  summary: 'The invitations to a contractor, in any state, and which roles the open ones wouldn’t give now',
  tag: 'contractors',
  access: { area: 'contractors' },
  params: z.strictObject({ id: Id }),
  query: ContractorInvitationQuery,
  response: z.strictObject({ invitations: z.array(Invitation), meta: CursorMeta }),
  errors: { notFound: 404 },
})

/** Up to how many contractors one merge takes into another. */
export const mergedAtMost = 10
const mergePath = '/setting/contractors/merge'

const Effects = z.strictObject({
  /** How many people the target gets, without those who belong to it already, and how many roles. */
  people: z.number().int(),
  roles: z.number().int(),
  organizations: z.number().int(),
  invitations: z.number().int(),
})

const Preview = z.strictObject({
  /** The target first. Each with its version. */
  contractors: z.array(
    Contractor.pick({ id: true, name: true, enabled: true, people: true, updatedAt: true }).extend({
      fields: z.record(z.enum(mergeFields), z.string()),
    }),
  ),
  /** Fields in which they differ, with what the target gets if nothing is chosen. */
  conflicts: z.array(z.strictObject({ field: z.enum(mergeFields), from: Id })),
  effects: Effects,
  /** Whether the caller may give and take what people hold for them. */
  allowed: z.boolean(),
})
export type MergePreview = z.output<typeof Preview>

export const previewContractorMerge = contract({
  name: 'previewContractorMerge',
  method: 'GET',
  path: mergePath,
  summary: 'What merging contractors into another one would do, and in which fields they differ',
  tag: 'contractors',
  access: { area: 'contractors' },
  query: z.strictObject({ targetId: Id, sourceIds: many(Id, mergedAtMost) }),
  response: Preview,
  errors: { notFound: 404, errorContractor: 400 },
})

export const mergeContractors = contract({
  name: 'mergeContractors',
  method: 'POST',
  path: mergePath,
  summary:
    'Merges contractors into another one, which gets their people, roles, organizations and invitations; they are deleted',
  tag: 'contractors',
  access: { area: 'contractors' },
  snackbar: 'contractorMerge',
  body: z.strictObject({
    targetId: Id,
    sourceIds: z.array(Id).min(1, 'errorEmpty').max(mergedAtMost, 'errorTooMany'),
    /**
     * By field: the id of the contractor whose value is kept; by default the target’s, or the first that isn’t empty.
     */
    take: z.partialRecord(z.enum(mergeFields), Id).default({}),
    /** By id: the version that was read. */
    versions: z.record(Id, z.iso.datetime({ error: 'errorFormat' })).default({}),
  }),
  response: Effects,
  errors: {
    notFound: 404,
    conflict: 409,
    errorContractor: 400,
    errorKppInn: 400,
    errorUnique: 400,
    forbiddenContractor: 403,
  },
})

const picture = {
  tag: 'contractors',
  access: { area: 'contractors' },
  path: '/setting/contractors/{id}/pictures/{code}',
} as const
const byCode = z.strictObject({ id: Id, code: PictureCode })

export const patchContractorPicture = contract({
  ...picture,
  ...pictureChange,
  name: 'patchContractorPicture',
  method: 'PATCH',
  summary: 'Replaces the picture in a field of a contractor',
  params: byCode,
})

export const deleteContractorPicture = contract({
  ...picture,
  ...pictureRemoval,
  name: 'deleteContractorPicture',
  method: 'DELETE',
  summary: 'Removes the picture in a field of a contractor',
  params: byCode,
})

export const setUserContractors = contract({
  name: 'setUserContractors',
  method: 'PUT',
  path: '/setting/users/{id}/contractors',
  summary: 'Replaces the contractors of an account; roles that it holds for one that is taken away go too',
  tag: 'users',
  access: { area: 'users' },
  snackbar: 'userContractors',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ ...readVersion, contractors: z.array(Id).max(namedAtMost, 'errorTooMany') }),
  response: Done,
  errors: { notFound: 404, conflict: 409, errorContractor: 400, forbiddenUser: 403, lastAdministrator: 409 },
})
