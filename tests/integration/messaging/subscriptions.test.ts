import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { digestItems, digests, history, messages, notices, subscriptions, users } from '@/db/schema'
import type { DomainEvent, EventName } from '@/lib/base/events/events'
import { messageContent } from '@/lib/base/mail-and-sms/send-message'
import { resendInvitation, revokeInvitation } from '@/lib/joining/invitations/manage'
import { sendDueDigests } from '@/lib/messaging/sender/digests'
import type { StoredChoices } from '@/lib/messaging/subscription-kinds'
import { mailSubscribed } from '@/lib/messaging/subscriptions/service'
import { putSubscriptions } from '@/lib/my-account/subscriptions/contract'
import { smsSender } from '@/lib/my-account/subscriptions/sms'
import { noticeWriter } from '@/lib/news/notifications/write'
import { oneOf30, thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { callerFor } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { look, setInvitation } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { runJobs } from '../../factories/messages'
import { createUser } from '../../factories/users'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const running: Awaited<ReturnType<typeof startWorker>>[] = []
afterEach(async () => {
  for (const worker of running.splice(0)) await worker.end('SIGKILL')
})

beforeEach(async () => {
  for (const table of [messages, digestItems, digests, subscriptions]) await db().delete(table)
})

const choose = (userId: string, choices: StoredChoices) => db().insert(subscriptions).values({ userId, choices })
const mailsTo = async (to: string) =>
  (await db().select().from(messages).where(eq(messages.recipient, to))).map((row) => ({
    template: row.template,
    text: messageContent(row).text.replaceAll('\u00a0', ' '),
  }))

type Person = Awaited<ReturnType<typeof createUser>>
type About = { company?: string; cause?: string; now?: string; expiresAt?: Date; locale?: string }
async function invited(person: Person, { company = 'АО «Лиман»', cause = randomUUID(), now, ...more }: About = {}) {
  const ctx = await createContext(now ? { now: new Date(now) } : {})
  const values = {
    name: 'Анна',
    inviter: 'Орлов',
    company,
    roles: [],
    link: 'https://id.polaris.example/i/1',
    alive: 60,
  }
  await db().transaction((tx) =>
    mailSubscribed(tx, ctx, {
      template: 'invitation',
      subscription: 'invitation',
      userId: person.id,
      to: person.email,
      locale: 'ru',
      cause,
      values,
      ...more,
    }),
  )
}

describe('a mail that can be subscribed to', () => {
  test('is sent at once by default', async () => {
    const person = await createUser()
    await invited(person)
    expect(await mailsTo(person.email)).toMatchObject([{ template: 'invitation' }])
    expect(await db().select().from(digestItems)).toEqual([])
  })

  test('waits for the digest by choice, with its link sealed until then', async () => {
    const person = await createUser()
    await choose(person.id, { invitation: { period: 'daily' } })
    await invited(person, { now: '2026-11-24T10:00:00Z' })
    expect(await mailsTo(person.email)).toEqual([])
    const [item] = await db().select().from(digestItems)
    expect(item).toMatchObject({ period: 'daily', title: expect.stringContaining('АО «Лиман»') })
    expect(JSON.stringify(item)).not.toContain('polaris.example/i/1')
    await sendDueDigests(new Date('2026-11-25T06:00:00Z'))
    const [mail, ...more] = await mailsTo(person.email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ template: 'digest' })
    expect(mail?.text).toContain('https://id.polaris.example/i/1')
  })

  test('isn’t sent if the person doesn’t want it, and what waits is replaced by what is newer', async () => {
    const person = await createUser()
    await choose(person.id, { news: { channels: { email: false } }, invitation: { period: 'weekly' } })
    const ctx = await createContext({ now: new Date('2026-11-24T10:00:00Z') })
    const values = { name: '', title: 'Работы в субботу', text: 'С 10 до 12', link: '' }
    await db().transaction((tx) =>
      mailSubscribed(tx, ctx, {
        template: 'news',
        subscription: 'news',
        cause: 'news-1',
        userId: person.id,
        to: person.email,
        locale: 'ru',
        values,
      }),
    )
    expect(await db().$count(digestItems)).toBe(0)
    for (const company of ['Первая', 'Вторая'])
      await invited(person, { company, cause: 'same', now: '2026-11-24T10:00:00Z' })
    expect(await db().select({ title: digestItems.title }).from(digestItems)).toEqual([
      { title: expect.stringContaining('Вторая') },
    ])
    expect(await db().$count(messages)).toBe(0)
  })

  test.each([
    ['a day after its digest', '2026-11-26T06:00:00Z', 'waits'],
    ['sooner', '2026-11-26T05:59:59Z', 'is mailed at once'],
  ])('that expires %s %s', async (_, expiresAt, outcome) => {
    const person = await createUser()
    await choose(person.id, { invitation: { period: 'daily' } })
    await invited(person, { now: '2026-11-24T10:00:00Z', expiresAt: new Date(expiresAt) })
    expect(await db().$count(digestItems)).toBe(outcome === 'waits' ? 1 : 0)
    expect(await db().$count(messages)).toBe(outcome === 'waits' ? 0 : 1)
  })

  test('that has expired while the worker stood still isn’t in the digest', async () => {
    const person = await createUser()
    await choose(person.id, { invitation: { period: 'daily' } })
    await invited(person, { now: '2026-11-24T10:00:00Z', expiresAt: new Date('2026-11-26T10:00:00Z') })
    await sendDueDigests(new Date('2026-11-26T11:00:00Z'))
    expect(await db().$count(messages)).toBe(0)
    expect(await db().$count(digestItems)).toBe(0)
  })
})

