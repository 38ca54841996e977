import { z } from 'zod'
import { contract, Done, line } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { codeErrors, SentCode } from '../password/contract'

export const requestDeletionCode = contract({
  name: 'requestDeletionCode',
  method: 'POST',
  path: '/user/profile/deletion/code',
  summary: 'Sends the code that allows to delete the account, to its main contact',
  tag: 'personal',
  access: 'user',
  snackbar: 'deletionCode',
  response: SentCode,
  errors: { ...codeErrors, profileReadOnly: 403, directoryAccount: 405 },
  sensitive: true,
})

export const deleteProfile = contract({
  name: 'deleteProfile',
  method: 'DELETE',
  path: '/user/profile',
  summary:
    'Deletes the person’s account for good. It takes the login as a confirmation, and the password, or a code if there is none',
  tag: 'personal',
  access: 'user',
  snackbar: 'profileDelete',
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
