import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GET as counterPage } from '@/app/platform/counter/route'
import { db } from '@/db/client'
import { history, networkAliases, networkAliasIps, roles, settings, userIdentifiers } from '@/db/schema'
import { deleteRole } from '@/lib/access/roles/contract'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { env } from '@/lib/base/runtime/env'
import { deleteNetworkAlias } from '@/lib/network/network-aliases/contract'
import {
  readPlatformSettings,
  readUsersSettings,
  savePlatformSettings,
  saveUsersSettings,
} from '@/lib/operations/settings-screen/contract'
import { brokenRelations } from '@/lib/site/settings/relations'
import { platformSettings } from '@/lib/site/settings/service'
import { signedInAsAdministrator, signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { inOtherProcess } from '../../factories/other-process'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { plantRole } from '../../factories/roles'
import { setSetting } from '../../factories/settings'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let admin: Caller
beforeAll(async () => {
  admin = new Caller((await signedInAsAdministrator()).browser)
})
afterEach(async () => {
  Object.assign(env(), { SETTINGS: {} })
})

const minutes = (value: number) => ({ value, value_props: { unit: 'minutes' as const } })
const save = (body: object, caller = admin) => caller.send(savePlatformSettings, { body })
const saveUsers = (body: object, caller = admin) => caller.send(saveUsersSettings, { body })
const version = async () => (await admin.call(readPlatformSettings)).updatedAt
const listOf = ({ body }: Awaited<ReturnType<typeof save>>) =>
  ((body.data as { errorList?: { field: string; code: string }[] })?.errorList ?? []).map(({ field, code }) => [
    field,
    code,
  ])
const aliasOf = async (ip: string) => {
  const [alias] = await db().insert(networkAliases).values({ name: randomUUID() }).returning()
  if (!alias) throw new Error('no alias was made')
  await db().insert(networkAliasIps).values({ aliasId: alias.id, ip, order: 0 })
  return alias.id
}
const identifiersOf = async (userId: string) =>
  (await db().select().from(userIdentifiers).where(eq(userIdentifiers.userId, userId)))
    .map(({ kind }) => kind)
    .toSorted()

describe('a saved setting', () => {
  test('can have no value, which is stored and acts, and gets one again', async () => {
    for (const value of [null, 64, null, 128]) {
      expect(await save({ updatedAt: await version(), passwordMax: { value } })).toMatchObject({ status: 200 })
      expect((await platformSettings()).passwordMax).toBe(value)
      const { data } = await admin.call(readPlatformSettings)
      const shownSetting = data.flatMap((module) => module.settings).find(({ id }) => id === 'passwordMax')
      expect(shownSetting).toMatchObject({ value })
    }
  })

  test('acts at once in this process, and soon in another one', async () => {
    const ready = `test:${randomUUID()}`
    const elsewhere = inOtherProcess(`
      const { platformSettings } = await load('lib/site/settings/service.ts')
      const { redis, redisReady } = await load('lib/base/redis/redis.ts')
      await redisReady()
      const digits = async () => (await platformSettings()).authCodeDigits
      await digits()
      await redis().set('${ready}', '1', 'EX', 60)
      const begun = Date.now()
      while ((await digits()) !== 7 && Date.now() - begun < 20000) await new Promise((go) => setTimeout(go, 20))
      return digits()`)
    await expect.poll(() => redis().get(ready), { timeout: 20_000 }).toBe('1')
    expect((await save({ authCodeDigits: { value: 7 } })).status).toBe(200)
    expect((await platformSettings()).authCodeDigits).toBe(7)
    expect(await elsewhere).toBe(7)
  })

  test('is one row of the history for each that changed, and none for those that did not', async () => {
    await save({ authCodeDigits: { value: 5 }, authCodeAttempts: { value: 5 } })
    const rows = await db().select().from(history).where(eq(history.entity, 'settings')).orderBy(history.id)
    expect(rows.at(-1)).toMatchObject({ entityId: 'authCodeDigits', field: 'authCodeDigits', current: 5 })
    const before = rows.length
    expect((await save({ authCodeDigits: { value: 5 } })).status).toBe(200)
    expect(await db().$count(history, eq(history.entity, 'settings'))).toBe(before)
  })

  test('is refused as a whole if one of them is wrong', async () => {
    const read = await admin.call(readPlatformSettings)
    const answer = await save({
      authCodeDigits: { value: 9 },
      accessTokenLifespan: minutes(10_081),
      historyRetention: { value: 44 },
      passwordMin: { value: 7 },
      passwordHistory: { value: 3 },
    })
    expect(answer.status).toBe(400)
    expect(listOf(answer).toSorted()).toEqual([
      ['accessTokenLifespan', 'errorRange'],
      ['authCodeDigits', 'errorRange'],
      ['historyRetention', 'errorRange'],
      ['passwordMin', 'errorRange'],
    ])
    expect(await admin.call(readPlatformSettings)).toEqual(read)
  })

  test('a pattern that takes too long is refused, and so is a setting of the other scope', async () => {
    expect(listOf(await save({ passwordCustomRules: { value: [{ pattern: '(a+)+', title: { ru: 'а' } }] } }))).toEqual([
      ['passwordCustomRules', 'errorPattern'],
    ])
    // one that an earlier version took stays while it is the same
    const rule = (pattern: string) => ({ pattern, title: { ru: 'Правило' } })
    const [dear, dearer] = [rule('^[a-z]{0,600}'), rule('^[a-z]{0,601}')]
    await setSetting('passwordCustomRules', [dear])
    expect((await save({ passwordCustomRules: { value: [dear, rule('^x')] } })).status).toBe(200)
    expect((await platformSettings()).passwordCustomRules).toEqual([dear, rule('^x')])
    expect(listOf(await save({ passwordCustomRules: { value: [dear, dearer] } }))).toEqual([
      ['passwordCustomRules', 'errorPattern'],
    ])
    expect((await save({ passwordCustomRules: { value: [] } })).status).toBe(200)
    expect((await save({ inviteAlive: minutes(60) })).status).toBe(400)
    expect((await saveUsers({ passwordMin: { value: 9 } })).status).toBe(400)
  })

  test('of thirty saves of one version one is stored, and the others say what it changed', async () => {
    const updatedAt = await version()
    const answers = await thirty((n) => save({ updatedAt, passwordMin: { value: 9 + n } }))
    expect(answers.map(({ status }) => status).toSorted()).toEqual(oneOf30)
    const { passwordMin } = await platformSettings()
    const conflict = answers.find(({ status }) => status === 409)?.body.data as { conflict: { values: object } }
    expect(conflict.conflict).toMatchObject({ by: { you: true }, values: { passwordMin } })
  })

  test('gives every save a later version, also where thirty name none', async () => {
    const versions = (
      await thirty((n) => save({ passwordHistory: { value: n % 25 }, monitoringPeriod: minutes(1 + n) }))
    ).map(({ status, body }) => {
      expect(status).toBe(200)
      return body.updatedAt as string
    })
    expect(new Set(versions).size).toBe(30)
  })

  test('random saves never leave settings that contradict each other or keep everybody out', async () => {
    const below = caseNumbers(21)
    const on = () => ({ value: below(3) === 0 })
    let stored = 0
    for (const _ of eachRound(60, () => stored > 3)) {
      const body = {
        identificationLogin: on(),
        identificationEmail: on(),
        identificationMobile: on(),
        passwordMin: { value: 8 + below(20) },
        passwordMax: { value: 8 + below(20) },
        sessionAlive: minutes(1 + below(100)),
        sessionIdleAlive: minutes(1 + below(100)),
        authCodeAlive: minutes(1 + below(10)),
        authCodeResendAlive: minutes(1 + below(10)),
        whitelistMode: on(),
      }
      const { status } = await save(Object.fromEntries(Object.entries(body).filter(() => below(2) === 0)))
      expect([200, 400]).toContain(status)
      if (status === 200) stored++
      const now = await platformSettings()
      expect(brokenRelations(now, Object.keys(now))).toEqual([])
      expect(now.whitelistMode).toBe(false)
    }
    expect(stored).toBeGreaterThan(3)
    await save({
      ...Object.fromEntries(['Login', 'Email', 'Mobile'].map((kind) => [`identification${kind}`, { value: true }])),
      sessionAlive: minutes(10_080),
      sessionIdleAlive: minutes(1_440),
    })
  })
})

describe('what a setting names', () => {
  test('can’t be deleted while it is named, also at once', async () => {
    const usual = (await platformSettings()).defaultUserRole
    for (const round of eachRound(12)) {
      const { id } = await plantRole([])
      const alias = await aliasOf(`10.9.${round}.0/24`)
      const [named, deletion, trusted, lost] = await Promise.all([
        saveUsers({ defaultUserRole: { value_props: { value: id } } }),
        admin.send(deleteRole, { params: { id } }),
        save({ reverseProxy: { value_props: { value: [alias] } } }),
        admin.send(deleteNetworkAlias, { params: { id: alias } }),
      ])
      expect([named.status, deletion.status].filter((status) => status === 200)).toHaveLength(1)
      expect([trusted.status, lost.status].filter((status) => status === 200)).toHaveLength(1)
      const now = await platformSettings()
      expect(await db().$count(roles, eq(roles.id, now.defaultUserRole))).toBe(1)
      expect(await db().$count(networkAliases, inArray(networkAliases.id, now.reverseProxy))).toBe(
        now.reverseProxy.length,
      )
      await saveUsers({ defaultUserRole: { value_props: { value: usual } } })
      await save({ reverseProxy: { value_props: { value: [] } } })
    }
  })
})

describe('kinds of identifier', () => {
  const email = (value: boolean) => save({ identificationEmail: { value } })

  test('are claimed for everybody when one is switched on, and given up when it is switched off', async () => {
    const one = await createUser()
    expect((await email(false)).status).toBe(200)
    expect(await identifiersOf(one.id)).toEqual(['login', 'mobile'])
    const other = await createUser({ email: one.email.toUpperCase() })
    const refused = await email(true)
    expect(refused).toMatchObject({ status: 400, body: { code: 'errorNotUnique' } })
    expect(refused.body.data).toEqual({
      uniqueErrors: [{ field: 'identificationEmail', code: 'errorShared', params: { count: 2, value: one.email } }],
    })
    // who may not read users learns no e-mail
    const blind = new Caller((await signedInWith(['settings.write'])).browser)
    const refusal = await save({ identificationEmail: { value: true } }, blind)
    expect(JSON.stringify(refusal.body)).not.toContain(one.email)
    await db().execute(`update users set email = null where id = '${other.id}'`)
    expect((await email(true)).status).toBe(200)
    expect(await identifiersOf(one.id)).toEqual(['email', 'login', 'mobile'])
  })

  test('are claimed for people who get an account at the same moment', async () => {
    for (const _ of eachRound(5)) {
      await email(false)
      const [made, answer] = await Promise.all([thirty(() => createUser()), email(true)])
      expect(answer.status).toBe(200)
      for (const { id } of made) expect(await identifiersOf(id)).toContain('email')
    }
  })
})

test('what the environment gives is shown with its source and can’t be saved', async () => {
  await db().delete(settings).where(eq(settings.id, 'registrationsPerIp'))
  Object.assign(env(), { SETTINGS: { registrationsPerIp: 33 } })
  const { data } = await admin.call(readUsersSettings)
  const shownSetting = data.flatMap((one) => one.settings).find(({ id }) => id === 'registrationsPerIp')
  expect(shownSetting).toMatchObject({ value: 33, readonly: true, source: 'SETTINGS', default: { value: 20 } })
  expect(listOf(await saveUsers({ registrationsPerIp: { value: 20 } }))).toEqual([
    ['registrationsPerIp', 'errorReadOnly'],
  ])
  expect((await saveUsers({ inviteAlive: minutes(120) })).status).toBe(200)
})

test('the counter’s script runs in a page without an origin, which reaches its own host alone', async () => {
  const open = (query = '') => counterPage(new Request(`http://localhost:3000/platform/counter${query}`))
  await db().delete(settings).where(eq(settings.id, 'metricsScript'))
  dropCached('settings')
  expect((await open()).status).toBe(404)
  await setSetting('metricsScript', 'https://metrics.example/counter.js?a=1&b="')
  const hostile = encodeURIComponent('"><script>alert(1)</script>')
  const answer = await open(`?page=${hostile}&referrer=${hostile}`)
  const [policy, html] = [answer.headers.get('content-security-policy') ?? '', await answer.text()]
  const parts = new Map(policy.split('; ').map((part) => [part.split(' ', 1)[0], part.split(' ').slice(1)]))
  expect(parts.get('sandbox')).toEqual(['allow-scripts'])
  expect(parts.get('default-src')).toEqual(["'none'"])
  expect(parts.get('connect-src')).toEqual(['https://metrics.example'])
  expect(parts.get('frame-ancestors')).toEqual(["'self'"])
  const [nonce] = /'nonce-([\w-]+)'/.exec(policy)?.slice(1) ?? []
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html).toContain(`nonce="${nonce}"`)
  expect(html).toContain('src="https://metrics.example/counter.js?a=1&#38;b=')
  expect((await open()).headers.get('content-security-policy')).not.toContain(`${nonce}`)
})
