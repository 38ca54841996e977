import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { domains, domainTexts, locales, localeTexts } from '@/db/schema/platform'
import { dropCached } from '@/lib/base/cache/cache'
import type { CtxDomain } from '@/lib/base/context/ctx'
import { writeLocaleTexts } from '@/lib/messaging/locale-texts/contract'
import { knownMessages } from '@/lib/messaging/locale-texts/messages'
import { mailSamples, smsSamples } from '@/lib/messaging/locale-texts/samples'
import { previewMessageTexts, readMessageTexts, writeMessageTexts } from '@/lib/messaging/message-texts/contract'
import { sendMail, sendSms } from '@/lib/messaging/sender/service'
import { domainByHost } from '@/lib/site/domains/service'
import { compose } from '@/lib/wiring/compose'
import { oneOf30, thirty } from '../../factories/at-once'
import { callerFor } from '../../factories/caller'
import { lastMessageTo } from '../../factories/messages'
import { createDomainWith, first, localeId, texts } from '../../factories/platform'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

// rules: docs/rules/messages.md#own-words

useTestDatabase()
beforeAll(() => compose())

let domain: CtxDomain
let base: CtxDomain
beforeAll(async () => {
  await db().insert(locales).values({ name: 'Қазақша', code: 'kk' })
  await createDomainWith({
    hosts: ['texts.example.com'],
    in: { ru: texts('Д'), en: texts('D'), kk: texts('Қ') },
  })
  await dropCached('domains')
  domain = await domainByHost('texts.example.com')
  base = await domainByHost('')
})
beforeEach(async () => {
  await db().delete(localeTexts)
  await db().delete(domainTexts)
  for (const name of ['locale-texts', 'domain-texts']) dropCached(name)
})

type Own = Record<string, string>
const listOf = (ownTexts: Own) => Object.entries(ownTexts).map(([part, text]) => ({ part, text }))

async function write(id: string, code: string, domainId: string | null, ownTexts: Own, version?: string) {
  const caller = await callerFor(writeMessageTexts)
  const body = { localeId: await localeId(code), domainId, texts: listOf(ownTexts), ...(version ? { version } : {}) }
  return caller.send(writeMessageTexts, { params: { id }, body })
}

let sent = 0
/** Sends the invitation as its cause does, through the job, and returns what arrived. */
async function invitation(
  from: CtxDomain,
  locale: string,
  more: { name?: string; inviter?: string; company?: string } = {},
) {
  const to = `guest${sent++}@example.com`
  const values = { ...mailSamples('ru').invitation, ...more }
  await db().transaction((tx) =>
    sendMail(tx, { domain: from, now: () => new Date() }, { template: 'invitation', to, userId: null, locale, values }),
  )
  const { content } = (await lastMessageTo(to)) ?? {}
  return content as { subject: string; text: string; html: string }
}

test('the domain’s text comes first, then the language’s own, then the shipped one, then Russian', async () => {
  const heading = async (from: CtxDomain, locale: string) => (await invitation(from, locale)).text.split('\n')[0]
  expect(await heading(domain, 'en')).toBe('You’re invited')
  expect(await heading(domain, 'kk')).toBe('Вас приглашают')
  await write('mail-invitation', 'en', null, { heading: 'Everywhere' })
  expect({ domain: await heading(domain, 'en'), base: await heading(base, 'en') }).toEqual({
    domain: 'Everywhere',
    base: 'Everywhere',
  })
  await write('mail-invitation', 'en', domain.id, { heading: 'Only here' })
  expect({ domain: await heading(domain, 'en'), base: await heading(base, 'en') }).toEqual({
    domain: 'Only here',
    base: 'Everywhere',
  })
  // a language that has nothing but this domain's text
  await write('mail-invitation', 'kk', domain.id, { heading: 'Шақыру' })
  expect(await heading(domain, 'kk')).toBe('Шақыру')
  expect((await invitation(domain, 'kk')).text).toContain('Открыть приглашение')
  await write('mail-invitation', 'en', domain.id, { heading: '' })
  expect(await heading(domain, 'en')).toBe('Everywhere')
  await write('mail-invitation', 'en', null, { heading: '' })
  expect(await heading(domain, 'en')).toBe('You’re invited')
})

test('a text that would stand there anyway is stored nowhere', async () => {
  await write('mail-invitation', 'en', null, { heading: 'You’re invited' })
  expect(await db().select().from(localeTexts)).toEqual([])
  await write('mail-invitation', 'en', null, { heading: 'Everywhere' })
  await write('mail-invitation', 'en', domain.id, { heading: 'Everywhere' })
  expect(await db().select().from(domainTexts)).toEqual([])
})

