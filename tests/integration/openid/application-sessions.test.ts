import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { db } from '@/db/client'
import { readWhole } from '@/db/few'
import { applications, history, oidcClients, oidcRecords } from '@/db/schema'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { isFound } from '@/lib/base/lists/search-form'
import {
  endApplicationSession,
  endApplicationSessions,
  listApplicationSessions,
} from '@/lib/openid/application-sessions/contract'
import { signedInWith } from '../../factories/access'
import { newClient } from '../../factories/administered-applications'
import { thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

// docs/rules/administration-screens.md#applications, the tab of sessions
useTestDatabase()

const both = ['applications.read', 'applications.write'] as const
const callerWith = async (methods: readonly string[]) => new Caller((await signedInWith(methods)).browser)

/** So many sessions of a person in an application, begun on this day. Returns their ids. */
async function signIns(clientId: string, accountId: string, day = '2026-03-10', count = 1) {
  const ids = Array.from({ length: count }, () => randomUUID())
  const createdAt = new Date(`${day}T09:00:00Z`)
  const row = (id: string) => ({ grantId: id, accountId, clientId, createdAt, expiresAt: new Date('2126-01-01') })
  await db()
    .insert(oidcRecords)
    .values(
      ids.flatMap((id) => [
        { ...row(id), idHash: id, model: 'Grant', payload: 'sealed' },
        { ...row(id), idHash: randomUUID(), model: 'RefreshToken', payload: 'sealed' },
      ]),
    )
  return ids
}
const countLeft = async (ids: string[]) => {
  const rows = await db().select({ id: oidcRecords.grantId }).from(oidcRecords).where(inArray(oidcRecords.grantId, ids))
  return new Set(rows.map(({ id }) => id)).size
}

test('what the filter finds is what ends: by person, by day, by application, and no other', async () => {
  const [shop, stock] = [await newClient(), await newClient()]
  const [anna, boris] = [await createUser({ fio: `Ань${randomUUID()} Анна` }), await createUser()]
  const old = await signIns(shop.clientId, anna.id, '2026-03-01')
  const matching = await signIns(shop.clientId, anna.id, '2026-03-10', 3)
  const other = [...(await signIns(shop.clientId, boris.id)), ...(await signIns(stock.clientId, anna.id))]
  const caller = await callerWith(both)
  const filter = { search: (anna.fio as string).split(' ')[0] as string, dateFrom: '2026-03-05', dateTo: '2026-03-10' }
  const { sessions } = await caller.call(listApplicationSessions, {
    query: { filter: { ...filter, applicationId: shop.application.id } },
  })
  expect(sessions.map(({ id }) => id).toSorted()).toEqual(matching.toSorted())
  const { ended } = await caller.call(endApplicationSessions, {
    query: { applicationId: shop.application.id, filter },
  })
  expect({
    ended,
    matching: await countLeft(matching),
    old: await countLeft(old),
    other: await countLeft(other),
  }).toEqual({ ended: 3, matching: 0, old: 1, other: 2 })
  const rows = await db().select().from(history).where(eq(history.entityId, shop.application.id))
  expect(rows.find(({ field }) => field === 'sessionsEnded')?.current).toBe(3)
  expect(rows.find(({ field }) => field === 'sessionOf')?.current).toBe(anna.id)
})

test('the newest come first', async () => {
  const { clientId, application } = await newClient()
  const { id } = await createUser()
  const days = ['2026-03-02', '2026-03-09', '2026-03-05']
  for (const day of days) await signIns(clientId, id, day)
  const caller = await callerWith(both)
  const { sessions } = await caller.call(listApplicationSessions, {
    query: { filter: { applicationId: application.id } },
  })
  expect(sessions.map(({ start }) => start.slice(0, 10))).toEqual(days.toSorted().toReversed())
})

test('more than a batch end together, whoever ends them thirty times at once', async () => {
  const { clientId, application } = await newClient()
  const [one, two] = [await createUser(), await createUser()]
  const ids = [
    ...(await signIns(clientId, one.id, '2026-03-10', 230)),
    ...(await signIns(clientId, two.id, '2026-03-10', 230)),
  ]
  const caller = await callerWith(both)
  const answers = await thirty(() => caller.call(endApplicationSessions, { query: { applicationId: application.id } }))
  expect(answers.reduce((sum, { ended }) => sum + ended, 0)).toBe(460)
  expect(await countLeft(ids)).toBe(0)
})

test('who may not read people finds nobody by login, and ends nobody by it', async () => {
  const { clientId, application } = await newClient()
  const person = await createUser({ login: `secret.${randomUUID()}` })
  const ids = await signIns(clientId, person.id)
  const search = person.login as string
  const query = { applicationId: application.id, filter: { search } }
  const blind = await callerWith(both)
  const list = { query: { filter: { search, applicationId: application.id } } }
  expect((await blind.call(listApplicationSessions, list)).sessions).toEqual([])
  expect(await blind.call(endApplicationSessions, { query })).toEqual({ ended: 0 })
  expect(await countLeft(ids)).toBe(1)
  const seeing = await callerWith([...both, 'users.read'])
  expect((await seeing.call(listApplicationSessions, list)).sessions).toMatchObject([{ user: { login: search } }])
  expect(await seeing.call(endApplicationSessions, { query })).toEqual({ ended: 1 })
})

test.each([0, 2, 2_000])('random filters find what the tables have, at most %i people looked up', async (ids) => {
  const original = { ...readWhole }
  Object.assign(readWhole, { ids })
  onTestFinished(() => void Object.assign(readWhole, original))
  const random = caseNumbers(271)
  const any = <T>(of: readonly T[]): T => of[random(of.length)] as T
  const word = randomUUID().slice(0, 8)
  const people = await Promise.all(
    ['Ёлкина Ольга', 'Орлов Иван', 'Ли Юй', ''].map((name, n) =>
      createUser({ fio: name && `${name} ${word}`, login: `${any(['ivan', 'olga'])}-${word}-${n}` }),
    ),
  )
  const apps = await Promise.all(Array.from({ length: 3 }, () => newClient()))
  const twin = await newClient(first(apps).application)
  const planted: { id: string; client: (typeof apps)[number]; person: (typeof people)[number]; day: string }[] = []
  for (const client of [...apps, twin])
    for (const person of people)
      for (let n = random(3); n > 0; n--) {
        const day = `2026-04-0${1 + random(9)}`
        for (const id of await signIns(client.clientId, person.id, day)) planted.push({ id, client, person, day })
      }
  const [seeing, blind] = [await callerWith([...both, 'users.read']), await callerWith(both)]
  for (const _ of eachRound(60)) {
    const client = any(apps)
    const text = any([
      ...['елкина', 'ольга елк', `иван ${word}`, word, `ivan-${word}`, 'nobody-at-all', 'c-', client.clientId],
      ...[client.clientId.slice(3, 20), `${word}-2`],
    ])
    const logins = random(2) === 0
    const filter = {
      ...(random(3) > 0 ? { search: text } : {}),
      ...(random(2) === 0 ? { applicationId: client.application.id } : {}),
      ...(random(3) === 0 ? { dateFrom: '2026-04-04' } : {}),
      ...(random(3) === 0 ? { dateTo: '2026-04-06' } : {}),
    }
    const names = await clientNames()
    const expected = planted.filter(
      (each) =>
        (!filter.search ||
          isFound(filter.search, [each.person.fio, logins ? each.person.login : null]) ||
          isFound(filter.search, names.get(each.client.clientId) ?? [])) &&
        (!filter.applicationId || each.client.application.id === filter.applicationId) &&
        (!filter.dateFrom || each.day >= filter.dateFrom) &&
        (!filter.dateTo || each.day <= filter.dateTo),
    )
    const listed = []
    for (let after: string | null | undefined; after !== null; ) {
      const query: object = { filter, meta: { perPage: 10, ...(after ? { after } : {}) } }
      const page: CallOutput<typeof listApplicationSessions> = await (logins ? seeing : blind).call(
        listApplicationSessions,
        { query } as never,
      )
      listed.push(...page.sessions)
      after = page.meta.after
    }
    const ofThese = listed.filter(({ id }) => planted.some((each) => each.id === id))
    expect([filter, ofThese.map(({ id }) => id).toSorted()]).toEqual([filter, expected.map(({ id }) => id).toSorted()])
    expect(listed.map(({ start }) => start)).toEqual(
      listed
        .map(({ start }) => start)
        .toSorted()
        .toReversed(),
    )
  }
})

/** The texts by which each client is found. */
async function clientNames() {
  const rows = await db()
    .select()
    .from(oidcClients)
    .innerJoin(applications, eq(applications.id, oidcClients.applicationId))
  return new Map(
    rows.map(({ oidc_clients: { clientId, name }, applications: { name: ru, nameEn } }) => [
      clientId,
      [clientId, name, ru, nameEn],
    ]),
  )
}

test('a session of another client, one that is over and a made-up one are not found, and nothing ends', async () => {
  const [ownClient, other] = [await newClient(), await newClient()]
  const { id: person } = await createUser()
  const [id = ''] = await signIns(ownClient.clientId, person)
  const [over = ''] = await signIns(ownClient.clientId, person)
  await db()
    .update(oidcRecords)
    .set({ expiresAt: new Date('2026-01-01') })
    .where(eq(oidcRecords.grantId, over))
  const caller = await callerWith(both)
  for (const [session, clientId] of [
    [id, other.clientId],
    [over, ownClient.clientId],
    [randomUUID(), ownClient.clientId],
  ] as const)
    expect((await caller.send(endApplicationSession, { params: { id: session }, query: { clientId } })).status).toBe(
      404,
    )
  expect(await countLeft([id])).toBe(1)
  const reader = await callerWith(['applications.read'])
  const input = { params: { id }, query: { clientId: ownClient.clientId } }
  expect((await reader.send(endApplicationSession, input)).status).toBe(403)
  expect((await caller.send(endApplicationSession, input)).status).toBe(200)
  expect(await countLeft([id])).toBe(0)
})
