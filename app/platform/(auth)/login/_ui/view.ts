import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { CodeFlow, FlowId, IdAttribute } from '@/lib/sign-in/attempts/contract'

/** In how many seconds a code may be requested again, and when the current code expires, if there is one. */
export type CodeState = { resendIn: number; endTime: string | null }

/** A sign-in attempt: who signs in, and which flows they may use. */
export type StartedAttempt = {
  idAttribute: IdAttribute
  /** As the person typed it. */
  identifier: string
  /** The open flows, the best one first. */
  flows: FlowId[]
  /** The state of a code that was requested before the page was rendered. */
  code?: ({ flow: CodeFlow } & CodeState) | null
}

/** What the server says that the page shows first. */
export type SignInView =
  | { step: 'id'; identifier?: string; notice?: 'expired' | 'signedOut' }
  | ({ step: FlowId } & StartedAttempt)
  | ({ step: 'terms'; terms: TermsRequired[]; flow: FlowId } & StartedAttempt)
