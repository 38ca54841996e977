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

// the table of docs/rules/sign-in.md#passkeys, of somebody with a password and an e-mail
describe('a passkey', () => {
  const flowsBeside = ['credentials', 'email_code']
  const ways = (asked: ReturnType<typeof schema>, usable: string[], proven: string[] = []): string[] =>
    satisfies(proven, asked)
      ? [proven.join(', ')]
      : nextFlows(proven, [asked], usable).flatMap((flow) => ways(asked, usable, [...proven, flow]))

  test.each<[ReturnType<typeof schema>, string[], string[]]>([
    [schema(['credentials', 'passkey']), ['credentials', 'passkey'], ['credentials']],
    [
      schema(['credentials', 'passkey'], ['email_code']),
      ['credentials, email_code', 'credentials, passkey', 'passkey'],
      ['credentials, email_code'],
    ],
    [schema(['credentials'], ['passkey']), ['credentials, passkey'], []],
    [
      schema(['credentials'], ['passkey', 'email_code']),
      ['credentials, passkey', 'credentials, email_code'],
      ['credentials, email_code'],
    ],
    [schema(['passkey']), ['passkey'], []],
    [
      schema(['passkey', 'credentials'], ['email_code']),
      ['passkey', 'credentials, email_code', 'credentials, passkey'],
      ['credentials, email_code'],
    ],
  ])('for %j lets in by %j, and without it by %j', (asked, withPasskey, without) => {
    expect(ways(asked, [...flowsBeside, 'passkey'])).toEqual(withPasskey)
    expect(ways(asked, flowsBeside)).toEqual(without)
  })

  test('is offered first or last, and what only it can follow behind other flows', () => {
    const usable = [...flowsBeside, 'passkey']
    const asked = schema(['email_code', 'passkey', 'credentials'], ['email_code'])
    expect(nextFlows([], [asked], usable)).toEqual(['credentials', 'email_code', 'passkey'])
    expect(nextFlows([], [schema(['passkey', 'email_code'], ['credentials'])], usable)).toEqual([
      'passkey',
      'email_code',
    ])
  })
})
