import { errors } from 'oidc-provider'
import { describe, expect, test } from 'vitest'
import { routeClass } from '@/bin/server/inbound'
import { ownPath, staysAfterSignIn } from '@/lib/base/navigation/after-sign-in'
import { contractorClaim } from '@/lib/openid/claims/service'
import { announcedFor, rotationStep, signsFor } from '@/lib/openid/keys/rotation'
import { isFreshEnough } from '@/lib/openid/server/interaction'
import { providerFailureOf } from '@/lib/openid/server/pages'
import { requestedLocale } from '@/lib/openid/server/requested-locale'

describe('rotation of keys', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const key = (id: string, state: 'next' | 'active' | 'retired', age: number) => ({
    id,
    state,
    createdAt: ago(age),
    activatedAt: state === 'next' ? null : ago(age),
  })

  test('begins with two keys', () => {
    expect(rotationStep([], now)).toEqual({ retire: [], createActive: true, createNext: true })
  })
  test('waits until the key is old and the next one was published', () => {
    const nothing = { retire: [], createActive: false, createNext: false }
    expect(rotationStep([key('a', 'active', signsFor - 1), key('b', 'next', signsFor - 1)], now)).toEqual(nothing)
    expect(rotationStep([key('a', 'active', signsFor), key('b', 'next', announcedFor - 1)], now)).toEqual(nothing)
  })
  test('activates the next one and creates another', () => {
    const keys = [key('a', 'active', signsFor), key('b', 'next', announcedFor), key('c', 'retired', 2 * signsFor)]
    expect(rotationStep(keys, now)).toEqual({ activate: 'b', retire: ['a'], createActive: false, createNext: true })
  })
})

describe('the requirements of an authorization request on a session', () => {
  test('prompt=login requires another one, max_age a recent one', () => {
    const old = { meanwhile: false, age: 100 }
    expect(isFreshEnough({}, old)).toBe(true)
    expect(isFreshEnough({ prompt: 'login consent' }, old)).toBe(false)
    expect(isFreshEnough({ max_age: 99 }, old)).toBe(false)
    expect(isFreshEnough({ max_age: 100 }, old)).toBe(true)
    expect(isFreshEnough({ max_age: 0 }, { meanwhile: false, age: 0 })).toBe(true)
    expect(isFreshEnough({ prompt: 'login', max_age: 0 }, { meanwhile: true, age: -5 })).toBe(true)
  })
  test('the first supported language of ui_locales is used', () => {
    expect(requestedLocale({ ui_locales: 'de-DE en-GB ru' }, ['ru', 'en'])).toBe('en')
    expect(requestedLocale({ ui_locales: 'de' }, ['ru', 'en'])).toBeUndefined()
    expect(requestedLocale({}, ['ru', 'en'])).toBeUndefined()
  })
})

test('contractors are returned with their organizations and roles', () => {
  const contractor = { id: 'c', name: 'Вега', inn: '7700000000', kpp: '770001001' }
  const rows = [
    { ...contractor, organizationId: 'o', organization: 'Полярис', roleId: 'r1', role: 'Поставщик' },
    { ...contractor, organizationId: 'o', organization: 'Полярис', roleId: 'r2', role: 'Перевозчик' },
    { ...contractor, id: 'd', organizationId: null, organization: null, roleId: 'r1', role: 'Поставщик' },
  ]
  expect(contractorClaim(rows)).toEqual([
    {
      ...contractor,
      organizations: [
        {
          id: 'o',
          name: 'Полярис',
          roles: [
            { id: 'r1', name: 'Поставщик' },
            { id: 'r2', name: 'Перевозчик' },
          ],
        },
      ],
    },
    // a disabled organization gives nothing
    { ...contractor, id: 'd', organizations: [] },
  ])
})

test('each failure has the page that helps', () => {
  expect(providerFailureOf(new errors.SessionNotFound('gone'))).toBe('expired')
  expect(providerFailureOf(new errors.InvalidClient('unknown'))).toBe('client')
  expect(providerFailureOf(new errors.InvalidRedirectUri())).toBe('address')
  expect(providerFailureOf(new errors.InvalidRequest('faulty'))).toBe('other')
  expect(providerFailureOf(new Error('broken'))).toBe('unavailable')
})

test('interactions are part of the provider, and signing in leads back to them', () => {
  expect(routeClass('/platform/interaction/abc')).toBe('oidc')
  expect(routeClass('/.well-known/oauth-authorization-server/oidc')).toBe('oidc')
  expect(routeClass('/.well-known/security.txt')).toBe('page')
  expect(ownPath('/platform/interaction/Ab_-9')).toBe('/platform/interaction/Ab_-9')
  expect(staysAfterSignIn('/platform/interaction/Ab_-9')).toBe(true)
})
