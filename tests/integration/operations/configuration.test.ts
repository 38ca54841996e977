import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { shellContext } from '@/bin/operator'
import { db } from '@/db/client'
import { applications, banners, domainAliases, history, integrationSyncs, providers, users } from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import { webhookRows } from '@/lib/applications/webhooks/queries'
import { newSecret, stored } from '@/lib/applications/webhooks/secrets'
import { areas } from '@/lib/base/access/access-methods'
import { encrypt } from '@/lib/base/crypto/encryption'
import { exportConfiguration, exportSealedConfiguration } from '@/lib/operations/configuration-file/contract'
import { configurationText, importText } from '@/lib/operations/configuration-file/service'
import { platformSettings } from '@/lib/site/settings/service'
import { createRoleWith } from '../../factories/access'
import { newClient } from '../../factories/administered-applications'
import { newApplication } from '../../factories/applications'
import { Browser } from '../../factories/browser'
import {
  admin,
  apply,
  changed,
  difference,
  type Loose,
  one,
  state,
  text,
  useDemoConfiguration,
} from '../../factories/configuration'
import { syncIdOf } from '../../factories/integration'
import { createDomainWith } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { holdMethods } from '../../factories/service-accounts'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { somebodyWaits } from '../../setup/eventually'

const exportFile = handlerOf(exportConfiguration)
const exportSealed = handlerOf(exportSealedConfiguration)

// a passphrase takes its time, and so do sixty imports
vi.setConfig({ testTimeout: 60_000 })
useTestDatabase()

useDemoConfiguration()

async function holderOf(methods: string[]) {
  const browser = new Browser()
  const { login } = await createUser({ roles: [await createRoleWith(methods)] })
  await signInByPassword(browser, login, password)
  return browser
}

describe('rights', () => {
  test('an export has what its reader sees on the screens', async () => {
    const browser = await holderOf(['settings.read', 'libraries.read'])
    const { body }: Loose = await browser.send(exportFile, 'GET')
    const { content } = JSON.parse(body.file)
    expect(Object.keys(content)).toEqual(['locales', 'documents', 'banners', 'settings', 'notifyMethods'])
  })

  test('what somebody doesn’t see isn’t compared', async () => {
    const browser = await holderOf(['settings.write', 'libraries.read'])
    const { status, body } = await difference(browser, text)
    expect([status, body.code]).toEqual([403, 'forbiddenConfiguration'])
    expect(body.data.errorList).toContainEqual({ field: 'roles', code: 'errorConfigurationHidden' })
  })

  test('an import never gives what its maker may not give', async () => {
    const areas = ['libraries', 'device-types', 'network-aliases', 'access-lists', 'domains', 'authentication-schemas']
    const others = ['dynamic-fields', 'providers', 'integration']
    const browser = await holderOf([
      ...[...areas, ...others].map((area) => `${area}.read`),
      ...['settings.write', 'roles.write', 'applications.write'],
    ])
    const before = await state()
    const raised: [string, string][] = [
      ['roles', changed((content) => one(content.roles, 'role', 'user').methods.push('users.write'))],
      [
        'roles',
        changed((content) =>
          content.roles.push({
            ...one(content.roles, 'role', 'auditor'),
            role: 'Мой',
            name: 'Мой',
            methods: ['history.write'],
          }),
        ),
      ],
      [
        'applications',
        changed((content) => one(content.applications, 'code', 'warehouse').serviceMethods.push('users.write')),
      ],
      [
        'banners',
        changed((content) => {
          one(content.banners, 'code', 'maintenance-ru').title = 'Другой'
        }),
      ],
      ['settings', changed((content) => content.settings.push({ setting: 'defaultUserRole', value: 'administrator' }))],
    ]
    for (const [section, given] of raised) {
      const { status, body } = await apply(browser, given)
      expect({ section, status, code: body.code }).toEqual({ section, status: 403, code: 'forbiddenConfiguration' })
      expect(body.data.errorList[0].field).toMatch(new RegExp(`^${section}`))
    }
    expect(await state()).toEqual(before)
  })

  test('secrets are sealed for whoever may write where they are, and the history knows', async () => {
    const { status, body }: Loose = await admin.send(exportSealed, 'POST', {
      body: { passphrase: 'long enough for a test' },
    })
    expect(status).toBe(200)
    const sealed = JSON.parse(body.configuration)
    expect(sealed.content.providers[0].secret).toMatch(/^[A-Za-z0-9+/=]{40,}$/)
    expect(JSON.stringify(sealed)).not.toContain('demo-secret')
    const [row] = await db().select().from(history).where(eq(history.field, 'secretsExported'))
    expect(row).toMatchObject({ entity: 'configuration', current: true })
    const given = JSON.stringify(sealed)
    expect((await difference(admin, given)).body.data.errorList).toEqual([
      { field: 'passphrase', code: 'errorConfigurationPassphrase' },
    ])
    expect((await difference(admin, given, { passphrase: 'another one, not that' })).body.data.errorList).toEqual([
      { field: 'passphrase', code: 'errorConfigurationPassphraseWrong' },
    ])
    sealed.content.providers.reverse()
    const [a, b] = sealed.content.providers
    ;[a.secret, b.secret] = [b.secret, a.secret]
    const moved = await difference(admin, JSON.stringify(sealed), { passphrase: 'long enough for a test' })
    expect(moved.body.data.errorList[0]).toMatchObject({ code: 'errorConfigurationSecret' })
  })
})

