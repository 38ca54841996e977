import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, userSettings } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { languageTag } from '@/lib/openid/claims/service'
import { createClient, startProvider } from '../../factories/oidc'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

test('an application gets only the dynamic fields that are marked for integration, and only their values', async () => {
  const [main] = await db().select().from(dynamicFields).where(eq(dynamicFields.type, 'users'))
  const anyField = { type: 'users' as const, subtype: main?.subtype ?? '', title: 'Поле', fieldType: 'input' as const }
  await db()
    .insert(dynamicFields)
    .values([
      { ...anyField, code: 'badge', integrationRequired: true },
      { ...anyField, code: 'skills', integrationRequired: true, multiple: true, fieldType: 'dropbox' },
      { ...anyField, code: 'floor', integrationRequired: true },
      { ...anyField, code: 'grade' },
      { ...anyField, code: 'retired', integrationRequired: true, active: false },
      { ...anyField, code: 'photo', integrationRequired: true, fieldType: 'picture' },
    ])
  dropCached('dynamic-fields')
  const values = { badge: '17', skills: ['a', 'b'], floor: '', grade: '5', retired: 'x', photo: 'x', gone: 'x' }
  const { browser, user } = await signedIn({ values })
  const { config } = await createClient(running)
  const tokens = await tokensFor(running, browser, config, { scope: 'openid fields' })
  const fields = { badge: '17', skills: ['a', 'b'] }
  expect(tokens.claims()).toMatchObject({ fields })
  expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toEqual({
    sub: user.id,
    sid: tokens.claims()?.sid,
    fields,
  })
  const without = await tokensFor(running, browser, config, { scope: 'openid profile' })
  expect(without.claims()).not.toHaveProperty('fields')
})

test('locale is a language tag', async () => {
  expect([languageTag('ru'), languageTag('zh_hans_CN'), languageTag('EN-gb')]).toEqual(['ru', 'zh-Hans-CN', 'en-GB'])
  expect([languageTag(null), languageTag(''), languageTag('no language')]).toEqual([undefined, undefined, undefined])
  const { browser, user } = await signedIn({ locale: 'en' })
  const { config } = await createClient(running)
  const locale = async () => (await tokensFor(running, browser, config, { scope: 'openid profile' })).claims()?.locale
  expect(await locale()).toBe('en')
  await db().insert(userSettings).values({ userId: user.id, lang: 'ru' })
  expect(await locale()).toBe('ru')
})

test('roles are also a list of plain strings, each once', async () => {
  const { browser } = await signedIn({ roles: ['user', 'support'] })
  const { config } = await createClient(running)
  const claims = (await tokensFor(running, browser, config, { scope: 'openid roles' })).claims()
  const roles = claims?.roles as { id: string; code: string }[]
  expect(roles.map(({ code }) => code).sort()).toEqual(['support', 'user'])
  expect(claims?.role_ids).toEqual(roles.map(({ id }) => id))
})
