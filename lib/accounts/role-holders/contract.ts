import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'
import { CursorMeta, listQuery } from '@/lib/base/lists/lists'
import { namedAtMost } from '../users/named'

const Named = z.strictObject({ id: Id, name: z.string(), nameEn: z.string().nullable() })

const Holder = z.strictObject({
  /** Id of the person. */
  id: Id,
  name: z.string(),
  /** For callers who may read users; people sign in by it. */
  login: z.string().nullable(),
  enabled: z.boolean(),
  /** Where the person holds the role, the first ten places; one without names is the whole platform. */
  places: z.array(z.strictObject({ organization: Named.nullable(), contractor: Named.nullable() })),
  more: z.boolean(),
})
export type Holder = z.output<typeof Holder>

export const HolderQuery = listQuery({
  filters: { search: line(100).optional() },
  sorts: ['name'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const path = '/setting/roles/{id}/holders'
const params = z.strictObject({ id: Id })
const common = { tag: 'roles', access: { area: 'roles' }, path, params } as const

/** An organizational role names an organization, a contractor role also a contractor, a systemic role nothing. */
const place = { organizationId: Id.optional(), contractorId: Id.optional() }

/** To whom a role is given, and where. */
export const HoldersInput = z.strictObject({
  users: z
    .array(Id)
    .min(1, 'errorEmpty')
    .max(100, 'errorTooMany')
    .transform((ids) => [...new Set(ids)]),
  ...place,
})

export const listHolders = contract({
  ...common,
  name: 'listHolders',
  summary: 'The people who hold a role, and where',
  method: 'GET',
  query: HolderQuery,
  response: z.strictObject({ holders: z.array(Holder), meta: CursorMeta }),
  errors: { notFound: 404 },
})

export const addHolders = contract({
  ...common,
  name: 'addHolders',
  snackbar: 'roleHolderAdd',
  summary: 'Gives a role to people: the caller must hold its methods, and what the people hold',
  method: 'POST',
  body: HoldersInput,
  response: Done,
  errors: {
    notFound: 404,
    errorUser: 400,
    errorRolePlace: 400,
    errorRoleOrganization: 400,
    errorRoleMember: 400,
    forbiddenRole: 403,
    forbiddenUser: 403,
    lastAdministrator: 409,
  },
})

export const removeHolder = contract({
  ...common,
  name: 'removeHolder',
  snackbar: 'roleHolderRemove',
  summary: 'Takes a role from a person in one place',
  method: 'DELETE',
  query: z.strictObject({ userId: Id, ...place }),
  response: Done,
  errors: { notFound: 404, forbiddenRole: 403, forbiddenUser: 403, lastAdministrator: 409 },
})

export const searchRolePlaces = contract({
  name: 'searchRolePlaces',
  tag: 'roles',
  summary: 'Up to 50 places in which a role can be given: contractors, or organizations that are open to a contractor',
  access: { area: 'roles' },
  method: 'GET',
  path: '/setting/roles/places/search',
  query: z.strictObject({
    kind: z.enum(['organization', 'contractor']).default('organization'),
    searchValue: line(100).optional(),
    /** Only the organizations that are available to this contractor. */
    contractorId: Id.optional(),
  }),
  response: z.strictObject({ places: z.array(Named.extend({ inn: z.string().nullable() })) }),
})

/** Where a role is held, by its type: everywhere, in an organization, or for a contractor in an organization. */
export const RolePlace = z.strictObject({
  roleId: Id,
  organizationId: Id.nullable().optional(),
  contractorId: Id.nullable().optional(),
})

export const setUserRoles = contract({
  name: 'setUserRoles',
  method: 'PUT',
  path: '/setting/users/{id}/roles',
  summary: 'Replaces the roles of an account, with the places in which they are held',
  tag: 'users',
  access: { area: 'users' },
  snackbar: 'userRoles',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ ...readVersion, roles: z.array(RolePlace).max(namedAtMost, 'errorTooMany') }),
  response: Done,
  errors: {
    notFound: 404,
    conflict: 409,
    errorRole: 400,
    errorRolePlace: 400,
    errorRoleOrganization: 400,
    errorRoleMember: 400,
    forbiddenRole: 403,
    forbiddenUser: 403,
    lastAdministrator: 409,
  },
})
