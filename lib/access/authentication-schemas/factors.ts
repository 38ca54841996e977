import { appFlow, firstFlowIds, passkeyFlow, providerFlow } from './flow-ids'

/**
 * The flows of a schema, by id. A person proves one flow of the first factor and, if there is a second factor, another
 * flow of the second. A passkey that proves the first factor proves the second one too.
 */
export type Factors = { firstFactor: readonly string[]; secondFactor: readonly string[] }

/** Returns how many factors of a schema the flows prove in this order: 0 for none, 1 for the first, 2 for all. */
function provenFactorCount(proven: readonly string[], { firstFactor, secondFactor }: Factors): 0 | 1 | 2 {
  if (firstFactor.includes(passkeyFlow) && proven.includes(passkeyFlow)) return 2
  const firstIndex = proven.findIndex((flow) => firstFactor.includes(flow))
  if (firstIndex < 0) return 0
  if (secondFactor.length === 0) return 2
  // one flow can't prove both factors
  return proven.slice(firstIndex + 1).some((flow) => flow !== proven[firstIndex] && secondFactor.includes(flow)) ? 2 : 1
}

/**
 * Returns whether the flows proven in this order satisfy a schema: a flow of its first factor and, if it has a second
 * factor, after that another flow of the second factor (docs/rules/sign-in.md#factors). Further flows are ignored.
 */
export const satisfies = (proven: readonly string[], factors: Factors): boolean =>
  provenFactorCount(proven, factors) === 2

/** Returns the usable flows that can prove the next factor of a schema. */
function nextFlowsOf<F extends string>(proven: readonly F[], factors: Factors, usable: readonly F[]): F[] {
  const { firstFactor, secondFactor } = factors
  const afterFirst = [...secondFactor, ...firstFactor.filter((flow) => flow === passkeyFlow)]
  const nextFactor = [firstFactor, afterFirst, []][provenFactorCount(proven, factors)] ?? []
  return nextFactor.filter((flow): flow is F => usable.includes(flow as F) && !proven.includes(flow as F))
}

const nextFlowsOfAll = <F extends string>(proven: readonly F[], schemas: readonly Factors[], usable: readonly F[]) => [
  ...new Set(schemas.flatMap((factors) => nextFlowsOf(proven, factors, usable))),
]

/**
 * Returns how many proofs are missing until every schema is satisfied; Infinity if not all of them can be satisfied.
 */
function proofsLeft<F extends string>(proven: readonly F[], schemas: readonly Factors[], usable: readonly F[]): number {
  if (schemas.every((factors) => satisfies(proven, factors))) return 0
  const next = nextFlowsOfAll(proven, schemas, usable)
  return 1 + Math.min(...next.map((flow) => proofsLeft([...proven, flow], schemas, usable)))
}

/**
 * Returns the flows of `usable` that a person may choose for the next proof, so that every schema can still be
 * satisfied; none if that is impossible or nothing is missing. If flows of the first schema are among them, returns
 * only those. The flows are sorted by the number of proofs that are then missing, then in the order of the schemas; a
 * passkey is first or last, and what only a passkey can follow is behind other flows.
 */
export function nextFlows<F extends string>(
  proven: readonly F[],
  schemas: readonly Factors[],
  usable: readonly F[],
): F[] {
  const all = nextFlowsOfAll(proven, schemas, usable)
  // not everybody has a passkey: it comes last, unless a schema names it first, and behind others what only it can follow
  const withoutPasskey = usable.filter((flow) => flow !== passkeyFlow)
  const leadsToPasskey = (flow: F) => !Number.isFinite(proofsLeft([...proven, flow], schemas, withoutPasskey))
  const placeOf = (flow: F, left: number) =>
    flow === passkeyFlow ? (all[0] === flow ? -1 : 1_000) : left + (leadsToPasskey(flow) ? 100 : 0)
  const ordered = all
    .map((flow) => ({ flow, left: proofsLeft([...proven, flow], schemas, usable) }))
    .filter(({ left }) => Number.isFinite(left))
    .map(({ flow, left }) => ({ flow, place: placeOf(flow, left) }))
    .sort((a, b) => a.place - b.place)
    .map(({ flow }) => flow)
  const firstSchemaFlows = schemas.slice(0, 1).flatMap((factors) => nextFlowsOf(proven, factors, usable))
  return ordered.some((flow) => firstSchemaFlows.includes(flow))
    ? ordered.filter((flow) => firstSchemaFlows.includes(flow))
    : ordered
}

