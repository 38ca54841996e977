import { z } from 'zod'
import { areaCalls, readVersion } from '@/lib/kernel/http/area-calls'
import { contract, Done, Id, line } from '@/lib/kernel/http/contract'
import { CursorMeta, listQuery, yesNoFilter } from '@/lib/kernel/lists'

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
  /** Whether the platform keeps a password of the account. */
  hasPassword: z.boolean(),
  /** Whether the person may change their own profile. */
  isEditable: z.boolean(),
  /** Up to 200. */
  roles: z.array(HeldRole),
  contractors: z.array(Named),
  /** Whether there are more roles or contractors than are named. */
  more: z.boolean(),
  /** Whether the caller holds every method that the person holds; otherwise each change answers forbiddenUser. */
  allowed: z.boolean(),
})
export type UserCard = z.output<typeof UserCard>

export const UserQuery = listQuery({
  filters: {
    search: line(100).optional(),
    enabled: yesNoFilter().optional(),
    roleId: Id.optional(),
    organizationId: Id.optional(),
    contractorId: Id.optional(),
    providerId: Id.optional(),
  },
  sorts: ['name', 'createdAt'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const calls = areaCalls('users', '/setting/users', { one: 'User', many: 'Users', notice: 'user' })

export const listUsers = calls.list({
  summary: 'Accounts; `filter[search]` looks in name, login, e-mail, mobile and external id',
  query: UserQuery,
  response: z.strictObject({ users: z.array(User), meta: CursorMeta }),
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
