import { describe, expect, test } from 'vitest'
import { satisfies } from '@/lib/access/authentication-schemas/factors'
import type { FlowId, ProvenFlow } from '@/lib/sign-in/attempts/contract'
import {
  AttemptState,
  firstStage,
  nextState,
  openFlows,
  prove,
  type RequiredSchemas,
} from '@/lib/sign-in/attempts/machine'
import type { Random } from '../../factories/random'
import { caseNumbers } from '../../factories/random-cases'
import { rounds } from '../../setup/scope'

const all: FlowId[] = ['credentials', 'email_code', 'sms_code']
type Schema = RequiredSchemas['ownSchema'] & { firstFactor: FlowId[]; secondFactor: FlowId[] }

const pick = (random: Random, least: number): FlowId[] => {
  const mixed = all.map((flow) => ({ flow, at: random(1e9) })).sort((one, other) => one.at - other.at)
  return mixed.slice(0, least + random(4 - least)).map(({ flow }) => flow)
}
const schema = (random: Random): Schema => ({
  code: `schema-${random(1e6)}`,
  firstFactor: pick(random, 1),
  secondFactor: random(3) === 0 ? [] : pick(random, 1),
})

/** The rules of a schema, written independently of the state machine. */
function isProvenFor({ firstFactor, secondFactor }: Schema, given: readonly ProvenFlow[]): boolean {
  // nobody comes from a provider here
  const proven = given as readonly FlowId[]
  return proven.some(
    (one, at) =>
      firstFactor.includes(one) &&
      (secondFactor.length === 0 ||
        proven.some((other, later) => later > at && other !== one && secondFactor.includes(other))),
  )
}
const orders = (remaining: FlowId[] = all): FlowId[][] => [
  [],
  ...remaining.flatMap((flow) => orders(remaining.filter((each) => each !== flow)).map((rest) => [flow, ...rest])),
]
const fewest = (schemas: Schema[], usable = all) =>
  Math.min(
    ...orders(usable)
      .filter((proven) => schemas.every((each) => isProvenFor(each, proven)))
      .map(({ length }) => length),
  )

const begin = (demands: RequiredSchemas, usable = all): AttemptState | null => {
  const beginning = firstStage(demands, usable)
  const asked = { idAttribute: 'login', identifier: 'a', typed: 'a', path: null } as const
  return beginning && AttemptState.parse({ ...asked, ...beginning })
}

type End = { proven: readonly ProvenFlow[]; stage: 'guards' | 'stuck' }

/** Every path through an attempt: at each step each flow is tried, open or not. */
function everyEnd(state: AttemptState, demandsAt: (step: number) => RequiredSchemas, usable: FlowId[]): End[] {
  return all.flatMap((flow): End[] => {
    const proven = prove(state, flow)
    if ((proven !== null) !== openFlows(state).includes(flow)) throw new Error(`${flow} of ${openFlows(state)}`)
    // a flow without transport, or that the account can't use, is never proven
    if (!proven || (state.proven.length > 0 && !usable.includes(flow))) return []
    const next = nextState(proven, demandsAt(proven.proven.length), { usable, besideApp: null })
    if (!next) return [{ proven: proven.proven, stage: 'stuck' }]
    if (`${next.proven}` !== `${[...state.proven, flow]}`) throw new Error(`${flow} made ${next.proven}`)
    if (next.stage === 'guards') return [{ proven: next.proven, stage: 'guards' }]
    if (openFlows(next).some((open) => next.proven.includes(open))) throw new Error(`twice: ${openFlows(next)}`)
    return everyEnd(next, demandsAt, usable)
  })
}

