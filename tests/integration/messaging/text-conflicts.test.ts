import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { domainTexts, localeTexts } from '@/db/schema/platform'
import { dropCached } from '@/lib/base/cache/cache'
import { messageSources } from '@/lib/base/i18n/messages'
import type { Conflict } from '@/lib/base/runtime/errors'
import { listLocaleTexts, writeLocaleTexts } from '@/lib/messaging/locale-texts/contract'
import { readMessageTexts, writeMessageTexts } from '@/lib/messaging/message-texts/contract'
import { compose } from '@/lib/wiring/compose'
import { signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { createDomainWith, localeId, texts } from '../../factories/platform'
import { useTestDatabase } from '../../setup/database'

// rules: docs/rules/rest.md#conflicts, docs/rules/texts-and-look.md#own-texts

useTestDatabase()

type Editor = { caller: Caller; name: string }
let [ours, theirs, english, domain] = [{} as Editor, {} as Editor, '', '']
const editor = async (): Promise<Editor> => {
  const { browser, user } = await signedInWith(['libraries.read', 'libraries.write'])
  return { caller: new Caller(browser), name: user.fio }
}
beforeAll(async () => {
  await compose()
  ;[ours, theirs, english] = [await editor(), await editor(), await localeId('en')]
  domain = await createDomainWith({ hosts: ['conflict.example.com'], in: { ru: texts('Д'), en: texts('D') } })
  dropCached('domains')
})
beforeEach(async () => {
  await db().delete(localeTexts)
  await db().delete(domainTexts)
  for (const name of ['locale-texts', 'domain-texts']) dropCached(name)
})

const key = 'mail.news.button'
const versionOfText = async () => {
  const query = { filter: { search: key } }
  const { texts: listed } = await ours.caller.call(listLocaleTexts, { params: { id: english }, query })
  return listed[0]?.version
}
const writeText = ({ caller }: Editor, text: string, version?: string) =>
  caller.send(writeLocaleTexts, {
    params: { id: english },
    body: { texts: [{ key, text, ...(version ? { version } : {}) }] },
  })
const place = (domainId: string | null) => ({ localeId: english, ...(domainId ? { domainId } : {}) })
const versionOfMessage = async (domainId: string | null) =>
  (await ours.caller.call(readMessageTexts, { params: { id: 'mail-news' }, query: place(domainId) })).version
const writeMessage = ({ caller }: Editor, domainId: string | null, text: string, version?: string) =>
  caller.send(writeMessageTexts, {
    params: { id: 'mail-news' },
    body: { localeId: english, domainId, texts: [{ part: 'button', text }], ...(version ? { version } : {}) },
  })
const conflictIn = ({ status, body }: Awaited<ReturnType<typeof writeText>>) => {
  expect([status, body.code]).toEqual([409, 'conflict'])
  return (body.data as { conflict: Conflict }).conflict
}
const since = (at: string) => expect(Date.now() - Date.parse(at)).toBeLessThan(60_000)

test('a text of the interface that somebody wrote meanwhile is refused with who, when and what', async () => {
  const read = await versionOfText()
  expect((await writeText(theirs, 'Theirs')).status).toBe(200)
  const before = new Date()
  const conflict = conflictIn(await writeText(ours, 'Ours', read))
  expect(conflict).toMatchObject({ by: { name: theirs.name, you: false }, values: { text: 'Theirs' }, hidden: [] })
  since(conflict.at)
  expect(Date.parse(conflict.at)).toBeLessThanOrEqual(before.getTime())
  expect(await versionOfText()).toBe(conflict.updatedAt)
  // the version that the conflict names is the one to save with
  expect((await writeText(ours, 'Ours', conflict.updatedAt)).status).toBe(200)
  expect(conflictIn(await writeText(ours, 'Mine', conflict.updatedAt)).by).toEqual({ name: ours.name, you: true })
})

test('a text that somebody brought back meanwhile is one that they wrote', async () => {
  await writeText(ours, 'Ours')
  const read = await versionOfText()
  await writeText(theirs, '')
  expect(conflictIn(await writeText(ours, 'Again', read))).toMatchObject({
    by: { name: theirs.name },
    values: { text: 'Read more' },
  })
  expect(await db().$count(localeTexts)).toBe(0)
})

test.each(['of a language', 'of a domain'])('a message’s text %s is refused with who saved it', async (whose) => {
  const domainId = whose === 'of a domain' ? domain : null
  const read = await versionOfMessage(domainId)
  await writeMessage(theirs, domainId, 'Theirs')
  // another message is another object, whoever saves it last
  const other = { localeId: english, domainId, texts: [{ part: 'heading', text: 'Other' }] }
  await ours.caller.call(writeMessageTexts, { params: { id: 'mail-passwordChanged' }, body: other })
  const conflict = conflictIn(await writeMessage(ours, domainId, 'Ours', read))
  expect(conflict).toMatchObject({ by: { name: theirs.name, you: false }, values: { button: 'Theirs' } })
  since(conflict.at)
})

test('after a file with more texts than the history names, a conflict names nobody rather than somebody else', async () => {
  await writeText(ours, 'Ours')
  const read = await versionOfText()
  const sources = [...(await messageSources('en'))].filter(([name, text]) => name < key && !/[{<\n]/.test(text))
  const many = sources.slice(0, 60).map(([name]) => ({ key: name, text: `X ${randomUUID()}` }))
  const body = { texts: [...many, { key, text: 'Theirs' }] }
  await theirs.caller.call(writeLocaleTexts, { params: { id: english }, body })
  expect(conflictIn(await writeText(ours, 'Again', read))).toMatchObject({ by: null, values: { text: 'Theirs' } })
})

test('of thirty who write one text of one version one wins', async () => {
  const read = await versionOfText()
  const answers = await thirty((n) => writeText(n % 2 ? ours : theirs, `Text ${n}`, read))
  expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
  const won = answers.findIndex(({ status }) => status === 200)
  for (const lost of answers.filter(({ status }) => status === 409))
    expect(conflictIn(lost)).toMatchObject({
      by: { name: won % 2 ? ours.name : theirs.name },
      values: { text: `Text ${won}` },
    })
})
