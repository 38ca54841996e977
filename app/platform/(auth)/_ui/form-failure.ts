import type { Outcome } from '@/lib/request/forms/outcome'
import { pageOutcome } from '@/lib/request/page'
import { type Failure, failureOf } from './failure'

/** What was sent with a form, of the fields that it keeps. */
export type Typed = {
  /** Returns what was typed into a field. */
  typed: (field: string) => string | undefined
  /** Returns all values of a field, such as the boxes that were ticked. */
  all: (field: string) => string[]
  /** Returns whether a field was sent with a value, such as a box that was ticked. */
  has: (field: string, value: string) => boolean
}

/** Why a form of this page has failed. */
export type FormFailure = Typed & {
  failure: Failure
  /** The code of each faulty field. */
  errors: Record<string, string>
}

function typedIn({ values }: Outcome): Typed {
  const all = (field: string) => values.filter(([name]) => name === field).map(([, value]) => value)
  return { typed: (field) => all(field)[0], all, has: (field, value) => all(field).includes(value) }
}

/** Returns what the form tells that led to this page, with what was typed; null if it was opened in another way. */
export async function formTold(): Promise<(Typed & { tells: Record<string, unknown> }) | null> {
  const outcome = await pageOutcome()
  return outcome?.status === 200 ? { ...typedIn(outcome), tells: outcome.data } : null
}

/** What was sent by mail, as its page says it. */
export type SentLink = Typed & {
  /** When another may be requested, in milliseconds since the epoch. */
  resendAt: number
  /** Whether another link was sent in place of the first. */
  again: boolean
}

/** Returns what was sent, if the page is to say so; null if it shows its form. */
export async function sentStep(step: string | string[] | undefined): Promise<SentLink | null> {
  const [failed, told] = await Promise.all([formFailure(), formTold()])
  // a form that failed belongs to this step if it asked for another link
  const sent = failed?.typed('before') === undefined ? told : failed
  if (step !== 'sent' || !sent) return null
  const { resendAt = sent.typed('before'), again = sent.typed('again') } = told?.tells ?? {}
  return { ...sent, resendAt: Number(resendAt) || 0, again: Boolean(again) }
}

/** Forms that pages have beside those of their step: the sign-out says itself that it failed. */
const besideStep = ['choose', 'consent', 'signOut']

/** Returns why the form of a step that was sent to this page has failed; null if none has. */
export async function formFailure(): Promise<FormFailure | null> {
  const outcome = await pageOutcome()
  if (!outcome || outcome.status === 200 || besideStep.includes(outcome.form)) return null
  const failure = failureOf(outcome)
  const list = 'errorList' in failure ? failure.errorList : []
  return {
    failure,
    errors: Object.fromEntries(list.map((fault) => [fault.field, fault.code])),
    ...typedIn(outcome),
  }
}

/** Returns a failure for the summary: null if it is only about fields of the step that show their faults themselves. */
export function otherFailure(failed: FormFailure | null, fields: readonly string[]): Failure | null {
  if (!failed) return null
  const faults = Object.keys(failed.errors)
  return faults.length > 0 && faults.every((field) => fields.includes(field)) ? null : failed.failure
}
