import { z } from 'zod'
import { Id, LatinCode, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { Counted, CursorMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'
import { requisiteErrors, requisiteInputs, requisiteOutputs } from '../requisites'

const OrganizationInput = z.strictObject({
  name: requiredLine(255),
  /** In English; if empty, `name` serves both languages. */
  nameEn: line(255).default(''),
  /** If there is none, it is made from the name. */
  code: LatinCode.optional(),
  ...requisiteInputs,
})
export type OrganizationInput = z.output<typeof OrganizationInput>

const Organization = z.strictObject({
  id: Id,
  name: z.string(),
  nameEn: z.string(),
  /** Empty for an organization of an earlier version, until it is saved. */
  code: z.string(),
  enabled: z.boolean(),
  ...requisiteOutputs,
  /** People who hold roles in it. */
  people: Counted,
  /** Contractors that have it available. */
  contractors: Counted,
  /** Open invitations that give roles in it. */
  invitations: Counted,
  updatedAt: z.iso.datetime(),
})
export type Organization = z.output<typeof Organization>

const OrganizationCard = Organization.extend({
  createdAt: z.iso.datetime(),
})
export type OrganizationCard = z.output<typeof OrganizationCard>

export const OrganizationQuery = listQuery({
  filters: { search: line(100).optional(), enabled: yesNoFilter().optional() },
  sorts: ['name', 'code', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

/** The contractors of a card; sorted by name. */
export const OrganizationContractorQuery = listQuery({
  filters: { search: line(100).optional() },
  sorts: ['name'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const calls = areaCalls('organizations', '/setting/organizations', {
  one: 'Organization',
  many: 'Organizations',
  snackbar: 'organization',
})
const written = { errorUnique: 400, ...requisiteErrors } as const

export const listOrganizations = calls.list({
  summary: 'Companies of the platform’s owner, in which roles are held; counts of at most 100',
  query: OrganizationQuery,
  response: z.strictObject({ organizations: z.array(Organization), meta: CursorMeta }),
})

export const createOrganization = calls.create({
  summary: 'Creates an organization; by default its code is made from the name',
  body: OrganizationInput,
  response: z.strictObject({ id: Id, code: z.string() }),
  errors: written,
})

export const readOrganization = calls.read({
  summary: 'An organization with its requisites and what uses it; counts of at most 10 000',
  response: OrganizationCard,
})

export const updateOrganization = calls.update({
  summary: 'Replaces an organization’s fields; with `updatedAt` as read only if nobody saved it meanwhile',
  body: OrganizationInput.extend(readVersion),
  errors: written,
})

export const enableOrganization = calls.enable({
  summary: 'Enables or disables an organization: roles in a disabled one give nobody their methods',
  errors: { forbiddenOrganization: 403, lastAdministrator: 409 },
})

export const deleteOrganization = calls.remove({
  summary: 'Deletes an organization that nothing uses: no role, no contractor, no open invitation',
  errors: { forbiddenOrganization: 403, organizationUsed: 409 },
})

export const searchOrganizations = calls.search({
  summary: 'Up to 50 organizations for a choice: by part of the name, the code or the inn, or these ids',
  areas: ['contractors', 'roles', 'users'],
  response: z.strictObject({
    organizations: z.array(Organization.pick({ id: true, name: true, nameEn: true, code: true, enabled: true })),
  }),
})
