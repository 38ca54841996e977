import { z } from 'zod'
import { contract, line } from '@/lib/base/contracts/contract'
import { trialScopes } from './scopes'

export const startClientTrial = contract({
  name: 'startClientTrial',
  tag: 'applications',
  access: { area: 'applications' },
  method: 'POST',
  path: '/setting/applications/client/{clientId}/trial',
  summary: 'Begins a trial sign-in with this client; the caller alone, in this session, goes on at the address',
  snackbar: 'clientTrial',
  sensitive: true,
  params: z.strictObject({ clientId: line(64).regex(/^[\w-]{1,64}$/, 'errorFormat') }),
  body: z.strictObject({
    scopes: z
      .array(z.enum(trialScopes, { error: 'errorFormat' }))
      .max(trialScopes.length, 'errorTooMany')
      .transform((scopes) => trialScopes.filter((scope) => scopes.includes(scope))),
  }),
  response: z.strictObject({
    /** The authorization request, at the platform itself. */
    address: z.string(),
  }),
  errors: {
    trialElsewhere: 409,
    trialUnusable: 409,
    trialWithKeys: 409,
    trialWithoutPeople: 409,
    notFound: 404,
  },
})
