import { z } from 'zod'
import { contract, Done } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { TermsAgree } from '@/lib/base/http/terms'

export const acceptAgreements = contract({
  name: 'acceptAgreements',
  method: 'POST',
  path: '/user/agreements',
  summary: 'Agrees to what the domain asks of people who are signed in; until then their other calls answer 403',
  tag: 'personal',
  access: 'user',
  beforeTerms: true,
  snackbar: 'agreementsAccept',
  body: z.strictObject({ termsAgree: formField(TermsAgree) }),
  response: Done,
  errors: { termsRequired: 403 },
})
