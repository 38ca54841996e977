import { z } from 'zod'
import { type Factors, satisfies, waysOn } from '@/lib/platform/authentication-schemas/factors'
import { FlowId, IdAttribute } from './contract'

const Fields = z.object({
  idAttribute: IdAttribute,
  /** Normalized. */
  identifier: z.string(),
  /** As it was typed, for the pill that says who is signing in. */
  typed: z.string(),
  stage: z.enum(['first', 'second', 'guards']),
  /** Flows that may prove the stage, best first. */
  first: z.array(FlowId),
  /** Before the first factor: what the person's own schema asks after it. Then: the flows that are open now. */
  second: z.array(FlowId),
  /** Whether that schema asks for a second factor at all, even if none can be used now. */
  secondRequired: z.boolean(),
  /** In the order in which it was proven. */
  proven: z.array(FlowId),
  /** Code of the schema that applies. */
  schema: z.string().optional(),
  /** What must still follow the first factor because it was asked when the attempt began, if the next proof may not be it. */
  begun: z.array(FlowId).optional(),
  /** Where to go afterwards: a path of ours. */
  path: z.string().nullable(),
})

/**
 * What an attempt remembers between steps; parsed on every load. A version beside this one may have noted more: that
 * goes along unread from step to step.
 */
export const AttemptState = Fields.loose()
export type AttemptState = z.output<typeof Fields>

/** What is asked of whoever signs in. */
export type Demands = {
  /** The person's own schema, or the one that nobody is shown; it holds in any case. */
  own: Factors & { code: string }
  /** Schemas that are wanted besides, best first: the first one that can be met holds too. */
  wanted: readonly Factors[]
}

/** The flows with which the person may go on now. */
export const openFlows = (state: AttemptState): FlowId[] =>
  state.stage === 'first' ? state.first : state.stage === 'second' ? state.second : []

/**
 * The open flows; none once all demands are met, null when no way leads there. Of wishes that can't be met nothing
 * stays, of the demands before them everything.
 */
function wayOn(
  proven: readonly FlowId[],
  own: readonly Factors[],
  wanted: readonly Factors[],
  usable: readonly FlowId[],
): FlowId[] | null {
  for (const demands of [...wanted.map((one) => [...own, one]), own]) {
    if (demands.every((factors) => satisfies(proven, factors))) return []
    const flows = waysOn(proven, demands, usable)
    if (flows.length > 0) return flows
  }
  return null
}

type Beginning = Pick<AttemptState, 'stage' | 'first' | 'second' | 'secondRequired' | 'proven' | 'schema'>

/** Where an attempt begins; null when nobody who can use `usable` could end it. */
export function firstStage({ own, wanted }: Demands, usable: readonly FlowId[]): Beginning | null {
  const first = wayOn([], [own], wanted, usable)
  if (!first) return null
  const second = usable.filter((flow) => own.secondFactor.includes(flow))
  const secondRequired = own.secondFactor.length > 0
  return { stage: 'first', first, second, secondRequired, proven: [], schema: own.code }
}

/** The attempt with a flow proven, before it goes on; null for a flow that isn't open now. */
export const prove = (state: AttemptState, flow: FlowId): AttemptState | null =>
  openFlows(state).includes(flow) ? { ...state, proven: [...state.proven, flow] } : null

/** What the attempt asked for when it began: a schema that was changed since takes nothing away from it. */
function askedAtFirst({ stage, first, second, secondRequired, proven, begun }: AttemptState): Factors[] {
  if (stage === 'first') return [{ firstFactor: first, secondFactor: secondRequired ? second : [] }]
  return begun ? [{ firstFactor: proven.slice(0, 1), secondFactor: begun }] : []
}

/**
 * Where an attempt stands after what was proven: at the next flows, or before the guards once every demand is met.
 * Pure: every transition of sign-in stands here (docs/rules/sign-in.md#factors). Null when the person can't go on.
 */
export function goOn(state: AttemptState, { own, wanted }: Demands, usable: readonly FlowId[]): AttemptState | null {
  const { begun: _, ...kept } = state
  const { stage, proven, second, secondRequired } = kept
  // so one of the versions before left an attempt that must not be taken for one of a single factor
  if (stage === 'first' && secondRequired && second.length === 0) return null
  const before = askedAtFirst(state)
  const flows = wayOn(proven, [own, ...before], wanted, usable)
  if (!flows) return null
  if (flows.length === 0) return { ...kept, schema: own.code, stage: 'guards' }
  const open = before.filter((factors) => flows.some((flow) => !satisfies([...proven, flow], factors)))
  const begun = open.flatMap(({ secondFactor }) => secondFactor as FlowId[])
  return { ...kept, schema: own.code, stage: 'second', second: flows, ...(open.length > 0 ? { begun } : {}) }
}
