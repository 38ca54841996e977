import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { NewPasskey, PasskeyFacts, PasskeySignature } from '@/lib/sign-in/factors/passkey/credential'
import { SetUpNeeds } from '../factors/contract'

const tag = 'personal'
const path = '/user/profile/passkeys'
const password = formField(z.string({ error: 'errorEmpty' }).max(1024, 'errorTooLong'))
const params = z.strictObject({ id: Id })
/** What somebody sends to prove who they are. */
const proofs = z.strictObject({
  password,
  code: formField(line(16)),
  /** A code of the authenticator app, or a recovery code. */
  appCode: formField(line(32)),
  /** A signature by a passkey of the person, over a challenge of `passkeyOptions`. */
  passkey: PasskeySignature.optional(),
})
const proofFaults = {
  errorPasswordNeeded: 400,
  errorCodeNeeded: 400,
  errorActual: 400,
  errorCode: 400,
  errorCodeExpired: 400,
  errorCodeAttempts: 400,
  errorPasskey: 400,
  errorPasskeyUnknown: 400,
  signInAgain: 403,
  tooManyAttempts: 429,
} as const

export const listOwnPasskeys = contract({
  name: 'listOwnPasskeys',
  method: 'GET',
  path,
  summary: 'The passkeys of the person, and what setting up another one asks for now',
  tag,
  access: 'user',
  response: z.strictObject({
    passkeys: z.array(PasskeyFacts),
    /** Whether passkeys sign this person in: whether their schema names them, and the platform has them. */
    signIn: z.boolean(),
    needs: SetUpNeeds,
    /** What browsers are told, so that they offer these passkeys only (`signalAllAcceptedCredentials`). */
    signal: z.strictObject({ rpId: z.string(), userId: z.string(), allAcceptedCredentialIds: z.array(z.string()) }),
  }),
})
export type OwnPasskeys = z.output<(typeof listOwnPasskeys)['response']>

export const startPasskey = contract({
  name: 'startPasskey',
  method: 'POST',
  path: `${path}/options`,
  summary: 'Returns what a browser needs to make a passkey; nothing is stored until it is sent',
  tag,
  access: 'user',
  snackbar: 'passkeyAdd',
  body: proofs,
  response: z.strictObject({
    /** `PublicKeyCredentialCreationOptionsJSON`. */
    options: z.looseObject({ challenge: z.string() }),
    /** To be sent with the passkey; works for 15 minutes, in this session only. */
    proof: z.string(),
  }),
  errors: {
    ...proofFaults,
    notFound: 404,
    passkeyLimit: 409,
  },
  sensitive: true,
})
export type PasskeyStart = z.output<(typeof startPasskey)['response']>

export const addPasskey = contract({
  name: 'addPasskey',
  method: 'POST',
  path,
  summary: 'Stores a passkey that the browser has made',
  tag,
  access: 'user',
  snackbar: 'passkeyAdd',
  body: z.strictObject({ proof: line(1024), passkey: NewPasskey }),
  response: Done,
  errors: { errorPasskey: 400, passkeyStale: 409, passkeyKnown: 409 },
  bodyLimit: 32 * 1024,
  sensitive: true,
})

export const renamePasskey = contract({
  name: 'renamePasskey',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Names a passkey',
  tag,
  access: 'user',
  snackbar: 'passkeyRename',
  params,
  body: z.strictObject({ name: requiredLine(100) }),
  response: Done,
  errors: { notFound: 404 },
})

export const removePasskey = contract({
  name: 'removePasskey',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Removes a passkey, for the proofs that setting up another one asks for',
  tag,
  access: 'user',
  snackbar: 'passkeyRemove',
  params,
  body: proofs,
  response: Done,
  errors: {
    ...proofFaults,
    notFound: 404,
    passkeyOnlyWay: 409,
    lastAdministrator: 409,
  },
  sensitive: true,
})
