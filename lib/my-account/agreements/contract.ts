import { z } from 'zod'
import { contract, Done, Id } from '@/lib/base/contracts/contract'

export const setAgreement = contract({
  name: 'setAgreement',
  method: 'PUT',
  path: '/user/agreements/{id}',
  summary: 'Agrees to the current version of an agreement, refuses it, or takes an earlier consent back',
  tag: 'personal',
  access: 'user',
  snackbar: 'agreementSet',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({
    agree: z.boolean({ error: 'errorFormat' }),
    /** The version that the person has read. */
    version: z.number().int(),
  }),
  response: Done,
  errors: { notFound: 404, agreementRequired: 403, conflict: 409 },
})
