import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contracts } from '@/lib/context/contracts'
import { route } from '@/lib/context/route'
import { type Contract, Done, contract as declare, line, requiredLine } from '@/lib/kernel/http/contract'
import { file, fileAnswer } from '@/lib/kernel/http/file'
import type { RouteHandler } from '@/lib/kernel/http/route'
import { hostileCharacters, unstorable } from '../factories/hostile'
import { ask, attacks, breach, describeHostileInput, lettingIn, signedIn } from '../factories/hostile-calls'
import { shardOf } from '../factories/shards'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

describeHostileInput(shardOf(contracts, import.meta.filename))

describe('what tries hostile input', () => {
  test('calls that take and give files', { timeout: 120_000 }, async () => {
    const odd = { summary: '', tag: 'files', access: 'public' } as const
    const picture = file({ types: ['image/png', 'text/csv'], max: 10_000 })
    const take = declare({
      ...odd,
      name: 'take',
      method: 'POST',
      path: '/take/{id}',
      params: z.strictObject({ id: z.guid('errorFormat') }),
      query: z.strictObject({ how: line(10).optional() }),
      body: z.strictObject({ title: requiredLine(20), count: z.coerce.number().int().optional(), picture }),
      response: z.strictObject({ size: z.number() }),
    })
    const put = declare({ ...odd, name: 'put', method: 'PUT', path: '/put', body: picture, response: Done })
    const give = declare({
      ...odd,
      name: 'give',
      method: 'GET',
      path: '/give',
      query: z.strictObject({ name: line().optional() }),
      response: fileAnswer({ types: ['text/csv'] }),
    })
    const chunks = async function* () {
      yield 'a;b'
    }
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
          chunks: chunks(),
        })),
      ],
    ] as const
    const found: string[] = []
    for (const [contract, handler] of handlers as unknown as [Contract, RouteHandler][]) {
      let tried = 0
      for (const { what, sent } of attacks(contract)) {
        tried++
        const fault = breach(contract, await ask(contract, handler, null, sent))
        if (fault) found.push(`${contract.name} ${what}: ${fault}`)
      }
      expect(tried).toBeGreaterThan(40)
    }
    expect(found).toEqual([])
  })

  test('a call that answers outside its contract, or with what is not documented, is found out', async () => {
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

  test('a call that takes texts of its own making is found out', async () => {
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
    const found = await lettingIn(
      careless,
      route(careless, async () => ({})),
      await signedIn(),
    )
    expect(found.length).toBe(Object.keys(hostileCharacters).length - unstorable.length)
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
