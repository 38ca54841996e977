import { z } from 'zod'
import { contract, Done, line } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'

const tag = 'personal'
const path = '/user/profile/password'
const Password = z.string({ error: 'errorEmpty' }).min(1, 'errorEmpty').max(1024, 'errorTooLong')

/** The receiver of a code: the kind of contact, and as much of it as its owner needs to recognize it. */
export const SentCode = z.strictObject({
  kind: z.enum(['email', 'mobile']),
  to: z.string(),
  resendIn: z.number().int(),
  endTime: z.iso.datetime().nullable(),
})
export const codeErrors = {
  errorNoContact: 409,
  codeDailyLimit: 429,
  tooManyAttempts: 429,
  smsUnavailable: 503,
} as const

export const changePassword = contract({
  name: 'changePassword',
  method: 'PATCH',
  path,
  summary:
    'Changes the person’s password, and ends all other sessions. An account without a password takes a code in place of the present one',
  tag,
  access: 'user',
  snackbar: 'passwordChange',
  body: z.strictObject({
    actual: formField(Password),
    code: formField(line(16)),
    password: Password,
    rePassword: Password,
  }),
  response: Done,
  errors: {
    errorActual: 400,
    errorCode: 400,
    errorCodeExpired: 400,
    errorCodeAttempts: 400,
    errorPasswordRules: 400,
    errorPasswordBreached: 400,
    errorPasswordPersonal: 400,
    errorPasswordRecent: 400,
    errorMatch: 400,
    errorUnknownField: 400,
    directoryAccount: 405,
    conflict: 409,
    tooManyAttempts: 429,
  },
  sensitive: true,
})

export const requestPasswordCode = contract({
  name: 'requestPasswordCode',
  method: 'POST',
  path: `${path}/code`,
  summary: 'Sends a code to the main contact of an account without a password, which allows to set one',
  tag,
  access: 'user',
  snackbar: 'passwordCode',
  response: SentCode,
  errors: { ...codeErrors, directoryAccount: 405, passwordKnown: 409 },
  sensitive: true,
})
