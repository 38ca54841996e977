/** The ways to prove who one is. */
export const flowIds = ['credentials', 'email_code', 'sms_code'] as const
export type FlowId = (typeof flowIds)[number]

/**
 * The proof of a provider where somebody signed in. No schema names it: for the person’s own schema it is the first
 * factor, for one that an application wants it is nothing (docs/rules/providers.md#sign-in).
 */
export const providerFlow = 'provider'

/** What can be proven, in the order in which it was. */
export const provenIds = [...flowIds, providerFlow] as const
