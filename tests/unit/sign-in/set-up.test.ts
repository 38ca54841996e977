import { describe, expect, test } from 'vitest'
import { type Factors, isDeadEnd, isWeaker, nextFlows } from '@/lib/access/authentication-schemas/factors'
import { type FlowId, flowIds } from '@/lib/access/authentication-schemas/flow-ids'
import { AttemptState, firstStage, nextState, openFlows, prove, provenByProvider } from '@/lib/sign-in/attempts/machine'
import { eachFifth } from '../../setup/scope'

/** Every set of these flows. */
function subsets<F>([flow, ...others]: readonly F[]): F[][] {
  if (flow === undefined) return [[]]
  const without = subsets(others)
  return [...without, ...without.map((set) => [flow, ...set])]
}

const typed = { idAttribute: 'login' as const, identifier: 'anna', typed: 'anna', path: null }

type Schema = { code: string; firstFactor: FlowId[]; secondFactor: FlowId[] }
/** An account: its flows without an app, and whether it has one. */
type Account = { has: FlowId[]; hasApp: boolean }

/** Every schema of these flows and of an app as the second factor, and every account that has some of them. */
function everything(firstFlows: FlowId[]) {
  const sets = subsets<FlowId>(firstFlows)
  const schemas: Schema[] = sets
    .filter(({ length }) => length > 0)
    .flatMap((firstFactor) =>
      subsets<FlowId>([...firstFlows, 'totp']).map((secondFactor) => ({ code: 'own', firstFactor, secondFactor })),
    )
    .filter((schema) => !isDeadEnd(schema))
  const accounts: Account[] = sets.flatMap((has) => [false, true].map((hasApp) => ({ has, hasApp })))
  return { sets, schemas, accounts }
}

/** Returns the proofs of every way through sign-in, for somebody who can prove only `able`, and set up an app. */
function waysIn(schema: Schema, { has, hasApp }: Account, able: readonly FlowId[], byProvider = false): string[][] {
  const required = { ownSchema: schema, requested: [] }
  const usable = hasApp ? [...has, 'totp' as const] : has
  const flows = { usable, besideApp: hasApp ? null : has }
  const ways: string[][] = []
  const go = (state: AttemptState | null) => {
    if (!state) return
    if (state.stage === 'guards') ways.push([...state.proven])
    for (const flow of openFlows(state)) {
      const isAble = flow === 'totp' && !hasApp ? true : able.includes(flow)
      const proven = isAble && (state.stage !== 'first' || has.includes(flow)) ? prove(state, flow) : null
      if (proven) go(nextState(proven, required, flows))
    }
  }
  const begun = byProvider ? provenByProvider(required, flowIds) : firstStage(required, flowIds)
  const state = begun && AttemptState.parse({ ...typed, ...begun })
  go(byProvider && state ? nextState(state, required, flows) : state)
  return ways
}

