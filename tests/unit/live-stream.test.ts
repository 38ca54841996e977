import { afterEach, expect, test, vi } from 'vitest'
import { followLive } from '@/components/shell/live-stream'
import type { LiveEvent } from '@/lib/kernel/live'

// there is no stream here, so pages ask the server
const answers = (status: number) => vi.stubGlobal('fetch', vi.fn().mockResolvedValue({ status }))
const replaced: LiveEvent = { event: 'session-ended', data: { reason: 'replaced' } }
const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A page of `session`; returns the events that it receives. */
function page(session: string, reach: (there: boolean) => void = () => {}) {
  const heard = vi.fn()
  stops.push(followLive(session, heard, reach))
  return heard
}
const tell = (session: string) => {
  const channel = new BroadcastChannel('live')
  channel.postMessage({ ...replaced, session })
  stops.push(() => channel.close())
}

test('a page learns at once that its own session has ended', async () => {
  answers(200)
  const heard = page('old')
  tell('old')
  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith(replaced))
})

test('it doesn’t trust the end of another session: it asks, and stays while its own is valid', async () => {
  answers(200)
  const [old, fresh] = [page('old'), page('new')]
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled())
  const asked = vi.mocked(fetch).mock.calls.length
  tell('old')
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(asked + 1))
  await vi.waitFor(() => expect(old).toHaveBeenCalled())
  expect(fresh).not.toHaveBeenCalled()
})

test('and leaves if its own has ended too', async () => {
  answers(200)
  const fresh = page('new')
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled())
  answers(401)
  tell('old')
  await vi.waitFor(() => expect(fresh).toHaveBeenCalledExactlyOnceWith(replaced))
})

test('asking again and again leaves nothing behind', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', {})
  answers(200)
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener')
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener')
  page('any')
  await vi.advanceTimersByTimeAsync(30_000 * 20 + 1_000)
  expect(vi.mocked(fetch).mock.calls.length).toBeGreaterThan(20)
  expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThanOrEqual(1)
})

test('reports after a while that the server is unreachable, not for a moment, and once that it is back', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', {})
  answers(200)
  const reach = vi.fn()
  page('any', reach)
  await vi.advanceTimersByTimeAsync(1_000)
  answers(503)
  await vi.advanceTimersByTimeAsync(30_000)
  answers(200)
  expect(reach).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(30_000)
  const [[first], ...later] = reach.mock.calls as [[boolean], ...[boolean][]]
  expect(first).toBe(false)
  expect(later).toEqual([[true]])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reach).toHaveBeenCalledTimes(2)
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('no network')))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reach.mock.calls.at(-1)).toEqual([false])
})
