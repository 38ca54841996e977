import { describe, expect, test } from 'vitest'
import { createConcurrencyLimit } from '@/lib/base/runtime/concurrency-limit'

/** Work that ends when the test says so. */
function controlled() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name)
      ends.set(name, () => resolve(name))
    })
  return { started, work, end: (name: string) => ends.get(name)?.() }
}

describe('a gate', () => {
  test('runs as many as its width, and the others in order as those end', async () => {
    const gate = createConcurrencyLimit(() => 2, 10)
    const { started, work, end } = controlled()
    const done = ['a', 'b', 'c', 'd'].map((name) => gate(work(name)))
    expect(started).toEqual(['a', 'b'])
    end('b')
    await done[1]
    expect(started).toEqual(['a', 'b', 'c'])
    end('a')
    await done[0]
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    end('c')
    end('d')
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('refuses work that would wait too long, and says when to try again', async () => {
    const gate = createConcurrencyLimit(() => 1, 1)
    const { work, end } = controlled()
    const first = gate(work('a'))
    const second = gate(work('b'))
    await expect(gate(work('c'))).rejects.toMatchObject({ status: 503, retryAfter: 5 })
    end('a')
    await first
    end('b')
    expect(await second).toBe('b')
  })

  test('failed work frees its place', async () => {
    const gate = createConcurrencyLimit(() => 1, 1)
    await expect(gate(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await gate(async () => 'next')).toBe('next')
  })
})
