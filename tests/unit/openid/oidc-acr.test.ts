import { expect, test } from 'vitest'
import { amrOf, requestedAcr } from '@/lib/openid/server/acr'

test('factors have the names of RFC 8176', () => {
  expect(amrOf(['credentials'])).toEqual(['pwd'])
  expect(amrOf(['credentials', 'sms_code'])).toEqual(['pwd', 'otp', 'sms', 'mfa'])
  expect(amrOf(['email_code'])).toEqual(['otp'])
  expect(amrOf(['passkey'])).toEqual(['pop', 'user', 'mfa'])
  expect(amrOf([])).toBeUndefined()
  expect(amrOf()).toBeUndefined()
})

test('a request’s requirements on the sign-in are read', () => {
  const claims = (acr: unknown) => ({ claims: JSON.stringify({ id_token: { acr } }), acr_values: 'wish other' })
  expect(requestedAcr({})).toEqual({ codes: [], essential: false })
  expect(requestedAcr({ acr_values: 'one  two' })).toEqual({ codes: ['one', 'two'], essential: false })
  expect(requestedAcr(claims({ essential: true, values: ['a', 1, 'b'] }))).toEqual({
    codes: ['a', 'b'],
    essential: true,
  })
  expect(requestedAcr(claims({ essential: true, value: 'a' }))).toEqual({ codes: ['a'], essential: true })
  expect(requestedAcr(claims({ values: ['a'] }))).toEqual({ codes: ['a'], essential: false })
  expect(requestedAcr(claims({ essential: true }))).toEqual({ codes: ['wish', 'other'], essential: false })
  expect(requestedAcr(claims(null))).toEqual({ codes: ['wish', 'other'], essential: false })
})
