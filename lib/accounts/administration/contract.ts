import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { fileAnswer } from '@/lib/base/contracts/file'
import { exportQuery, exportTypes } from '@/lib/base/export/query'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { CursorMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'

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

const calls = areaCalls('users', '/setting/users', { one: 'User', many: 'Users', snackbar: 'user' })

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

export const enableUser = contract({
  name: 'enableUser',
  method: 'PUT',
  path: '/setting/users/{id}/enabled',
  summary: 'Enables or disables an account: disabling ends its sessions and the tokens of applications',
  tag: 'users',
  access: { area: 'users' },
  snackbar: 'userEnabled',
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