describe('an event that is delivered', () => {
  const event = <K extends EventName>(name: K, data: DomainEvent<K>['data']): DomainEvent<K> => ({
    name,
    data,
    changerId: null,
    requestId: 'test',
    date: new Date(),
  })
  const info = (id: number) => ({ id, attempt: 1, signal: new AbortController().signal })
  const used = (userId: string) => event('deviceUsed', { userId, device: 'Firefox', ip: '203.0.113.9' })
  const mobile = '+79110000777'

  test('sends one SMS to whoever asked for it, however often it comes', async () => {
    const [asked, silent] = [await createUser({ mobile }), await createUser({ mobile: '+79110000778' })]
    await choose(asked.id, { newDevice: { channels: { sms: true } } })
    const send = smsSender('deviceUsed')
    await Promise.all([send(used(asked.id), info(501)), send(used(asked.id), info(501))])
    await send(used(asked.id), info(501))
    await send(used(silent.id), info(502))
    const sent = await db().select({ to: messages.recipient, template: messages.template }).from(messages)
    expect(sent).toEqual([{ to: mobile, template: 'newDevice' }])
    await send(used(asked.id), info(503))
    expect(await db().$count(messages)).toBe(2)
  })

  test('tells what was decided on a request, and nothing of a duplicate', async () => {
    const { id: userId } = await createUser({ mobile: '+79110000780' })
    await choose(userId, { requestDecided: { channels: { sms: true } } })
    for (const [n, status] of (['approved', 'failure', 'duplicate'] as const).entries())
      await smsSender('accessDecided')(event('accessDecided', { userId, status, company: 'АО «Лиман»' }), info(550 + n))
    const sent = await db().select({ template: messages.template }).from(messages)
    expect(sent.map(({ template }) => template).toSorted()).toEqual(['accessApproved', 'accessRefused'])
  })

  test('sends none to a disabled account or one without a mobile', async () => {
    const [blocked, mute] = [await createUser({ mobile: '+79110000779' }), await createUser({ mobile: null })]
    for (const { id } of [blocked, mute]) await choose(id, { passwordChanged: { channels: { sms: true } } })
    await db().update(users).set({ enabled: false }).where(eq(users.id, blocked.id))
    for (const [n, { id: userId }] of [blocked, mute].entries())
      await smsSender('passwordChanged')(event('passwordChanged', { userId, device: '', ip: '' }), info(600 + n))
    expect(await db().$count(messages)).toBe(0)
  })

  test('writes no notice that its person has switched off', async () => {
    const [quiet, toldUser] = [await createUser(), await createUser()]
    await choose(quiet.id, { newDevice: { channels: { local: false } } })
    for (const [n, { id }] of [quiet, toldUser].entries()) await noticeWriter('deviceUsed')(used(id), info(700 + n))
    const rows = await db().select({ userId: notices.userId }).from(notices)
    expect(rows.filter(({ userId }) => [quiet.id, toldUser.id].includes(userId))).toEqual([{ userId: toldUser.id }])
  })
})

