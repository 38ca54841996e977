import { expect, test } from 'vitest'
import { both, satisfies } from '@/lib/entry/sign-in/wanted'
import { amrOf, askedAcr } from '@/lib/oidc/provider/acr'

const schema = (firstFactor: string[], secondFactor: string[] = []) => ({ firstFactor, secondFactor })

test.each([
  [
    'a second factor is added',
    schema(['credentials']),
    schema(['credentials'], ['sms_code']),
    schema(['credentials'], ['sms_code']),
  ],
  [
    'a second factor is kept',
    schema(['credentials'], ['sms_code']),
    schema(['credentials']),
    schema(['credentials'], ['sms_code']),
  ],
  [
    'of both only what is in both',
    schema(['credentials', 'sms_code'], ['sms_code', 'email_code']),
    schema(['sms_code', 'credentials'], ['email_code']),
    schema(['credentials', 'sms_code'], ['email_code']),
  ],
  ['nothing in common is no way', schema(['credentials']), schema(['sms_code']), schema([])],
])('%s', (_what, own, wanted, expected) => {
  expect(both(own, wanted)).toEqual(expected)
})

test.each([
  [['credentials'], schema(['credentials']), true],
  [['credentials'], schema(['credentials'], ['sms_code']), false],
  [['credentials', 'sms_code'], schema(['credentials'], ['sms_code']), true],
  [['credentials', 'sms_code'], schema(['credentials']), true],
  [['sms_code', 'credentials'], schema(['credentials'], ['sms_code']), false],
  [[], schema(['credentials']), false],
])('%j for %j: %s', (proven, asked, is) => {
  expect(satisfies(proven, asked)).toBe(is)
})

test('factors in the words of RFC 8176', () => {
  expect(amrOf(['credentials'])).toEqual(['pwd'])
  expect(amrOf(['credentials', 'sms_code'])).toEqual(['pwd', 'otp', 'sms', 'mfa'])
  expect(amrOf(['email_code'])).toEqual(['otp'])
  expect(amrOf([])).toBeUndefined()
  expect(amrOf()).toBeUndefined()
})

test('what a request asks of the way to sign in', () => {
  const claims = (acr: unknown) => ({ claims: JSON.stringify({ id_token: { acr } }), acr_values: 'wish other' })
  expect(askedAcr({})).toEqual({ codes: [], essential: false })
  expect(askedAcr({ acr_values: 'one  two' })).toEqual({ codes: ['one', 'two'], essential: false })
  expect(askedAcr(claims({ essential: true, values: ['a', 1, 'b'] }))).toEqual({ codes: ['a', 'b'], essential: true })
  expect(askedAcr(claims({ essential: true, value: 'a' }))).toEqual({ codes: ['a'], essential: true })
  expect(askedAcr(claims({ values: ['a'] }))).toEqual({ codes: ['a'], essential: false })
  expect(askedAcr(claims({ essential: true }))).toEqual({ codes: ['wish', 'other'], essential: false })
  expect(askedAcr(claims(null))).toEqual({ codes: ['wish', 'other'], essential: false })
})
