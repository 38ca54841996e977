import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  accessListEntries,
  accessRequests,
  applications,
  authenticationSchemas,
  documentLocales,
  documents,
  domainAgreements,
  integrationSyncs,
  messages,
  providerSyncs,
  providers,
  runs,
  sessions,
} from '@/db/schema'
import { listUsers } from '@/lib/accounts/administration/contract'
import { listApplications } from '@/lib/applications/applications/contract'
import { areas } from '@/lib/base/access/access-methods'
import { dropCached } from '@/lib/base/cache/cache'
import { overview } from '@/lib/operations/overview/service'
import { listDomains } from '@/lib/site/domains/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { signedInWith } from '../../factories/access'
import { newApplication } from '../../factories/applications'
import { Caller } from '../../factories/caller'
import { createDomainWith, first, localeId, texts } from '../../factories/platform'
import { setSetting } from '../../factories/settings'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const all = { methods: new Set(areas.map((area) => `${area}.read`)) }
/** Returns the overview after its cache has expired. */
const fresh = (viewer: typeof all) => {
  dropCached('overview')
  return overview(viewer)
}
const matters = async (viewer = all) =>
  Object.fromEntries((await fresh(viewer)).matters.map(({ code, count }) => [code, count]))
const figures = async (viewer = all) =>
  Object.fromEntries((await fresh(viewer)).figures.map(({ code, value }) => [code, value]))

describe('what needs an administrator', () => {
  test('at first: another administrator besides the only one, and a mail server', async () => {
    await createUser({ roles: ['administrator'] })
    expect(await matters()).toEqual({ oneAdministrator: 1, weakSettings: 1, mailStays: 1 })
    await createUser({ roles: ['administrator'], enabled: false })
    expect(await matters()).toMatchObject({ oneAdministrator: 1 })
    await createUser({ roles: ['administrator'] })
    expect(await matters()).toEqual({ weakSettings: 1, mailStays: 1 })
  })

  test('temporary administrators while they can sign in', async () => {
    await createUser({ roles: ['administrator'], temporary: true })
    await createUser({ roles: ['administrator'], temporary: true, enabled: false })
    expect(await matters()).toMatchObject({ temporaryAdministrators: 1 })
  })

  test('synchronizations that failed or did not write everybody', async () => {
    const [provider] = await db()
      .insert(providers)
      .values({ type: 'keycloak', name: 'К', url: 'https://d.example', clientId: 'x', clientSecret: '', enabled: true })
      .returning()
    const [sync] = await db()
      .insert(providerSyncs)
      .values({ providerId: provider?.id ?? '', enabled: true })
      .returning()
    const run = { kind: 'providers', subject: sync?.id ?? '', total: 2, done: 2, failed: 0, state: 'done' as const }
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const add = (hours: number, more: object = {}) =>
      db()
        .insert(runs)
        .values({ ...run, options: {}, createdAt: ago(hours), ...more })
    await add(9, { state: 'stopped', fault: 'providerConnection' })
    expect(await matters()).toMatchObject({ failedSyncs: 1 })
    await add(8)
    expect(await matters()).not.toHaveProperty('failedSyncs')
    await add(7, { failed: 1 })
    expect(await matters()).toMatchObject({ partialSyncs: 1 })
    expect(await matters()).not.toHaveProperty('failedSyncs')
    await add(6)
    // a trial writes nothing
    await add(5, { state: 'stopped', options: { dry: true } })
    expect(await matters()).not.toHaveProperty('failedSyncs')
    expect(await matters()).not.toHaveProperty('partialSyncs')
  })

  test('exchanges with other systems whose last run failed by itself', async () => {
    const [sync] = await db().update(integrationSyncs).set({ enabled: true }).returning()
    const run = { kind: 'integration', subject: sync?.id ?? '', total: 0, done: 0, failed: 0, options: {} }
    const add = (minutes: number, more: Partial<typeof runs.$inferInsert>) =>
      db()
        .insert(runs)
        .values({ ...run, createdAt: new Date(Date.now() - minutes * 60_000), ...more })
    await add(9, { state: 'stopped', fault: 'integrationConnection' })
    expect(await matters()).toMatchObject({ failedExchanges: 1 })
    expect(await matters({ methods: new Set(['providers.read' as const]) })).not.toHaveProperty('failedExchanges')
    // somebody has stopped it
    await add(8, { state: 'stopped' })
    expect(await matters()).not.toHaveProperty('failedExchanges')
    await add(7, { state: 'stopped', fault: 'integrationConnection' })
    await add(6, { state: 'done' })
    expect(await matters()).not.toHaveProperty('failedExchanges')
    await add(5, { state: 'done', failed: 3 })
    expect(await matters()).toMatchObject({ partialExchanges: 1 })
    expect(await matters({ methods: new Set(['providers.read' as const]) })).not.toHaveProperty('partialExchanges')
    await add(4, { state: 'done' })
    expect(await matters()).not.toHaveProperty('partialExchanges')
    await db().update(integrationSyncs).set({ enabled: false })
  })

  test('messages that failed within a day, and those that wait too long', async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const message = { kind: 'email' as const, template: 'code', recipient: 'a@b.example', locale: 'ru', content: 'x' }
    await db()
      .insert(messages)
      .values([
        { ...message, status: 'failed', createdAt: ago(1) },
        { ...message, status: 'failed', createdAt: ago(30) },
        { ...message, status: 'queued', createdAt: ago(2) },
        { ...message, status: 'queued', createdAt: ago(0) },
        { ...message, status: 'sent', createdAt: ago(2) },
      ])
    expect(await matters()).toMatchObject({ failedMessages: 1, stuckMessages: 1 })
  })

  test('a whitelist that its dates will empty, while only whitelisted addresses get in', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000)
    await db().insert(accessListEntries).values({ list: 'whitelist', ip: '203.0.113.0/24', dateTo: inAnHour })
    expect(await matters()).not.toHaveProperty('whitelistEnds')
    await setSetting('whitelistMode', true)
    expect(await matters()).toMatchObject({ whitelistEnds: 1 })
    await db().insert(accessListEntries).values({ list: 'whitelist', ip: '198.51.100.0/24' })
    expect(await matters()).not.toHaveProperty('whitelistEnds')
    await setSetting('whitelistMode', false)
  })

  test('domains without a language, and agreements that lack a language of their domain', async () => {
    await createDomainWith({ hosts: ['mute.example'], in: {} })
    await createDomainWith({ hosts: ['inherits.example'], in: {}, baseSettings: true })
    await createDomainWith({ hosts: ['off.example'], in: {}, enabled: false })
    const domainId = await createDomainWith({ hosts: ['spoken.example'], in: { ru: texts('Д'), en: texts('D') } })
    const { id } = first(await db().insert(documents).values({ code: 'rules', type: 'agreement' }).returning())
    await db().insert(domainAgreements).values({ domainId, documentId: id })
    const text = { documentId: id, version: 1, name: 'Правила', linkName: 'правила', content: '' }
    await db()
      .insert(documentLocales)
      .values({ ...text, localeId: await localeId('ru') })
    expect(await matters()).toMatchObject({ muteDomains: 1, untranslatedAgreements: 1 })
    await db()
      .insert(documentLocales)
      .values({ ...text, localeId: await localeId('en') })
    expect(await matters()).not.toHaveProperty('untranslatedAgreements')
  })

  test('settings that are weaker than advised, by name, and requests that wait', async () => {
    const weak = async () => (await fresh(all)).matters.find(({ code }) => code === 'weakSettings')?.settings
    expect(await weak()).toEqual(['authCodeDigits'])
    await setSetting('authCodeDigits', 6)
    await setSetting('passwordHistory', 0)
    await setSetting('sendAccessNotify', false)
    expect(await weak()).toEqual(['passwordHistory', 'sendAccessNotify'])
    for (const [id, value] of [
      ['passwordHistory', 5],
      ['sendAccessNotify', true],
    ] as const)
      await setSetting(id, value)
    expect(await weak()).toBeUndefined()

    const { id: userId } = await createUser()
    await db().insert(accessRequests).values({ userId, name: 'ООО «Ждём»', inn: '7701000000', kpp: '770101001' })
    expect(await matters()).toMatchObject({ waitingRequests: 1 })
  })

  test('is shown only to people who may see it', async () => {
    expect(Object.keys(await matters({ methods: new Set(['domains.read']) }))).toEqual(['muteDomains'])
    expect(Object.keys(await figures({ methods: new Set(['domains.read']) }))).toEqual(['domains'])
    await expect(overview({ methods: new Set(['masterAccountAccess']) })).rejects.toMatchObject({ status: 403 })
  })
})

