import { beginning, redact } from '@/lib/base/runtime/redact'
import type { SignInCause } from '@/lib/sign-in/log/causes'

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
  'unvouched',
  'noFlows',
  'tooMany',
] as const
export type Refusal = (typeof refusals)[number]

/** What the sign-in log says of each. */
export const causeOf: Record<Refusal, SignInCause> = {
  off: 'providerOff',
  down: 'providerDown',
  canceled: 'providerCanceled',
  denied: 'providerRefused',
  answer: 'providerAnswer',
  stranger: 'providerStranger',
  taken: 'providerTaken',
  data: 'providerData',
  blocked: 'disabled',
  unvouched: 'providerUnvouched',
  noFlows: 'noWay',
  tooMany: 'tooMany',
}

/** The most characters that are kept of a reason. */
const longest = 300

/**
 * Returns what a provider says, or who claims to be one, as one short line for an administrator: without what names
 * people, without tokens, and without signs that nobody sees.
 */
export const said = (text: string): string =>
  [...redact(beginning(text).replace(/[\p{C}\p{Z}\p{DI}\ufff9-\ufffd]+/gu, ' '))].slice(0, longest).join('').trim()

/** Ends a sign-in through a provider; `reason` is for administrators. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  constructor(
    readonly refusal: Refusal,
    readonly reason = '',
    readonly userId: string | null = null,
  ) {
    super(`${refusal} ${reason}`)
  }
}
