import { expect, test } from 'vitest'
import { satisfies } from '@/lib/access/authentication-schemas/factors'
import { amrOf } from '@/lib/openid/server/acr'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import { AttemptState, nextState, openFlows, prove, provenByProvider } from '@/lib/sign-in/attempts/machine'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'

const all: FlowId[] = ['credentials', 'email_code', 'sms_code']
const withApp = { usable: all, besideApp: null }
const random = caseNumbers(81)
const pick = (least: number): FlowId[] => {
  const mixed = all.map((flow) => ({ flow, at: random(1e9) })).sort((one, other) => one.at - other.at)
  return mixed.slice(0, least + random(4 - least)).map(({ flow }) => flow)
}
const schema = () => ({ code: `s${random(1e6)}`, firstFactor: pick(1), secondFactor: random(3) === 0 ? [] : pick(1) })

/** Every end of an attempt that a provider has begun: what was proven, or that nothing is left to prove with. */
function everyEnd(
  state: AttemptState,
  ownSchema: ReturnType<typeof schema>,
  requested: ReturnType<typeof schema>[],
  has: FlowId[],
) {
  const ends: { proven: readonly string[]; stage: string }[] = []
  const go = (from: AttemptState) => {
    const next = nextState(from, { ownSchema, requested }, { usable: has, besideApp: null })
    if (!next) return void ends.push({ proven: from.proven, stage: 'stuck' })
    if (next.stage === 'guards') return void ends.push({ proven: next.proven, stage: 'guards' })
    for (const flow of openFlows(next)) {
      const proven = prove(next, flow)
      if (proven) go(AttemptState.parse(proven))
    }
  }
  go(state)
  return ends
}

test('the proof of a provider is the first factor of the own schema, whose second one always follows', () => {
  const [wrong, passed, asked, stuck]: [unknown[], unknown[], unknown[], unknown[]] = [[], [], [], []]
  for (const _ of eachRound(3000)) {
    const ownSchema = schema()
    const requested = random(2) === 0 ? [schema()] : []
    const has = pick(0)
    const typed = { idAttribute: 'login', identifier: 'a', typed: 'a', path: null } as const
    const begun = AttemptState.parse({ ...typed, ...provenByProvider({ ownSchema, requested }, has) })
    const possible = ownSchema.secondFactor.length === 0 || ownSchema.secondFactor.some((flow) => has.includes(flow))
    for (const { proven, stage } of everyEnd(begun, ownSchema, requested, has)) {
      const second = proven.slice(1).some((flow) => ownSchema.secondFactor.includes(flow as FlowId))
      const right = stage === 'guards' ? ownSchema.secondFactor.length === 0 || second : !possible
      if (!right) wrong.push({ own: ownSchema, wanted: requested, has, proven, stage })
      // an application can't be told that a schema was fulfilled which names other factors
      if (satisfies(proven.slice(0, 1), ownSchema)) wrong.push({ own: ownSchema, proven })
      if (stage === 'stuck') stuck.push(proven)
      else (proven.length > 1 ? asked : passed).push(proven)
    }
  }
  expect(wrong).toEqual([])
  for (const met of [passed, asked, stuck]) expect(met.length).toBeGreaterThan(shareOf(100))
})

test('a schema that became stricter while the person was at the second factor applies, and never a weaker one', () => {
  const ownSchema = { code: 'own', firstFactor: ['credentials' as const], secondFactor: ['email_code' as const] }
  const typed = { idAttribute: 'login', identifier: 'a', typed: 'a', path: null } as const
  const begun = AttemptState.parse({ ...typed, ...provenByProvider({ ownSchema, requested: [] }, all) })
  const second = nextState(begun, { ownSchema, requested: [] }, withApp)
  const proven = second && prove(second, 'email_code')
  expect(proven).not.toBeNull()
  if (!proven) return
  expect(nextState(proven, { ownSchema, requested: [] }, withApp)?.stage).toBe('guards')
  const stricter = { ...ownSchema, secondFactor: ['sms_code' as const] }
  expect(nextState(proven, { ownSchema: stricter, requested: [] }, withApp)).toMatchObject({
    stage: 'second',
    second: ['sms_code'],
  })
})

test('amr names what the platform has seen itself, and calls a provider no factor', () => {
  expect(amrOf(['provider'])).toBeUndefined()
  expect(amrOf(['provider', 'sms_code'])).toEqual(['otp', 'sms'])
  expect(amrOf(['credentials', 'sms_code'])).toEqual(['pwd', 'otp', 'sms', 'mfa'])
})
