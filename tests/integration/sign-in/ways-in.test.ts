import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas, userRoles, users } from '@/db/schema'
import { updateUser } from '@/lib/account-administration/accounts/contract'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { dropCached } from '@/lib/base/cache/cache'
import { savePlatformSettings } from '@/lib/operations/settings-screen/contract'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import * as schemas from '@/lib/sign-in/schema-administration/contract'
import { platformSettings } from '@/lib/site/settings/service'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { plantRole, shippedRole, signedInAdministrator } from '../../factories/roles'
import { setSetting } from '../../factories/settings'
import { imported, importOf } from '../../factories/user-import'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const settingOf = {
  login: 'identificationLogin',
  email: 'identificationEmail',
  mobile: 'identificationMobile',
} as const
const kinds = ['login', 'email', 'mobile'] as const
type Kind = (typeof kinds)[number]
const flows: FlowId[] = ['credentials', 'email_code', 'sms_code']

/** Changes settings and schemas without being an administrator, and can always sign in. */
let careless: Caller
let role = ''
beforeAll(async () => {
  // they hold what administrators hold, and aren't one
  careless = new Caller((await signedInWith(systemicMethods)).browser)
  role = await shippedRole('administrator')
})
beforeEach(async () => {
  for (const kind of kinds) await setSetting(settingOf[kind], true)
  await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
  dropCached('authentication-schemas')
})

/** Makes administrators, who are the only enabled ones. */
async function administrators(...wishes: Parameters<typeof createUser>[0][]) {
  const made = []
  for (const wish of wishes) made.push(await createUser({ roles: ['administrator'], ...wish }))
  const ids = made.map(({ id }) => id)
  const holders = db().select({ id: userRoles.userId }).from(userRoles).where(eq(userRoles.roleId, role))
  await db()
    .update(users)
    .set({ enabled: false })
    .where(and(inArray(users.id, holders), notInArray(users.id, ids)))
  return made
}
const identify = (on: Partial<Record<Kind, boolean>>) =>
  careless.send(savePlatformSettings, {
    body: Object.fromEntries(Object.entries(on).map(([kind, value]) => [settingOf[kind as Kind], { value }])),
  })
let made = 0
const bodyOf = (firstFactor: FlowId[], secondFactor: FlowId[] = []) => {
  made++
  return { name: `Вход ${made}`, code: `ways-${made}`, firstFactor, secondFactor, roles: [role] }
}
const demand = (...firstFactor: FlowId[]) =>
  careless.send(schemas.createAuthenticationSchema, { body: bodyOf(firstFactor) })

/** The administrators who can sign in, as the preview and the settings tell it. */
async function entering(people: readonly { id: string }[]) {
  const settings = await platformSettings()
  const able = []
  for (const { id } of people) {
    const [row] = await db().select().from(users).where(eq(users.id, id))
    const { stuck } = await careless.call(schemas.previewAuthenticationSchema, { query: { userId: id } })
    if (row?.enabled && !stuck && kinds.some((kind) => settings[settingOf[kind]] && row[kind])) able.push(id)
  }
  return able
}

test('kinds of identifier that no administrator has can’t be the only ones left', async () => {
  const people = await administrators({ mobile: null }, { mobile: null, email: null })
  const { status, body } = await identify({ login: false, email: false })
  expect([status, body.data]).toEqual([
    400,
    { errorList: [{ field: 'identificationLogin', code: 'errorIdentificationLockout' }] },
  ])
  expect((await platformSettings()).identificationLogin).toBe(true)
  // one administrator is enough
  expect((await identify({ login: false })).status).toBe(200)
  expect(await entering(people)).toEqual([people[0]?.id])
})

test('a setting and a schema that each leave another administrator don’t leave nobody together', async () => {
  const people = await administrators({ mobile: null }, { email: null })
  expect((await identify({ login: false })).status).toBe(200)
  expect((await demand('sms_code')).status).toBe(200)
  expect(await identify({ mobile: false })).toMatchObject({
    status: 400,
    body: { data: { errorList: [{ field: 'identificationMobile', code: 'errorIdentificationLockout' }] } },
  })
  await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
  dropCached('authentication-schemas')
  expect((await identify({ mobile: false })).status).toBe(200)
  expect(await demand('sms_code')).toMatchObject({ status: 409, body: { code: 'schemaLockout' } })
  expect(await entering(people)).toEqual([people[0]?.id])
})

test('nor do they when both are saved at once', async () => {
  const outcomes = new Set<string>()
  for (const round of eachRound(12)) {
    const people = await administrators({ mobile: null }, { email: null })
    for (const kind of kinds) await setSetting(settingOf[kind], kind !== 'login')
    await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
    dropCached('authentication-schemas')
    const acts = [() => identify({ mobile: false }), () => demand('sms_code')]
    const answers = await Promise.all((round % 2 ? acts : acts.toReversed()).map((act) => act()))
    outcomes.add(answers.map(({ status }) => status).join(' '))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await entering(people)).toHaveLength(1)
  }
  expect([...outcomes].every((outcome) => /^(200 4\d\d|4\d\d 200)$/.test(outcome))).toBe(true)
})

