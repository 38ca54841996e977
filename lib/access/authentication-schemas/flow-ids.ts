/** The flows: the ways to prove who one is. */
export const flowIds = ['credentials', 'email_code', 'sms_code', 'totp', 'passkey'] as const
export type FlowId = (typeof flowIds)[number]

/** The flow of an authenticator app. It proves a second factor only, and people can set it up while they sign in. */
export const appFlow = 'totp' satisfies FlowId

/**
 * The flow of a passkey. Its authenticator verifies the person, so it is two factors in one: where a schema names it as
 * the first factor it proves the second one too (docs/rules/sign-in.md#passkeys).
 */
export const passkeyFlow = 'passkey' satisfies FlowId

/** The flows that a schema may name as its first factor. */
export const firstFlowIds = flowIds.filter((flow) => flow !== appFlow)

/** The flows whose code is sent when their step opens. */
export const codeFlowIds = ['email_code', 'sms_code'] as const
export type CodeFlow = (typeof codeFlowIds)[number]

/**
 * The proof that a person signed in at an identity provider. No schema names it: it counts as the first factor of the
 * person’s own schema, and doesn't count for a schema that an application asks for (docs/rules/providers.md#sign-in).
 */
export const providerFlow = 'provider'

/** The ids of all flows that a session can have proven. */
export const provenIds = [...flowIds, providerFlow] as const
