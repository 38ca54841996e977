import { describe, expect, test } from 'vitest'
import type { Factors } from '@/lib/access/authentication-schemas/factors'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import {
  type AttemptState,
  firstStage,
  nextState,
  openFlows,
  prove,
  type RequiredSchemas,
} from '@/lib/sign-in/attempts/machine'

const all: FlowId[] = ['credentials', 'email_code', 'sms_code']
const schema = (firstFactor: FlowId[], secondFactor: FlowId[] = []) => ({ code: 'own', firstFactor, secondFactor })
const demands = (ownSchema: RequiredSchemas['ownSchema'], ...requested: Factors[]): RequiredSchemas => ({
  ownSchema,
  requested,
})

const state = (changes: Partial<AttemptState> = {}): AttemptState => ({
  idAttribute: 'login',
  identifier: 'anna',
  typed: 'Anna',
  stage: 'first',
  first: ['credentials', 'email_code'],
  second: [],
  secondRequired: false,
  proven: [],
  path: null,
  ...changes,
})
const second = (flows: FlowId[]) => ({ second: flows, secondRequired: true })
const begin = (asked: RequiredSchemas, usable = all) => {
  const beginning = firstStage(asked, usable)
  return beginning && state(beginning)
}

/** Returns the stage after a proof, or why there is none. */
function step(from: AttemptState, flow: FlowId, asked: RequiredSchemas, usable = all) {
  const proven = prove(from, flow)
  if (!proven) return 'refused: flow'
  const to = nextState(proven, asked, { usable, besideApp: null })
  return to ? [to.stage, ...openFlows(to)].join(' ') : 'refused: noFlows'
}

describe('sign-in machine', () => {
  const two = schema(['credentials', 'email_code'], ['sms_code'])
  const one = schema(['credentials', 'email_code'])
  test.each<[string, AttemptState, FlowId, RequiredSchemas, string]>([
    ['one factor by password', state(), 'credentials', demands(one), 'guards'],
    ['one factor by the other flow', state(), 'email_code', demands(one), 'guards'],
    ['first of two', state(second(['sms_code'])), 'credentials', demands(two), 'second sms_code'],
    [
      'second of two',
      state({ ...second(['sms_code']), stage: 'second', proven: ['credentials'] }),
      'sms_code',
      demands(two),
      'guards',
    ],
    ['a flow that is not offered', state(), 'sms_code', demands(one), 'refused: flow'],
    ['the second factor first', state(second(['sms_code'])), 'sms_code', demands(two), 'refused: flow'],
    [
      'the first factor again as the second',
      state({ ...second(['sms_code']), stage: 'second', proven: ['credentials'] }),
      'credentials',
      demands(two),
      'refused: flow',
    ],
    [
      'one secret as both factors',
      state(second(['email_code'])),
      'email_code',
      demands(schema(['credentials', 'email_code'], ['email_code'])),
      'refused: noFlows',
    ],
    [
      'a demanded second factor that nobody can receive',
      state(second([])),
      'credentials',
      demands(one),
      'refused: noFlows',
    ],
    [
      'anything once all is proven',
      state({ stage: 'guards', proven: ['credentials'] }),
      'credentials',
      demands(one),
      'refused: flow',
    ],
    ['a schema made stricter meanwhile', state(), 'credentials', demands(two), 'second sms_code'],
    ['a schema made weaker meanwhile', state(second(['sms_code'])), 'credentials', demands(one), 'second sms_code'],
    [
      'an attempt that lost its second factor in a version before',
      state({ stage: 'second', second: ['email_code'], secondRequired: true, proven: ['credentials'] }),
      'email_code',
      demands(two),
      'second sms_code',
    ],
  ])('%s', (_, from, flow, asked, expected) => {
    const before = structuredClone(from)
    expect(step(from, flow, asked)).toBe(expected)
    expect(from).toEqual(before)
  })

  test('flows proven before the guards are checked again after them', () => {
    const proven = state({ stage: 'guards', proven: ['credentials'] })
    expect(nextState(proven, demands(one), { usable: all, besideApp: null })?.stage).toBe('guards')
    expect(nextState(proven, demands(two), { usable: all, besideApp: null })).toMatchObject({
      stage: 'second',
      second: ['sms_code'],
    })
    expect(
      nextState(proven, demands(schema(['sms_code'], ['email_code'])), { usable: all, besideApp: null }),
    ).toMatchObject({
      second: ['sms_code'],
    })
    expect(
      nextState(proven, demands(schema(['email_code'], ['credentials'])), { usable: all, besideApp: null }),
    ).toBeNull()
  })

  test('the first factor isn’t offered as the second', () => {
    expect(step(state(second(['credentials', 'sms_code'])), 'credentials', demands(two))).toBe('second sms_code')
  })
  test('no flow is open after the guards', () => expect(openFlows(state({ stage: 'guards' }))).toEqual([]))

  test('if a requested schema can’t be met, the next requested one counts, and the person’s own applies', () => {
    const mail = schema(['credentials'], ['email_code'])
    const both = demands(schema(['credentials'], ['sms_code']), mail)
    const from = begin(both)
    expect(from).toMatchObject({ first: ['credentials'], second: ['sms_code'], secondRequired: true })
    if (!from) return
    expect(step(from, 'credentials', both)).toBe('second sms_code')
    const ownState = state({ ...from, stage: 'second', second: ['sms_code'], proven: ['credentials'] })
    expect(step(ownState, 'sms_code', both)).toBe('second email_code')
    expect(step(ownState, 'sms_code', both, ['credentials', 'sms_code'])).toBe('guards')
    expect(step(from, 'credentials', both, ['credentials', 'sms_code'])).toBe('second sms_code')
    expect(step(from, 'credentials', both, ['credentials', 'email_code'])).toBe('refused: noFlows')
    const wishes = demands(schema(['credentials']), schema(['credentials'], ['sms_code']), mail)
    const wished = begin(wishes)
    if (!wished) throw new Error('no beginning')
    expect(step(wished, 'credentials', wishes)).toBe('second sms_code')
    expect(step(wished, 'credentials', wishes, ['credentials', 'email_code'])).toBe('second email_code')
    expect(step(wished, 'credentials', wishes, ['credentials'])).toBe('guards')
  })
})