describe('with two random schemas', () => {
  const random = caseNumbers(20)
  const cases = Array.from({ length: rounds(2000) }, () => ({
    ownSchema: schema(random),
    requested: schema(random),
    has: pick(random, 1),
  }))

  test('both apply for people who can receive everything, and every offered flow leads to the end', () => {
    const [wrong, both]: [unknown[], unknown[]] = [[], []]
    for (const { ownSchema, requested } of cases) {
      const demands = { ownSchema, requested: [requested] }
      const possible = Number.isFinite(fewest([ownSchema, requested]))
      const inForce = possible ? [ownSchema, requested] : [ownSchema]
      const least = fewest(inForce)
      const state = begin(demands)
      if ((state !== null) !== Number.isFinite(fewest([ownSchema])) || state?.first.length === 0)
        wrong.push({ ownSchema, state })
      if (!state) continue
      if (possible) both.push(demands)
      const ends = everyEnd(state, () => demands, all)
      for (const { proven, stage } of ends) {
        const met = inForce.every((each) => isProvenFor(each, proven))
        // if fewer proofs were enough for both, the rules above would be wrong
        if (stage !== 'guards' || !met || proven.length < least) wrong.push({ demands, proven, stage })
      }
      for (const flow of state.first) if (!ends.some(({ proven }) => proven[0] === flow)) wrong.push({ demands, flow })
    }
    expect(wrong).toEqual([])
    expect(both.length).toBeGreaterThan(rounds(1000))
  })

  test('the own one applies whatever an account can receive, and the other one if it can be met', () => {
    const [wrong, stuck]: [unknown[], unknown[]] = [[], []]
    for (const { ownSchema, requested, has } of cases) {
      const demands = { ownSchema, requested: [requested] }
      const state = begin(demands)
      for (const first of state?.first ?? []) {
        const proven = state && prove(state, first)
        const next = proven && nextState(proven, demands, { usable: has, besideApp: null })
        if (!next) {
          stuck.push(demands)
          if (canEnd([ownSchema], first, has)) wrong.push({ demands, has, first })
          continue
        }
        if (openFlows(next).some((flow) => !has.includes(flow))) wrong.push({ demands, has, next })
        const inForce = canEnd([ownSchema, requested], first, has) ? [ownSchema, requested] : [ownSchema]
        const ends: End[] =
          next.stage === 'guards' ? [{ proven: next.proven, stage: 'guards' }] : everyEnd(next, () => demands, has)
        for (const end of ends)
          if (end.stage !== 'guards' || !inForce.every((each) => isProvenFor(each, end.proven)))
            wrong.push({ demands, has, end })
      }
    }
    expect(wrong).toEqual([])
    expect(stuck.length).toBeGreaterThan(rounds(50))
  })

  test('the own one applies in its old and its new state, when schemas and requests change at every step', () => {
    const [wrong, ended]: [unknown[], unknown[]] = [[], []]
    for (const [at, { ownSchema, requested, has }] of cases.entries()) {
      const later = cases[(at + 1) % cases.length] ?? { ownSchema, requested, has }
      const before = { ownSchema, requested: at % 2 ? [requested] : [] }
      const after = { ownSchema: later.ownSchema, requested: at % 3 ? [later.requested] : [] }
      const state = begin(before)
      if (!state) continue
      for (const since of [1, 2])
        for (const { proven, stage } of everyEnd(state, (step) => (step >= since ? after : before), all)) {
          if (stage !== 'guards') continue
          const asked = proven.length >= since ? [later.ownSchema] : [ownSchema]
          // an earlier requested schema may have asked for another first factor
          if (isProvenFor({ ...ownSchema, secondFactor: [] }, proven.slice(0, 1))) asked.push(ownSchema)
          if (!asked.every((each) => isProvenFor(each, proven))) wrong.push({ before, after, since, proven })
          ended.push(proven)
        }
    }
    expect(wrong).toEqual([])
    expect(ended.length).toBeGreaterThan(rounds(1000))
  })

  test('an attempt with one schema keeps the fields that previous versions know', () => {
    const fields = new Set<string>()
    for (const { ownSchema, has } of cases) {
      const demands = { ownSchema, requested: [] }
      const state = begin(demands)
      for (const flow of state?.first ?? []) {
        const proven = state && prove(state, flow)
        const next = proven && nextState(proven, demands, { usable: has, besideApp: null })
        for (const each of [state, next]) {
          if (each) AttemptState.parse(each)
          for (const field of Object.keys(each ?? {})) fields.add(field)
        }
      }
    }
    const knownFields = 'first idAttribute identifier path proven schema second secondRequired stage typed'
    expect([...fields].sort()).toEqual(knownFields.split(' '))
  })

  test('acr is claimed by the rules of a schema', () => {
    const proven = orders()
    const wrong = cases.flatMap(({ ownSchema }) =>
      proven
        .filter((each) => satisfies(each, ownSchema) !== isProvenFor(ownSchema, each))
        .map((each) => ({ ownSchema, each })),
    )
    expect(wrong).toEqual([])
  })
})

/** Returns whether some order of an account's flows meets these schemas after this flow. */
const canEnd = (schemas: Schema[], first: FlowId, has: FlowId[]) =>
  orders().some(
    ([one, ...rest]) =>
      one === first &&
      rest.every((flow) => has.includes(flow)) &&
      schemas.every((each) => isProvenFor(each, [first, ...rest])),
  )
