import { z } from 'zod'
import { contract, Done, line } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'

const tag = 'personal'
const path = '/user/profile/factors'
/** The present password, if the person signed in more than 15 minutes ago. */
const password = formField(z.string({ error: 'errorEmpty' }).max(1024, 'errorTooLong'))
const proofErrors = { errorPasswordNeeded: 400, errorActual: 400, signInAgain: 403, tooManyAttempts: 429 } as const
/** Shown once: they are stored as hashes. */
const recoveryCodes = z.array(z.string())

export const readOwnFactors = contract({
  name: 'readOwnFactors',
  method: 'GET',
  path,
  summary: 'The second factors that the person has set up',
  tag,
  access: 'user',
  response: z.strictObject({
    authenticatorApp: z
      .strictObject({
        since: z.iso.datetime(),
        /** How many recovery codes are left. */
        recoveryCodes: z.number().int(),
      })
      .nullable(),
  }),
})
export type OwnFactors = z.output<(typeof readOwnFactors)['response']>

export const startAuthenticatorApp = contract({
  name: 'startAuthenticatorApp',
  method: 'POST',
  path: `${path}/totp`,
  summary: 'Returns a new key for an authenticator app; nothing is stored until its first code is confirmed',
  tag,
  access: 'user',
  snackbar: 'authenticatorStart',
  body: z.strictObject({ password }),
  response: z.strictObject({
    /** In base32, to be typed into the app. */
    key: z.string(),
    /** The key’s address as a QR code: one path of an SVG of this width and height. */
    qr: z.strictObject({ size: z.number().int(), path: z.string() }),
    /** To be sent with the first code; works in this session only. */
    proof: z.string(),
  }),
  errors: { ...proofErrors, authenticatorKnown: 409 },
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

export const removeAuthenticatorApp = contract({
  name: 'removeAuthenticatorApp',
  method: 'DELETE',
  path: `${path}/totp`,
  summary: 'Removes the authenticator app and its recovery codes',
  tag,
  access: 'user',
  snackbar: 'authenticatorRemove',
  body: z.strictObject({ password }),
  response: Done,
  errors: { ...proofErrors, notFound: 404 },
  sensitive: true,
})

export const renewRecoveryCodes = contract({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: `${path}/recovery-codes`,
  summary: 'Replaces the recovery codes by ten new ones, and returns them',
  tag,
  access: 'user',
  snackbar: 'recoveryCodes',
  body: z.strictObject({ password }),
  response: z.strictObject({ recoveryCodes }),
  errors: { ...proofErrors, notFound: 404 },
  sensitive: true,
})
