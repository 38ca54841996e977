import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  agreementReminders,
  documentLocales,
  documents,
  domainAgreements,
  domains,
  messages,
  notices,
  runs,
  userAgreementRefusals,
  users,
} from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { messageContent } from '@/lib/base/mail-and-sms/content'
import * as calls from '@/lib/documents/document-campaigns/contract'
import { AcceptanceQuery } from '@/lib/documents/document-campaigns/contract'
import { exportAcceptances } from '@/lib/documents/document-campaigns/export'
import { signedInWith } from '../../factories/access'
import { agreed, askingDomain, baseDomainId, requiredAgreement, signedInAt } from '../../factories/agreements'
import { thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { runJobs } from '../../factories/messages'
import { createDomainWith, first } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { setSetting } from '../../factories/settings'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const GET = handlerOf(calls.exportAcceptances)

useTestDatabase()
// each test counts its own people alone, and nobody is asked for what another one required
beforeEach(async () => {
  // the editors themselves are among those who are asked
  await setSetting('agreementsAtOnce', false)
  await db().update(users).set({ enabled: false })
  await db().delete(domainAgreements)
  dropCached('project-info')
})

const editor = async (more: string[] = []) => new Caller((await signedInWith(['libraries.write', ...more])).browser)
const params = (id: string) => ({ params: { id } })
const mailsTo = (recipient: string) =>
  db()
    .select()
    .from(messages)
    .where(and(eq(messages.recipient, recipient), eq(messages.template, 'agreementReminder')))

/** Raises the version of a document, as an editor does who asks people again. */
async function raise(id: string) {
  const [row] = await db()
    .update(documents)
    .set({ version: sql`version + 1`, versionAt: new Date() })
    .where(eq(documents.id, id))
    .returning()
  const [text] = await db().select().from(documentLocales).where(eq(documentLocales.documentId, id))
  if (row && text)
    await db()
      .insert(documentLocales)
      .values({ ...text, version: row.version })
}

test('everybody who signs in there is asked: agreed, refused, earlier and waiting are told apart', async () => {
  const caller = await editor(['users.read'])
  const { id } = await requiredAgreement([await baseDomainId()])
  const person = (fio: string, more: Partial<typeof users.$inferInsert> = {}) => createUser({ fio, roles: [], ...more })
  const [yes, no, before, goneUser] = [
    await person('Да'),
    await person('Нет'),
    await person('Было'),
    await person('Ушёл'),
  ]
  const mute = await person('Без почты')
  await db().update(users).set({ email: null }).where(eq(users.id, mute.id))
  for (const { id: userId } of [before, goneUser, yes]) await agreed(userId, id, 1)
  await raise(id)
  await agreed(yes.id, id, 2)
  await db().insert(userAgreementRefusals).values({ userId: no.id, documentId: id, refusedAt: new Date() })
  await db().update(users).set({ enabled: false }).where(eq(users.id, goneUser.id))

  const campaign = await caller.call(calls.readCampaign, params(id))
  // the editor is one of those who are asked
  expect(campaign).toMatchObject({ version: 2, concerned: 5, agreed: 1, refused: 1, left: 3, unreachable: 1 })
  expect(campaign.versions).toEqual([
    { version: 2, accepted: 1 },
    { version: 1, accepted: 3 },
  ])
  const named = async (filter: object) =>
    (await caller.call(calls.listAcceptances, { ...params(id), query: { filter } })).acceptances
      .map(({ name, version }) => `${name} ${version}`)
      .filter((name) => !name.startsWith('Петрова'))
  expect(await named({ state: 'accepted' })).toEqual(['Да 2'])
  expect(await named({ state: 'refused' })).toEqual(['Нет null'])
  expect(await named({ state: 'outstanding' })).toEqual(['Без почты null', 'Было 1'])
  expect(await named({ state: 'earlier' })).toEqual(['Ушёл 1'])
  expect(await named({ version: '1' })).toEqual(['Было 1', 'Да 1', 'Ушёл 1'])
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  expect(await named({ dateFrom: tomorrow })).toEqual([])
  expect(await named({ dateTo: tomorrow })).toEqual(['Было 1', 'Да 2', 'Нет null', 'Ушёл 1'])
  // hidden, or required nowhere: nobody is asked, and what was answered stays
  await db().update(documents).set({ enabled: false }).where(eq(documents.id, id))
  expect(await caller.call(calls.readCampaign, params(id))).toMatchObject({ concerned: 0, left: 0, domains: [] })
  expect(await named({ state: 'earlier' })).toEqual(['Было 1', 'Ушёл 1'])
})

test('a domain asks its own people: those who signed in there last, and the base one whoever never did', async () => {
  const caller = await editor()
  const base = await baseDomainId()
  const [other, off] = [await askingDomain(), await createDomainWith({ hosts: [], enabled: false })]
  const [moved, leftUser, never, ofOff] = await Promise.all([1, 2, 3, 4].map(() => createUser({ roles: [] })))
  await signedInAt(moved?.id ?? '', base, 60)
  await signedInAt(moved?.id ?? '', other, 30)
  await signedInAt(leftUser?.id ?? '', other, 60)
  await signedInAt(leftUser?.id ?? '', base, 30)
  await signedInAt(ofOff?.id ?? '', off, 30)
  dropCached('domains')
  const count = async (asking: string[]) =>
    (await caller.call(calls.readCampaign, params((await requiredAgreement(asking)).id))).concerned
  expect(await count([other])).toBe(1)
  // the editor, who left, who never signed in, and who did at a domain that serves nobody
  expect(await count([base])).toBe(4)
  expect(await count([off])).toBe(0)
  expect(never).toBeDefined()
  const served = (await db().select().from(domains)).filter(({ enabled }) => enabled).map(({ id }) => id)
  expect(await count(served)).toBe(5)
})

test('reminds each of those who are left once a version, by mail and notice, and again only on purpose', async () => {
  const caller = await editor()
  const { id, name } = await requiredAgreement([await baseDomainId()])
  const [person, other, late] = [await createUser(), await createUser(), await createUser()]
  await agreed(other.id, id, 1)
  const remind = (version: number, repeat = false) =>
    caller.send(calls.startReminders, { ...params(id), body: { version, repeat } })
  expect((await remind(1)).status).toBe(200)
  // whoever agrees before their turn gets nothing
  await agreed(late.id, id, 1)
  await runJobs()
  await runJobs()
  const [mail, ...more] = await mailsTo(person.email)
  expect(more).toEqual([])
  expect(mail && messageContent(mail)).toMatchObject({ subject: expect.stringContaining(name) })
  const [notice] = await db().select().from(notices).where(eq(notices.userId, person.id))
  expect(notice).toMatchObject({ kind: 'agreementReminder', values: { document: name } })
  expect([await mailsTo(other.email), await mailsTo(late.email)]).toEqual([[], []])
  const { reminded, left, run } = await caller.call(calls.readCampaign, params(id))
  expect([reminded, left]).toEqual([2, 2])
  expect((await caller.call(calls.readReminderRun, params(run ?? ''))).run).toMatchObject({ state: 'done', failed: 0 })

  expect((await remind(1)).body).toMatchObject({ code: 'remindNobody' })
  expect((await remind(1, true)).status).toBe(200)
  await runJobs()
  expect(await mailsTo(person.email)).toHaveLength(2)
  const [counted] = await db().select().from(agreementReminders).where(eq(agreementReminders.userId, person.id))
  expect(counted?.times).toBe(2)
  // the next version is another campaign
  await raise(id)
  expect((await caller.call(calls.readCampaign, params(id))).reminded).toBe(0)
  expect((await remind(1)).status).toBe(409)
  expect((await remind(2)).status).toBe(200)
})

test('a version that rises ends the reminders of the one before, and so does a starter without rights', async () => {
  const [one, other] = [await editor(), await signedInWith(['libraries.write'])]
  const { id } = await requiredAgreement([await baseDomainId()])
  const person = await createUser()
  const faultAfter = async (change: () => Promise<unknown>, caller: Caller, version: number) => {
    const { id: run } = await caller.call(calls.startReminders, { ...params(id), body: { version } })
    await change()
    // runs share a queue, in which one of another test may stand first
    await runJobs()
    await runJobs()
    return first(await db().select().from(runs).where(eq(runs.id, run))).fault
  }
  expect(await faultAfter(() => raise(id), one, 1)).toBe('remindersOver')
  const disable = () => db().update(users).set({ enabled: false }).where(eq(users.id, other.user.id))
  expect(await faultAfter(disable, new Caller(other.browser), 2)).toBe('remindersStarter')
  expect(await mailsTo(person.email)).toEqual([])
})

test('thirty starts at once of five editors send each person one mail', async () => {
  const callers: Caller[] = []
  for (let n = 0; n < 5; n++) callers.push(await editor())
  const { id } = await requiredAgreement([await baseDomainId()])
  const person = await createUser()
  await thirty((n) => (callers[n % 5] as Caller).send(calls.startReminders, { ...params(id), body: { version: 1 } }))
  await runJobs()
  await runJobs()
  expect(await mailsTo(person.email)).toHaveLength(1)
})

test('who agreed is told to those who may see people, also as a file, and to nobody else', async () => {
  const [libraries, people] = [await editor(), new Caller((await signedInWith(['users.read'])).browser)]
  const { id } = await requiredAgreement([await baseDomainId()])
  const person = await createUser({ fio: '=1+1' })
  const other = await createUser({ fio: 'Яковлева' })
  for (const { id: userId } of [person, other]) await agreed(userId, id, 1)
  expect((await libraries.send(calls.listAcceptances, params(id))).status).toBe(403)
  const exported = (caller: Caller) =>
    caller.send(calls.exportAcceptances, { ...params(id), query: { format: 'csv' } }, GET)
  const unknown = { params: { id: randomUUID() }, query: { format: 'csv' } }
  expect((await people.send(calls.exportAcceptances, unknown, GET)).status).toBe(404)
  expect((await exported(libraries)).status).toBe(403)
  expect((await people.send(calls.readCampaign, params(id))).status).toBe(403)
  expect((await exported(people)).status).toBe(200)

  const ctx = await createContext({ methods: ['users.read'] })
  const list = { ...AcceptanceQuery.parse({ filter: { state: 'accepted' } }), perPage: 1 }
  const { chunks } = await exportAcceptances(ctx, { params: { id }, query: { format: 'csv', list } })
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk as Uint8Array))
  const [, ...rows] = Buffer.concat(parts).toString().trim().split('\r\n')
  expect(rows).toEqual([
    expect.stringContaining(`"'=1+1";${person.login};${person.email};Согласие;1;`),
    expect.stringContaining(`Яковлева;${other.login};`),
  ])
})
