import { and, eq, isNull } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, users } from '@/db/schema'
import { readUser } from '@/lib/accounts/administration/contract'
import * as calls from '@/lib/fields/dynamic-fields/contract'
import { createFieldTab, deleteFieldTab } from '@/lib/fields/field-tabs/contract'
import { fieldTypes, isBase } from '@/lib/fields/values/definition'
import { peopleFields } from '@/lib/fields/values/service'
import { configureProfile, updateProfile } from '@/lib/my-account/personal/contract'
import { accountClaims } from '@/lib/openid/claims/service'
import { compose } from '@/lib/wiring/compose'
import { signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { newCode } from '../../factories/fields'
import { formOf, say } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { first } from '../../factories/platform'
import { one, random } from '../../factories/random-fields'
import { finish, startRegistration } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const configure = handlerOf(configureProfile)
const patchProfile = handlerOf(updateProfile)

useTestDatabase()
beforeAll(() => compose())

const administrator = async () => new Caller((await signedInWith(['dynamic-fields.write'])).browser)
const open = { profileVisible: true, profileEdit: true, adminEdit: true }
const bodyOf = (code: string) => ({
  subtype: 'additional',
  code,
  title: `Поле ${code}`,
  fieldType: 'input' as const,
  ...open,
})
const define = async (admin: Caller) => {
  const body = bodyOf(newCode())
  const { id } = await admin.call(calls.createDynamicField, { body: { ...body, type: 'users' } })
  return { body, params: { type: 'users', id } }
}
const save = async (browser: Browser, code: string, value: string) =>
  (await browser.send(patchProfile, 'PATCH', { body: { additionalInfo: { [code]: value } } })).status
const shownTo = async (browser: Browser) => JSON.stringify((await browser.send(configure, 'GET')).body)

test('a definition acts at once: it is shown, checked, renamed, hidden and deleted in the profile', async () => {
  const [admin, { browser }] = [await administrator(), await signedInWith()]
  const { body, params } = await define(admin)
  expect(await shownTo(browser)).toContain(body.title)
  expect(await save(browser, body.code, 'text')).toBe(200)
  await admin.call(calls.updateDynamicField, { params, body: { ...body, title: 'Другое имя', fieldType: 'date' } })
  expect(await shownTo(browser)).toContain('Другое имя')
  expect(await save(browser, body.code, 'another text')).toBe(400)
  expect(await save(browser, body.code, '2026-11-23')).toBe(200)
  await admin.call(calls.activateDynamicField, { params, body: { active: false } })
  expect(await shownTo(browser)).not.toContain('Другое имя')
  await admin.call(calls.activateDynamicField, { params, body: { active: true } })
  await admin.call(calls.deleteDynamicField, { params })
  expect(await shownTo(browser)).not.toContain('Другое имя')
  expect(await save(browser, body.code, '2026-11-24')).toBe(400)
})

test('a definition acts at once in a registration and an invitation that are open, on the card and in the claims', async () => {
  const admin = new Caller((await signedInWith(['dynamic-fields.write', 'users.read'])).browser)
  const { body, params } = await define(admin)
  const user = await createUser({ values: { [body.code]: 'A1' } })
  const begun: { browser: Browser; secret: string; invited: Awaited<ReturnType<typeof invite>> }[] = []
  for (let n = 0; n < 3; n++) {
    const browser = new Browser()
    begun.push({ browser, secret: (await startRegistration(browser)).secret, invited: await invite() })
  }
  const seen = async () => {
    const asks = ({ body: answer }: Awaited<ReturnType<typeof finish>>) =>
      ((answer.data as { errorList?: { field: string }[] })?.errorList ?? []).some(
        ({ field }) => field === `additionalInfo.${body.code}`,
      )
    const { values } = await admin.call(readUser, { params: { id: user.id } })
    const claims = await (await accountClaims(user.id))?.('openid profile fields', 'none')
    const { browser, secret, invited } = first(begun.splice(0, 1))
    return {
      registration: asks(await finish(browser, secret)),
      invitation: asks(await say(new Browser(), formOf(invited))),
      card: values[body.code],
      claim: (claims?.fields as Record<string, unknown> | undefined)?.[body.code],
    }
  }
  expect(await seen()).toEqual({ registration: false, invitation: false, card: 'A1', claim: undefined })
  const asked = { ...body, title: 'Пропуск', profileRequired: true, integrationRequired: true }
  await admin.call(calls.updateDynamicField, { params, body: asked })
  expect(await seen()).toEqual({ registration: true, invitation: true, card: 'A1', claim: 'A1' })
  await admin.call(calls.activateDynamicField, { params, body: { active: false } })
  expect(await seen()).toEqual({ registration: false, invitation: false, card: undefined, claim: undefined })
})

test('of thirty people who write one value while the field becomes unique, at most one has it afterwards', async () => {
  const admin = await administrator()
  const { body, params } = await define(admin)
  const people = await thirty(() => signedInWith())
  const turn = admin.send(calls.updateDynamicField, { params, body: { ...body, unique: true } })
  const statuses = await Promise.all(people.map(({ browser }) => save(browser, body.code, 'same')))
  const turned = (await turn).status === 200
  const holders = (await admin.call(calls.readDynamicField, { params })).field.valueCount
  expect(holders).toBe(statuses.filter((status) => status === 200).length)
  if (turned) expect(holders).toBe(1)
  else expect(holders).toBeGreaterThan(1)
})

test('a field of level 4 is neither switched nor deleted, and an immutable one keeps its code', async () => {
  const admin = await administrator()
  const refusal = { status: 409, body: { code: 'fieldSystemic' } }
  for (const lock of [{ actionsAccess: 4 }, { immutable: true }]) {
    const { body, params } = await define(admin)
    const ofField = eq(dynamicFields.id, params.id)
    await db().update(dynamicFields).set(lock).where(ofField)
    const read = () => db().select().from(dynamicFields).where(ofField)
    const before = await read()
    expect(await admin.send(calls.deleteDynamicField, { params })).toMatchObject(refusal)
    const other = await admin.send(calls.updateDynamicField, { params, body: { ...body, code: newCode() } })
    expect(other).toMatchObject({ status: 400, body: { data: { errorList: [{ field: 'code' }] } } })
    if ('actionsAccess' in lock)
      for (const active of [false, true])
        expect(await admin.send(calls.activateDynamicField, { params, body: { active } })).toMatchObject(refusal)
    expect(await read()).toEqual(before)
  }
})

test('of thirty who save one version one succeeds, and of thirty who take one code', async () => {
  const admin = await administrator()
  const { body, params } = await define(admin)
  const { updatedAt } = (await admin.call(calls.readDynamicField, { params })).field
  const saves = await thirty((n) =>
    admin.send(calls.updateDynamicField, { params, body: { ...body, title: `Поле ${n}`, updatedAt } }),
  )
  expect(saves.map(({ status }) => status).toSorted()).toEqual(oneOf30)
  const code = newCode()
  const made = await thirty(() => admin.send(calls.createDynamicField, { body: { ...bodyOf(code), type: 'users' } }))
  expect(made.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a new tab, block or field stands behind those there are, whatever its code', async () => {
  const [admin, params] = [await administrator(), { type: 'users' }]
  const codes = ['zulu', 'mike', 'alpha']
  const tabs: string[] = []
  for (const title of codes) tabs.push((await admin.call(createFieldTab, { params, body: { title } })).id)
  const [tab = '', subtype = ''] = [tabs[0], codes[0]]
  for (const code of codes) await admin.call(calls.createSubtype, { params, body: { code, title: code, tab } })
  for (const code of codes)
    await admin.call(calls.createDynamicField, { body: { ...bodyOf(code), type: 'users', subtype } })
  expect((await admin.call(calls.listFieldTabs, { params })).tabs.map(({ id }) => id).slice(-3)).toEqual(tabs)
  const { subtypes } = (await admin.call(calls.readFieldTab, { params: { ...params, tab } })).tab
  expect(subtypes.map(({ code }) => code)).toEqual(codes)
  expect(subtypes[0]?.fields.map(({ code }) => code)).toEqual(codes)
})

test('no call takes away what accounts need, whatever an administrator sends', async () => {
  const admin = await administrator()
  const needed = async () => (await peopleFields()).filter(isBase)
  const kindOf = ({
    id,
    code,
    fieldType,
    unique,
    multiple,
    subtype,
    tab,
    items,
    pattern,
  }: Awaited<ReturnType<typeof needed>>[number]) => ({
    id,
    code,
    fieldType,
    unique,
    multiple,
    pattern,
    subtype: subtype.code,
    tab: tab.id,
    items: items.map((item) => item.code).toSorted(),
  })
  const before = (await needed()).map(kindOf)
  expect(before.length).toBeGreaterThan(10)
  const rows = await db()
    .select()
    .from(dynamicFields)
    .where(and(eq(dynamicFields.type, 'users'), dynamicFields.systemic))
  const chance = () => random(2) === 1
  for (const {
    id,
    systemic: _,
    immutable: __,
    actionsAccess: ___,
    type: ____,
    updatedAt: _____,
    order: ______,
    ...row
  } of rows) {
    const params = { type: 'users', id }
    const items = row.items.map(({ order: _, valueEn = '', ...item }) => ({ ...item, valueEn }))
    const same = { ...row, titleEn: row.titleEn ?? '', items }
    const attacks = [
      { fieldType: one(fieldTypes) },
      { code: newCode() },
      { subtype: 'account' },
      { active: false },
      { unique: !row.unique },
      { multiple: true, fieldType: 'combobox', items: [{ code: 'x', value: 'X' }] },
      { items: items.slice(1) },
      { pattern: '^$', minLength: 2_000 },
      { profileVisible: chance(), profileEdit: chance(), profileRequired: chance(), adminRequired: chance() },
    ]
    for (const attack of attacks) {
      const { status } = await admin.send(calls.updateDynamicField, { params, body: { ...same, ...attack } })
      expect([200, 400], JSON.stringify(attack)).toContain(status)
    }
    expect((await admin.send(calls.activateDynamicField, { params, body: { active: false } })).status).toBe(409)
    expect((await admin.send(calls.deleteDynamicField, { params })).status).toBe(409)
  }
  for (const id of ['personal', 'contacts', 'account', 'additional']) {
    const params = { type: 'users', id }
    expect((await admin.send(calls.activateSubtype, { params, body: { active: false } })).status).toBe(409)
    expect((await admin.send(calls.deleteSubtype, { params })).status).toBe(409)
  }
  expect((await needed()).map(kindOf)).toEqual(before)
})

test('a tab that is deleted while thirty people put blocks into it takes no block with it', async () => {
  const admin = await administrator()
  const params = { type: 'users' }
  const made = await thirty(() => admin.call(createFieldTab, { params, body: { title: 'Склад' } }))
  expect(new Set(made.map(({ id }) => id)).size).toBe(30)
  for (const { id: tab } of made.slice(0, 5)) {
    const codes: string[] = []
    const statuses = await thirty(async (n) => {
      if (n % 10 === 3) return (await admin.send(deleteFieldTab, { params: { ...params, tab } })).status
      const code = newCode()
      const { status } = await admin.send(calls.createSubtype, { params, body: { code, title: 'Блок', tab } })
      if (status === 200) codes.push(code)
      return status
    })
    for (const status of statuses) expect([200, 400, 404, 409]).toContain(status)
    const stays = (await admin.call(calls.listFieldTabs, { params })).tabs.some(({ id }) => id === tab)
    const subtypes = stays ? (await admin.call(calls.readFieldTab, { params: { ...params, tab } })).tab.subtypes : []
    const blocks = subtypes.map(({ code }) => code)
    expect(blocks.toSorted()).toEqual(codes.toSorted())
  }
})

/** `ROWS=200000 npx vitest run --project integration tests/integration/fields/dynamic-fields.test.ts -t million` measures it. */
const holders = Number(process.env.ROWS ?? 50)

test('a change of type tells how many values there are, touches none, and waits for nobody, be there a million', async () => {
  const admin = await administrator()
  const { body, params } = await define(admin)
  // a connection of its own, whose statements may take as long as a million rows need
  const other = new pg.Client(process.env.DATABASE_URL)
  await other.connect()
  const times: number[] = []
  const person = await createUser()
  try {
    await other.query(
      `insert into users (login, fio, values)
        select 'held-' || $1::text || n, 'Кто-то', jsonb_build_object($2::text, n::text) from generate_series(1, $3::int) n`,
      [params.id, body.code, holders],
    )
    const { field } = await admin.call(calls.readDynamicField, { params })
    expect(field.valueCount).toBe(holders)
    expect(field.lackingCount).toBe((await db().$count(users, eq(users.enabled, true))) - holders)
    // a shipped field is a column of the account
    const born = (await admin.call(calls.listDynamicFields, { query: { filter: { search: 'birthDate' } } })).fields[0]
    const shipped = await admin.call(calls.readDynamicField, { params: { type: 'users', id: born?.id ?? '' } })
    const without = and(eq(users.enabled, true), isNull(users.birthDate))
    expect(shipped.field.lackingCount).toBe(await db().$count(users, without))
    const all = async () =>
      (
        await other.query(
          'select count(*), sum(hashtextextended(id::text || version::text || values::text, 0)) from users',
        )
      ).rows
    const before = await all()
    // every account is being written by somebody else, and the change is saved nevertheless
    await other.query('begin')
    await other.query('select from users for update')
    await other.query(`select pg_advisory_xact_lock_shared(hashtextextended('uniqueness of fields', 0))`)
    for (const fieldType of ['textarea', 'date', 'toggle', 'input'] as const) {
      const startedAt = performance.now()
      const unchecked = { adminRequired: false, profileRequired: false, integrationRequired: false }
      await admin.call(calls.updateDynamicField, { params, body: { ...body, ...unchecked, fieldType } })
      times.push(performance.now() - startedAt)
    }
    expect(await all()).toEqual(before)
  } finally {
    await other.end()
  }
  if (!process.env.ROWS) return
  const signIns: number[] = []
  let over = false
  const changing = (async () => {
    for (let n = 0; !over; n++)
      await admin.call(calls.updateDynamicField, { params, body: { ...body, fieldType: n % 2 ? 'input' : 'date' } })
  })()
  for (let n = 0; n < 30; n++) {
    const startedAt = performance.now()
    expect((await signInByPassword(new Browser(), person.login, password)).status).toBe(200)
    signIns.push(performance.now() - startedAt)
  }
  over = true
  await changing
  const read = performance.now()
  await admin.call(calls.readDynamicField, { params })
  const middle = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]?.toFixed(0)
  console.log(
    `${holders} values: a change of type ${middle(times)} ms, a sign-in beside them ${middle(signIns)} ms, at most ${Math.max(...signIns).toFixed(0)}, counting ${(performance.now() - read).toFixed(0)} ms`,
  )
}, 300_000)
