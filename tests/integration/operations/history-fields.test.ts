import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields } from '@/db/schema'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { parseOrThrow } from '@/lib/base/http/read'
import { WholeHistoryQuery } from '@/lib/operations/history/contract'
import { listHistory, listHistoryTypes, wholeHistory } from '@/lib/operations/history/service'
import { createContext } from '../../factories/context'
import { defineField, removeFields } from '../../factories/fields'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const query = (search: Record<string, unknown> = {}) => parseOrThrow(WholeHistoryQuery, search)
const reader = (...methods: string[]) => createContext({ methods: ['history.read', ...methods] })
const rowsOf = async (by: Ctx, search: Record<string, unknown>) =>
  (await listHistory(by, { query: query(search) })).data
const actsOf = async (by: Ctx, search: Record<string, unknown>) => (await wholeHistory(by, query(search))).acts

let ctx: Ctx
beforeAll(async () => {
  ctx = await reader('applications.read', 'users.read')
})

test('every field of a person is named by its code and has its block, also one that came with the platform', async () => {
  const code = await defineField({ adminVisible: true })
  const { id } = await createUser()
  const side = (text: string) =>
    ({ lastName: text, email: `${text}@polaris.example`, [`field:${code}`]: text }) as never
  await db().transaction((tx) => audit(tx, ctx, userEntity, id, side('a'), side('b'), { subtype: {} }))
  const name = `field:${code}`
  const moved = { subtype: { [name]: 'gone-block' } as never }
  await db().transaction((tx) =>
    audit(tx, ctx, userEntity, id, { [name]: 'b' } as never, { [name]: 'c' } as never, moved),
  )
  const read = async (filter: object = {}) =>
    (await rowsOf(ctx, { filter: { search: id, ...filter } })).map(({ field, subtype }) => [field, subtype]).sort()
  const [block] = await db().select().from(dynamicFields).where(eq(dynamicFields.code, code))
  const all = [
    [code, block?.subtype],
    [code, 'gone-block'],
    ['email', 'contacts'],
    ['lastName', 'personal'],
  ].sort()
  expect(await read()).toEqual(all)
  for (const each of all) {
    const [, subtype] = each
    expect(await read({ subtype })).toEqual(all.filter(([, other]) => other === subtype))
    expect(await actsOf(ctx, { filter: { search: id, subtype } })).not.toEqual([])
  }
  expect(await read({ subtype: 'account' })).toEqual([])
  const { entities } = await listHistoryTypes(ctx)
  const people = entities.find(({ entity }) => entity === 'users')
  expect(people?.fields).toEqual(expect.arrayContaining(['lastName', code]))
  expect(people?.subtypes).toContainEqual({ code: 'personal', title: 'Личные данные' })
  // the screen offers both, whatever kind of object is chosen
  const offered = async (filter: object) => {
    const { fields, blocks } = await wholeHistory(ctx, query({ filter }))
    return [fields.some(({ name }) => name === code), blocks.some((one) => one.code === 'personal')]
  }
  expect(await offered({})).toEqual([true, true])
  expect(await offered({ entity: ['users', 'applications'] })).toEqual([true, true])
  expect(await offered({ entity: 'applications' })).toEqual([false, false])
  expect(await wholeHistory(await reader('applications.read'), query())).toMatchObject({ blocks: [] })
  await removeFields()
})
