import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followLive } from '@/components/shell/live-stream'
import type { LiveEvent } from '@/lib/base/cache/live-events'

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

describe('with a stream', () => {
  const made: Source[] = []
  class Source extends EventTarget {
    static readonly CLOSED = 2
    readyState = 0
    onerror?: () => void
    constructor() {
      super()
      made.push(this)
    }
    close() {
      this.readyState = Source.CLOSED
    }
    say(type: string, data: unknown = '') {
      this.readyState = 1
      this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))
    }
    /** The connection broke: the browser connects again, unless the server refused. */
    fail(readyState: number) {
      this.readyState = readyState
      this.onerror?.()
    }
  }
  const marked = (mark: string) =>
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => Response.json({ mark })),
    )
  const asked = () => vi.mocked(fetch).mock.calls.length
  const stream = (): Source => made.at(-1) as Source
  const changed = (mark: string) => ({ event: 'account-changed', data: { mark } })

  beforeEach(() => {
    made.length = 0
    vi.useFakeTimers()
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('EventSource', Source)
    marked('one')
  })

  test('that a proxy holds back, the page asks after five seconds, while the stream goes on trying', async () => {
    const heard = page('any')
    await vi.advanceTimersByTimeAsync(4_900)
    expect(asked()).toBe(0)
    await vi.advanceTimersByTimeAsync(200)
    expect(asked()).toBe(1)
    expect(heard.mock.calls).toEqual([[changed('one')], [{ event: 'notices-changed', data: {} }]])
    expect(stream().readyState).toBe(0)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked()).toBe(2)
    // another try of the stream, and no pause between the questions is longer than before
    await vi.advanceTimersByTimeAsync(60_000)
    expect(made.length).toBeGreaterThan(1)
    expect(asked()).toBeGreaterThan(3)
  })

  test('that breaks and is not back after five seconds, the page asks until it is', async () => {
    const heard = page('any')
    stream().say('beat')
    await vi.advanceTimersByTimeAsync(10_000)
    const before = asked()
    stream().fail(0)
    await vi.advanceTimersByTimeAsync(5_100)
    expect(asked()).toBe(before + 1)
    heard.mockClear()
    stream().say('beat')
    await vi.advanceTimersByTimeAsync(200)
    // what happened meanwhile is asked for at once, and then nothing more
    expect(heard.mock.calls).toEqual([[{ event: 'notices-changed', data: {} }], [changed('one')]])
    for (let at = 0; at < 60_000; at += 20_000) {
      stream().say('beat')
      await vi.advanceTimersByTimeAsync(20_000)
    }
    expect(asked()).toBe(before + 2)
  })

  test('that the server refuses, nothing says that the server is there again before it answers', async () => {
    const reach = vi.fn()
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response('', { status: 503 })),
    )
    page('any', reach)
    for (let at = 0; at < 120_000; at += 1_000) {
      if (stream().readyState !== Source.CLOSED) stream().fail(Source.CLOSED)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(made.length).toBeGreaterThan(2)
    expect(reach.mock.calls).toEqual([[false]])
  })

  test('many changes at once cost one question, and a storm one each second', async () => {
    const heard = page('any')
    stream().say('beat')
    await vi.advanceTimersByTimeAsync(2_000)
    const before = asked()
    heard.mockClear()
    for (let at = 0; at < 50; at++) stream().say('account-changed', { within: 0 })
    await vi.advanceTimersByTimeAsync(150)
    expect(asked()).toBe(before + 1)
    expect(heard.mock.calls).toEqual([[changed('one')]])
    for (let at = 0; at < 10_000; at += 50) {
      stream().say('account-changed', { within: 0 })
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(asked() - before).toBeLessThanOrEqual(11)
    expect(asked() - before).toBeGreaterThan(8)
  })

  test('what everybody is told is spread, and one’s own change doesn’t wait for that', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    page('any')
    stream().say('beat')
    await vi.advanceTimersByTimeAsync(2_000)
    const before = asked()
    stream().say('account-changed', { within: 40_000 })
    stream().say('beat')
    await vi.advanceTimersByTimeAsync(19_900)
    expect(asked()).toBe(before)
    stream().say('account-changed', { within: 0 })
    await vi.advanceTimersByTimeAsync(150)
    expect(asked()).toBe(before + 1)
    stream().say('beat')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked()).toBe(before + 1)
  })

  test('of another page of the session: a page that opens learns by it the mark, and that there may be notices, one of another session doesn’t', async () => {
    vi.useRealTimers()
    let leads = false
    const request = (_: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) => {
      if (leads) return new Promise<void>((_resolve, refuse) => signal.addEventListener('abort', () => refuse(signal)))
      leads = true
      return run()
    }
    vi.stubGlobal('navigator', { locks: { request } })
    page('own')
    stream().say('beat')
    await vi.waitFor(() => expect(asked()).toBe(1))
    marked('two')
    const [late, other] = [page('own'), page('another')]
    await vi.waitFor(() => expect(late).toHaveBeenCalledWith(changed('two')), 3_000)
    expect(late.mock.calls).toEqual([[{ event: 'notices-changed', data: {} }], [changed('two')]])
    expect(other).not.toHaveBeenCalled()
    expect(made).toHaveLength(1)
  })
})
