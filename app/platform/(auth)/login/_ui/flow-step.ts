import type { FlowId } from '@/lib/entry/sign-in/contract'
import type { TermsRequired } from '@/lib/kernel/errors'
import type { StartedAttempt } from './view'

/** What every step after the first gets. */
export type FlowStepProps = {
  attempt: StartedAttempt
  /** Where the person is going. */
  path: string | undefined
  /** The other flows open now. */
  others: FlowId[]
  /** Digits in a code. */
  codeDigits: number
  /** By how much this machine's clock is ahead of the server's, in milliseconds. */
  ahead: number
  /** The person came here from another step, so the title takes the focus. */
  moved: boolean
  onSelect: (flow: FlowId) => void
  /** Somebody else signs in: back to the id step. */
  onChange: () => void
  onExpired: () => void
  /** The first factor is proven; these flows may prove the second. */
  onSecondFactor: (flows: FlowId[]) => void
  /** Everything is proven, but these must be agreed to; `flow` is what was proven last. */
  onTerms: (terms: TermsRequired[], flow: FlowId) => void
}
