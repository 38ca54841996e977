import { afterEach, expect, test, vi } from 'vitest'
import { openQueue, whatIsLeft } from '@/bin/test/queue'
import { type Said, tellRun } from '../../setup/turn'

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

test('a failure is heard whatever its text contains', async () => {
  const failed = 'a\u2028b\u2029c\n\r"\ud800'
  const heard = await new Promise<Said>((resolve, reject) => {
    openQueue({ slots: 1, heard: resolve }).then(async (queue) => {
      vi.stubEnv('TEST_QUEUE', queue.path)
      tellRun({ ended: 'x', kind: 'unit', failed })
    }, reject)
  })
  expect(heard).toMatchObject({ failed })
})

test('what is left is counted by kind, and the last of a kind named', () => {
  const waiting = new Map([
    ['check', new Map([['types', 10]])],
    [
      'unit',
      new Map([
        ['tests/unit/a.test.ts', 1],
        ['tests/unit/b.test.ts', 1],
      ]),
    ],
    ['sweep', new Map()],
  ])
  expect(whatIsLeft(waiting)).toBe('check (types), 2 unit')
  expect(whatIsLeft(new Map())).toBe('ends')
})