describe('an import', () => {
  const titled = (title: string) =>
    changed((content) => {
      one(content.banners, 'code', 'maintenance-ru').title = title
    })
  const title = async () => (await db().select().from(banners).where(eq(banners.code, 'maintenance-ru')))[0]?.title

  test('does what was shown, by the person, and says what it changed', async () => {
    const [given, before] = [titled('Работы в воскресенье'), await title()]
    const preview = await difference(admin, given)
    expect(preview.body.changes).toEqual([
      {
        section: 'banners',
        key: 'maintenance-ru',
        kind: 'update',
        fields: [{ field: 'title', before, after: 'Работы в воскресенье' }],
      },
    ])
    const done = await apply(admin, given, { version: preview.body.version })
    expect([done.status, done.body.changes]).toEqual([200, preview.body.changes])
    expect(await title()).toBe('Работы в воскресенье')
    const rows = await db().select().from(history).where(eq(history.entity, 'banners'))
    expect(rows.at(-1)).toMatchObject({ field: 'title', current: 'Работы в воскресенье' })
    expect(rows.at(-1)?.changerId).not.toBeNull()
  })

  test('is refused when somebody has changed anything since it was shown', async () => {
    const given = titled('Первый')
    const { version } = (await difference(admin, given)).body
    await importText(await shellContext(), { text: titled('Второй'), prune: false, dry: false })
    const { status, body } = await apply(admin, given, { version })
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await title()).toBe('Второй')
  })

  test('meets what somebody saves meanwhile: it is told of a conflict, and changes nothing', async () => {
    const [given, before] = [titled('Третий'), await title()]
    await db().insert(banners).values({ code: 'beside', title: 'Рядом' })
    const answer = await db().transaction(async (tx) => {
      await tx.select().from(banners).where(eq(banners.code, 'maintenance-ru')).for('update')
      const importing = outsideTransaction(() => apply(admin, given))
      await somebodyWaits(tx)
      await tx.update(banners).set({ title: 'Иначе' }).where(eq(banners.code, 'beside'))
      return { importing }
    })
    const { status, body } = await answer.importing
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await title()).toBe(before)
    await db().delete(banners).where(eq(banners.code, 'beside'))
  })

  test('takes a setting with its default for one that nobody has changed, or sets it back', async () => {
    await apply(admin, text)
    const withDefault = changed((content) => {
      content.settings = content.settings.filter(({ setting }: { setting: string }) => setting !== 'passwordHistory')
      content.settings.push({ setting: 'passwordHistory', value: 5 }, { setting: 'defaultUserRole', value: 'user' })
      content.settings.push({ setting: 'accessRequestsNotifyRecipients', value: { emails: [] } })
    })
    expect((await difference(admin, withDefault)).body).toMatchObject({ changes: [] })
    expect((await apply(admin, withDefault)).status).toBe(200)
    const other = changed((content) => content.settings.push({ setting: 'passwordHistory', value: 7 }))
    expect((await apply(admin, other)).status).toBe(200)
    const done = await apply(admin, withDefault)
    expect([done.status, done.body.changes]).toMatchObject([200, [{ key: 'passwordHistory', kind: 'delete' }]])
    expect((await platformSettings()).passwordHistory).toBe(5)
  })

  test('of thirty that were shown the same one is applied', async () => {
    const texts = [1, 2, 3].map((n) => titled(`Из многих ${n}`))
    // a person may send few files at once, so the verb itself is called
    const ctx = await shellContext()
    const importing = (text: string, more: { dry: boolean; version?: string | undefined }) =>
      importText(ctx, { text, prune: false, ...more })
    const previews: { text: string; version: string }[] = []
    for (const text of texts) previews.push({ text, version: (await importing(text, { dry: true })).version })
    const given = Array.from({ length: 10 }, () => previews).flat()
    const answers = await Promise.allSettled(given.map(({ text, version }) => importing(text, { dry: false, version })))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.map(({ reason }) => reason.status)).toEqual(Array(29).fill(409))
    const won = answers.findIndex(({ status }) => status === 'fulfilled')
    expect(await title()).toBe(`Из многих ${1 + (won % 3)}`)
  })

  test('a section that a file leaves out isn’t touched, also with prune', async () => {
    await db().insert(banners).values({ code: 'extra', title: 'Лишний' })
    const only = changed((content, whole) => {
      whole.content = { banners: content.banners }
    })
    const { body } = await difference(admin, only, { prune: 'true' })
    const kinds = body.changes.map(({ section, key, kind }: Loose) => [section, key, kind])
    expect(kinds).toEqual([
      ['banners', 'maintenance-ru', 'update'],
      ['banners', 'extra', 'delete'],
    ])
    expect((await apply(admin, only, { prune: 'true' })).status).toBe(200)
    expect(await db().$count(banners, eq(banners.code, 'extra'))).toBe(0)
  })

  test('a new domain takes the host of one that goes, though an application holds that one until the new one is there', async () => {
    const old = { host: 'old.polaris.example', title: 'Прежний' }
    await createDomainWith({ hosts: [old.host], comment: old.title })
    const file = JSON.parse(await configurationText(await shellContext()))
    const { applications, domains } = file.content
    const limited = applications.find(({ type }: Loose) => type === 'external')
    const oldDomain = one(domains, 'name', old.host)
    limited.domains = [old.host]
    const taking = async () => (await apply(admin, JSON.stringify(file), { prune: 'true' })).status
    expect(await taking()).toBe(200)
    file.content.domains = domains.filter((domain: Loose) => domain !== oldDomain)
    file.content.domains.push({ ...oldDomain, name: 'new.polaris.example', aliases: ['new.polaris.example', old.host] })
    limited.domains = ['new.polaris.example']
    expect(await taking()).toBe(200)
    const [row] = await db().select().from(domainAliases).where(eq(domainAliases.host, old.host))
    expect(row?.order).toBe(1)
  })

  test('a document that becomes an agreement and one that stops being one change places on the domain that shows them', async () => {
    const file = JSON.parse(await configurationText(await shellContext()))
    const { documents, domains } = file.content
    const like = one(documents, 'type', 'document')
    const [memo, terms] = [
      { ...like, code: 'memo', type: 'document' },
      { ...like, code: 'terms-of-memo', type: 'agreement' },
    ]
    documents.push(memo, terms)
    const agreementFlags = { menuVisible: false, footerVisible: true, loginRequired: false, profileVisible: true }
    const show = (document: string, agreement: string) =>
      Object.assign(domains[0], { documents: [document], agreements: [{ ...agreementFlags, document: agreement }] })
    const taking = async () => (await apply(admin, JSON.stringify(file))).status
    show('memo', 'terms-of-memo')
    expect(await taking()).toBe(200)
    Object.assign(memo, { type: 'agreement' })
    Object.assign(terms, { type: 'document' })
    show('terms-of-memo', 'memo')
    expect(await taking()).toBe(200)
    expect((await difference(admin, JSON.stringify(file))).body.changes).toEqual([])
  })

  test('a role of a method, which the platform makes, comes with the names and the state that it was given', async () => {
    const role = {
      ...{ role: 'method:history.read', name: 'Читают историю', nameEn: 'Readers of the history' },
      ...{ comment: 'Служба контроля', commentEn: 'Control', roleType: 'systemic', enabled: false },
      methods: ['history.read'],
    }
    const renamed = changed((content) => content.roles.push(role))
    expect((await apply(admin, renamed)).status).toBe(200)
    const { roles } = JSON.parse(await configurationText(await shellContext())).content
    expect(one(roles, 'role', role.role)).toEqual(role)
    expect((await difference(admin, renamed)).body.changes).toEqual([])
  })

  test('an order that names a part of what stands so changes nothing', async () => {
    const part = changed((content, whole) => {
      const order = one(content.orders, 'of', 'authenticationSchemas').order
      expect(order.length).toBeGreaterThan(1)
      whole.content = { orders: [{ of: 'authenticationSchemas', order: order.slice(0, -1) }] }
    })
    expect((await difference(admin, part)).body.changes).toEqual([])
  })
})

