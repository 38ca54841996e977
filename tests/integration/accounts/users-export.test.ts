import { and, eq, isNotNull } from 'drizzle-orm'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema'
import { exportUsers, UserQuery } from '@/lib/accounts/administration/contract'
import { userExportEntity } from '@/lib/accounts/administration/entity'
import { exportUsers as verb } from '@/lib/accounts/administration/export'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { handlerOf } from '../../factories/routes'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const GET = handlerOf(exportUsers)

useTestDatabase()

const read = async (search: string, format: 'xlsx' | 'csv', perPage = 500) => {
  const ctx = await createContext({ methods: [...systemicMethods] })
  const list = { page: 1, perPage, after: undefined, before: undefined, only: undefined, filter: { search } }
  const { chunks } = await verb(ctx, { query: { format, list: { ...list, sortBy: 'name', sort: 'desc' } } })
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(parts)
}

test('an export has what the filter finds, each once over all pages, in the order that was asked for', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `Exported ${n}`)
  for (const fio of names) await createUser({ fio, roles: [] })
  await createUser({ fio: 'Another', roles: [] })
  const [, ...rows] = (await read('Exported', 'csv', 2)).toString().trim().split('\r\n')
  expect(rows.map((row) => row.split(';')[0])).toEqual(names.toReversed())
})

test('a workbook has them as texts', async () => {
  await createUser({ login: 'sheet-one', roles: [] })
  const files = unzipSync(await read('sheet-one', 'xlsx'))
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  expect(sheet).toContain('>sheet-one<')
  expect(sheet).not.toContain('<f>')
})

test('an export needs what the list needs, and shows no password', async () => {
  const stranger = new Caller((await signedInWith(['license.read'])).browser)
  expect((await stranger.send(exportUsers, { query: { format: 'csv' } }, GET)).status).toBe(403)
  const text = (await read('', 'csv')).toString()
  expect(text).toContain('sheet-one')
  expect(text).not.toMatch(/argon2/)
})

/** What the history has of the last three exports of one person, in its order. */
async function recordedOf(changerId: string | undefined) {
  const ofExport = and(
    eq(history.entity, 'users-export'),
    eq(history.changerId, changerId ?? ''),
    isNotNull(history.field),
  )
  const rows = await db().select().from(history).where(ofExport).orderBy(history.id)
  const acts = Map.groupBy(rows, ({ entityId }) => entityId)
  return [...acts.values()].slice(-3).map((act) => act.map(({ type, field, current }) => [type, field, current]))
}

test('the history has who took which list under which filters, and how many rows left', async () => {
  for (const n of [1, 2, 3, 4, 5]) await createUser({ fio: `Counted ${n}`, roles: [] })
  const ctx = await createContext({ methods: [...systemicMethods] })
  const list = { page: 1, perPage: 2, after: undefined, before: undefined, only: undefined }
  const filter = { search: 'Counted', enabled: true }
  const start = async () =>
    (await verb(ctx, { query: { format: 'csv', list: { ...list, filter, sortBy: 'name', sort: 'asc' } } })).chunks
  for await (const _ of await start());
  // a reader that goes away after the first page
  let chunks = 0
  for await (const _ of await start()) if (++chunks === 2) break
  // and one that never reads
  await start()

  const begun = [
    ['create', 'format', 'csv'],
    ['create', 'search', 'Counted'],
    ['create', 'enabled', true],
  ]
  const ended = (rows: number, complete: boolean) => [
    ['update', 'rows', rows],
    ['update', 'complete', complete],
  ]
  expect(await recordedOf(ctx.user?.id)).toEqual([[...begun, ...ended(5, true)], [...begun, ...ended(2, false)], begun])
})

test('every filter of the list can be recorded', () => {
  const { shape } = UserQuery.in.shape.filter.unwrap()
  for (const name of Object.keys(shape)) expect(userExportEntity.fields, name).toHaveProperty(name)
})
