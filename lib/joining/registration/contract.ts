import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { TermsAgree } from '@/lib/base/http/terms'
import { furtherFields, nameFields } from '@/lib/fields/profile-fields/contract'
import { fieldErrors } from '@/lib/fields/values/input'

const Password = z.string({ error: 'errorEmpty' }).min(1, 'errorEmpty').max(1024, 'errorTooLong')
/** The GUID at the end of the link in the mail. */
const secret = Id
const mobile = requiredLine(32)

const linkErrors = {
  linkUsed: 400,
  canceledError: 403,
  accessError: 403,
  registrationDisabled: 403,
  notFound: 404,
}

/** Known and unknown e-mails get the same answer (docs/rules/registration.md#the-same-answer-for-everybody). */
export const registrationLink = contract({
  name: 'registrationLink',
  method: 'POST',
  path: '/registration/link',
  summary: 'Sends a link with which the registration of an e-mail continues',
  tag: 'registration',
  access: 'public',
  snackbar: 'registrationLink',
  body: z.strictObject({
    ...nameFields,
    email: requiredLine(),
    termsAgree: formField(TermsAgree),
  }),
  response: z.strictObject({
    /** Seconds until a link may be requested again. */
    resendIn: z.number().int(),
  }),
  errors: {
    errorEmail: 400,
    termsRequired: 403,
    registrationDisabled: 403,
    directoryAccount: 405,
    registrationDailyLimit: 429,
    registrationEmailLimit: 429,
  },
  sensitive: true,
})

export const registrationStatus = contract({
  name: 'registrationStatus',
  method: 'GET',
  path: '/registration/status/{id}',
  summary: 'Whether a registration link is live',
  tag: 'registration',
  access: 'public',
  params: z.strictObject({ id: secret }),
  response: Done,
  errors: { ...linkErrors, termsRequired: 403 },
  sensitive: true,
})

export const registrationCode = contract({
  name: 'registrationCode',
  method: 'POST',
  path: '/registration/code',
  summary: 'Sends a code that proves the mobile of a registration',
  tag: 'registration',
  access: 'public',
  snackbar: 'registrationCode',
  body: z.strictObject({ mobile, secret }),
  response: z.strictObject({
    /** End of the code's validity, ISO 8601 UTC; null if this registration has no live code. */
    endTime: z.iso.datetime().nullable(),
    /** Seconds until a code may be requested again. */
    resendIn: z.number().int(),
  }),
  errors: { ...linkErrors, errorMobile: 400, codeDailyLimit: 429, tooManyAttempts: 429, smsUnavailable: 503 },
  sensitive: true,
})

export const registrationVerify = contract({
  name: 'registrationVerify',
  method: 'PUT',
  path: '/registration/verify',
  summary: 'Proves the mobile of a registration by the code sent to it',
  tag: 'registration',
  access: 'public',
  snackbar: 'registrationVerify',
  body: z.strictObject({ mobile, secret, code: requiredLine(8) }),
  response: Done,
  errors: {
    ...linkErrors,
    errorMobile: 400,
    errorCode: 400,
    errorCodeExpired: 400,
    errorCodeAttempts: 400,
    errorMobileRegistered: 400,
    tooManyAttempts: 429,
  },
  sensitive: true,
})

/** Creates the account and signs in; answers like authLogin. */
export const registrationComplete = contract({
  name: 'registrationComplete',
  method: 'POST',
  path: '/registration/complete',
  summary: 'Creates the account of a registration and signs it in',
  tag: 'registration',
  access: 'public',
  snackbar: 'registrationComplete',
  body: z.strictObject({
    secret,
    password: Password,
    repeatPassword: Password,
    mobile: formField(line(32)),
    /** Only needed if `registration/verify` has not proven the mobile. */
    code: formField(line(8)),
    termsAgree: formField(TermsAgree),
    /** Known since the first step; names that are sent again replace those. */
    ...nameFields,
    email: formField(line()),
    ...furtherFields,
  }),
  response: z.strictObject({ next: z.literal('done'), redirect: z.string() }),
  errors: {
    ...linkErrors,
    errorCode: 400,
    errorCodeExpired: 400,
    errorCodeAttempts: 400,
    errorPasswordRules: 400,
    errorPasswordBreached: 400,
    errorPasswordPersonal: 400,
    errorMatch: 400,
    errorLinkEmail: 400,
    errorLogin: 400,
    errorBirthDate: 400,
    ...fieldErrors,
    errorMobile: 400,
    errorMobileUnverified: 400,
    errorMobileRegistered: 400,
    termsRequired: 403,
    directoryAccount: 405,
    linkUsed: 409,
    errorEmailRegistered: 409,
    conflict: 409,
    tooManyAttempts: 429,
  },
  sensitive: true,
})
