import { z } from 'zod'
import { contract, Done, Id } from '@/lib/base/contracts/contract'

const common = { tag: 'account', access: 'user' } as const
const path = '/user/providers'
const params = z.strictObject({ id: Id })

const OwnProvider = z.strictObject({
  id: Id,
  name: z.string(),
  /** The linked account of the provider: its name there, and the date of the link; null without one. */
  linked: z.strictObject({ name: z.string(), date: z.iso.datetime() }).nullable(),
  /** Whether the person can link it now: it is offered here, and none of its accounts is linked. */
  linkable: z.boolean(),
})
export type OwnProvider = z.output<typeof OwnProvider>

export const listOwnProviders = contract({
  ...common,
  name: 'listOwnProviders',
  method: 'GET',
  path,
  summary: 'The providers with which the person signs in or can sign in, besides the directory that keeps the account',
  response: z.strictObject({ providers: z.array(OwnProvider) }),
})

export const linkOwnProvider = contract({
  ...common,
  name: 'linkOwnProvider',
  snackbar: 'providersLink',
  method: 'POST',
  path: `${path}/{id}/link`,
  summary: 'Begins to link an account of a provider: the person signs in there, and comes back in this browser',
  params,
  response: z.strictObject({ leads: z.string() }),
  errors: { notFound: 404, providerLinked: 409, providerDown: 400, tooManyAttempts: 429 },
  sensitive: true,
})

export const unlinkOwnProvider = contract({
  ...common,
  name: 'unlinkOwnProvider',
  snackbar: 'providersUnlink',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Unlinks an account of a provider; another way to sign in must be left',
  params,
  response: Done,
  errors: { notFound: 404, providerOnlyWay: 409 },
})
