import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSecret } from '@/lib/applications/webhooks/secrets'
import { pauseOf, signedHeaders } from '@/lib/applications/webhooks/send'
import { bodyOf, mayHear, webhookTries } from '@/lib/applications/webhooks/send-event'
import { methodOf, topicsOf, typeOf, webhookMessages, webhookTypes } from '@/lib/applications/webhooks/types'
import { areaOf } from '@/lib/base/audit/entity'
import { entities } from '@/lib/operations/history/entities.generated'

describe('a type', () => {
  test('needs the read method of the area that shows its entity', () => {
    for (const type of webhookTypes) {
      const [topic] = topicsOf([type])
      const entity = entities.find(({ name }) => name === topic?.topic)
      expect([type, methodOf(type)]).toEqual([type, `${entity && areaOf(entity)}.read`])
      expect(typeOf({ entity: topic?.topic ?? '', type: topic?.type ?? '' })).toBe(type)
      expect(webhookMessages.has(type)).toBe(true)
    }
  })

  test('is none for what webhooks hear nothing of', () => {
    expect(typeOf({ entity: 'sessions', type: 'create' })).toBeNull()
    expect(typeOf({ entity: 'users', type: 'login' })).toBeNull()
    expect(typeOf({ entity: 'toString', type: 'create' })).toBeNull()
    expect(topicsOf(['user.created', 'unknown.created'])).toEqual([{ topic: 'users', type: 'create' }])
    expect(mayHear([])('unknown.created')).toBe(false)
  })
})

test('16 tries take about a day and a half, however the waits fall', () => {
  for (let round = 0; round < 500; round++) {
    const waits = Array.from({ length: webhookTries.most - 1 }, (_, at) => webhookTries.wait(at + 1))
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600
    expect(hours).toBeGreaterThan(32)
    expect(hours).toBeLessThan(40)
    expect(waits[0]).toBeLessThan(6)
  }
})

test('a pause is what Retry-After means, a day at most', () => {
  const now = new Date('2026-11-28T10:00:00.500Z')
  const day = 24 * 3_600
  const pauses: [string | null, number | null][] = [
    ['120', 120],
    [' 120 ', 120],
    ['Sat, 28 Nov 2026 10:01:00 GMT', 60],
    ['Saturday, 28-Nov-26 10:01:00 GMT', 60],
    ['Sat, 28 Nov 2026 09:59:00 GMT', null],
    ['Fri, 28 Nov 2036 10:00:00 GMT', day],
    ['9'.repeat(400), day],
    ...[
      '',
      '0',
      '-5',
      '1.5',
      '1e9',
      '0x10',
      '٣',
      'soon',
      'Infinity',
      '2026-11-29',
      'Sat, 99 Nov 2026 10:01:00 GMT',
    ].map((text): [string, null] => [text, null]),
    [null, null],
  ]
  for (const [header, pause] of pauses) expect([header, pauseOf(header, now)]).toEqual([header, pause])
})

test('a message is signed as the example of the specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const headers = signedHeaders(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
    [secret],
    new Date(1_614_265_330_000),
  )
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('each secret is new, long enough, and signs what the library verifies', () => {
  const secrets = Array.from({ length: 50 }, newSecret)
  expect(new Set(secrets).size).toBe(50)
  const body = bodyOf('user.updated', { entity: 'users', entityId: 'x', changes: { email: {} }, date: new Date() })
  for (const secret of secrets) {
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
    const headers = signedHeaders({ id: 'msg_1', body }, [newSecret(), secret], new Date())
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ data: { changedFields: ['email'] } })
  }
})
