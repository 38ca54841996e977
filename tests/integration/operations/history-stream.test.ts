import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema'
import { historyPages } from '@/docs/examples/history-stream'
import type { Ctx } from '@/lib/base/context/ctx'
import { parseOrThrow } from '@/lib/base/http/read'
import { streamHistory as call, HistoryStreamQuery } from '@/lib/operations/history/contract'
import { streamHistory } from '@/lib/operations/history/stream'
import { extendHistoryChain } from '@/lib/operations/history-chain/seal'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { startProvider } from '../../factories/oidc'
import { caseNumbers } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { callAs, createServiceAccount } from '../../factories/service-accounts'
import { useTestDatabase } from '../../setup/database'

const GET = handlerOf(call)

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
let reader: Ctx
beforeAll(async () => {
  running = await startProvider()
  reader = await createContext({ methods: ['history.read', 'roles.read'] })
})
afterAll(() => running.stop())

const read = (after?: string, limit = 1000, by = reader) =>
  streamHistory(by, {
    query: parseOrThrow(HistoryStreamQuery, { meta: { limit: String(limit), ...(after ? { after } : {}) } }),
  })

/** Reads to the end from a place on. Returns the ids of the objects, and the last place. */
async function rest(after?: string, limit?: number) {
  const entityIds: string[] = []
  let place = after
  for (let more = true; more; ) {
    const { data, meta } = await read(place, limit)
    entityIds.push(...data.map(({ entityId }) => entityId))
    place = meta.after
    more = meta.more
  }
  return { found: entityIds, place }
}

const row = (entity = 'roles', entityId = randomUUID()) => ({ type: 'update' as const, entity, entityId })
const write = async (entity?: string) => {
  const made = row(entity)
  await db().insert(history).values(made)
  return made.entityId
}

test('a row that is committed after later ones were read comes next', async () => {
  await extendHistoryChain()
  const { place } = await rest()
  const late = row()
  let commit = () => {}
  const waits = new Promise<void>((resolve) => {
    commit = resolve
  })
  let wrote = () => {}
  const written = new Promise<void>((resolve) => {
    wrote = resolve
  })
  const slow = db().transaction(async (tx) => {
    await tx.insert(history).values(late)
    wrote()
    await waits
  })
  await written
  const early = await write()
  await extendHistoryChain()
  const first = await rest(place)
  expect(first.found).toEqual([early])
  commit()
  await slow
  await extendHistoryChain()
  expect((await rest(first.place)).found).toEqual([late.entityId])
})

test('thirty writers, sealers and a reader at once: every row comes once', async () => {
  await extendHistoryChain()
  const { place } = await rest()
  const random = caseNumbers(30)
  const ids: string[] = []
  const entityIds: string[] = []
  let after = place
  let writing = true
  const writers = Array.from({ length: 30 }, () =>
    db().transaction(async (tx) => {
      for (let n = 0; n < 3; n++) {
        const made = row()
        await tx.insert(history).values(made)
        ids.push(made.entityId)
        await tx.execute(`select pg_sleep(${random(20) / 1000})`)
      }
    }),
  )
  const reading = (async () => {
    while (writing) {
      await extendHistoryChain({ limit: 1 + random(8) })
      const next = await rest(after, 1 + random(5))
      entityIds.push(...next.found)
      after = next.place
    }
  })()
  await Promise.all(writers)
  writing = false
  await reading
  await extendHistoryChain()
  entityIds.push(...(await rest(after, 4)).found)
  expect(entityIds.toSorted()).toEqual(ids.toSorted())
})

test('rows of areas that the caller may not read are passed over', async () => {
  await extendHistoryChain()
  const { place } = await rest()
  const [, mine] = [await write('organizations'), await write('roles'), await write('organizations')]
  await extendHistoryChain()
  expect((await rest(place, 1)).found).toEqual([mine])
})

test('a place that the chain doesn’t reach, or that is none, is refused', async () => {
  await expect(read('999999999.1')).rejects.toMatchObject({
    status: 400,
    data: { errorList: [{ field: 'meta.after', code: 'errorCursor' }] },
  })
  const caller = new Caller((await signedInWith(['history.read'])).browser)
  for (const after of ['x', '1', '1.x', '-1.0', '1.0; drop'])
    expect(await caller.send(call, { query: { meta: { after } } }, GET), after).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'meta.after', code: 'errorCursor' }] } },
    })
})

test('the documented reader gets all of it as a service account, and then only what is new', async () => {
  const { token } = await createServiceAccount(running, ['history.read', 'roles.read'])
  await extendHistoryChain()
  const get = async (url: string) => {
    const { status, body } = await callAs(
      token,
      GET,
      { method: 'GET' },
      { query: Object.fromEntries(new URL(url).searchParams) },
    )
    return Response.json(body, { status })
  }
  const readAll = async (after?: string) => {
    const entityIds: string[] = []
    let place = after
    for await (const page of historyPages({ origin: 'https://id.example', token: async () => token, after, get })) {
      entityIds.push(...page.rows.map(({ entityId }) => entityId))
      place = page.after
    }
    return { found: entityIds, place }
  }
  const all = await readAll()
  expect(all.found.toSorted()).toEqual((await rest()).found.toSorted())
  const made = await write()
  await extendHistoryChain()
  expect((await readAll(all.place)).found).toEqual([made])
})
