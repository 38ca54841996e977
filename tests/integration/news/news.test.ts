import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { digestItems, history, messages, news, notices, roles, subscriptions, userSettings } from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { decryptContent, messageContent } from '@/lib/base/mail-and-sms/content'
import { sendDueDigests } from '@/lib/messaging/sender/digests'
import type { StoredChoices } from '@/lib/messaging/subscription-kinds'
import * as calls from '@/lib/news/news/contract'
import type { Audience } from '@/lib/news/news/kinds'
import { lastNotices, listNotices, readNotices } from '@/lib/news/notifications/contract'
import { signedInWith } from '../../factories/access'
import { askingDomain, baseDomainId, signedInAt } from '../../factories/agreements'
import { oneOf30, thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { runJobs } from '../../factories/messages'
import {
  draftOf,
  editor,
  newsItemOf,
  noticesOf,
  publish,
  publishedNews,
  subscribed,
  useNewsAlone,
} from '../../factories/news'
import { holdInOrganization } from '../../factories/roles-held'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

useNewsAlone()

const signedInAs = async (...methods: string[]) => new Caller((await signedInWith(methods)).browser)
const everything = ['roles.read', 'contractors.read', 'organizations.read', 'domains.read']
const choose = (userId: string, choices: StoredChoices) => db().insert(subscriptions).values({ userId, choices })
const mailsTo = (recipient: string) =>
  db()
    .select()
    .from(messages)
    .where(and(eq(messages.recipient, recipient), eq(messages.template, 'news')))

test('news reach everybody who is enabled, each in their language, and by mail who subscribed', async () => {
  const caller = await editor()
  const person = (more: object = {}) => createUser({ roles: [], ...more })
  const [reader, english, quiet, daily, disabled] = [
    await person(),
    await person(),
    await person(),
    await person(),
    await person({ enabled: false }),
  ]
  await choose(reader.id, subscribed())
  await choose(english.id, subscribed())
  await db().insert(userSettings).values({ userId: english.id, lang: 'en' })
  await choose(quiet.id, { news: { channels: { local: false } } })
  await choose(daily.id, subscribed('daily'))
  await choose(disabled.id, subscribed())
  const { id, title } = await publishedNews(caller, { en: 'Maintenance' })
  expect(await newsItemOf(caller, id)).toMatchObject({ status: 'published', telling: true, reached: 0 })
  await runJobs()

  // the editor, too
  expect(await newsItemOf(caller, id)).toMatchObject({ telling: false, reached: 4, mailed: 3 })
  expect(await noticesOf(reader.id)).toMatchObject([{ kind: 'news', values: { news: id } }])
  expect(await noticesOf(quiet.id)).toEqual([])
  expect(await noticesOf(disabled.id)).toEqual([])
  const [mail] = await mailsTo(reader.email)
  expect(mail && decryptContent(mail)).toMatchObject({
    subject: expect.stringContaining(title),
    unsubscribe: expect.stringContaining('/platform/profile/subscribes'),
  })
  const [inEnglish] = await mailsTo(english.email)
  expect(inEnglish && messageContent(inEnglish)).toMatchObject({ subject: expect.stringContaining('Maintenance') })
  for (const { email } of [quiet, daily, disabled]) expect(await mailsTo(email)).toEqual([])
  expect(await db().select().from(digestItems).where(eq(digestItems.userId, daily.id))).toMatchObject([
    { title, period: 'daily' },
  ])
  await sendDueDigests(new Date(Date.now() + 2 * 86_400_000))
  const [digest] = await db().select().from(messages).where(eq(messages.recipient, daily.email))
  expect(digest?.template).toBe('digest')
})

test('a reader without the language gets the Russian text, in the list, the bell and the count', async () => {
  const caller = await editor()
  const { browser, user } = await signedInWith([])
  const reader = new Caller(browser)
  const { title } = await publishedNews(caller)
  await runJobs()
  await db().insert(userSettings).values({ userId: user.id, lang: 'en' }).onConflictDoNothing()
  const notice = { kind: 'news', values: { title, text: 'Что изменилось' }, link: '/platform/notify', read: false }
  expect(await reader.call(listNotices, { query: {} })).toMatchObject({ notices: [notice], unread: 1 })
  expect(await reader.call(lastNotices)).toMatchObject({ notices: [notice], unread: 1 })
})

test('whom news concern: a role, a contractor, an organization or a domain, as people hold them now', async () => {
  const caller = await editor(...everything)
  const company = await createContractor()
  const role = await createContractorRole()
  const member = await createUser({ roles: [] })
  const colleague = await createUser({ roles: [] })
  await join(company, member.id, [role.id])
  await join(company, colleague.id, [])
  const inOrganization = await holdInOrganization(company.organization.id)
  const domainId = await askingDomain()
  dropCached('domains')
  const atDomain = await createUser({ roles: [] })
  await signedInAt(atDomain.id, domainId)
  const outside = await createUser({ roles: [] })
  const reachedBy = async (audience: Audience, audienceId: string | null) => {
    const { id } = await publishedNews(caller, { audience, audienceId })
    await runJobs()
    const rows = await db()
      .select({ id: notices.userId })
      .from(notices)
      .where(eq(notices.cause, `news-${id}`))
    return rows.map((row) => row.id).sort()
  }
  const sorted = (...people: string[]) => people.sort()
  expect(await reachedBy('role', role.id)).toEqual([member.id])
  expect(await reachedBy('contractor', company.contractor.id)).toEqual(sorted(member.id, colleague.id))
  expect(await reachedBy('organization', company.organization.id)).toEqual(sorted(member.id, inOrganization.userId))
  expect(await reachedBy('domain', domainId)).toEqual([atDomain.id])
  expect(await reachedBy('domain', await baseDomainId())).not.toContain(atDomain.id)
  // what gives nobody anything reaches nobody
  await db().update(roles).set({ enabled: false }).where(eq(roles.id, role.id))
  expect(await reachedBy('role', role.id)).toEqual([])
  expect(await reachedBy('all', null)).toContain(outside.id)
})

test('an audience that the caller may not see is refused like one that there isn’t, and its name isn’t told', async () => {
  const [blind, seeing] = [await editor(), await editor(...everything)]
  const company = await createContractor()
  const role = await createContractorRole()
  const real: Record<Exclude<Audience, 'all'>, string> = {
    role: role.id,
    contractor: company.contractor.id,
    organization: company.organization.id,
    domain: await baseDomainId(),
  }
  const locales = (await draftOf(seeing)).body.locales
  for (const [audience, audienceId] of Object.entries(real)) {
    const send = (caller: Caller, id: string) =>
      caller.send(calls.createNewsItem, { body: { audience, audienceId: id, locales } })
    const refused = await send(blind, audienceId)
    expect(refused).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'audienceId', code: 'errorAudience' }] } },
    })
    expect((await send(blind, randomUUID())).body.data).toEqual(refused.body.data)
    const made = await draftOf(seeing, { audience: audience as Audience, audienceId })
    expect((await newsItemOf(seeing, made.id)).audienceName).not.toBeNull()
    expect((await newsItemOf(blind, made.id)).audienceName).toBeNull()
    // an id of another kind is none of this kind
    const other = audience === 'role' ? company.contractor.id : role.id
    expect((await send(seeing, other)).status).toBe(400)
    // whoever can’t see it mends the text and leaves the audience as it is
    expect((await blind.send(calls.updateNewsItem, { params: { id: made.id }, body: { ...made.body } })).status).toBe(
      200,
    )
    const widened = { ...made.body, audience: 'role', audienceId: audience === 'role' ? randomUUID() : role.id }
    expect((await blind.send(calls.updateNewsItem, { params: { id: made.id }, body: widened })).status).toBe(400)
  }
  expect(await db().$count(notices)).toBe(0)
})

