import { eq } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { db } from '@/db/client'
import { domains, messages, userSettings } from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { messageContent } from '@/lib/base/mail-and-sms/content'
import { getUserSettings, patchUserSettings } from '@/lib/my-account/settings/contract'
import { getProfileHistory } from '@/lib/operations/own-history/contract'
import { Browser } from '../../factories/browser'
import { Caller, callerFor } from '../../factories/caller'
import { contextOf } from '../../factories/invitations'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const zoneOf = async (browser: Browser) => (await contextOf(browser)).timeZone

describe('the zone of a reader', () => {
  test('is the cookie’s, else the account’s, else Moscow’s; a name that isn’t one counts as none', async () => {
    const caller = await callerFor(getUserSettings)
    expect(await zoneOf(caller.browser)).toBe('Europe/Moscow')
    await caller.call(patchUserSettings, { body: { settings: { timeZone: 'asia/yekaterinburg' } } })
    expect((await caller.call(getUserSettings)).settings.timeZone).toBe('Asia/Yekaterinburg')
    expect(await zoneOf(caller.browser)).toBe('Asia/Yekaterinburg')
    caller.browser.cookies.set('timeZone', 'America/New_York')
    expect(await zoneOf(caller.browser)).toBe('America/New_York')
    for (const hostile of ['+03:00', 'Mars/Olympus', "x'; drop table users; --", 'a'.repeat(3000), '%00']) {
      caller.browser.cookies.set('timeZone', hostile)
      expect(await zoneOf(caller.browser), hostile).toBe('Asia/Yekaterinburg')
    }
  })

  test('is the one that the person has chosen, whatever browser they use, until they take it back', async () => {
    const caller = await callerFor(getUserSettings)
    const save = (more: object) => caller.call(patchUserSettings, { body: { settings: more } })
    await save({ chosenTimeZone: 'asia/tokyo' })
    caller.browser.cookies.set('timeZone', 'America/New_York')
    // another browser tells its zone, as every page does
    await save({ timeZone: 'Asia/Yekaterinburg' })
    expect((await caller.call(getUserSettings)).settings).toMatchObject({
      timeZone: 'Asia/Yekaterinburg',
      chosenTimeZone: 'Asia/Tokyo',
    })
    expect(await zoneOf(caller.browser)).toBe('Asia/Tokyo')
    expect(await zoneOf(caller.browser.copy())).toBe('Asia/Tokyo')
    await save({ chosenTimeZone: null })
    expect(await zoneOf(caller.browser)).toBe('America/New_York')
    for (const chosenTimeZone of ['', '+03:00', 'Mars/Olympus'])
      expect(await caller.send(patchUserSettings, { body: { settings: { chosenTimeZone } } })).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: 'settings.chosenTimeZone', code: 'errorTimeZone' }] } },
      })
  })

  test.each(['', '+03:00', 'Mars/Olympus', 'Europe/Moscow; --'])(
    '%j is refused, and nothing changes',
    async (timeZone) => {
      const caller = await callerFor(getUserSettings)
      const answer = await caller.send(patchUserSettings, { body: { settings: { timeZone, navMini: true } } })
      expect(answer).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: 'settings.timeZone', code: 'errorTimeZone' }] } },
      })
      expect((await caller.call(getUserSettings)).settings).toMatchObject({ timeZone: null, navMini: null })
    },
  )
})

test('mails show times in the receiver’s zone and name it', async () => {
  const texts = []
  const zones = [
    null,
    { timeZone: 'Asia/Yekaterinburg' },
    { timeZone: 'Asia/Yekaterinburg', chosenTimeZone: 'Asia/Tokyo' },
  ]
  for (const zone of zones) {
    const user = await createUser()
    if (zone)
      await db()
        .insert(userSettings)
        .values({ userId: user.id, ...zone })
    for (let n = 0; n < 2; n++) await signInByPassword(new Browser(), user.login, password)
    const [row] = await db().select().from(messages).where(eq(messages.userId, user.id))
    texts.push(row ? messageContent(row).text.replaceAll('\u00a0', ' ') : '')
  }
  expect(texts[0]).toMatch(/в \d\d:\d\d \(МСК\)/)
  expect(texts[1]).toMatch(/в \d\d:\d\d \(UTC\+5\)/)
  expect(texts[2]).toMatch(/в \d\d:\d\d \(UTC\+9\)/)
})

test('whose zone isn’t known has the domain’s, in pages and mails', async () => {
  await db().update(domains).set({ timeZone: 'Asia/Vladivostok' }).where(eq(domains.base, true))
  await invalidate(db(), 'domains')
  dropCached('domains')
  onTestFinished(async () => {
    await db().update(domains).set({ timeZone: null }).where(eq(domains.base, true))
    dropCached('domains')
  })
  const user = await createUser()
  const browser = new Browser()
  for (const one of [browser, new Browser()]) await signInByPassword(one, user.login, password)
  expect(await zoneOf(browser)).toBe('Asia/Vladivostok')
  const [row] = await db().select().from(messages).where(eq(messages.userId, user.id))
  expect(row && messageContent(row).text).toMatch(/\(UTC\+10\)/)
  // the account's own comes first
  await new Caller(browser).call(patchUserSettings, { body: { settings: { timeZone: 'Asia/Yekaterinburg' } } })
  expect(await zoneOf(browser)).toBe('Asia/Yekaterinburg')
})

test('a day of the own history begins and ends in the reader’s zone', async () => {
  const user = await createUser()
  const browser = new Browser()
  await signInByPassword(browser, user.login, password)
  const caller = new Caller(browser)
  const dayIn = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())
  const count = async (timeZone: string, day: string) => {
    browser.cookies.set('timeZone', timeZone)
    return (await caller.call(getProfileHistory, { query: { filter: { dateFrom: day, dateTo: day } } })).acts.length
  }
  // somewhere it is another day now than elsewhere
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const
  expect(dayIn(east)).not.toBe(dayIn(west))
  expect(await count(east, dayIn(east))).toBeGreaterThan(0)
  expect(await count(west, dayIn(west))).toBeGreaterThan(0)
  expect(await count(east, dayIn(west))).toBe(0)
  expect(await count(west, dayIn(east))).toBe(0)
})
