import { randomUUID } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema'
import { audit, auditEvent } from '@/lib/base/audit/audit'
import { defineEntity, json, secret, text } from '@/lib/base/audit/entity'
import type { Ctx } from '@/lib/base/context/ctx'
import { joinContractor } from '@/lib/companies/managers/service'
import { createContractor, createContractorRole } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { eventsSince, newestEvent } from '../../factories/recorded-events'
import { newestRow, rowsSince } from '../../factories/recording'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let ctx: Ctx
beforeAll(async () => {
  ctx = await createContext({ methods: [] })
})
let place = 0
beforeEach(async () => {
  place = await newestEvent()
})
const events = () => eventsSince(place)

describe('a record', () => {
  type Values = { smtp: { host: string; password: string } }
  const sample = defineEntity('applications', {
    name: text('x'),
    key: secret('x'),
    gateway: json<Values>('x', { smtp: { password: true } }),
  })
  const valuesOf = (name: string, secret = 'secret one') => ({
    name,
    key: secret,
    gateway: { smtp: { host: 'h', password: secret } },
  })

  test('is stored with its transaction, in one insert, with who, from where and when', async () => {
    const id = randomUUID()
    const rowsOf = () => db().select().from(history).where(eq(history.entityId, id)).orderBy(asc(history.id))
    await db()
      .transaction(async (tx) => {
        await audit(tx, ctx, sample, id, null, valuesOf('rolled back'))
        throw new Error('no')
      })
      .catch(() => {})
    expect(await rowsOf()).toEqual([])
    const now = new Date('2026-11-01T10:00:00Z')
    await db().transaction((tx) =>
      audit(tx, { ...ctx, now: () => now }, sample, id, valuesOf('a'), valuesOf('b', 'secret two'), {
        subtype: { name: 'work' },
      }),
    )
    const gateway = { smtp: { host: 'h', password: '***' } }
    const common = { type: 'update', ip: ctx.ip, requestId: 'test', changerId: ctx.user?.id, date: now }
    expect(await rowsOf()).toMatchObject([
      { ...common, field: 'name', subtype: 'work', previous: 'a', current: 'b' },
      { ...common, field: 'key', subtype: null, previous: '***', current: '***' },
      { ...common, field: 'gateway', previous: gateway, current: gateway },
    ])
    expect(JSON.stringify([await rowsOf(), await events()])).not.toMatch(/secret (one|two)/)
  })

  test('shows a text as the text that it was, also one of digits', async () => {
    for (const name of ['7707083893', '0', 'true', 'null', '"a"', '[1]']) {
      const id = randomUUID()
      await db().transaction((tx) => audit(tx, ctx, sample, id, { name: '' }, { name }))
      expect(await db().select().from(history).where(eq(history.entityId, id))).toMatchObject([
        { previous: '', current: name },
      ])
    }
  })

  test('of an update that changes nothing writes nothing', async () => {
    const id = randomUUID()
    const before = await newestRow()
    expect(await db().transaction((tx) => audit(tx, ctx, sample, id, valuesOf('a'), valuesOf('a')))).toBe(false)
    expect([await rowsSince(before), await events()]).toEqual([[], []])
  })

  test('of something without fields is one row, and an event', async () => {
    const id = randomUUID()
    for (const [valueBefore, is] of [
      [null, {}],
      [{}, null],
    ])
      await db().transaction((tx) => audit(tx, ctx, sample, id, valueBefore ?? null, is ?? null, { changerId: null }))
    const rows = await db()
      .select()
      .from(history)
      .where(and(eq(history.entityId, id)))
    expect(rows.map(({ type, field, changerId }) => [type, field, changerId]).toSorted()).toEqual([
      ['create', null, null],
      ['delete', null, null],
    ])
    expect((await events()).map(({ type, changes }) => [type, changes])).toEqual([
      ['create', {}],
      ['delete', {}],
    ])
  })

  test('of an undeclared field fails before anything is written', async () => {
    const before = await newestRow()
    const undeclared = { name: 'a', unknown: 'secret one' } as never
    for (const write of [
      () => db().transaction((tx) => audit(tx, ctx, sample, 'x', null, undeclared)),
      () => db().transaction((tx) => auditEvent(tx, ctx, sample, 'x', 'update', undeclared)),
    ]) {
      const error = await write().catch((error: unknown) => error)
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).not.toContain('secret one')
    }
    expect([await rowsSince(before), await events()]).toEqual([[], []])
  })

  test('of an act writes no event', async () => {
    const id = randomUUID()
    await db().transaction(async (tx) => {
      await auditEvent(tx, ctx, sample, id, 'create')
      await auditEvent(tx, ctx, sample, id, 'update', { key: 'secret one' })
    })
    const rows = await db().select().from(history).where(eq(history.entityId, id)).orderBy(asc(history.id))
    expect(rows.map(({ type, field, current }) => [type, field, current])).toEqual([
      ['create', null, null],
      ['update', 'key', '***'],
    ])
    expect(await events()).toEqual([])
  })
})

test('of a person’s contractors is complete, even if somebody joins them to another one at the same time', async () => {
  const user = await createUser()
  const places = await Promise.all(
    Array.from({ length: 10 }, async () => ({ ...(await createContractor()), role: await createContractorRole() })),
  )
  const before = await newestRow()
  await Promise.all(
    places.map(({ contractor, organization, role }) =>
      db().transaction((tx) =>
        joinContractor(tx, ctx, {
          userId: user.id,
          contractorId: contractor.id,
          roles: [{ organizationId: organization.id, roleId: role.id }],
        }),
      ),
    ),
  )
  for (const field of ['contractors', 'contractorRoles']) {
    const rows = (await rowsSince(before)).filter((row) => row.field === field)
    expect(rows).toHaveLength(places.length)
    for (const [at, { previous, current }] of rows.entries()) {
      expect(previous).toEqual(at === 0 ? [] : rows[at - 1]?.current)
      expect(current).toHaveLength(at + 1)
    }
  }
})
