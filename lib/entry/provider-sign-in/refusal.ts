import type { SignInCause } from '../sign-in-log/causes'

/** Why a sign-in through a provider ended on the sign-in page, which says it by these codes. */
export const refusals = [
  'off',
  'down',
  'canceled',
  'denied',
  'answer',
  'stranger',
  'taken',
  'data',
  'blocked',
  'noFlows',
  'tooMany',
] as const
export type Refusal = (typeof refusals)[number]

/** What the sign-in log says of each; nothing of what says nothing about a person. */
export const causeOf: Record<Refusal, SignInCause | null> = {
  off: 'providerOff',
  down: 'providerDown',
  canceled: null,
  denied: 'providerRefused',
  answer: 'providerAnswer',
  stranger: 'providerStranger',
  taken: 'providerTaken',
  data: 'providerData',
  blocked: 'disabled',
  noFlows: 'noWay',
  tooMany: 'tooMany',
}

/** Ends a sign-in through a provider; `detail` is for the log of the process and names nobody. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  constructor(
    readonly refusal: Refusal,
    readonly detail = '',
    readonly userId: string | null = null,
  ) {
    super(`${refusal} ${detail}`)
  }
}
