import { afterEach, expect, test } from 'vitest'
import { type OwnTexts, takeDomainTextsFrom, takeOwnTextsFrom } from '@/lib/kernel/i18n/own-texts'
import { texts } from '@/lib/kernel/messages/texts'

const none: OwnTexts = new Map()
afterEach(() => {
  takeDomainTextsFrom(async () => none)
  takeOwnTextsFrom(async () => none)
})
const heading = 'firstEntry.heading'
const headingIn = async (...given: Parameters<typeof texts>) =>
  (await texts(...given)).translate(heading, { project: 'Полярис' })

test('mails of one language, zone and domain share a translator', async () => {
  const one = await texts('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })
  expect((await texts('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).translate).toBe(one.translate)
  for (const other of [
    texts('en', 'mail', 'Europe/Moscow', { domainId: 'one' }),
    texts('ru', 'sms', 'Europe/Moscow', { domainId: 'one' }),
    texts('ru', 'mail', 'Asia/Omsk', { domainId: 'one' }),
  ])
    expect((await other).translate).not.toBe(one.translate)
})

test('a text that somebody changes is there at once, for its domain alone, and as long as it is', async () => {
  const shipped = await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })
  const own = new Map([[`mail.${heading}`, 'Своё']])
  takeDomainTextsFrom(async (id) => (id === 'one' ? own : none))
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).toBe('Своё')
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'two' })).toBe(shipped)
  takeDomainTextsFrom(async (id) => (id === 'one' ? new Map([[`mail.${heading}`, 'Новое']]) : none))
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).toBe('Новое')
  takeDomainTextsFrom(async () => none)
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).toBe(shipped)
  takeOwnTextsFrom(async () => new Map([[`mail.${heading}`, 'Общее']]))
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).toBe('Общее')
})

test('a text that is only tried stays with whoever tries it', async () => {
  const given = ['ru', 'mail', 'Europe/Moscow'] as const
  const shipped = await headingIn(...given, { domainId: 'three' })
  const tried = new Map([[`mail.${heading}`, 'Проба']])
  expect(await headingIn(...given, { domainId: 'three', tried })).toBe('Проба')
  expect(await headingIn(...given, { domainId: 'three' })).toBe(shipped)
})