test('figures count people, recently seen people, services and domains', async () => {
  const before = await figures()
  const user = await createUser()
  const domain = await domainByHost('')
  const session = { userId: user.id, domainId: domain.id, ip: '::1', deviceType: 'desktop' }
  const later = new Date(Date.now() + 3_600_000)
  const longAgo = new Date(Date.now() - 16 * 60_000)
  await db()
    .insert(sessions)
    .values([
      { ...session, expiresAt: later },
      { ...session, expiresAt: later },
    ])
  const quiet = await createUser()
  await db()
    .insert(sessions)
    .values([
      { ...session, userId: quiet.id, expiresAt: later, lastAccessAt: longAgo },
      { ...session, userId: quiet.id, expiresAt: later, endedAt: new Date() },
    ])
  expect(await figures()).toEqual({ ...before, people: (before.people ?? 0) + 2, active: (before.active ?? 0) + 1 })
})

test('a figure that is a link counts what its list shows under the filters of the link', async () => {
  await createUser({ enabled: false })
  await createUser()
  for (const [enabled, menuVisible] of [
    [true, true],
    [true, false],
    [false, true],
  ]) {
    const { id } = await newApplication()
    await db().update(applications).set({ enabled, menuVisible }).where(eq(applications.id, id))
  }
  const reader = new Caller((await signedInWith([...all.methods])).browser)
  const lists = { people: listUsers, services: listApplications, domains: listDomains }
  const { figures } = await fresh(all)
  const linked = figures.filter(({ screen }) => screen !== null)
  expect(linked.map(({ code }) => code).toSorted()).toEqual(Object.keys(lists).toSorted())
  for (const { code, value, filter } of linked) {
    const { body } = await reader.send(lists[code as keyof typeof lists], { query: { filter } })
    expect([code, body.meta]).toMatchObject([code, { total: value }])
  }
})

test('a schema with SMS is no problem while SMS can be sent', async () => {
  await db()
    .update(authenticationSchemas)
    .set({ firstFactor: ['sms_code'] })
    .where(eq(authenticationSchemas.base, true))
  expect(await matters()).not.toHaveProperty('smsNotReady')
})