/**
 * Returns what a person without an authenticator app must prove, besides the schemas, before they can set one up while
 * signing in: two of the account's flows, or its only one; the proof of an identity provider counts as one. Returns null
 * if the account needs no app, because its flows can satisfy the schemas from the beginning, and if an app wouldn't help
 * (docs/rules/sign-in.md#setting-it-up). `has` are the flows that the account has, ready or not.
 */
export function setUpFactors(
  schemas: readonly Factors[],
  has: readonly string[],
  byProvider: boolean = false,
): Factors | null {
  const start = byProvider ? [providerFlow] : []
  const needsApp =
    !schemas.every((factors) => satisfies(start, factors)) && nextFlows<string>(start, schemas, has).length === 0
  if (!needsApp || nextFlows<string>(start, schemas, [...has, appFlow]).length === 0) return null
  const hasAnother = has.length > (byProvider ? 0 : 1)
  return { firstFactor: [...start, ...has], secondFactor: hasAnother ? has : [] }
}

/** Returns every order in which some or all of these flows can be proven. */
export const ordersOf = (flows: readonly string[]): string[][] => [
  [],
  ...flows.flatMap((flow) => ordersOf(flows.filter((other) => other !== flow)).map((rest) => [flow, ...rest])),
]

/** Returns every set of these flows. */
function setsOf([flow, ...others]: readonly string[]): string[][] {
  if (flow === undefined) return [[]]
  return setsOf(others).flatMap((set) => [set, [flow, ...set]])
}

/** Returns whether these proofs let somebody into an account that has these flows, without an authenticator app. */
function letsInWithoutApp(proven: readonly string[], factors: Factors, has: readonly string[]): boolean {
  const setUp = setUpFactors([factors], has)
  return setUp ? satisfies(proven, setUp) && satisfies([...proven, appFlow], factors) : satisfies(proven, factors)
}

/**
 * Returns whether somebody with some proofs gets into some account by `after` but not by `before`: with an authenticator
 * app, or, whatever flows the account has, without one.
 */
export function isWeaker(before: Factors, after: Factors): boolean {
  const named = new Set([before, after].flatMap(({ firstFactor, secondFactor }) => [...firstFactor, ...secondFactor]))
  const sequences = [...named].flatMap((flow) => [[flow], ...[...named].map((second) => [flow, second])])
  if (sequences.some((proven) => satisfies(proven, after) && !satisfies(proven, before))) return true
  return (
    named.has(appFlow) &&
    setsOf(firstFlowIds).some((has) =>
      ordersOf(has).some((proven) => letsInWithoutApp(proven, after, has) && !letsInWithoutApp(proven, before, has)),
    )
  )
}

/**
 * Returns whether nobody can sign in by a schema, because no flow of its first factor leaves another flow for the
 * second. Such a schema can't be saved (docs/rules/sign-in.md#factors).
 */
export function isDeadEnd(factors: Factors): boolean {
  return nextFlows([], [factors], [...new Set([...factors.firstFactor, ...factors.secondFactor])]).length === 0
}

/** Returns the schema. Throws if nobody can sign in by it. */
export function requireUsableSchema<S extends Factors & { code: string }>(schema: S): S {
  if (isDeadEnd(schema)) throw new Error(`nobody could sign in by the schema ${schema.code}`)
  return schema
}
