import { expect, test } from 'vitest'
import { olderSecret } from '@/app/platform/(admin)/setting/applications/[id]/_ui/older-secret'

// rule: docs/rules/access.md#secrets

const until = '2026-11-05T10:00:00.000Z'
const current = (beforeRights: boolean) => ({ until: null, beforeRights })
const previous = (beforeRights: boolean) => ({ until, beforeRights })

test.each([
  ['no secret', [], null],
  ['one that is newer', [current(false)], null],
  ['one that is older', [current(true)], 'current'],
  ['both are older', [current(true), previous(true)], 'current'],
  ['the older one is replaced, and still counts', [current(false), previous(true)], 'previous'],
  ['the right is older than both', [current(false), previous(false)], null],
])('%s', (_, secrets, is) => {
  const older = olderSecret(secrets)
  expect(older?.is ?? null).toBe(is)
  if (is === 'previous') expect(older?.until).toBe(until)
})
