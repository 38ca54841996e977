import { describe, expect, test } from 'vitest'
import type { FlowId } from '@/lib/entry/sign-in/contract'
import { type AttemptState, openFlows, prove } from '@/lib/entry/sign-in/machine'

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

describe('sign-in machine', () => {
  test.each<[string, AttemptState, FlowId, string]>([
    ['one factor by password', state(), 'credentials', 'guards'],
    ['one factor by the other flow', state(), 'email_code', 'guards'],
    ['first of two', state(second(['sms_code'])), 'credentials', 'second'],
    [
      'second of two',
      state({ ...second(['sms_code']), stage: 'second', proven: ['credentials'] }),
      'sms_code',
      'guards',
    ],
    ['a flow that is not offered', state(), 'sms_code', 'refused: flow'],
    ['the second factor first', state(second(['sms_code'])), 'sms_code', 'refused: flow'],
    [
      'the first factor again as the second',
      state({ ...second(['sms_code']), stage: 'second' }),
      'credentials',
      'refused: flow',
    ],
    ['one secret as both factors', state(second(['email_code'])), 'email_code', 'refused: noFlows'],
    ['a demanded second factor that nobody can receive', state(second([])), 'credentials', 'refused: noFlows'],
    [
      'anything once all is proven',
      state({ stage: 'guards', proven: ['credentials'] }),
      'credentials',
      'refused: flow',
    ],
  ])('%s', (_, from, flow, expected) => {
    const before = structuredClone(from)
    const transition = prove(from, flow)
    expect(transition.kind === 'moved' ? transition.state.stage : `refused: ${transition.reason}`).toBe(expected)
    if (transition.kind === 'moved') expect(transition.state.proven).toEqual([...from.proven, flow])
    expect(from).toEqual(before)
  })

  test('the flow that was the first factor is not offered as the second', () => {
    const transition = prove(state(second(['credentials', 'sms_code'])), 'credentials')
    expect(transition.kind === 'moved' && openFlows(transition.state)).toEqual(['sms_code'])
  })
  test('nothing is open behind the guards', () => expect(openFlows(state({ stage: 'guards' }))).toEqual([]))
})
