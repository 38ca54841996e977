import { describe, expect, test } from 'vitest'
import { isDeadEnd, nextFlows, requireUsableSchema, satisfies } from '@/lib/access/authentication-schemas/factors'

const schema = (firstFactor: string[], secondFactor: string[] = []) => ({ firstFactor, secondFactor })
const flows = ['credentials', 'email_code', 'sms_code']

describe('whether the proved flows satisfy a schema', () => {
  test.each([
    [['credentials'], schema(['credentials']), true],
    [['credentials'], schema(['credentials'], ['sms_code']), false],
    [['credentials', 'sms_code'], schema(['credentials'], ['sms_code']), true],
    [['credentials', 'sms_code'], schema(['credentials']), true],
    [['sms_code', 'credentials'], schema(['credentials'], ['sms_code']), false],
    [['credentials', 'email_code', 'sms_code'], schema(['credentials'], ['sms_code']), true],
    [['credentials', 'email_code', 'sms_code'], schema(['email_code'], ['sms_code']), true],
    [['credentials', 'email_code', 'sms_code'], schema(['sms_code'], ['email_code']), false],
    // one secret can't be both factors, whatever the stored state contains
    [['email_code'], schema(['email_code'], ['email_code']), false],
    [['email_code', 'email_code'], schema(['email_code'], ['email_code']), false],
    [[], schema(['credentials']), false],
    [[], schema([]), false],
  ])('%j for %j: %s', (proven, asked, is) => {
    expect(satisfies(proven, asked)).toBe(is)
  })
})

describe('the next flows', () => {
  test.each([
    ['a schema’s own order', [], [schema(['sms_code', 'credentials'])], ['sms_code', 'credentials']],
    [
      'a flow that leaves no second one isn’t there',
      [],
      [schema(['email_code', 'credentials'], ['email_code'])],
      ['credentials'],
    ],
    [
      'nor one that comes before it',
      ['credentials'],
      [schema(['credentials'], ['credentials', 'sms_code'])],
      ['sms_code'],
    ],
    [
      'what meets both stands first',
      [],
      [schema(['credentials', 'email_code']), schema(['email_code'])],
      ['email_code', 'credentials'],
    ],
    ['no flow meets both: one of each', [], [schema(['credentials']), schema(['email_code'])], ['credentials']],
    ['and then the other', ['credentials'], [schema(['credentials']), schema(['email_code'])], ['email_code']],
    [
      'the same for second factors, the own one first',
      ['credentials'],
      [schema(['credentials'], ['sms_code']), schema(['credentials'], ['email_code'])],
      ['sms_code'],
    ],
    ['an order that both need', [], [schema(['credentials']), schema(['email_code'], ['credentials'])], ['email_code']],
    [
      'orders that exclude each other',
      [],
      [schema(['credentials'], ['email_code']), schema(['email_code'], ['credentials'])],
      [],
    ],
    ['nothing is left', ['credentials'], [schema(['credentials'])], []],
    ['an unknown flow is no way', [], [schema(['credentials'], ['key'])], []],
  ])('%s', (_, proven, demands, expected) => {
    expect(nextFlows(proven, demands, flows)).toEqual(expected)
  })
})

describe('a schema with which nobody can sign in', () => {
  test.each([
    [schema(['credentials']), false],
    [schema(['credentials'], ['credentials', 'sms_code']), false],
    [schema(['credentials', 'email_code'], ['email_code']), false],
    [schema(['email_code'], ['email_code']), true],
    [schema(['email_code', 'email_code'], ['email_code']), true],
    [schema([], ['email_code']), true],
    [schema([]), true],
  ])('%j: %s', (factors, is) => {
    expect(isDeadEnd(factors)).toBe(is)
  })

  test('is refused when it is stored', () => {
    const code = 'code'
    expect(requireUsableSchema({ code, ...schema(['credentials'], ['email_code']) })).toMatchObject({ code })
    expect(() => requireUsableSchema({ code, ...schema(['email_code'], ['email_code']) })).toThrow(code)
  })
})