// a code by SMS is to the rules what a code by e-mail is
describe.each<[string, FlowId[]]>([
  ['a password and codes', ['credentials', 'email_code', 'sms_code']],
  ['a password, a code and a passkey', ['credentials', 'email_code', 'passkey']],
])('of every schema and every account with %s', (_, firstFlows) => {
  const { sets, schemas, accounts } = everything(firstFlows)

  test('an app is set up only by who has proven two flows of the account, or its only one, and never in place of one', () => {
    let setUps = 0
    for (const schema of schemas)
      for (const has of sets)
        for (const byProvider of [false, true])
          for (const proven of waysIn(schema, { has, hasApp: false }, has, byProvider)) {
            const others = proven.filter((flow) => flow !== 'totp')
            if (others.length === proven.length) continue
            setUps++
            // a passkey is two factors in one
            if (!others.includes('passkey'))
              expect(others.length).toBeGreaterThanOrEqual(Math.min(2, has.length + (byProvider ? 1 : 0)))
            expect(proven.at(-1)).toBe('totp')
            // a passkey takes the place of no second factor beside a provider
            const firstFactor = [...schema.firstFactor.filter((flow) => flow !== 'passkey'), 'provider']
            const asked = byProvider ? { ...schema, firstFactor } : schema
            expect(nextFlows<string>(byProvider ? ['provider'] : [], [asked], has)).toEqual([])
          }
    expect(setUps).toBeGreaterThan(100)
  })

  test('an attempt that began otherwise opens no set-up: by a request that no longer counts, or without SMS', () => {
    for (const schema of schemas.filter(({ secondFactor }) => secondFactor.includes('totp')))
      for (const has of sets.filter((flows) => nextFlows<string>([], [schema], flows).length > 0))
        for (const requested of eachFifth(schemas))
          for (const ready of [[...flowIds], flowIds.filter((flow): flow is FlowId => flow !== 'sms_code')]) {
            const begun = firstStage({ ownSchema: schema, requested: [requested] }, ready)
            const flows = { usable: has.filter((flow) => ready.includes(flow)), besideApp: has }
            const required = { ownSchema: schema, requested: [] }
            const opened: string[] = []
            const go = (state: AttemptState | null) => {
              if (!state) return
              if (openFlows(state).includes('totp')) opened.push(state.proven.join())
              for (const flow of openFlows(state)) {
                const proven = has.includes(flow) ? prove(state, flow) : null
                if (proven) go(nextState(proven, required, flows))
              }
            }
            go(begun && AttemptState.parse({ ...typed, ...begun }))
            expect({ schema, has, requested, opened }).toMatchObject({ opened: [] })
          }
  })

  test('nobody whose flows include one of the first factor is locked out by the lack of an app', () => {
    for (const schema of schemas.filter(({ secondFactor }) => secondFactor.includes('totp')))
      for (const has of sets)
        if (has.some((flow) => schema.firstFactor.includes(flow)))
          expect(waysIn(schema, { has, hasApp: false }, has)).not.toEqual([])
    // nor anybody whom a provider has proven, whatever else they have
    for (const schema of schemas.filter(({ secondFactor }) => secondFactor.includes('totp')))
      for (const has of sets) expect(waysIn(schema, { has, hasApp: false }, has, true)).not.toEqual([])
  })

  test('a change that isn’t weaker lets nobody in who could prove too little before', () => {
    const able = new Map<string, boolean>()
    const letsIn = (schema: Schema, account: Account, proofs: FlowId[]) => {
      const key = JSON.stringify([schema, account, proofs])
      const isAdmitted = able.get(key) ?? waysIn(schema, account, proofs).length > 0
      able.set(key, isAdmitted)
      return isAdmitted
    }
    const attackers = accounts.flatMap((account) =>
      subsets<FlowId>(account.hasApp ? [...account.has, 'totp'] : account.has).map((proofs) => ({ account, proofs })),
    )
    const admitted = schemas.map((schema) => attackers.map(({ account, proofs }) => letsIn(schema, account, proofs)))
    const faults: string[] = []
    let comparedPairs = 0
    for (const [from, before] of schemas.entries())
      for (const [to, after] of schemas.entries()) {
        if (isWeaker(before, after)) continue
        comparedPairs++
        const gained = attackers.filter((_, at) => admitted[to]?.[at] && !admitted[from]?.[at])
        if (gained.length > 0) faults.push(JSON.stringify({ before, after, gained: gained[0] }))
      }
    expect(faults.slice(0, 3)).toEqual([])
    expect(comparedPairs).toBeGreaterThan(schemas.length)
  })
})

test.each<[string, Factors, Factors, boolean]>([
  [
    'an app as a further factor',
    { firstFactor: ['credentials'], secondFactor: [] },
    { firstFactor: ['credentials'], secondFactor: ['totp'] },
    false,
  ],
  [
    'an app in place of a code',
    { firstFactor: ['credentials'], secondFactor: ['sms_code'] },
    { firstFactor: ['credentials'], secondFactor: ['totp'] },
    true,
  ],
  [
    'an app beside a code',
    { firstFactor: ['credentials'], secondFactor: ['sms_code'] },
    { firstFactor: ['credentials'], secondFactor: ['sms_code', 'totp'] },
    true,
  ],
  [
    'no code beside the app any more',
    { firstFactor: ['credentials'], secondFactor: ['sms_code', 'totp'] },
    { firstFactor: ['credentials'], secondFactor: ['totp'] },
    true,
  ],
  [
    'no app beside the code any more',
    { firstFactor: ['credentials'], secondFactor: ['sms_code', 'totp'] },
    { firstFactor: ['credentials'], secondFactor: ['sms_code'] },
    false,
  ],
])('%s', (_, before, after, weaker) => {
  expect(isWeaker(before, after)).toBe(weaker)
})