test('signs of HTML, ICU and links in a text are words: shown as they are, and dangerous nowhere', async () => {
  const caller = await editor()
  const { browser, user } = await signedInWith([])
  await choose(user.id, subscribed())
  const title = '<img src=x onerror=alert(1)> {name} {count, plural, one {#} other {'
  const text = `<script>alert(1)</script>\n'{' {title} \${7*7} https://evil.example <a href="javascript:alert(1)">x</a>\n\n}`
  const { id } = await publishedNews(caller, { title, text })
  const preview = await caller.call(calls.previewNewsItem, { params: { id }, query: {} })
  expect(preview).toMatchObject({ title, text })
  await runJobs()
  const { notices: got } = await new Caller(browser).call(lastNotices)
  expect(got).toMatchObject([{ values: { title, text } }])
  const [mail] = await mailsTo(user.email)
  const content = mail && messageContent(mail)
  expect(content).toMatchObject({ subject: expect.stringContaining('{name} {count, plural, one {#} other {') })
  for (const html of [preview.mail.html, content && 'html' in content ? content.html : '']) {
    expect(html).not.toMatch(/<script|<img src=x|href="javascript:|href="https:\/\/evil/)
    expect(html).toContain('&lt;script&gt;')
  }
  expect(content && 'subject' in content ? content.subject : '').not.toMatch(/[\r\n]/)
})

test('of thirty who publish at once one does, and everybody is told once', async () => {
  const caller = await editor()
  const person = await createUser({ roles: [] })
  await choose(person.id, subscribed())
  const draft = await draftOf(caller)
  const answers = await thirty(() => publish(caller, draft))
  expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
  await runJobs()
  expect(await noticesOf(person.id)).toHaveLength(1)
  expect(await mailsTo(person.email)).toHaveLength(1)
  const acts = await db()
    .select()
    .from(history)
    .where(and(eq(history.entityId, draft.id), eq(history.type, 'update')))
  expect(acts).toHaveLength(1)
  // published news change no more
  for (const [contract, input] of [
    [calls.updateNewsItem, { params: { id: draft.id }, body: draft.body }],
    [calls.deleteNewsItem, { params: { id: draft.id } }],
    [calls.publishNewsItem, { params: { id: draft.id }, body: { updatedAt: draft.updatedAt } }],
  ] as const)
    expect((await caller.send(contract, input)).body).toMatchObject({ code: 'newsPublished' })
})

