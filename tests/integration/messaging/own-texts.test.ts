import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { domainLocales, locales } from '@/db/schema/platform'
import { dropCached } from '@/lib/base/cache/cache'
import { errorWords } from '@/lib/base/i18n/error-words'
import { loadMessages, wordLocale } from '@/lib/base/i18n/messages'
import { texts } from '@/lib/base/mail-and-sms/texts'
import { exportLocaleTexts, listLocaleTexts, writeLocaleTexts } from '@/lib/messaging/locale-texts/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { compose } from '@/lib/wiring/compose'
import { thirty } from '../../factories/at-once'
import { callerFor } from '../../factories/caller'
import { texts as domainTexts, first } from '../../factories/platform'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeAll(() => compose())

let id = ''
beforeAll(async () => {
  ;({ id } = first(await db().insert(locales).values({ name: 'Қазақша', code: 'kk' }).returning()))
  const base = await domainByHost('')
  await db()
    .insert(domainLocales)
    .values({ domainId: base.id, localeId: id, order: 9, settings: domainTexts('Қ') })
  await dropCached('domains')
})
const put = async (ownTexts: Record<string, string>) => {
  const caller = await callerFor(writeLocaleTexts)
  const body = { texts: Object.entries(ownTexts).map(([key, text]) => ({ key, text })) }
  return caller.send(writeLocaleTexts, { params: { id }, body })
}
// each test begins without own texts
beforeEach(async () => {
  const written = [
    'entry.id.title',
    'errors.errorEmpty',
    'mail.passwordChanged.heading',
    'common.continue',
    'common.help',
  ]
  await put(Object.fromEntries(written.map((key) => [key, ''])))
})

test('a language without texts is offered, and shows Russian ones', async () => {
  expect((await domainByHost('')).locales).toContain('kk')
  expect(await wordLocale('kk')).toBe('ru')
  expect(await loadMessages('kk')).toBe(await loadMessages('ru'))
})

test('own texts are seen by pages, mails and errors at once, text by text', async () => {
  expect((await put({ 'entry.id.title': 'Кіру', 'errors.errorEmpty': 'Толтырыңыз' })).body).toEqual({ changed: 2 })
  const all = (await loadMessages('kk')) as unknown as { entry: { id: Record<string, string> } }
  const russian = (await loadMessages('ru')) as unknown as typeof all
  expect(all.entry.id.title).toBe('Кіру')
  expect(all.entry.id.lead).toBe(russian.entry.id.lead)
  expect(await wordLocale('kk')).toBe('kk')
  expect((await errorWords('kk', 'domains'))('errorEmpty', {})).toBe('Толтырыңыз')
  const mail = await texts('kk', 'mail', 'UTC')
  const before = mail.translate('passwordChanged.heading', {})
  await put({ 'mail.passwordChanged.heading': 'Хат' })
  expect([before, (await texts('kk', 'mail', 'UTC')).translate('passwordChanged.heading', {})]).toEqual([
    expect.not.stringMatching('Хат'),
    'Хат',
  ])
  await put({ 'entry.id.title': '' })
  expect(((await loadMessages('kk')) as unknown as typeof all).entry.id.title).toBe(russian.entry.id.title)
})

test('a file is imported as a whole or not at all, and what is exported changes nothing', async () => {
  const caller = await callerFor(exportLocaleTexts)
  const download = async () =>
    JSON.parse((await caller.send(exportLocaleTexts, { params: { id } })).body.file as string) as Record<string, string>
  await put({ 'common.continue': 'Жалғастыру' })
  const exported = await download()
  expect(exported['common.continue']).toBe('Жалғастыру')
  expect(exported['common.help']).toBe('')
  expect((await put(exported)).body).toEqual({ changed: 0 })
  const answer = await put({ 'common.help': 'Көмек', 'common.continue': '<b>x</b>', 'no.such': 'x' })
  expect(answer.status).toBe(400)
  expect((answer.body.data as { errorList: { code: string }[] }).errorList.map(({ code }) => code)).toEqual([
    'errorTextTag',
    'errorTextKey',
  ])
  expect((await download())['common.help']).toBe('')
  const nowhere = await caller.send(exportLocaleTexts, { params: { id: randomUUID() } })
  expect(nowhere.body.code).toBe('notFound')
  expect((await put({ 'common.help': 'x'.repeat(2 ** 20) })).status).toBe(400)
  expect((await put({ 'common.help': 'x'.repeat(3 * 2 ** 20) })).status).toBe(413)
})

test('of thirty writers at once each text is that of one, and the history knows every change', async () => {
  const sent = await thirty((n) => put({ 'common.help': `Көмек ${n}` }))
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
  const caller = await callerFor(listLocaleTexts)
  const { texts: listed } = await caller.call(listLocaleTexts, {
    params: { id },
    query: { filter: { search: 'common.help' } },
  })
  expect(listed.find(({ key }) => key === 'common.help')?.text).toMatch(/^Көмек \d+$/)
})