describe('secrets of whoever holds more', () => {
  const passphrase = 'long enough for a test'
  const token = 'a-token-of-the-address'
  const logout = `https://app.example/logout?key=${token}`

  async function closedAndOpen() {
    const [closed, open, fixed] = [await newApplication(), await newApplication(), await newApplication()]
    const clients: string[] = []
    for (const made of [closed, open, fixed]) {
      const { clientId } = await newClient(made, { backchannelLogoutUri: logout })
      clients.push(clientId)
      await db().transaction(async (tx) => {
        const [id, at] = [randomUUID(), new Date()]
        const values = { id, applicationId: made.id, name: 'Хук', url: logout, types: ['user.created'], createdAt: at }
        await webhookRows.insert(tx, { ...values, enabled: true, secrets: [stored(newSecret(), id, at)] })
      })
    }
    await holdMethods(closed.id, ['license.write'])
    await db().update(applications).set({ actionsAccess: 1 }).where(eq(applications.id, fixed.id))
    const [provider] = await db().select().from(providers).limit(1)
    if (!provider) throw new Error('the demo has providers')
    const { id: directoryUserId } = await createUser({ roles: [await createRoleWith(['license.write'])] })
    await db()
      .update(users)
      .set({ providerId: provider.id, externalId: directoryUserId })
      .where(eq(users.id, directoryUserId))
    for (const [key, of] of [
      ['contractors.import', 'bearer'],
      ['personnel-actions.import', 'bearer'],
    ] as const) {
      const id = await syncIdOf(key)
      const set = { url: 'https://other.example/api', auth: of, secret: encrypt('integration', `secret of ${key}`, id) }
      await db().update(integrationSyncs).set(set).where(eq(integrationSyncs.id, id))
    }
    return { clients, codes: [closed, open, fixed].map(({ code }) => code), provider: provider.name }
  }
  const some = () =>
    holderOf([
      ...areas.map((area) => `${area}.read`),
      ...['settings.write', 'applications.write', 'providers.write', 'integration.write', 'contractors.write'],
    ])
  const sealedFor = async (browser: Browser) => {
    const { body }: Loose = await browser.send(exportSealed, 'POST', { body: { passphrase } })
    return body.configuration as string
  }

  test('are exported to nobody who couldn’t read them on their screens, nor told by a comparison', async () => {
    const { clients, codes, provider } = await closedAndOpen()
    const secretsIn = (configuration: string) => {
      const { content } = JSON.parse(configuration)
      const haveSecrets = (list: Loose[], is: (one: Loose) => boolean) =>
        list.filter(is).map(({ secret }) => secret !== null)
      return {
        clients: clients.flatMap((clientId) => haveSecrets(content.clients, (one) => one.clientId === clientId)),
        logouts: clients.map((clientId) => one(content.clients, 'clientId', clientId).backchannelLogoutUri === logout),
        webhooks: codes.flatMap((code) => haveSecrets(content.webhooks, (one) => one.application === code)),
        provider: haveSecrets(content.providers, ({ name }) => name === provider),
        others: haveSecrets(content.providers, ({ name }) => name !== provider).every(Boolean),
        exchanges: ['contractors.import', 'personnel-actions.import'].flatMap((key) =>
          haveSecrets(content.exchanges, (one) => one.key === key),
        ),
      }
    }
    const browser = await some()
    expect(secretsIn(await sealedFor(browser))).toEqual({
      clients: [false, true, false],
      logouts: [false, true, false],
      webhooks: [false, true, true],
      provider: [false],
      others: true,
      exchanges: [false, false],
    })
    const all = { provider: [true], others: true, exchanges: [true, true], webhooks: [true, true, true] }
    const whole = [true, false]
    expect(secretsIn(await sealedFor(admin))).toEqual({
      ...all,
      clients: [true, ...whole],
      logouts: [true, ...whole],
    })
    const shell = await configurationText(await shellContext(), passphrase)
    expect(secretsIn(shell)).toEqual({ ...all, clients: [true, true, true], logouts: [true, true, true] })

    // what an administrator compares is as it was, and nobody else learns whether a secret is right
    expect((await difference(admin, shell, { passphrase })).body).toMatchObject({ changes: [] })
    const { content, ...header } = JSON.parse(shell)
    const [client] = clients
    const named = {
      clients: content.clients.filter(({ clientId }: Loose) => clientId === client),
      providers: content.providers.filter(({ name }: Loose) => name === provider),
      exchanges: content.exchanges.filter(({ key }: Loose) => key === 'personnel-actions.import'),
    }
    for (const [section, list] of Object.entries(named)) {
      const file = JSON.stringify({ ...header, content: { [section]: list } })
      const { status, body } = await difference(browser, file, { passphrase })
      expect({ section, status, code: body.code }).toEqual({ section, status: 403, code: 'forbiddenConfiguration' })
    }
  })
})
