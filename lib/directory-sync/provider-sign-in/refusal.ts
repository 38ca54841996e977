import { beginning, redact } from '@/lib/base/runtime/redact'
import type { SignInCause } from '@/lib/sign-in/log/causes'

/** The reasons why a sign-in through a provider is refused, by which the sign-in page shows them. */
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

/** The cause in the sign-in log for each refusal. */
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

/** The most characters of a reason. */
const longestReason = 300

/**
 * Returns a text of a provider, or of a sender that claims to be one, as one short line for administrators: without
 * personal data, tokens and invisible characters.
 */
export const safeReason = (text: string): string =>
  [...redact(beginning(text).replace(/[\p{C}\p{Z}\p{DI}\ufff9-\ufffd]+/gu, ' '))]
    .slice(0, longestReason)
    .join('')
    .trim()

/** A sign-in through a provider is refused; `reason` is for administrators. */
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
