import { expect, test, vi } from 'vitest'
import { createSendKeys } from '@/components/form/send-keys'
import { type Guard, leaveThen, standGuard } from '@/components/ui/leaving'

test('the same input keeps its key; other input, and anything after a success, gets a new one', () => {
  let made = 0
  const keys = createSendKeys(() => `key ${++made}`)
  const alias = { body: { name: 'VPN', ips: [{ ip: '10.0.0.1' }] } }
  expect(keys.keyOf(alias)).toBe('key 1')
  expect(keys.keyOf(structuredClone(alias))).toBe('key 1')
  expect(keys.keyOf({ body: { ...alias.body, name: 'LAN' } })).toBe('key 2')
  expect(keys.keyOf(alias)).toBe('key 3')
  keys.done()
  expect(keys.keyOf(alias)).toBe('key 4')
})

test('keys of two forms differ', () => {
  const [one, other] = [createSendKeys().keyOf(1), createSendKeys().keyOf(1)]
  expect(one).not.toBe(other)
  expect(one.length).toBeGreaterThan(30)
})

test('leaving asks only one of the guards', () => {
  const asked = vi.fn()
  let answer = () => {}
  const guards = [1, 2].map((): Guard => {
    return {
      allowed: false,
      ask: (go) => {
        asked()
        answer = go
      },
    }
  })
  const stand = guards.map(standGuard)
  const go = vi.fn()
  leaveThen(go)
  expect(asked).toHaveBeenCalledTimes(1)
  expect(go).not.toHaveBeenCalled()
  answer()
  expect(go).toHaveBeenCalledTimes(1)
  // while the page is being left, nobody asks again
  leaveThen(go)
  expect(asked).toHaveBeenCalledTimes(1)
  expect(go).toHaveBeenCalledTimes(2)
  for (const end of stand) end()
})

test('without unsaved input it leaves at once', () => {
  const go = vi.fn()
  standGuard({ allowed: false, ask: () => expect.unreachable() })()
  leaveThen(go)
  expect(go).toHaveBeenCalledTimes(1)
})
