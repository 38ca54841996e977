import type { CodeFlow, FlowId, IdAttribute } from '@/lib/entry/sign-in/contract'
import type { TermsRequired } from '@/lib/kernel/errors'

/** When a code may be asked for again, in seconds, and until when the one under way works, if any. */
export type CodeState = { resendIn: number; endTime: string | null }

/** A sign-in attempt under way: who signs in, and by what they may. */
export type StartedAttempt = {
  idAttribute: IdAttribute
  /** As it was typed. */
  identifier: string
  /** Open now, best first. */
  flows: FlowId[]
  /** The state of a code that was requested before the page was rendered. */
  code?: ({ flow: CodeFlow } & CodeState) | null
}

/** What the page shows first, by the server. */
export type SignInView =
  | { step: 'id'; identifier?: string; notice?: 'expired' | 'signedOut' }
  | ({ step: FlowId } & StartedAttempt)
  | ({ step: 'terms'; terms: TermsRequired[]; flow: FlowId } & StartedAttempt)
