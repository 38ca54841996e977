import { z } from 'zod'
import { exportQuery, exportTypes } from '@/lib/kernel/export/query'
import { areaCalls, readVersion } from '@/lib/kernel/http/area-calls'
import { contract, Done, Id, line } from '@/lib/kernel/http/contract'
import { fileAnswer } from '@/lib/kernel/http/file'
import { CursorMeta, listQuery, yesNoFilter } from '@/lib/kernel/lists'
import { FieldInputs, fieldErrors } from '@/lib/people/fields/input'

const Named = z.strictObject({ id: Id, name: z.string() })

const User = z.strictObject({
  id: Id,
  /** Empty for an account without a name. */
  name: z.string(),
  login: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  enabled: z.boolean(),
  /** The directory that keeps the account; null if the platform does. */
  provider: Named.nullable(),
  externalId: z.string().nullable(),
  /** Whether the platform keeps a password of the account. */
  hasPassword: z.boolean(),
  /** When somebody last used a session that the platform still knows. */
  lastSeenAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type User = z.output<typeof User>

/** Where somebody holds a role: everywhere, in an organization, or for a contractor in an organization. */
const HeldRole = z.strictObject({
  role: Named,
  organization: Named.nullable(),
  contractor: Named.nullable(),
  /** Whether it gives its methods now: role, organization and contractor are enabled. */
  inEffect: z.boolean(),
})

/** Up to how many roles and contractors a card names. */
export const namedAtMost = 200

const UserCard = User.extend({
  lastName: z.string(),
  firstName: z.string(),
  middleName: z.string(),
  emailVerified: z.boolean(),
  mobileVerified: z.boolean(),
  /** When the password was set. */
  passwordChangedAt: z.iso.datetime().nullable(),
  /** Whether the person may change their own profile. */
  isEditable: z.boolean(),
  /** The authentication schema chosen for this account; null if the one of its roles or the base one applies. */
  authenticationSchema: Named.nullable(),
  /** What the administration shows of the account's fields, by their codes. */
  values: z.record(z.string(), z.unknown()),
  /** Up to 200. */
  roles: z.array(HeldRole),
  contractors: z.array(Named),
  /** Whether there are more roles or contractors than are named. */
  more: z.boolean(),
  /** Whether the caller holds every method that the person holds; otherwise each change answers forbiddenUser. */
  allowed: z.boolean(),
})
export type UserCard = z.output<typeof UserCard>

const userList = {
  filters: {
    search: line(100).optional(),
    enabled: yesNoFilter().optional(),
    roleId: Id.optional(),
    organizationId: Id.optional(),
    contractorId: Id.optional(),
    providerId: Id.optional(),
    /** Nobody has used a session of the account for so many days, or ever. */
    unseenDays: z.coerce.number().int().min(1).max(3650).optional(),
    /** Whether a field is empty that the administration or the profile requires. */
    incomplete: yesNoFilter().optional(),
  },
  sorts: ['name', 'createdAt'] as const,
  defaultSort: { by: 'name', order: 'asc' } as const,
  cursor: true,
}

export const UserQuery = listQuery({ ...userList, cursor: true })

const calls = areaCalls('users', '/setting/users', { one: 'User', many: 'Users', notice: 'user' })

export const listUsers = calls.list({
  summary: 'Accounts; `filter[search]` looks in name, login, e-mail, mobile and external id',
  query: UserQuery,
  response: z.strictObject({ users: z.array(User), meta: CursorMeta }),
})

export const exportUsers = contract({
  name: 'exportUsers',
  method: 'GET',
  path: '/setting/users/export',
  summary: 'The accounts of the list as a workbook or CSV, under its filters and in its order, without pages',
  tag: 'users',
  access: { area: 'users' },
  query: exportQuery(userList),
  response: fileAnswer({ types: Object.values(exportTypes) }),
})

export const readUser = calls.read({
  summary: 'An account with its roles and contractors, and whether the caller may change it',
  response: UserCard,
})

const changeErrors = {
  ...fieldErrors,
  errorReadOnly: 400,
  errorUnknownField: 400,
  errorEmailOfDirectory: 400,
  errorBirthDate: 400,
  errorLogin: 400,
} as const

export const NewUserInput = z.strictObject({
  values: FieldInputs,
  sendLink: z.boolean({ error: 'errorFormat' }).optional(),
})

export const createUser = calls.create({
  summary:
    'Creates an account with the role of new users; `sendLink` mails a link that sets the first password. The fields are those of the card',
  body: NewUserInput,
  errors: changeErrors,
})

export const updateUser = calls.update({
  summary:
    'Changes fields of an account by their codes, whether its person may change it, and its schema; what is left out stays',
  body: z.strictObject({
    ...readVersion,
    values: FieldInputs.optional(),
    isEditable: z.boolean({ error: 'errorFormat' }).optional(),
    authenticationSchemaId: Id.nullable().optional(),
  }),
  errors: { ...changeErrors, errorDirectoryField: 400, errorSchema: 400, forbiddenUser: 403, lastAdministrator: 409 },
})

export const deleteUser = calls.remove({
  summary: 'Deletes an account with its sessions and everything that applications got; its history stays',
  errors: { forbiddenUser: 403, ownAccount: 409, lastAdministrator: 409 },
})

/** Where a role is held, by its type: everywhere, in an organization, or for a contractor in an organization. */
const RolePlace = z.strictObject({
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
  notice: 'userRoles',
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

export const setUserContractors = contract({
  name: 'setUserContractors',
  method: 'PUT',
  path: '/setting/users/{id}/contractors',
  summary: 'Replaces the contractors of an account; roles that it holds for one that is taken away go too',
  tag: 'users',
  access: { area: 'users' },
  notice: 'userContractors',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ ...readVersion, contractors: z.array(Id).max(namedAtMost, 'errorTooMany') }),
  response: Done,
  errors: { notFound: 404, conflict: 409, errorContractor: 400, forbiddenUser: 403, lastAdministrator: 409 },
})

export const sendEntryLink = contract({
  name: 'sendEntryLink',
  method: 'POST',
  path: '/setting/users/{id}/entry-link',
  summary: 'Mails somebody without a password a link that sets the first one; earlier links die',
  tag: 'users',
  access: { area: 'users' },
  notice: 'userEntryLink',
  params: z.strictObject({ id: Id }),
  response: Done,
  errors: {
    notFound: 404,
    forbiddenUser: 403,
    directoryAccount: 409,
    userDisabled: 409,
    userWithoutEmail: 409,
    userHasPassword: 409,
  },
})

export const enableUser = contract({
  name: 'enableUser',
  method: 'PUT',
  path: '/setting/users/{id}/enabled',
  summary: 'Enables or disables an account: disabling ends its sessions and the tokens of applications',
  tag: 'users',
  access: { area: 'users' },
  notice: 'userEnabled',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({
    enabled: z.boolean({ error: 'errorFormat' }),
    /** Why it is disabled, for the history. */
    reason: line(500).optional(),
    ...readVersion,
  }),
  response: Done,
  errors: { notFound: 404, conflict: 409, forbiddenUser: 403, lastAdministrator: 409 },
})

export const resetUserPassword = contract({
  name: 'resetUserPassword',
  method: 'POST',
  path: '/setting/users/{id}/password/reset',
  summary: 'Takes somebody’s password away, ends their sessions, and mails them a link to set another one',
  tag: 'users',
  access: { area: 'users' },
  notice: 'userPasswordReset',
  params: z.strictObject({ id: Id }),
  response: Done,
  errors: { notFound: 404, forbiddenUser: 403, directoryAccount: 409, userDisabled: 409, userWithoutEmail: 409 },
})

export const bulkActs = ['enable', 'disable', 'giveRole', 'takeRole', 'endSessions', 'entryLink'] as const
export type BulkAct = (typeof bulkActs)[number]

export const bulkUsers = contract({
  name: 'bulkUsers',
  method: 'POST',
  path: '/setting/users/bulk',
  summary: 'Does one thing with several accounts, each as its own call would; answers a result for each',
  tag: 'users',
  access: { area: 'users' },
  notice: 'userBulk',
  body: z
    .strictObject({
      userIds: z.array(Id).min(1, 'errorEmpty').max(100, 'errorTooMany'),
      act: z.enum(bulkActs, { error: 'errorOption' }),
      /** With `disable`: why, for the history. */
      reason: line(500).optional(),
      /** With `giveRole` and `takeRole`. */
      role: RolePlace.optional(),
    })
    .refine(({ act, role }) => role !== undefined || (act !== 'giveRole' && act !== 'takeRole'), {
      path: ['role', 'roleId'],
      error: 'errorEmpty',
    }),
  response: z.strictObject({ results: z.array(z.strictObject({ userId: Id, code: z.string().nullable() })) }),
})
