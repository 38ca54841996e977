import { z } from 'zod'
import { contract, Done, line } from '@/lib/kernel/http/contract'

export const IdAttribute = z.enum(['login', 'email', 'mobile'])
export type IdAttribute = z.output<typeof IdAttribute>

export const FlowId = z.enum(['credentials', 'email_code', 'sms_code'])
export type FlowId = z.output<typeof FlowId>

const params = z.strictObject({ idAttribute: IdAttribute })
const identifiers = { login: line().optional(), email: line().optional(), mobile: line(32).optional() }

export const TermsAgree = z.array(
  z.strictObject({ type: line(64), agree: z.boolean(), version: z.number().int().min(1) }),
).max(50)

/** Starts an attempt; the same answer for everybody, known or not (portal.md section 7, decisions.md section 6). */
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
    /** Where the person was going: an address of ours below /platform. */
    path: line(2048).optional(),
  }),
  response: z.strictObject({
    /** Best first. */
    flows: z.array(FlowId),
    /** Seconds until a code may be asked for, 0 = now. */
    resendIn: z.number().int(),
  }),
  errors: { noFlows: 403, tooManyAttempts: 429 },
  sensitive: true,
})

export const authLogin = contract({
  name: 'authLogin',
  method: 'POST',
  path: '/auth/login/{idAttribute}',
  summary: 'Takes the proof of one step: a password or a code, with the terms agreed to',
  tag: 'sign-in',
  access: 'public',
  params,
  body: z.strictObject({
    flow: FlowId,
    ...identifiers,
    username: line().optional(),
    // 256 characters is the highest passwordMax; measured in UTF-16 units, so twice that
    password: z.string({ error: 'errorEmpty' }).max(512, 'errorTooLong').optional(),
    code: line(8).optional(),
    termsAgree: TermsAgree.optional(),
  }),
  response: z.strictObject({
    next: z.enum(['code', 'second_factor', 'set_password', 'done']),
    redirect: z.string().optional(),
    setPassword: z.string().optional(),
  }),
  errors: { signInFailed: 400, attemptExpired: 400, accountBlocked: 403, termsRequired: 403, tooManyAttempts: 429, conflict: 409 },
  sensitive: true,
})

export const authLogout = contract({
  name: 'authLogout',
  method: 'POST',
  path: '/auth/logout',
  summary: 'Ends the session of this browser, if there is one',
  tag: 'sign-in',
  access: 'public',
  response: Done,
  notice: 'logout',
  sensitive: true,
})