test('a draft that somebody saved after it was looked at isn’t published', async () => {
  const [one, other] = [await editor(), await editor()]
  const draft = await draftOf(one)
  const body = { ...draft.body, locales: draft.body.locales.map((row) => ({ ...row, text: 'Другое' })) }
  await other.call(calls.updateNewsItem, { params: { id: draft.id }, body: { ...body, updatedAt: draft.updatedAt } })
  const late = await publish(one, draft)
  expect(late).toMatchObject({ status: 409, body: { data: { conflict: { values: { status: 'draft' } } } } })
  expect(await newsItemOf(one, draft.id)).toMatchObject({ status: 'draft' })
})

test('withdrawn news are gone from lists, the count and digests at once, and stay withdrawn', async () => {
  const caller = await editor()
  const { browser, user } = await signedInWith([])
  const reader = new Caller(browser)
  const daily = await createUser({ roles: [] })
  await choose(daily.id, subscribed('daily'))
  const [keptNews, taken] = [await publishedNews(caller), await publishedNews(caller)]
  await runJobs()
  const [notice] = await db()
    .select()
    .from(notices)
    .where(and(eq(notices.userId, user.id), eq(notices.cause, `news-${taken.id}`)))
  expect((await reader.call(lastNotices)).unread).toBe(2)
  const answers = await thirty(() => caller.send(calls.withdrawNewsItem, { params: { id: taken.id }, body: {} }))
  expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
  // before any job ran
  for (const listed of [await reader.call(lastNotices), await reader.call(listNotices, { query: {} })]) {
    expect(listed.unread).toBe(1)
    expect(listed.notices).toMatchObject([{ values: { title: keptNews.title } }])
  }
  expect((await reader.send(readNotices, { body: { id: notice?.id } })).status).toBe(404)
  await runJobs()
  expect(
    await db()
      .select()
      .from(notices)
      .where(eq(notices.cause, `news-${taken.id}`)),
  ).toEqual([])
  expect(await db().select().from(digestItems).where(eq(digestItems.userId, daily.id))).toMatchObject([
    { title: keptNews.title },
  ])
  expect((await publish(caller, taken)).body).toMatchObject({ code: 'newsPublished' })
})

test('a channel that an administrator switched off tells nobody', async () => {
  const caller = await editor()
  const person = await createUser({ roles: [] })
  await choose(person.id, subscribed())
  const off = async (enabled: boolean) => {
    await db().execute(sql`insert into notify_methods (id, enabled) values ('email', ${enabled})
      on conflict (id) do update set enabled = ${enabled}`)
    await db().transaction((tx) => invalidate(tx, 'notify-methods'))
    dropCached('notify-methods')
  }
  await off(false)
  await publishedNews(caller)
  await runJobs()
  await off(true)
  expect(await mailsTo(person.email)).toEqual([])
  expect(await noticesOf(person.id)).toHaveLength(1)
})

test('the newest come first; search, status and audience find them, and sorts know how many were reached', async () => {
  const caller = await editor()
  await db().delete(news)
  const mark = randomUUID()
  const older = await publishedNews(caller, { title: `Б ${mark}`, text: `Про склад ${mark}` })
  await runJobs()
  const newer = await draftOf(caller, { title: `А ${mark}` })
  const ids = async (query: object) => (await caller.call(calls.listNews, { query })).news.map(({ id }) => id)
  expect(await ids({})).toEqual([newer.id, older.id])
  expect(await ids({ sortBy: 'title', sort: 'asc' })).toEqual([newer.id, older.id])
  expect(await ids({ sortBy: 'reached', sort: 'desc' })).toEqual([older.id, newer.id])
  expect(await ids({ filter: { search: `склад ${mark}` } })).toEqual([older.id])
  expect(await ids({ filter: { status: 'draft' } })).toEqual([newer.id])
  expect(await ids({ filter: { audience: 'role' } })).toEqual([])
})

test('nobody without the methods reads or writes news', async () => {
  const stranger = await signedInAs('libraries.write', 'users.write')
  expect((await stranger.send(calls.listNews, { query: {} })).status).toBe(403)
  const reader = await signedInAs('news.read')
  expect((await reader.send(calls.listNews, { query: {} })).status).toBe(200)
  const draft = await draftOf(await editor())
  expect((await publish(reader, draft)).status).toBe(403)
  expect((await publish(new Caller(new Browser()), draft)).status).toBe(401)
})
