import { z } from 'zod'
import { type Factors, nextFlows, satisfies } from '@/lib/access/authentication-schemas/factors'
import { providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { FlowId, IdAttribute, ProvenFlow } from './contract'

const Fields = z.object({
  idAttribute: IdAttribute,
  /** Normalized. */
  identifier: z.string(),
  /** As it was typed, for the pill that shows who is signing in. */
  typed: z.string(),
  stage: z.enum(['first', 'second', 'guards']),
  /** Flows that can prove the first factor, best first. */
  first: z.array(FlowId),
  /**
   * In the stage `first`: flows of the own schema's second factor. In the stage `second`: the flows that are open now.
   */
  second: z.array(FlowId),
  /** Whether that schema has a second factor, even if none of its flows can be used now. */
  secondRequired: z.boolean(),
  /** The proven flows, in order. */
  proven: z.array(ProvenFlow),
  /** Code of the schema that applies. */
  schema: z.string().optional(),
  /**
   * What must still follow the first factor because it was asked when the attempt began, if the next proof may not be
   * it.
   */
  begun: z.array(FlowId).optional(),
  /** Where to go afterwards: a path of the platform. */
  path: z.string().nullable(),
  /** The provider that has proven who this is, as whom there, and its session. */
  provider: z
    .object({
      id: z.string(),
      subject: z.string(),
      sid: z.string().nullable(),
      /** What of the person was left out, for the sign-in log. */
      left: z.string().optional(),
    })
    .optional(),
})

/**
 * The stored state of an attempt; parsed on every load. Another version may have stored further fields: they are kept
 * from step to step.
 */
export const AttemptState = Fields.loose()
export type AttemptState = z.output<typeof Fields>

/** What a person must prove to sign in. */
export type Demands = {
  /** The person's own schema, or a simulated one for an unknown identifier; it always applies. */
  own: Factors & { code: string }
  /** What must be proven besides, whatever the schema; it always applies, but isn't shown before a first proof. */
  also?: readonly Factors[]
  /** Schemas that an application wants besides, best first: the first one that can be met applies too. */
  wanted: readonly Factors[]
}

/** Returns the flows that the person may prove now. */
export const openFlows = (state: AttemptState): FlowId[] =>
  state.stage === 'first' ? state.first : state.stage === 'second' ? state.second : []

/**
 * The open flows; none if all demands are met, null if they can't be met. A wanted schema that can't be met is ignored;
 * the own schema never is.
 */
function flowsToProve(
  proven: readonly ProvenFlow[],
  own: readonly Factors[],
  wanted: readonly Factors[],
  usable: readonly FlowId[],
): FlowId[] | null {
  for (const demands of [...wanted.map((one) => [...own, one]), own]) {
    if (demands.every((factors) => satisfies(proven, factors))) return []
    const flows = nextFlows<ProvenFlow>(proven, demands, usable)
    if (flows.length > 0) return flows as FlowId[]
  }
  return null
}

type Beginning = Pick<AttemptState, 'stage' | 'first' | 'second' | 'secondRequired' | 'proven' | 'schema'>

/** Returns the first stage of an attempt; null if nobody could complete it with the flows in `usable`. */
export function firstStage({ own, wanted }: Demands, usable: readonly FlowId[]): Beginning | null {
  const first = flowsToProve([], [own], wanted, usable)
  if (!first) return null
  const second = usable.filter((flow) => own.secondFactor.includes(flow))
  const secondRequired = own.secondFactor.length > 0
  return { stage: 'first', first, second, secondRequired, proven: [], schema: own.code }
}

/** Returns the state with a flow proven; null for a flow that isn't open now. */
export const prove = (state: AttemptState, flow: FlowId): AttemptState | null =>
  openFlows(state).includes(flow) ? { ...state, proven: [...state.proven, flow] } : null

/** Returns the state of somebody whom a provider has proven; the own schema's second factor is still to come. */
export function provenByProvider({ own }: Demands, usable: readonly FlowId[]): Beginning {
  return {
    stage: 'first',
    first: [],
    second: usable.filter((flow) => own.secondFactor.includes(flow)),
    secondRequired: own.secondFactor.length > 0,
    proven: [providerFlow],
    schema: own.code,
  }
}

/** The same demand, in which the proof of a provider is a first factor too. */
const withProvider = <F extends Factors>(factors: F): F => ({
  ...factors,
  firstFactor: [...factors.firstFactor, providerFlow],
})

/** What the attempt demanded when it began: a later change of the schema doesn't lower that. */
function askedAtFirst({ stage, first, second, secondRequired, proven, begun }: AttemptState): Factors[] {
  if (stage === 'first') return [{ firstFactor: first, secondFactor: secondRequired ? second : [] }]
  return begun ? [{ firstFactor: proven.slice(0, 1), secondFactor: begun }] : []
}

/**
 * Returns the state after a proof: with the next flows, or in the stage `guards` once every demand is met; null if the
 * person can't continue. A pure function with all transitions of sign-in (docs/rules/sign-in.md#factors).
 */
export function nextState(
  state: AttemptState,
  { own, also = [], wanted }: Demands,
  usable: readonly FlowId[],
): AttemptState | null {
  const { begun: _, ...kept } = state
  const { stage, proven, second, secondRequired } = kept
  // an earlier version stored such a state for an attempt that must not pass with a single factor
  if (stage === 'first' && secondRequired && second.length === 0) return null
  const before = askedAtFirst(state)
  const atHome = [own, ...before].map((factors) => (proven.includes(providerFlow) ? withProvider(factors) : factors))
  const flows = flowsToProve(proven, [...atHome, ...also], wanted, usable)
  if (!flows) return null
  if (flows.length === 0) return { ...kept, schema: own.code, stage: 'guards' }
  const open = atHome.slice(1).filter((factors) => flows.some((flow) => !satisfies([...proven, flow], factors)))
  const begun = open.flatMap(({ secondFactor }) => secondFactor as FlowId[])
  return { ...kept, schema: own.code, stage: 'second', second: flows, ...(open.length > 0 ? { begun } : {}) }
}
