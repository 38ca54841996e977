import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Contract, Done, contract as declare, line } from '@/lib/base/contracts/contract'
import type { RouteHandler } from '@/lib/base/http/route'
import { route } from '@/lib/request/route'
import { contracts } from '@/lib/wiring/contracts'
import { hostileCharacters, unstorable } from '../../factories/hostile'
import { ask, attacks, breach, describeHostileInput, lettingIn, signedIn } from '../../factories/hostile-calls'
import { shardOf } from '../../factories/shards'
import { csv, fileCalls } from '../../factories/uploads'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

describeHostileInput(shardOf(contracts, import.meta.filename))

describe('the test of hostile input', () => {
  test('also tests calls that take and return files', { timeout: 120_000 }, async () => {
    const { take, put, give } = fileCalls('public')
    const handlers = [
      [
        take,
        route(take, async (_, { body }) => ({
          size: body.picture.size,
        })),
      ],
      [put, route(put, async () => ({}))],
      [
        give,
        route(give, async (_, { query }) => ({
          name: query.name ?? '',
          type: 'text/csv',
          chunks: csv(),
        })),
      ],
    ] as const
    const faults: string[] = []
    for (const [contract, handler] of handlers as unknown as [Contract, RouteHandler][]) {
      let tried = 0
      for (const { what, sent } of attacks(contract)) {
        tried++
        const fault = breach(contract, await ask(contract, handler, null, sent))
        if (fault) faults.push(`${contract.name} ${what}: ${fault}`)
      }
      expect(tried).toBeGreaterThan(40)
    }
    expect(faults).toEqual([])
  })

  test('finds a call that answers outside of its contract, or with an undocumented status', async () => {
    const odd = { name: 'odd', method: 'GET', path: '/odd', summary: '', tag: '', access: 'public' } as const
    const call = declare({ ...odd, response: Done }) as Contract
    const failing = route(call, async () => {
      throw new Error('select secret')
    })
    const answer = (status: number, body: object) => ({
      status,
      body: body as Record<string, unknown>,
      headers: new Headers({ 'content-type': 'application/json; charset=utf-8' }),
    })
    const failed = (code: string) => ({ code, message: code, requestId: '', data: {} })
    expect(breach(call, await ask(call, failing, null, {}))).toBe('it is a fault of ours')
    expect(breach(call, answer(200, { more: 1 }))).toBe('it is outside its contract')
    expect(breach(call, answer(418, failed('teapot')))).toBe('it is not in the OpenAPI document')
    expect(breach(call, answer(404, failed('teapot')))).toBe('it is not in the OpenAPI document')
    expect(breach(call, answer(400, { error: 1 }))).toMatch(/^it is no failure/)
  })

  test('finds a call that accepts texts with its own schema', async () => {
    const call = (text: z.ZodType) =>
      declare({
        name: 'careless',
        method: 'POST',
        path: '/careless',
        summary: '',
        tag: '',
        access: 'public',
        body: z.strictObject({ text }),
        response: Done,
      }) as Contract
    const careless = call(z.string())
    const faults = await lettingIn(
      careless,
      route(careless, async () => ({})),
      await signedIn(),
    )
    expect(faults.length).toBe(Object.keys(hostileCharacters).length - unstorable.length)
    const careful = call(line())
    expect(
      await lettingIn(
        careful,
        route(careful, async () => ({})),
        await signedIn(),
      ),
    ).toEqual([])
  })
})
