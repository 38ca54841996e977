import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { GET } from '@/app/api/v1/platform/setting/users/export/route'
import { systemicMethods } from '@/lib/kernel/access-methods'
import { exportUsers } from '@/lib/people/user-administration/contract'
import { exportUsers as verb } from '@/lib/people/user-administration/export'
import { signedInWith } from '../factories/access'
import { Caller } from '../factories/caller'
import { createContext } from '../factories/context'
import { createUser } from '../factories/users'
import { useTestDatabase } from '../setup/database'

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
