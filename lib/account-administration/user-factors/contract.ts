import { z } from 'zod'
import { contract, Done, Id, requiredLine } from '@/lib/base/contracts/contract'
import { PasskeyFacts } from '@/lib/sign-in/factors/passkey/credential'
import { AppFacts } from '@/lib/sign-in/factors/totp/facts'

const common = {
  tag: 'users',
  access: { area: 'users' },
  path: '/setting/users/{id}/factors',
  params: z.strictObject({ id: Id }),
} as const

export const readUserFactors = contract({
  ...common,
  name: 'readUserFactors',
  method: 'GET',
  summary: 'The authenticator app and the passkeys of a person',
  response: z.strictObject({
    authenticatorApp: AppFacts.nullable(),
    passkeys: z.array(PasskeyFacts),
  }),
  errors: { notFound: 404 },
})

export const resetUserFactors = contract({
  ...common,
  name: 'resetUserFactors',
  method: 'DELETE',
  summary: 'Removes a person’s authenticator app and passkeys; the history has the reason, a mail tells the person',
  snackbar: 'userFactorsReset',
  body: z.strictObject({ reason: requiredLine(500) }),
  response: Done,
  errors: { notFound: 404, forbiddenUser: 403, ownFactors: 409, factorsNone: 409, lastAdministrator: 409 },
})
