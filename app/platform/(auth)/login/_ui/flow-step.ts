import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import type { StartedAttempt } from './view'

/** The props of every step after the first. */
export type FlowStepProps = {
  attempt: StartedAttempt
  /** Where the person goes after signing in. */
  path: string | undefined
  /** The other open flows. */
  others: FlowId[]
  /** The number of digits of a code. */
  codeDigits: number
  /** How many milliseconds this machine's clock is ahead of the server's. */
  ahead: number
  /** Whether the person came from another step, so that the title takes the focus. */
  moved: boolean
  onSelect: (flow: FlowId) => void
  /** Returns to the id step, for another person. */
  onChange: () => void
  onExpired: () => void
  /** The first factor is proven; one of these flows proves the second. */
  onSecondFactor: (flows: FlowId[]) => void
  /** All factors are proven, but the person must agree to these documents; `flow` is the last proven one. */
  onTerms: (terms: TermsRequired[], flow: FlowId) => void
}
