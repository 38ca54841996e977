import { describe, expect, test } from 'vitest'
import { type BulkResult, inParts } from '@/components/bulk/run'
import { CallError } from '@/lib/base/http/client'

const failure = (status: number, code: string) => new CallError(status, code, {}, undefined, undefined)
const ids = (count: number) => Array.from({ length: count }, (_, n) => `id-${n}`)
const well = (part: string[]): BulkResult[] => part.map((id) => ({ id, code: null }))

describe('an action on several things', () => {
  test.each([1, 5, 6, 23])('sends %i of them once each, in order, and tells its progress', async (count) => {
    const sent: string[] = []
    const seen: number[] = []
    const results = await inParts(
      ids(count),
      async (part) => {
        sent.push(...part)
        return well(part)
      },
      (done) => seen.push(done),
    )
    expect(sent).toEqual(ids(count))
    expect(results).toEqual(well(ids(count)))
    expect(seen.at(-1)).toBe(count)
    expect(seen).toEqual([...seen].toSorted((a, b) => a - b))
  })

  test('a failure of the first call is thrown: nothing has happened', async () => {
    const refused = async () => {
      throw failure(403, 'forbiddenRole')
    }
    await expect(inParts(ids(7), refused, () => {})).rejects.toMatchObject({ code: 'forbiddenRole' })
    await expect(inParts(ids(1), refused, () => {})).rejects.toMatchObject({ code: 'forbiddenRole' })
  })

  test('a connection that is lost on the way leaves no thing without a result, and none is sent twice', async () => {
    for (let lostAt = 1; lostAt < 5; lostAt++) {
      const sent: string[] = []
      let call = 0
      const results = await inParts(
        ids(23),
        async (part) => {
          if (call++ === lostAt) throw failure(0, 'techError')
          sent.push(...part)
          return well(part)
        },
        () => {},
      )
      expect(results.map(({ id }) => id)).toEqual(ids(23))
      expect(results.filter(({ code }) => code === null).map(({ id }) => id)).toEqual(sent)
      expect(new Set(results.slice(sent.length).map(({ code }) => code))).toEqual(new Set(['notSent']))
    }
  })

  test('the failure of a last single thing is its own result', async () => {
    const send = async (part: string[]) => {
      if (part.length === 1) throw failure(409, 'requestDecided')
      return well(part)
    }
    expect((await inParts(ids(6), send, () => {})).at(-1)).toEqual({ id: 'id-5', code: 'requestDecided' })
  })

  test('what isn’t an answer of the server is a fault of ours and is thrown', async () => {
    let call = 0
    const send = async (part: string[]) => {
      if (call++ > 0) throw new TypeError('ours')
      return well(part)
    }
    await expect(inParts(ids(9), send, () => {})).rejects.toBeInstanceOf(TypeError)
  })
})
