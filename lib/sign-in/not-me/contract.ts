import { z } from 'zod'
import { contract, Id } from '@/lib/base/contracts/contract'

export const reportSignIn = contract({
  name: 'reportSignIn',
  method: 'POST',
  path: '/auth/sign-in/{id}/report',
  summary: 'Says, by the link of a mail, that a sign-in was somebody else’s: ends it and closes the password',
  tag: 'sign-in',
  access: 'public',
  snackbar: 'signInReport',
  params: z.strictObject({ id: Id }),
  response: z.strictObject({
    /** The address where the person sets a new password; null if the account has none here. */
    redirect: z.string().nullable(),
  }),
  errors: { linkUsed: 400, canceledError: 403, accessError: 403, notFound: 404, conflict: 409, tooManyAttempts: 429 },
  sensitive: true,
})
