/**
 * The flows of a schema, by id. A person proves one flow of the first factor and, if there is a second factor, another
 * flow of the second.
 */
export type Factors = { firstFactor: readonly string[]; secondFactor: readonly string[] }

/** Returns how many factors of a schema the flows prove in this order: 0 for none, 1 for the first, 2 for all. */
function provenFactorCount(proven: readonly string[], { firstFactor, secondFactor }: Factors): 0 | 1 | 2 {
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
  const nextFactor = [factors.firstFactor, factors.secondFactor, []][provenFactorCount(proven, factors)] ?? []
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
 * only those. The flows are sorted by the number of proofs that are then missing, then in the order of the schemas.
 */
export function nextFlows<F extends string>(
  proven: readonly F[],
  schemas: readonly Factors[],
  usable: readonly F[],
): F[] {
  const ordered = nextFlowsOfAll(proven, schemas, usable)
    .map((flow) => ({ flow, left: proofsLeft([...proven, flow], schemas, usable) }))
    .filter(({ left }) => Number.isFinite(left))
    .sort((a, b) => a.left - b.left)
    .map(({ flow }) => flow)
  const firstSchemaFlows = schemas.slice(0, 1).flatMap((factors) => nextFlowsOf(proven, factors, usable))
  return ordered.some((flow) => firstSchemaFlows.includes(flow))
    ? ordered.filter((flow) => firstSchemaFlows.includes(flow))
    : ordered
}

/** Returns whether some proven flows satisfy `after` but not `before`. */
export function isWeaker(before: Factors, after: Factors): boolean {
  const flows = [...new Set([after, before].flatMap((factors) => [...factors.firstFactor, ...factors.secondFactor]))]
  const sequences = flows.flatMap((flow) => [[flow], ...flows.map((second) => [flow, second])])
  return sequences.some((proven) => satisfies(proven, after) && !satisfies(proven, before))
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
