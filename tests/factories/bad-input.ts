import { describe, expect, test } from 'vitest'
import type { Contract } from '@/lib/base/contracts/contract'
import { Browser } from './browser'
import { byName, handlerOf } from './routes'
import { signedInStatus, startSessionOf } from './sign-in'
import { createUser } from './users'

/** Values that no call accepts anywhere. */
const hostile: unknown[] = [
  null,
  9_007_199_254_740_993n.toString(),
  -1,
  [],
  {},
  true,
  'x'.repeat(4096),
  '\u0000',
  '../../etc/passwd',
  "' or 1=1 --",
]
const keysOf = (schema: unknown) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})

let administrator: Browser | undefined
/** An administrator's browser; a new one if a call signed it out. */
async function signedIn(): Promise<Browser> {
  if (administrator && (await signedInStatus(administrator)) === 200) return administrator
  administrator = new Browser()
  await startSessionOf(administrator, (await createUser({ roles: ['administrator'] })).id)
  return administrator
}

/** Makes each of these calls with input that it must refuse. */
export const describeBadInput = (contracts: readonly Contract[]) =>
  describe.each(byName(contracts))('%s with bad input', (_, contract) => {
    const handler = handlerOf(contract)
    const params = Object.fromEntries(
      keysOf(contract.params).map((name) => [name, name === 'idAttribute' ? 'login' : crypto.randomUUID()]),
    )
    const bodyKeys = contract.content ? [] : keysOf(contract.body)

    test('answers 4xx with the wrong fields, never 5xx', async () => {
      const browser = contract.access === 'public' ? new Browser() : await signedIn()
      const send = async (what: Parameters<Browser['send']>[2], fields = true) => {
        const { status, body } = await browser.send(handler, contract.method, { params, ...what })
        expect(status, JSON.stringify(what)).toBeGreaterThanOrEqual(400)
        expect(status, JSON.stringify(what)).toBeLessThan(500)
        expect(body).toMatchObject({
          code: expect.any(String),
          requestId: expect.any(String),
          data: expect.any(Object),
        })
        if (fields && status === 400) {
          const { errorList, expired } = body.data as unknown as { errorList?: unknown[]; expired?: boolean }
          expect(expired || (errorList?.length ?? 0) > 0, JSON.stringify(what)).toBe(true)
        }
      }
      await send({ query: { surprise: '1' }, body: contract.body ? {} : undefined })
      for (const name of Object.keys(params))
        await send({ params: { ...params, [name]: 'x'.repeat(4096) }, body: contract.body ? {} : undefined })
      if (contract.query) {
        for (const key of keysOf(contract.query)) {
          await send({ query: { [key]: 'x'.repeat(4096) } })
          await send({ query: { [key]: ['1', '2'] } })
          await send({ query: { [`${key}[nested]`]: '1' } })
        }
      }
      if (contract.body) {
        // a call whose every field may be left out takes none
        if (!contract.body.safeParse({}).success) await send({ body: {} }, !contract.content)
        await send({ body: '{"a":' }, !contract.content)
        await send({ body: '[]' }, !contract.content)
        await send({ body: { surprise: 1 } }, !contract.content)
        await send({ body: 'text', headers: { 'content-type': 'text/plain' } }, false)
        await send({ body: { a: 'x'.repeat(100_000) } }, false)
        for (const key of bodyKeys)
          for (const value of hostile) {
            const sent = { body: { [key]: value } }
            // a name may be ' or 1=1 --, and then it is stored as a name
            if (contract.body.safeParse(sent.body).success)
              expect((await browser.send(handler, contract.method, { params, ...sent })).status).toBeLessThan(500)
            else await send(sent)
          }
      }
    })

    if (contract.access !== 'public')
      test('answers 401 to callers who aren’t signed in, before it checks the input', async () => {
        const surplus = contract.method === 'GET' ? { query: { surprise: '1' } } : { body: { surprise: 1 } }
        const answer = await new Browser().send(handler, contract.method, { params, ...surplus })
        expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
      })
  })
