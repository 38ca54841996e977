import { afterEach, expect, test, vi } from 'vitest'
import { openQueue } from '@/bin/test/queue'

afterEach(() => void vi.unstubAllEnvs())

test('a queue that can’t listen says so', async () => {
  vi.stubEnv('TMPDIR', '/nowhere/at/all')
  await expect(openQueue({ slots: 1, heard: () => {} })).rejects.toThrow('/nowhere/at/all')
})

test('each queue has a socket of its own, whatever a killed run has left', async () => {
  const first = await openQueue({ slots: 1, heard: () => {} })
  const second = await openQueue({ slots: 1, heard: () => {} })
  expect(second.path).not.toBe(first.path)
  await Promise.all([first.close(), second.close()])
})
