import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import { parseOrThrow } from '@/lib/base/http/read'
import {
  exportHistory as exportHistoryCall,
  HistoryExportQuery,
  WholeHistoryQuery,
} from '@/lib/operations/history/contract'
import { historyExportEntity } from '@/lib/operations/history/entity'
import { exportHistory } from '@/lib/operations/history/export'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { handlerOf } from '../../factories/routes'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const GET = handlerOf(exportHistoryCall)

useTestDatabase()

/** Returns the rows that a reader with these methods takes away, as texts without the head. */
async function taken(methods: string[], filter: Record<string, unknown>) {
  const ctx = await createContext({ methods: ['history.read', ...methods] })
  const { format, list } = parseOrThrow(HistoryExportQuery, { format: 'csv', filter })
  // a file has the rows of all pages
  const { chunks } = await exportHistory(ctx, { query: { format, list: { ...list, perPage: 2 } } })
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text.trim().split('\r\n').slice(1)
}

test('an export has the filtered rows in words: labels, choices, names, and no secret', async () => {
  const ctx = await createContext({ methods: ['history.read', 'users.read'] })
  const { id, fio } = await createUser({ fio: 'Вывозова Анна' })
  await db().transaction((tx) =>
    audit(
      tx,
      ctx,
      userEntity,
      id,
      { gender: 'man', enabled: true, password: 'one', comment: '=1+1' },
      { gender: 'woman', enabled: false, password: 'two', comment: null },
    ),
  )
  const rows = await taken(['users.read'], { search: id, entity: 'users', type: 'update' })
  expect(rows).toHaveLength(4)
  for (const row of rows) expect(row).toContain(`;Пользователь;${fio};${id};`)
  const text = rows.join('\n')
  for (const change of ['Пол;Мужской;Женский', 'Включена;да;нет', 'Пароль;***;***', `Комментарий;"'=1+1";`])
    expect(text).toContain(change)
  expect(text).not.toMatch(/;one;|;two;/)
})

test('what the reader doesn’t see is in no file, whatever they filter by', async () => {
  const id = randomUUID()
  for (const entity of ['roles', 'organizations'])
    await db().insert(history).values({ type: 'update', entity, entityId: id, field: 'name', current: entity })
  expect(await taken(['roles.read'], { search: id })).toEqual([expect.stringContaining(';roles;')])
  expect(await taken([], { search: id })).toEqual([])
  const stranger = new Caller((await signedInWith(['roles.read'])).browser)
  expect((await stranger.send(exportHistoryCall, { query: { format: 'csv' } }, GET)).status).toBe(403)
})

test('the history has the export with every filter', async () => {
  const filter = { search: 'Вывозова', entity: ['users', 'roles'], dateFrom: '2026-01-01', changer: 'platform' }
  await taken(['users.read'], filter)
  const ofExport = and(eq(history.entity, 'history-export'), isNotNull(history.field))
  const rows = await db().select().from(history).where(ofExport).orderBy(history.id)
  const last = rows.filter(({ entityId }) => entityId === rows.at(-1)?.entityId)
  expect(Object.fromEntries(last.map(({ field, current }) => [field, current]))).toEqual({
    ...filter,
    ...{ format: 'csv', rows: 0, complete: true },
  })
  for (const name of Object.keys(WholeHistoryQuery.in.shape.filter.unwrap().shape))
    expect(historyExportEntity.fields, name).toHaveProperty(name)
})
