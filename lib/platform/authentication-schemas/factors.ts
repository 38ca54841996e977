/** What a schema demands, by flow ids: one of the first factor, then, where it has a second one, another of that. */
export type Factors = { firstFactor: readonly string[]; secondFactor: readonly string[] }

/** How far what was proven, in this order, leads: 0 nowhere, 1 through the first factor, 2 to the end. */
function reached(proven: readonly string[], { firstFactor, secondFactor }: Factors): 0 | 1 | 2 {
  const at = proven.findIndex((flow) => firstFactor.includes(flow))
  if (at < 0) return 0
  if (secondFactor.length === 0) return 2
  // one secret can't be both factors
  return proven.slice(at + 1).some((flow) => flow !== proven[at] && secondFactor.includes(flow)) ? 2 : 1
}

/**
 * Whether what was proven, in this order, is what a schema asks for: a flow of its first factor, and after it another
 * one of its second factor, if it has one (docs/rules/sign-in.md#factors). What was proven besides takes nothing away.
 */
export const satisfies = (proven: readonly string[], factors: Factors): boolean => reached(proven, factors) === 2

/** The flows that bring a demand further. */
function nextOf<F extends string>(proven: readonly F[], factors: Factors, usable: readonly F[]): F[] {
  const wanted = [factors.firstFactor, factors.secondFactor, []][reached(proven, factors)] ?? []
  return wanted.filter((flow): flow is F => usable.includes(flow as F) && !proven.includes(flow as F))
}

const nextOfAll = <F extends string>(proven: readonly F[], demands: readonly Factors[], usable: readonly F[]) => [
  ...new Set(demands.flatMap((factors) => nextOf(proven, factors, usable))),
]

/** How many proofs are left until every demand is met; Infinity where no way leads there. */
function proofsLeft<F extends string>(proven: readonly F[], demands: readonly Factors[], usable: readonly F[]): number {
  if (demands.every((factors) => satisfies(proven, factors))) return 0
  const next = nextOfAll(proven, demands, usable)
  return 1 + Math.min(...next.map((flow) => proofsLeft([...proven, flow], demands, usable)))
}

/**
 * The flows with which somebody who can use `usable` goes on so that in the end every demand is met: each of them
 * leads there. None when there is no way, or nothing is left to prove. The first demand is met first as far as the
 * others allow; what leads to the end soonest stands first, then the order of the demands counts.
 */
export function waysOn<F extends string>(proven: readonly F[], demands: readonly Factors[], usable: readonly F[]): F[] {
  const ways = nextOfAll(proven, demands, usable)
    .map((flow) => ({ flow, left: proofsLeft([...proven, flow], demands, usable) }))
    .filter(({ left }) => Number.isFinite(left))
    .sort((one, other) => one.left - other.left)
    .map(({ flow }) => flow)
  const own = demands.slice(0, 1).flatMap((factors) => nextOf(proven, factors, usable))
  return ways.some((flow) => own.includes(flow)) ? ways.filter((flow) => own.includes(flow)) : ways
}

/**
 * Whether nobody could sign in by a schema: each flow of its first factor leaves no other one as the second. Such a
 * schema can't be saved (docs/rules/sign-in.md#factors).
 */
export function isDeadEnd(factors: Factors): boolean {
  return waysOn([], [factors], [...new Set([...factors.firstFactor, ...factors.secondFactor])]).length === 0
}

/** Gives the schema back. Throws for one by which nobody could sign in. */
export function requireWay<S extends Factors & { code: string }>(schema: S): S {
  if (isDeadEnd(schema)) throw new Error(`nobody could sign in by the schema ${schema.code}`)
  return schema
}
