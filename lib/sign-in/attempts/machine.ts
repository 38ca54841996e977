import { z } from 'zod'
import { type Factors, nextFlows, satisfies, setUpFactors } from '@/lib/access/authentication-schemas/factors'
import { appFlow, passkeyFlow, providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { FlowId, IdAttribute, ProvenFlow } from './contract'

const Fields = z.object({
  idAttribute: IdAttribute,
  /** Normalized. */
  identifier: z.string(),
  /** As it was typed, for the pill that shows who signs in. */
  typed: z.string(),
  stage: z.enum(['first', 'second', 'guards']),
  /** Flows that can prove the first factor, best first. */
  first: z.array(FlowId),
  /**
   * In the stage `first`: flows of the own schema's second factor. In the stage `second`: the flows that are open now.
   */
  second: z.array(FlowId),
  /** Whether the own schema has a second factor, even if none of its flows can be used now. */
  secondRequired: z.boolean(),
  /** The proven flows, in order. */
  proven: z.array(ProvenFlow),
  /** Code of the schema that applies. */
  schema: z.string().optional(),
  /**
   * The flows of the second factor that the schema asked for when the attempt began and that are still to be proven;
   * missing if every flow that is open now proves it.
   */
  begun: z.array(FlowId).optional(),
  /** The authenticator app that the person sets up in this attempt. */
  newApp: z
    .object({
      /** Bound to the attempt. */
      encryptedKey: z.string(),
      /** The time step of the code that the person has entered; missing before that. */
      step: z.number().int().optional(),
    })
    .optional(),
  /** The id of the passkey that was proven. */
  passkey: z.guid().optional(),
  /** Whether a passkey has named the account, so that nobody typed an identifier. */
  namedByPasskey: z.boolean().optional(),
  /** The path of the platform to which the person goes after the sign-in. */
  path: z.string().nullable(),
  /** The identity provider that has proven the person, their id there, and its session. */
  provider: z
    .object({
      id: z.string(),
      subject: z.string(),
      sid: z.string().nullable(),
      /** The data of the person that was left out of the account, for the sign-in log. */
      left: z.string().optional(),
    })
    .optional(),
})

/**
 * The stored state of an attempt, parsed on every load. Another version may have stored further fields: each step
 * passes them on.
 */
export const AttemptState = Fields.loose()
export type AttemptState = z.output<typeof Fields>

/** The schemas that a person must satisfy to sign in. */
export type RequiredSchemas = {
  /** The person's own schema, or a simulated one for an unknown identifier; it always applies. */
  ownSchema: Factors & { code: string }
  /** Further factors for every schema; they always apply, but they aren't shown before a first proof. */
  extraFactors?: readonly Factors[]
  /** Schemas that an application requests in addition, best first. The first one that can be satisfied applies too. */
  requested: readonly Factors[]
}

/** Returns the flows that the person may prove now. */
export const openFlows = (state: AttemptState): FlowId[] =>
  state.stage === 'first' ? state.first : state.stage === 'second' ? state.second : []

/**
 * Returns the flows that are open now: none if all required factors are proven, null if they can't be proven. A
 * requested schema that can't be satisfied is ignored; the required ones never are.
 */
function flowsToProve(
  proven: readonly ProvenFlow[],
  required: readonly Factors[],
  requested: readonly Factors[],
  usable: readonly FlowId[],
): FlowId[] | null {
  for (const demands of [...requested.map((extra) => [...required, extra]), required]) {
    if (demands.every((factors) => satisfies(proven, factors))) return []
    const flows = nextFlows<ProvenFlow>(proven, demands, usable)
    if (flows.length > 0) return flows as FlowId[]
  }
  return null
}

type Beginning = Pick<AttemptState, 'stage' | 'first' | 'second' | 'secondRequired' | 'proven' | 'schema'>

/** Returns the first stage of an attempt. Returns null if it can't be completed with the flows in `usable`. */
export function firstStage({ ownSchema, requested }: RequiredSchemas, usable: readonly FlowId[]): Beginning | null {
  const first = flowsToProve([], [ownSchema], requested, usable)
  if (!first) return null
  const second = usable.filter((flow) => ownSchema.secondFactor.includes(flow))
  const secondRequired = ownSchema.secondFactor.length > 0
  return { stage: 'first', first, second, secondRequired, proven: [], schema: ownSchema.code }
}

/** Returns the state with a flow proven. Returns null for a flow that isn't open now. */
export const prove = (state: AttemptState, flow: FlowId): AttemptState | null =>
  openFlows(state).includes(flow) ? { ...state, proven: [...state.proven, flow] } : null

/**
 * Returns the state of a person whom an identity provider has proven. The second factor of the own schema still
 * follows.
 */
export function provenByProvider({ ownSchema }: RequiredSchemas, ready: readonly FlowId[]): Beginning {
  return {
    stage: 'first',
    first: [],
    second: ready.filter((flow) => ownSchema.secondFactor.includes(flow)),
    secondRequired: ownSchema.secondFactor.length > 0,
    proven: [providerFlow],
    schema: ownSchema.code,
  }
}

/**
 * Returns the same factors, with the proof of an identity provider as a further first factor. A passkey then takes the
 * place of no second one: the provider decides who its people are.
 */
const withProvider = <F extends Factors>(factors: F): F => ({
  ...factors,
  firstFactor: [...factors.firstFactor.filter((flow) => flow !== passkeyFlow), providerFlow],
})

/** Returns the factors that the attempt needed when it began. A later change of the schema doesn't remove them. */
function initialFactors({ stage, first, second, secondRequired, proven, begun }: AttemptState): Factors[] {
  if (stage === 'first') return [{ firstFactor: first, secondFactor: secondRequired ? second : [] }]
  return begun ? [{ firstFactor: proven.slice(0, 1), secondFactor: begun }] : []
}

/** The flows of an account: those that it can use now, and, if it has no authenticator app, those that it has beside. */
export type AccountFlows = { usable: readonly FlowId[]; besideApp: readonly FlowId[] | null }

/**
 * Returns the state after a proof: with the next flows, or in the stage `guards` when all required factors are proven.
 * Returns null if the person can't continue. A person who needs an authenticator app and has none may set one up, after
 * the proofs that this asks for. A pure function with all transitions of sign-in (docs/rules/sign-in.md#factors).
 */
export function nextState(
  state: AttemptState,
  { ownSchema, extraFactors = [], requested }: RequiredSchemas,
  { usable, besideApp }: AccountFlows,
): AttemptState | null {
  const { begun: _, ...current } = state
  const { stage, proven, second, secondRequired } = current
  // an earlier version stored this state for an attempt that must not pass with a single factor
  if (stage === 'first' && secondRequired && second.length === 0 && !proven.includes(passkeyFlow)) return null
  const initial = initialFactors(state)
  const byProvider = proven.includes(providerFlow)
  const asProven = <F extends Factors>(factors: F) => (byProvider ? withProvider(factors) : factors)
  const needed = [ownSchema, ...initial].map(asProven)
  const demands = [...needed, ...extraFactors]
  const flowsBySettingUp = () => {
    // not by how the attempt began: a request of an application, or SMS that can't be sent, would make a need of it
    const setUp = besideApp && setUpFactors([asProven(ownSchema), ...extraFactors], besideApp, byProvider)
    return setUp && flowsToProve(proven, [setUp, ...demands], requested, [...usable, appFlow])
  }
  // an app that isn't stored yet proves nothing without what its set-up asks for
  const provenWithoutNewApp = besideApp ? proven.filter((flow) => flow !== appFlow) : proven
  const flows = flowsToProve(provenWithoutNewApp, demands, requested, usable) ?? flowsBySettingUp()
  if (!flows) return null
  if (flows.length === 0) return { ...current, schema: ownSchema.code, stage: 'guards' }
  const unmet = needed.slice(1).filter((factors) => flows.some((flow) => !satisfies([...proven, flow], factors)))
  const begun = unmet.flatMap(({ secondFactor }) => secondFactor as FlowId[])
  return { ...current, schema: ownSchema.code, stage: 'second', second: flows, ...(unmet.length > 0 ? { begun } : {}) }
}
