import { z } from 'zod'
import { FlowId, IdAttribute } from './contract'

/** What an attempt remembers between steps; parsed on every load. */
export const AttemptState = z.strictObject({
  idAttribute: IdAttribute,
  /** Normalized. */
  identifier: z.string(),
  /** As it was typed, for the pill that says who is signing in. */
  typed: z.string(),
  stage: z.enum(['first', 'second', 'guards']),
  /** Flows that may prove the stage, best first. */
  first: z.array(FlowId),
  second: z.array(FlowId),
  /** Whether a second factor is demanded at all, even if none can be used now. */
  secondRequired: z.boolean(),
  proven: z.array(FlowId),
  /** Code of the schema that applies. */
  schema: z.string().optional(),
  /** Where to go afterwards: a path of ours. */
  path: z.string().nullable(),
})
export type AttemptState = z.output<typeof AttemptState>

/** The flows with which the person may go on now. */
export const openFlows = (state: AttemptState): FlowId[] =>
  state.stage === 'first' ? state.first : state.stage === 'second' ? state.second : []

export type Transition = { kind: 'refused'; reason: 'flow' | 'noFlows' } | { kind: 'moved'; state: AttemptState }

/**
 * What a proven flow leads to. Pure: every transition of sign-in stands here (portal.md section 4).
 * A flow that isn't open now is refused; a demanded second factor that can't be used now stops the person.
 */
export function prove(state: AttemptState, flow: FlowId): Transition {
  if (!openFlows(state).includes(flow)) return { kind: 'refused', reason: 'flow' }
  const proven = [...state.proven, flow]
  if (state.stage === 'second' || !state.secondRequired)
    return { kind: 'moved', state: { ...state, stage: 'guards', proven } }
  // one secret can't be both factors
  const second = state.second.filter((other) => other !== flow)
  if (second.length === 0) return { kind: 'refused', reason: 'noFlows' }
  return { kind: 'moved', state: { ...state, stage: 'second', second, proven } }
}