test('texts and the names in them are words: no tag, no link, no header comes of them', async () => {
  const evil = '<img src=x onerror=alert(1)>"\'&amp;'
  for (const hostileText of [
    { text: '<script>alert(1)</script>' },
    { button: '<a href="https://evil.example">x</a>' },
  ] as Own[])
    expect((await write('mail-invitation', 'en', domain.id, hostileText)).body.code).toBe('errorFields')
  // quoted signs are signs
  const quoted = await write('mail-invitation', 'en', domain.id, {
    subject: "'<script>'alert(1)'</script>' {company}",
    text: "'<b>'bold'</b>' & {project} '{'link'}'",
    button: "'<i>'Go",
  })
  expect(quoted).toMatchObject({ status: 200 })
  const mail = await invitation(domain, 'en', { company: evil, name: evil, inviter: evil })
  expect(mail.subject).toContain('<script>alert(1)</script> <img')
  expect(mail.html).toContain('&lt;b&gt;bold&lt;/b&gt; &amp;')
  expect(mail.html).toContain('{link}')
  expect(mail.html).not.toMatch(/<script|<img|onerror=alert\(1\)>|<b>bold|<i>Go/)
  expect(mail.html.match(/href="[^"]*"/g)?.filter((href) => href.includes('evil'))).toEqual([])
  for (const line of ['\n', '\r\n', '\r', '\u2028', '\u0085'])
    for (const part of ['subject', 'preheader', 'heading', 'button']) {
      const answer = await write('mail-invitation', 'en', domain.id, { [part]: `Hello${line}Bcc: all@example.com` })
      expect([part, answer.status]).toEqual([part, 400])
    }
  const broken = await invitation(domain, 'en', { company: 'Evil\r\nBcc: all@example.com\u2028x' })
  expect(broken.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
})

test('no address in a text, a name or a value becomes a link, also of what was stored before', async () => {
  const addresses = ['https://evil.example/c', 'www.evil.example', 'evil.example', '203.0.113.7/c']
  for (const message of knownMessages) {
    const place = { localeId: await localeId('ru'), domainId: domain.id }
    const reader = await callerFor(readMessageTexts)
    const { parts } = await reader.call(readMessageTexts, { params: { id: message.id }, query: place })
    for (const [at, { part, source }] of parts.entries()) {
      const ownText = { [part]: `${source} ${addresses[at % addresses.length]}` }
      const answer = await write(message.id, 'ru', domain.id, ownText)
      expect(answer.body.data, `${message.id} ${part}`).toMatchObject({ errorList: [{ code: 'errorTextAddress' }] })
    }
  }
  const place = { localeId: await localeId('en') }
  const allAddresses = addresses.join(' ')
  await db()
    .insert(localeTexts)
    .values(
      ['heading', 'text', 'preheader', 'button'].map((part) => ({
        ...place,
        key: `mail.invitation.${part}`,
        text: allAddresses,
      })),
    )
  dropCached('locale-texts')
  const named = await createDomainWith({ hosts: ['named.example.com'], in: { en: texts('evil.example') } })
  await dropCached('domains')
  const from = await domainByHost('named.example.com')
  const mail = await invitation(from, 'en', { name: 'x evil2.example', company: allAddresses, inviter: allAddresses })
  expect(from.id).toBe(named)
  const visibleHtml = mail.html.replace(/<title>.*?<\/title>/s, '').replace(/(?:href|src)="[^"]*"/g, '')
  for (const text of [visibleHtml, mail.text]) expect(text).not.toMatch(/evil2?\.example|https:\/\/evil|203\.0\.113/)
  expect(mail.subject).not.toContain('\u2060')
})

test('a stored text that a later version can’t fill is left out, and the mail is sent', async () => {
  const place = { domainId: domain.id, localeId: await localeId('en') }
  await db()
    .insert(domainTexts)
    .values([
      { ...place, key: 'mail.invitation.heading', text: 'Hello {gone}' },
      { ...place, key: 'mail.invitation.button', text: 'Come in' },
      { ...place, key: 'mail.noSuch.heading', text: 'x' },
    ])
  dropCached('domain-texts')
  const { text } = await invitation(domain, 'en')
  expect(text).toMatch(/^You’re invited\n/)
  expect(text).toContain('Come in:')
})

test('an SMS has the domain’s words, keeps its code’s last line and never has more than two parts', async () => {
  const to = '+79990000001'
  const code = '4071'
  const send = async () => {
    await db().transaction((tx) =>
      sendSms(
        tx,
        { domain, now: () => new Date() },
        { template: 'signInCode', to, userId: null, locale: 'en', values: { code } },
      ),
    )
    return (await lastMessageTo(to))?.content.text
  }
  await write('sms-signInCode', 'en', domain.id, { text: 'Code {code}. Ours.' })
  expect(await send()).toBe(`Code ${code}. Ours.\n\n@texts.example.com #${code}`)
  expect((await write('sms-signInCode', 'en', domain.id, { text: 'No code' })).body.data).toMatchObject({
    errorList: [{ field: 'texts.0.text', code: 'errorTextRequired', params: { name: 'code' } }],
  })
  const long = `{code} ${'слово '.repeat(40)}`
  for (const scope of [domain.id, null])
    expect((await write('sms-signInCode', 'en', scope, { text: long })).body.data).toMatchObject({
      errorList: [{ field: 'texts.0.text', code: 'errorTextSms' }],
    })
  const caller = await callerFor(writeLocaleTexts)
  const answer = await caller.send(writeLocaleTexts, {
    params: { id: await localeId('en') },
    body: {
      texts: [
        { key: 'common.help', text: 'Help!' },
        { key: 'sms.signInCode', text: long },
      ],
    },
  })
  expect(answer.body.data).toMatchObject({ errorList: [{ field: 'texts.1.text', code: 'errorTextSms' }] })
})

test('of thirty who save one version one wins, and the others get what is stored, part by part', async () => {
  const caller = await callerFor(readMessageTexts)
  const query = { localeId: await localeId('en'), domainId: domain.id }
  const { version } = await caller.call(readMessageTexts, { params: { id: 'mail-news' }, query })
  const answers = await thirty((n) => write('mail-news', 'en', domain.id, { button: `Read ${n}` }, version))
  expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
  const [row] = await db().select().from(domainTexts).where(eq(domainTexts.key, 'mail.news.button'))
  const lost = answers.find(({ status }) => status === 409)
  expect(lost?.body.data).toMatchObject({ conflict: { values: { button: row?.text }, hidden: [] } })
})

test('whatever the save takes, every message can be shown with it; whatever it refuses, the preview refuses', async () => {
  const writer = await callerFor(writeMessageTexts)
  const reader = await callerFor(previewMessageTexts)
  const signs = [
    '{',
    '}',
    '<',
    '>',
    "'",
    '#',
    '{code}',
    '{project}',
    ', plural, ',
    '<b>',
    '\n',
    '{name}',
    ' ',
    '{count}',
  ]
  const random = caseNumbers(210)
  const query = { localeId: await localeId('en'), domainId: domain.id }
  let acceptedCount = 0
  for (const _ of eachRound(150)) {
    const message = knownMessages[random(knownMessages.length)] ?? first([...knownMessages])
    const { parts } = await writer.call(readMessageTexts, { params: { id: message.id }, query })
    const { part, inherited } = parts[random(parts.length)] ?? first(parts)
    const at = random(inherited.length + 1)
    const text = (inherited.slice(0, at) + signs[random(signs.length)] + inherited.slice(at + random(6))).trim()
    const body = { ...query, texts: [{ part, text }] }
    const tried = await reader.send(previewMessageTexts, { params: { id: message.id }, body })
    const saved = await writer.send(writeMessageTexts, { params: { id: message.id }, body })
    expect([200, 400], `${message.id} ${part}: ${text}`).toContain(saved.status)
    if (saved.status === 200) {
      acceptedCount++
      expect({ message: message.id, part, text, status: tried.status }).toEqual({
        message: message.id,
        part,
        text,
        status: 200,
      })
    } else if (!JSON.stringify(saved.body).includes('errorTextSms')) expect(tried.status).toBe(400)
  }
  expect(acceptedCount).toBeGreaterThan(shareOf(20))
  // what was stored can be sent
  for (const template of ['invitation', 'digest', 'contactChanged'] as const)
    await db().transaction((tx) =>
      sendMail(
        tx,
        { domain, now: () => new Date() },
        { template, to: 'all@example.com', userId: null, locale: 'en', values: mailSamples('en')[template] },
      ),
    )
  await db().transaction((tx) =>
    sendSms(
      tx,
      { domain, now: () => new Date() },
      { template: 'invitation', to: '+79990000002', userId: null, locale: 'en', values: smsSamples('en').invitation },
    ),
  )
}, 120_000)

test('a domain that is deleted takes its texts along', async () => {
  const other = await createDomainWith({ hosts: ['gone.example.com'] })
  await write('mail-news', 'en', other, { button: 'Read' })
  expect(await db().select().from(domainTexts)).toHaveLength(1)
  await db().delete(domains).where(eq(domains.id, other))
  expect(await db().select().from(domainTexts)).toEqual([])
  expect((await write('mail-news', 'en', other, { button: 'Read' })).status).toBe(404)
})
