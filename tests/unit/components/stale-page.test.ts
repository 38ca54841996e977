import { expect, test } from 'vitest'
import { isMissingChunk, mayReload } from '@/components/ui/stale-page'

test('a missing script is recognized by the name of its error', () => {
  expect(isMissingChunk(Object.assign(new Error('gone'), { name: 'ChunkLoadError' }))).toBe(true)
  expect(isMissingChunk(new Error('ChunkLoadError'))).toBe(false)
  expect(isMissingChunk('ChunkLoadError')).toBe(false)
})

test('a page is reloaded once, and again only much later', () => {
  const items = new Map<string, string>()
  const storage = () => ({
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  })
  const now = Date.UTC(2026, 10, 21)
  expect(mayReload(storage, now)).toBe(true)
  expect(mayReload(storage, now + 5_000)).toBe(false)
  expect(mayReload(storage, now + 3_600_000)).toBe(true)
})

test('without storage it is never reloaded, because nothing would stop a loop', () => {
  const refused = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  expect(mayReload(refused, Date.now())).toBe(false)
})
