/** What a schema demands, by flow ids: a flow of the first factor and, if there is a second factor, another of that. */
export type Factors = { firstFactor: readonly string[]; secondFactor: readonly string[] }

/** How far the flows proven in this order fulfil a schema: 0 not at all, 1 the first factor, 2 completely. */
function reached(proven: readonly string[], { firstFactor, secondFactor }: Factors): 0 | 1 | 2 {
  const at = proven.findIndex((flow) => firstFactor.includes(flow))
  if (at < 0) return 0
  if (secondFactor.length === 0) return 2
  // the same flow can't be both factors
  return proven.slice(at + 1).some((flow) => flow !== proven[at] && secondFactor.includes(flow)) ? 2 : 1
}

/**
 * Whether the flows proven in this order fulfil a schema: a flow of its first factor and, if it has a second factor,
 * after that another flow of the second factor (docs/rules/sign-in.md#factors). Further proven flows do no harm.
 */
export const satisfies = (proven: readonly string[], factors: Factors): boolean => reached(proven, factors) === 2

/** The usable flows that can prove the next factor of a demand. */
function nextOf<F extends string>(proven: readonly F[], factors: Factors, usable: readonly F[]): F[] {
  const wanted = [factors.firstFactor, factors.secondFactor, []][reached(proven, factors)] ?? []
  return wanted.filter((flow): flow is F => usable.includes(flow as F) && !proven.includes(flow as F))
}

const nextOfAll = <F extends string>(proven: readonly F[], demands: readonly Factors[], usable: readonly F[]) => [
  ...new Set(demands.flatMap((factors) => nextOf(proven, factors, usable))),
]

/** How many proofs are left until every demand is met; Infinity if they can't all be met. */
function proofsLeft<F extends string>(proven: readonly F[], demands: readonly Factors[], usable: readonly F[]): number {
  if (demands.every((factors) => satisfies(proven, factors))) return 0
  const next = nextOfAll(proven, demands, usable)
  return 1 + Math.min(...next.map((flow) => proofsLeft([...proven, flow], demands, usable)))
}

/**
 * Returns the flows from which somebody who can use `usable` may choose the next proof so that every demand can still
 * be met; none if that is impossible or nothing is left to prove. Flows of the first demand come before those of the
 * others where they can. The flows are sorted by the number of proofs that are left, then in the order of the demands.
 */
export function nextFlows<F extends string>(
  proven: readonly F[],
  demands: readonly Factors[],
  usable: readonly F[],
): F[] {
  const ways = nextOfAll(proven, demands, usable)
    .map((flow) => ({ flow, left: proofsLeft([...proven, flow], demands, usable) }))
    .filter(({ left }) => Number.isFinite(left))
    .sort((one, other) => one.left - other.left)
    .map(({ flow }) => flow)
  const own = demands.slice(0, 1).flatMap((factors) => nextOf(proven, factors, usable))
  return ways.some((flow) => own.includes(flow)) ? ways.filter((flow) => own.includes(flow)) : ways
}

/** Whether something that proves one demand doesn't prove another one that was there before. */
export function isWeaker(before: Factors, after: Factors): boolean {
  const flows = [...new Set([after, before].flatMap((one) => [...one.firstFactor, ...one.secondFactor]))]
  const ways = flows.flatMap((flow) => [[flow], ...flows.map((other) => [flow, other])])
  return ways.some((proven) => satisfies(proven, after) && !satisfies(proven, before))
}

/**
 * Whether nobody could sign in by a schema, because no flow of its first factor leaves another one for the second. Such
 * a schema can't be saved (docs/rules/sign-in.md#factors).
 */
export function isDeadEnd(factors: Factors): boolean {
  return nextFlows([], [factors], [...new Set([...factors.firstFactor, ...factors.secondFactor])]).length === 0
}

/** Returns the schema. Throws if nobody could sign in by it. */
export function requireWay<S extends Factors & { code: string }>(schema: S): S {
  if (isDeadEnd(schema)) throw new Error(`nobody could sign in by the schema ${schema.code}`)
  return schema
}
