import { z } from 'zod'
import { contract, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { Counted, CursorMeta, listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'

export const RoleType = z.enum(['systemic', 'organizational', 'contractor'], { error: 'errorFormat' })
export type RoleType = z.output<typeof RoleType>

const methods = z
  .array(Id)
  .max(2_000, 'errorTooMany')
  .transform((ids) => [...new Set(ids)])

const RoleInput = z.strictObject({
  name: requiredLine(100),
  nameEn: line(100).default(''),
  comment: line(500).default(''),
  /** In English; if empty, `comment` serves both languages. */
  commentEn: line(500).default(''),
  roleType: RoleType,
  /** Ids of the methods that the role gives. */
  methods: methods.default([]),
})
export type RoleInput = z.output<typeof RoleInput>

/** The most holders of a role that its page and lists count. */
export const countedHolders = 1_000

const RoleRow = z.strictObject({
  id: Id,
  /** Shipped roles and the roles of methods have a code. */
  code: z.string().nullable(),
  name: z.string(),
  nameEn: z.string().nullable(),
  comment: z.string(),
  commentEn: z.string().nullable(),
  roleType: RoleType,
  enabled: z.boolean(),
  /** Whether the role is shipped: it can't be deleted, and its code and type can't change. */
  immutable: z.boolean(),
  updatedAt: z.iso.datetime(),
})
const ListedRole = RoleRow.extend({ methodCount: z.number().int(), holders: Counted })
export type ListedRole = z.output<typeof ListedRole>

const Method = z.strictObject({
  id: Id,
  code: z.string(),
  name: z.string(),
  nameEn: z.string().nullable(),
  kind: z.enum(['systemic', 'application']),
  /** The application of the method; null for a method of the platform. */
  application: z.strictObject({ id: Id, code: z.string(), name: z.string(), nameEn: z.string().nullable() }).nullable(),
  /** Whether the caller may give and take it. */
  grantable: z.boolean(),
})
export type Method = z.output<typeof Method>

/** A use because of which a role can't be deleted, with the number of such uses. */
const Usage = z.strictObject({ place: z.enum(['schemas', 'invitations', 'defaultUserRole']), count: z.number().int() })
export type Usage = z.output<typeof Usage>

const Role = ListedRole.extend({ methods: z.array(Method), usedIn: z.array(Usage) })
export type Role = z.output<typeof Role>

export const RoleQuery = listQuery({
  filters: {
    search: line(100).optional(),
    roleType: many(RoleType, 3).optional(),
    enabled: yesNoFilter().optional(),
    method: Id.optional(),
  },
  sorts: ['name', 'roleType', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const path = '/setting/roles'
const calls = areaCalls('roles', path, { one: 'Role', many: 'Roles', snackbar: 'role' })
const ById = z.strictObject({ id: Id })
const limits = { bodyLimit: 256 * 1024, errors: { errorUnique: 400, errorMethodUnknown: 400, forbiddenRole: 403 } }

export const listRoles = calls.list({
  summary: 'Roles, with the number of their methods and holders; `filter[method]` finds those that give a method',
  query: RoleQuery,
  response: z.strictObject({ roles: z.array(ListedRole), meta: CursorMeta }),
})

export const createRole = calls.create({
  summary: 'Creates a role; the caller must hold each of its methods',
  body: RoleInput,
  ...limits,
})

export const readRole = calls.read({
  summary: 'A role with its methods, and what uses it',
  response: z.strictObject({ role: Role }),
})

export const updateRole = calls.update({
  summary: 'Replaces a role; the caller must hold each method that is added or removed',
  body: RoleInput.extend(readVersion),
  ...limits,
  errors: {
    ...limits.errors,
    errorRoleFixed: 400,
    errorRoleHeld: 400,
    errorAdministratorMethods: 400,
    errorRoleOfMethod: 400,
    errorDefaultRole: 400,
  },
})

export const deleteRole = calls.remove({
  summary: 'Deletes a role that nobody holds and nothing uses',
  errors: { roleFixed: 409, roleHeld: 409, roleUsed: 409, forbiddenRole: 403 },
})

export const enableRole = calls.enable({
  summary: 'Enables or disables a role; a disabled one gives nobody its methods',
  errors: { forbiddenRole: 403, lastAdministrator: 409 },
})

export const roleEffect = contract({
  name: 'roleEffect',
  tag: 'roles',
  summary: 'How many people would gain or lose methods by a change of a role; nothing is changed',
  access: { area: 'roles' },
  method: 'GET',
  path: `${path}/{id}/effect`,
  params: ById,
  query: z.strictObject({
    /** Ids of methods that the role would get, and of those that it would lose. */
    give: many(Id, 150).optional(),
    take: many(Id, 150).optional(),
    /** Whether the role would be enabled; all its methods count then. */
    enabled: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional(),
  }),
  response: z.strictObject({
    /** For how many people the role is in effect, or would be; up to a limit. */
    people: Counted,
    /** How many of these would gain a method that no other role gives them, and how many would lose one. */
    gain: z.number().int(),
    lose: z.number().int(),
  }),
  errors: { notFound: 404 },
})

const choiceQuery = { searchValue: line(100).optional(), ids: many(Id, 100).optional() }

export const searchRoles = contract({
  name: 'searchRoles',
  tag: 'roles',
  summary: 'Up to 50 roles for a choice: by part of the name, of a type, or these ids',
  access: {
    areas: [
      'roles',
      'settings',
      'authentication-schemas',
      'users',
      'organizations',
      'contractors',
      'providers',
      'integration',
    ],
  },
  method: 'GET',
  path: `${path}/search`,
  query: z.strictObject({ ...choiceQuery, roleType: RoleType.optional() }),
  response: z.strictObject({
    roles: z.array(RoleRow.pick({ id: true, name: true, nameEn: true, roleType: true, enabled: true })),
  }),
})

export const listMethods = contract({
  name: 'listMethods',
  tag: 'roles',
  summary: 'All methods that roles may give, and which of them the caller may grant',
  access: { area: 'roles' },
  method: 'GET',
  path: `${path}/methods`,
  response: z.strictObject({ methods: z.array(Method) }),
})

export const searchMethods = contract({
  name: 'searchMethods',
  tag: 'roles',
  summary: 'Up to 50 methods for a choice: by part of the name or code, of a kind, or these ids',
  access: { areas: ['roles', 'providers', 'applications'] },
  method: 'GET',
  path: `${path}/methods/search`,
  query: z.strictObject({ ...choiceQuery, accessType: z.enum(['systemic', 'application']).optional() }),
  response: z.strictObject({ methods: z.array(Method.omit({ grantable: true })) }),
})
