import { z } from 'zod'
import { contract, Done, Id } from '@/lib/kernel/http/contract'
import { TermsAgree } from '@/lib/kernel/http/terms'
import { passwordPaths } from './paths'

const params = z.strictObject({ id: Id })
const Password = z.string({ error: 'errorEmpty' }).min(1, 'errorEmpty').max(1024, 'errorTooLong')

export const entryLinkStatus = contract({
  name: 'entryLinkStatus',
  ...passwordPaths.entryStatus,
  summary: 'Whether a first-entry password link is live',
  tag: 'passwords',
  access: 'public',
  params,
  response: Done,
  errors: { linkUsed: 400, canceledError: 403, accessError: 403, notFound: 404 },
  sensitive: true,
})

/** Sets the first-entry password; in the browser that proved the account it signs in and answers like login. */
export const setEntryPassword = contract({
  name: 'setEntryPassword',
  ...passwordPaths.entry,
  summary: 'Sets the first-entry password',
  tag: 'passwords',
  access: 'public',
  params,
  body: z.strictObject({ password: Password, repeatPassword: Password, termsAgree: TermsAgree.optional() }),
  response: z.strictObject({ next: z.literal('done'), redirect: z.string() }),
  errors: {
    errorPasswordRules: 400,
    linkUsed: 400,
    canceledError: 403,
    accessError: 403,
    termsRequired: 403,
    notFound: 404,
    conflict: 409,
  },
  sensitive: true,
})