describe('saving subscriptions', () => {
  const body = (n: number, updatedAt: string | null) => ({
    body: {
      updatedAt,
      subscribes: [
        { subscribeId: 'news' as const, channelId: 'local' as const, enabled: n % 2 === 0, period: 'weekly' as const },
      ],
    },
  })

  test('thirty times at once, the first time and later, stores one and refuses the others', async () => {
    const caller = await callerFor(putSubscriptions)
    let read: string | null = null
    for (const round of [0, 1]) {
      const version = read
      const answers = await thirty((n) => caller.send(putSubscriptions, body(n + round, version)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual(oneOf30)
      const refused = answers.find(({ status }) => status === 409)
      expect(refused?.body.data).toMatchObject({ conflict: { by: { you: true }, values: { newsPeriod: 'weekly' } } })
      const userId = await caller.serve(async ({ user }) => user?.id ?? '')
      const [row] = await db().select().from(subscriptions).where(eq(subscriptions.userId, userId))
      read = row?.updatedAt.toISOString() ?? null
    }
  })

  test('is recorded by its parts in the history of the account', async () => {
    const caller = await callerFor(putSubscriptions)
    await caller.call(putSubscriptions, body(1, null))
    const userId = await caller.serve(async ({ user }) => user?.id ?? '')
    const rows = await db()
      .select({ field: history.field, previous: history.previous, current: history.current })
      .from(history)
      .where(and(eq(history.entity, 'users'), eq(history.entityId, userId)))
    expect(rows).toEqual(
      expect.arrayContaining([
        { field: 'newsLocal', previous: true, current: false },
        { field: 'newsPeriod', previous: 'instant', current: 'weekly' },
      ]),
    )
  })
})

test('an invitation of somebody with an account waits once, leads there by its last link, and goes if it is revoked', async () => {
  const person = await createUser()
  const invitation = await invite({ email: person.email })
  await runJobs()
  const userNotices = await db().select({ kind: notices.kind }).from(notices).where(eq(notices.userId, person.id))
  expect(userNotices).toEqual([{ kind: 'invitation' }])
  await db().delete(messages)
  await choose(person.id, { invitation: { period: 'daily' } })
  const again = async () => {
    await setInvitation(invitation.id, { sentAt: new Date(Date.now() - 120_000) })
    await resendInvitation(invitation.master.ctx, { id: invitation.id })
  }
  for (const _ of [1, 2]) await again()
  expect(await db().$count(digestItems)).toBe(1)
  await sendDueDigests(new Date(Date.now() + 86_400_000))
  const mails = await mailsTo(person.email)
  expect(mails.map(({ template }) => template)).toEqual(['digest'])
  const guid = /\/platform\/invitation\/([0-9a-f-]{36})/.exec(mails[0]?.text ?? '')?.[1] ?? ''
  expect((await look(new Browser(), guid)).status).toBe(200)
  expect((await look(new Browser(), invitation.guid)).status).toBe(404)

  await db().delete(digests)
  await again()
  expect(await db().$count(digestItems)).toBe(1)
  await revokeInvitation(invitation.master.ctx, { id: invitation.id })
  expect(await db().$count(digestItems)).toBe(0)
})

test('a worker that is killed in the middle of a digest, and two processes after it, send each once', {
  tags: ['full'],
}, async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => createUser()))
  for (const person of people) await choose(person.id, { invitation: { period: 'daily' } })
  for (const person of people) await invited(person, { now: '2026-11-24T10:00:00Z' })
  const start = async () => {
    const worker = await startWorker(`
      const { sendDueDigests } = await load('lib/messaging/sender/digests.ts')
      return { 'test-digests': () => sendDueDigests(new Date('2026-11-25T06:00:00Z')) }`)
    running.push(worker)
    return worker
  }
  const add = (key: string) => db().execute(`select graphile_worker.add_job('test-digests', job_key => '${key}')`)
  const jobs = async () =>
    (await db().execute(`select from graphile_worker.jobs where task_identifier = 'test-digests' and attempts = 0`))
      .rowCount
  const waiting = async () =>
    (await db().execute(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
      .rowCount
  const digestsNow = () => sendDueDigests(new Date('2026-11-25T06:00:00Z'))
  const victim = await start()
  const middle = people.map(({ id }) => id).toSorted()[6] ?? ''
  // the victim claims this digest and can't take its items
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db().transaction(async (tx) => {
    await tx.select().from(digestItems).where(eq(digestItems.userId, middle)).for('update')
    locked.resolve()
    await free.promise
  })
  await locked.promise
  await add('first')
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
  await victim.end('SIGKILL')
  free.resolve()
  await holding
  expect(await db().$count(messages)).toBeLessThan(12)
  await start()
  for (const key of ['second', 'third']) await add(key)
  // and in this process at the same time
  await Promise.all([digestsNow(), digestsNow()])
  await expect.poll(() => db().$count(messages), { timeout: 20_000 }).toBe(12)
  await expect.poll(jobs, { timeout: 20_000 }).toBe(0)
  const to = await db().select({ to: messages.recipient }).from(messages)
  expect(to.map((row) => row.to).toSorted()).toEqual(people.map(({ email }) => email).toSorted())
  expect(await db().$count(digestItems)).toBe(0)
})
