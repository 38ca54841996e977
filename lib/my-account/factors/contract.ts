import { z } from 'zod'
import { contract, Done, line } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { PasskeySignature } from '@/lib/sign-in/factors/passkey/credential'
import { AppFacts } from '@/lib/sign-in/factors/totp/facts'
import { codeErrors, SentCode } from '../password/contract'

const tag = 'personal'
const path = '/user/profile/factors'
const password = formField(z.string({ error: 'errorEmpty' }).max(1024, 'errorTooLong'))
/** Shown once: they are stored as hashes. */
const recoveryCodes = z.array(z.string())
const codeFaults = { errorCode: 400, errorCodeExpired: 400, errorCodeAttempts: 400, tooManyAttempts: 429 } as const

/** What a change of factors asks for; null: the person has to sign in again. */
export const SetUpNeeds = z.array(z.enum(['password', 'code', 'app', 'passkey'])).nullable()

export const readOwnFactors = contract({
  name: 'readOwnFactors',
  method: 'GET',
  path,
  summary: 'The second factors that the person has set up, and what a change of them asks for now',
  tag,
  access: 'user',
  response: z.strictObject({
    authenticatorApp: AppFacts.nullable(),
    /**
     * To set up an app without one: the present password, a code to the main contact, or both; else the present password
     * if the session is old. Null: the person has to sign in again.
     */
    needs: SetUpNeeds,
  }),
})
export type OwnFactors = z.output<(typeof readOwnFactors)['response']>

export const requestFactorsCode = contract({
  name: 'requestFactorsCode',
  method: 'POST',
  path: `${path}/code`,
  summary: 'Sends the code that allows to set up an authenticator app or a passkey, to the main contact',
  tag,
  access: 'user',
  snackbar: 'factorsCode',
  response: SentCode,
  errors: codeErrors,
  sensitive: true,
})

export const startAuthenticatorApp = contract({
  name: 'startAuthenticatorApp',
  method: 'POST',
  path: `${path}/totp`,
  summary: 'Returns a new key for an authenticator app; nothing is stored until its first code is confirmed',
  tag,
  access: 'user',
  snackbar: 'authenticatorStart',
  body: z.strictObject({
    password,
    code: formField(line(16)),
    /** A signature by a passkey of the person, over a challenge of `passkeyOptions`. */
    passkey: PasskeySignature.optional(),
  }),
  response: z.strictObject({
    /** In base32, to be typed into the app. */
    key: z.string(),
    /** The key’s address as a QR code: one path of an SVG of this width and height. */
    qr: z.strictObject({ size: z.number().int(), path: z.string() }),
    /** To be sent with the first code; works for 15 minutes, in this session only. */
    proof: z.string(),
  }),
  errors: {
    errorPasswordNeeded: 400,
    errorCodeNeeded: 400,
    errorActual: 400,
    ...codeFaults,
    errorPasskey: 400,
    errorPasskeyUnknown: 400,
    signInAgain: 403,
    authenticatorKnown: 409,
  },
  sensitive: true,
})
export type NewAuthenticator = z.output<(typeof startAuthenticatorApp)['response']>

export const confirmAuthenticatorApp = contract({
  name: 'confirmAuthenticatorApp',
  method: 'PUT',
  path: `${path}/totp`,
  summary: 'Stores the authenticator app after its first code, and returns ten recovery codes',
  tag,
  access: 'user',
  snackbar: 'authenticatorAdd',
  body: z.strictObject({ proof: line(1024), code: line(16) }),
  response: z.strictObject({ recoveryCodes }),
  errors: { errorCode: 400, authenticatorKnown: 409, authenticatorStale: 409 },
  sensitive: true,
})

/** The proof of a change: a code of the app or a recovery code, and the password if the session is old. */
const changeBody = z.strictObject({ password, code: line(32).min(1, 'errorEmpty') })
const changeErrors = {
  errorPasswordNeeded: 400,
  errorActual: 400,
  errorCode: 400,
  signInAgain: 403,
  notFound: 404,
  tooManyAttempts: 429,
} as const

export const removeAuthenticatorApp = contract({
  name: 'removeAuthenticatorApp',
  method: 'DELETE',
  path: `${path}/totp`,
  summary: 'Removes the authenticator app and its recovery codes, for a code of the app or a recovery code',
  tag,
  access: 'user',
  snackbar: 'authenticatorRemove',
  body: changeBody,
  response: Done,
  errors: { ...changeErrors, lastAdministrator: 409 },
  sensitive: true,
})

export const renewRecoveryCodes = contract({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: `${path}/recovery-codes`,
  summary: 'Replaces the recovery codes by ten new ones, for a code of the app or a recovery code, and returns them',
  tag,
  access: 'user',
  snackbar: 'recoveryCodes',
  body: changeBody,
  response: z.strictObject({ recoveryCodes }),
  errors: changeErrors,
  sensitive: true,
})