test('halves of switching off all kinds of identifier, saved at once, leave one on', async () => {
  await administrators({})
  for (const _ of eachRound(10)) {
    for (const kind of kinds) await setSetting(settingOf[kind], true)
    const answers = await Promise.all(kinds.map((kind) => identify({ [kind]: false })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const settings = await platformSettings()
    expect(kinds.filter((kind) => settings[settingOf[kind]])).toHaveLength(1)
  }
})

test('an account can’t be given a schema or contacts by which its last administrator couldn’t sign in', async () => {
  const { user, caller } = await signedInAdministrator(true)
  const { id } = await careless.call(schemas.createAuthenticationSchema, {
    body: { ...bodyOf(['sms_code']), roles: [] },
  })
  const change = (body: object) => caller.send(updateUser, { params: { id: user.id }, body: body as never })
  const refused = { status: 409, body: { code: 'lastAdministrator' } }
  expect((await demand('sms_code')).status).toBe(200)
  expect(await change({ values: { mobile: null } })).toMatchObject(refused)
  await db().delete(authenticationSchemas).where(eq(authenticationSchemas.priority, 1))
  dropCached('authentication-schemas')
  expect((await change({ values: { mobile: null } })).status).toBe(200)
  expect(await change({ authenticationSchemaId: id })).toMatchObject(refused)
  expect((await change({ values: { firstName: 'Ольга' } })).status).toBe(200)
})

test('nor can a file of accounts bring them a role with such a schema', async () => {
  const { user, caller } = await signedInAdministrator(true)
  await db().update(users).set({ mobile: null }).where(eq(users.id, user.id))
  const { id, name } = await plantRole([])
  const schema = { ...bodyOf(['sms_code']), roles: [id] }
  expect((await careless.send(schemas.createAuthenticationSchema, { body: schema })).status).toBe(200)
  const body = importOf(['field.login', 'roles'], [[user.login, name]], { mode: 'update' })
  const { run, faults } = await imported(caller, body)
  expect(run).toMatchObject({ state: 'done', done: 0, failed: 1 })
  expect(faults.map(({ code }) => code)).toEqual(['lastAdministrator'])
  expect(await entering([user])).toEqual([user.id])
  expect(await db().$count(userRoles, and(eq(userRoles.userId, user.id), eq(userRoles.roleId, id)))).toBe(0)
})

test('whatever is saved at random, alone or two at once, some administrator can sign in', async () => {
  const below = caseNumbers(2_021)
  const some = <T>(all: readonly T[]) => all.filter(() => below(2) === 0)
  const maybe = (value: null) => (below(2) === 0 ? { value } : undefined)
  const statuses: Record<number, number> = {}
  let people: Awaited<ReturnType<typeof administrators>> = []
  for (const round of eachRound(90)) {
    if (round % 15 === 0) {
      for (const kind of kinds) await setSetting(settingOf[kind], true)
      await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
      await db()
        .update(authenticationSchemas)
        .set({ firstFactor: ['credentials', 'email_code'], secondFactor: [] })
        .where(eq(authenticationSchemas.base, true))
      dropCached('authentication-schemas')
      const wish = () => ({ ...(maybe(null) ? { email: null } : {}), ...(maybe(null) ? { mobile: null } : {}) })
      people = await administrators(wish(), wish())
    }
    const schemaList = (await careless.call(schemas.listAuthenticationSchemas)).schemas
    const { id = '', code = '', base = false } = schemaList[below(schemaList.length)] ?? {}
    const asked = some(flows)
    const body = bodyOf(asked, below(3) === 0 ? some(flows) : [])
    const acts = [
      () => identify(Object.fromEntries(some(kinds).map((kind) => [kind, below(3) === 0]))),
      () => careless.send(schemas.createAuthenticationSchema, { body }),
      () =>
        careless.send(schemas.updateAuthenticationSchema, {
          params: { id },
          body: { ...body, ...(base ? { code, roles: [] } : {}) },
        }),
      () => careless.send(schemas.activateAuthenticationSchema, { params: { id }, body: { active: below(2) === 0 } }),
    ]
    const chosen = [acts[below(4)], ...(below(2) === 0 ? [acts[below(4)]] : [])]
    for (const answer of await Promise.all(chosen.map((act) => act?.()))) {
      const status = answer?.status ?? 0
      expect([200, 400, 409], JSON.stringify(answer?.body)).toContain(status)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    expect(await entering(people), `round ${round}`).not.toEqual([])
  }
  expect(statuses[200]).toBeGreaterThan(shareOf(20))
  expect((statuses[400] ?? 0) + (statuses[409] ?? 0)).toBeGreaterThan(shareOf(20))
})
