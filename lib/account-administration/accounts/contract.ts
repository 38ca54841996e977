import { z } from 'zod'
import { RolePlace } from '@/lib/accounts/role-holders/contract'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { FieldInputs, fieldErrors } from '@/lib/fields/values/input'

const calls = areaCalls('users', '/setting/users', { one: 'User', many: 'Users', snackbar: 'user' })

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

export const sendEntryLink = contract({
  name: 'sendEntryLink',
  method: 'POST',
  path: '/setting/users/{id}/entry-link',
  summary: 'Mails somebody without a password a link that sets the first one; earlier links die',
  tag: 'users',
  access: { area: 'users' },
  snackbar: 'userEntryLink',
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

export const bulkActs = ['enable', 'disable', 'giveRole', 'takeRole', 'endSessions', 'entryLink'] as const
export type BulkAct = (typeof bulkActs)[number]

export const bulkUsers = contract({
  name: 'bulkUsers',
  method: 'POST',
  path: '/setting/users/bulk',
  summary: 'Does one thing with several accounts, each as its own call would; answers a result for each',
  tag: 'users',
  access: { area: 'users' },
  snackbar: 'userBulk',
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
