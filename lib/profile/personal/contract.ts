import { z } from 'zod'
import { contract, Done, line } from '@/lib/kernel/http/contract'
import { formField } from '@/lib/kernel/http/form-fields'

export const getProfile = contract({
  name: 'getProfile',
  method: 'GET',
  path: '/user/profile',
  summary: 'The signed-in person, as the header shows them, with what their account lacks and what it may do',
  tag: 'personal',
  access: 'user',
  response: z.strictObject({
    user: z.strictObject({
      firstName: z.string(),
      initials: z.string(),
      /** Id of the picture’s file; null without a picture. */
      avatar: z.uuid().nullable(),
    }),
    accessInfo: z.strictObject({
      requiredFieldsEmpty: z.boolean(),
      /** In the order of the form. */
      requiredFieldsEmptyCodes: z.array(z.string()),
    }),
    availableActions: z.strictObject({
      /** Whether the person may change their password. */
      updatePassword: z.boolean(),
      /** Whether the person may set a first password. */
      setPassword: z.boolean(),
    }),
  }),
})

export const deleteProfile = contract({
  name: 'deleteProfile',
  method: 'DELETE',
  path: '/user/profile',
  summary:
    'Deletes the person’s account for good. It takes the login as a confirmation, and the password, or a code if there is none',
  tag: 'personal',
  access: 'user',
  notice: 'profileDelete',
  body: z.strictObject({
    login: line(1024).min(1, 'errorEmpty'),
    password: formField(z.string({ error: 'errorEmpty' }).min(1, 'errorEmpty').max(1024, 'errorTooLong')),
    code: formField(line(16)),
  }),
  response: Done,
  errors: {
    errorConfirmation: 400,
    errorActual: 400,
    errorCode: 400,
    errorCodeExpired: 400,
    errorCodeAttempts: 400,
    profileReadOnly: 403,
    directoryAccount: 405,
    lastAdministrator: 409,
    errorNoContact: 409,
    tooManyAttempts: 429,
  },
  sensitive: true,
})
