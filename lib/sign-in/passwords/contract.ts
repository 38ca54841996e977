import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { TermsAgree } from '@/lib/base/http/terms'

const params = z.strictObject({ id: Id })
const Password = z.string({ error: 'errorEmpty' }).min(1, 'errorEmpty').max(1024, 'errorTooLong')

const NewPassword = z.strictObject({
  password: Password,
  repeatPassword: Password,
  termsAgree: formField(TermsAgree),
})
const passwordErrors = {
  errorPasswordRules: 400,
  errorPasswordBreached: 400,
  errorPasswordPersonal: 400,
  errorPasswordRecent: 400,
  errorMatch: 400,
  linkUsed: 400,
  canceledError: 403,
  accessError: 403,
  termsRequired: 403,
  notFound: 404,
  conflict: 409,
  tooManyAttempts: 429,
} as const

/**
 * Requests a recovery link. The answer is the same for every e-mail, except in mail domains that a directory claims.
 */
export const passwordLink = contract({
  name: 'passwordLink',
  method: 'POST',
  path: '/password/link',
  summary: 'Asks for a password recovery link by e-mail',
  tag: 'passwords',
  access: 'public',
  snackbar: 'passwordLink',
  body: z.strictObject({ email: line(1024) }),
  response: z.strictObject({ resendIn: z.number().int().meta({ description: 'Seconds until it may be asked again' }) }),
  errors: { errorEmail: 400, directoryAccount: 405, recoveryDailyLimit: 429, tooManyAttempts: 429 },
  sensitive: true,
})

export const passwordLinkStatus = contract({
  name: 'passwordLinkStatus',
  method: 'GET',
  path: '/password/link/status/{id}',
  summary: 'Whether a recovery link is live, and what must be agreed to with it',
  tag: 'passwords',
  access: 'public',
  params,
  response: Done,
  errors: { linkUsed: 400, canceledError: 403, accessError: 403, termsRequired: 403, notFound: 404 },
  sensitive: true,
})

/**
 * Sets a new password by a recovery link. The answer redirects a person who was signed in by it to their destination,
 * and anybody else to the sign-in page.
 */
export const setPassword = contract({
  name: 'setPassword',
  method: 'PUT',
  path: '/password/{id}',
  summary:
    'Sets a new password by a recovery link, and ends the account’s sessions. It signs in unless more than a password is demanded',
  tag: 'passwords',
  access: 'public',
  snackbar: 'passwordUpdate',
  params,
  body: NewPassword,
  response: z.strictObject({ next: z.literal('done'), redirect: z.string() }),
  errors: passwordErrors,
  sensitive: true,
})

export const entryLinkStatus = contract({
  name: 'entryLinkStatus',
  method: 'GET',
  path: '/password/entry/link/status/{id}',
  summary: 'Whether a first-entry password link is live',
  tag: 'passwords',
  access: 'public',
  params,
  response: Done,
  errors: { linkUsed: 400, canceledError: 403, accessError: 403, notFound: 404 },
  sensitive: true,
})

/** Sets the first-entry password. In the browser that proved the account it signs in and answers like authLogin. */
export const setEntryPassword = contract({
  name: 'setEntryPassword',
  method: 'PUT',
  path: '/password/entry/{id}',
  summary: 'Sets the first-entry password',
  tag: 'passwords',
  access: 'public',
  snackbar: 'passwordSet',
  params,
  body: NewPassword,
  response: z.strictObject({ next: z.literal('done'), redirect: z.string() }),
  errors: { ...passwordErrors, errorPasswordSame: 400 },
  sensitive: true,
})

export const resetUserPassword = contract({
  name: 'resetUserPassword',
  method: 'POST',
  path: '/setting/users/{id}/password/reset',
  summary: 'Takes somebody’s password away, ends their sessions, and mails them a link to set another one',
  tag: 'users',
  access: { area: 'users' },
  snackbar: 'userPasswordReset',
  params: z.strictObject({ id: Id }),
  response: Done,
  errors: { notFound: 404, forbiddenUser: 403, directoryAccount: 409, userDisabled: 409, userWithoutEmail: 409 },
})
