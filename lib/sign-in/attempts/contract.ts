import { z } from 'zod'
import { type CodeFlow, codeFlowIds, flowIds, provenIds } from '@/lib/access/authentication-schemas/flow-ids'
import { contract, line } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { TermsAgree } from '@/lib/base/http/terms'
import { PasskeySignature } from '../factors/passkey/credential'
import { authPaths } from './paths'

export const IdAttribute = z.enum(['login', 'email', 'mobile'])
export type IdAttribute = z.output<typeof IdAttribute>

export const FlowId = z.enum(flowIds)
export type FlowId = z.output<typeof FlowId>

/** A proven flow, or the proof of an identity provider. */
export const ProvenFlow = z.enum(provenIds)
export type ProvenFlow = z.output<typeof ProvenFlow>

/** Returns whether the code of a flow is sent when its step opens. */
export const isCodeFlow = (flow: FlowId | undefined): flow is CodeFlow => codeFlowIds.some((id) => id === flow)

const params = z.strictObject({ idAttribute: IdAttribute })
/** One of these is required; the others are empty or missing. */
const identifiers = { login: formField(line()), email: formField(line()), mobile: formField(line(32)) }

/** Starts an attempt. The answer is the same for known and unknown identifiers (docs/rules/sign-in.md#strangers). */
export const authConfig = contract({
  name: 'authConfig',
  method: 'GET',
  path: '/auth/config/{idAttribute}',
  summary: 'Starts signing in: which flows are open to this identifier',
  tag: 'sign-in',
  access: 'public',
  params,
  query: z.strictObject({
    ...identifiers,
    /** The address below /platform to which the person was going. */
    path: line(2048).optional(),
    /** `1` if the person continues here, even with an e-mail whose domain an identity provider claims. */
    here: z.literal('1').optional(),
  }),
  response: z.strictObject({
    /** Best first. */
    flows: z.array(FlowId),
    /** Seconds until a code may be requested, 0 = now. */
    resendIn: z.number().int(),
    /**
     * The address where the sign-in at the identity provider begins that claims the domain of the e-mail, with or
     * without an account.
     */
    leads: z.string().optional(),
  }),
  errors: { noFlows: 400, tooManyAttempts: 429 },
  sensitive: true,
})

/** Sends a code; the answer is the same for everybody. Within the resend time it sends nothing. */
export const authCode = contract({
  name: 'authCode',
  method: 'POST',
  path: '/auth/code/{idAttribute}',
  summary: 'Sends a code by e-mail or SMS for the attempt of this browser',
  tag: 'sign-in',
  access: 'public',
  snackbar: 'authCode',
  params,
  body: z.strictObject({ flow: z.enum(codeFlowIds), ...identifiers }),
  response: z.strictObject({
    /** Seconds until a code may be requested again. */
    resendIn: z.number().int(),
    /** End of the code's validity, ISO 8601 UTC; null if this attempt has no live code. */
    endTime: z.iso.datetime().nullable(),
  }),
  errors: { attemptExpired: 400, codeDailyLimit: 429, tooManyAttempts: 429, smsUnavailable: 503 },
  sensitive: true,
})

const NextStep = z.strictObject({
  next: z.enum(['code', 'second_factor', 'set_password', 'done']),
  /** The second factor's flows, best first. */
  flows: z.array(FlowId).optional(),
  redirect: z.string().optional(),
  /** Id of the first-entry password link. */
  setPassword: z.string().optional(),
})

export const authLogin = contract({
  name: 'authLogin',
  method: 'POST',
  path: '/auth/login/{idAttribute}',
  summary: 'Takes the proof of one step, a password or a code, and the agreements to terms',
  tag: 'sign-in',
  access: 'public',
  snackbar: 'authLogin',
  params,
  body: z.strictObject({
    flow: FlowId,
    ...identifiers,
    username: formField(line()),
    // the highest passwordMax is 256 characters, which are up to 512 UTF-16 units
    password: formField(z.string({ error: 'errorEmpty' }).max(512, 'errorTooLong')),
    code: formField(line(8)),
    /** In place of the code of an authenticator app, for the second factor. */
    recoveryCode: formField(line(32)),
    passkey: PasskeySignature.optional(),
    termsAgree: formField(TermsAgree),
    /** The address below /platform to which the person goes, if it has changed since the attempt began. */
    path: line(2048).optional(),
  }),
  response: NextStep,
  errors: {
    signInFailed: 400,
    attemptExpired: 400,
    errorCode: 400,
    errorCodeExpired: 400,
    errorCodeAttempts: 400,
    errorPasskey: 400,
    errorPasskeyUnknown: 400,
    accountBlocked: 400,
    deviceLimit: 400,
    noFlows: 400,
    termsRequired: 403,
    tooManyAttempts: 429,
    conflict: 409,
  },
  sensitive: true,
})

export const passkeyOptions = contract({
  name: 'passkeyOptions',
  method: 'GET',
  path: '/auth/passkey',
  summary: 'What a browser needs for a signature by a passkey (`PublicKeyCredentialRequestOptionsJSON`)',
  tag: 'sign-in',
  access: 'public',
  response: z.strictObject({
    /** In Base64URL; works once, in this browser, for an hour. */
    challenge: z.string(),
    rpId: z.string(),
    userVerification: z.literal('required'),
  }),
  errors: { notFound: 404 },
  sensitive: true,
})

export const authPasskey = contract({
  name: 'authPasskey',
  method: 'POST',
  path: '/auth/passkey',
  summary: 'Signs in the owner of a passkey; the answer is that of a step of signing in',
  tag: 'sign-in',
  access: 'public',
  snackbar: 'authLogin',
  body: z.strictObject({
    passkey: PasskeySignature,
    /** The address below /platform to which the person is going. */
    path: line(2048).optional(),
  }),
  response: NextStep.extend({
    /** Of the account, with which `authLogin` takes a further proof. */
    login: z.string().optional(),
  }),
  errors: {
    errorPasskey: 400,
    errorPasskeyUnknown: 400,
    errorPasskeyOff: 400,
    accountBlocked: 400,
    noFlows: 400,
    termsRequired: 403,
    tooManyAttempts: 429,
    conflict: 409,
  },
  sensitive: true,
})

export const authLogout = contract({
  name: 'authLogout',
  ...authPaths.logout,
  summary: 'Ends the session of this browser, if there is one',
  tag: 'sign-in',
  access: 'public',
  response: z.strictObject({
    /** The address where the person can also sign out at the identity provider by which they had signed in. */
    leads: z.string().optional(),
  }),
  snackbar: 'logout',
  sensitive: true,
})
