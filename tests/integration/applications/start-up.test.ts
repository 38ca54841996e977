import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applicationDomains, applications, dynamicFields, locales as localeRows, methods } from '@/db/schema'
import type { MenuItem, ServiceItem } from '@/lib/applications/menu/contract'
import { getMenu, getPublicMenu, getServicesMenu } from '@/lib/applications/menu/contract'
import { getCountryCodes, getPlatformApplication, getPlatformConfiguration } from '@/lib/applications/start-up/contract'
import { dropCached } from '@/lib/base/cache/cache'
import { getUserSettings, patchUserSettings } from '@/lib/my-account/settings/contract'
import { getPublicSettings } from '@/lib/operations/public-settings/contract'
import { buildContext } from '@/lib/request/build'
import { readCookies } from '@/lib/request/cookies'
import { searchLocales } from '@/lib/site/locales/contract'
import { getProjectInfo } from '@/lib/site/project-info/contract'
import { version } from '@/package.json'
import { createRoleWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { createDomainWith, first, store, texts } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { setSetting } from '../../factories/settings'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const publicSettings = handlerOf(getPublicSettings)
const platform = handlerOf(getPlatformApplication)
const countries = handlerOf(getCountryCodes)
const locales = handlerOf(searchLocales)
const configure = handlerOf(getPlatformConfiguration)
const publicMenu = handlerOf(getPublicMenu)
const menu = handlerOf(getMenu)
const projectInfo = handlerOf(getProjectInfo)
const servicesMenu = handlerOf(getServicesMenu)
const changeSettings = handlerOf(patchUserSettings)
const settings = handlerOf(getUserSettings)

useTestDatabase()

async function signedIn(roles: string[] = ['user'], host?: string) {
  const browser = new Browser(host)
  const user = await createUser({ roles })
  await signInByPassword(browser, user.login, password)
  return browser
}

describe('the menu', () => {
  const menuOf = async (browser: Browser) => {
    const { status, body } = await browser.send(menu, 'GET', { query: { type: 'platform' } })
    expect(status).toBe(200)
    return (body as { menu: MenuItem[] }).menu
  }
  const names = (items: MenuItem[]) =>
    items.flatMap(({ name, children }) => [name, ...children.map((each) => each.name)])

  test('has the pages of the profile for everybody, and none of the administration', async () => {
    const items = await menuOf(await signedIn())
    expect(names(items)).toEqual(expect.arrayContaining(['switchService', 'UserProfile', 'account', 'UserProfileMain']))
    expect(names(items)).not.toContain('Platform')
    expect(items.find(({ name }) => name === 'switchService')).toEqual({
      name: 'switchService',
      title: 'Сервисы',
      titleEn: 'Services',
      path: '/platform/apps',
      serviceUrl: null,
      applicationKey: 'platform',
      meta: {
        layout: 'Profile',
        public: false,
        tabNumber: null,
        title: 'Сервисы',
        serviceUrl: null,
        redirect: null,
      },
      leftMenu: true,
      disabled: false,
      badge: null,
      children: [],
    })
    expect(items.find(({ name }) => name === 'account')).toMatchObject({ path: null, title: 'Учётная запись' })
  })

  test('has the overview for people who may read or write one area', async () => {
    for (const method of ['network-aliases.read', 'history.read', 'domains.write'])
      expect(names(await menuOf(await signedIn([await createRoleWith([method])]))), method).toContain('Platform')
    expect(names(await menuOf(await signedIn([await createRoleWith(['masterAccountAccess'])])))).not.toContain(
      'Platform',
    )
  })

  test('has the count of the overview, for people who may see it', async () => {
    const badge = async (browser: Browser) => {
      dropCached('overview')
      return (await menuOf(browser)).find(({ name }) => name === 'Platform')?.badge
    }
    // from here on there are two administrators, so what is left are remarks: short codes, and mails that stay
    const [administrator] = [await signedIn(['administrator']), await signedIn(['administrator'])]
    expect(await badge(administrator)).toBe(2)
    await createUser({ roles: ['administrator'], temporary: true })
    expect(await badge(administrator)).toBe(3)
    expect(await badge(await signedIn([await createRoleWith(['history.read'])]))).toBeNull()
  })

  test('refuses another type, and callers who aren’t signed in', async () => {
    const browser = await signedIn()
    expect((await browser.send(menu, 'GET', { query: { type: 'other' } })).status).toBe(400)
    expect((await new Browser().send(menu, 'GET')).status).toBe(401)
  })

  test('of the public part is open to everybody and doesn’t contain the page of refused access', async () => {
    const { status, body } = await new Browser().send(publicMenu, 'GET')
    expect(status).toBe(200)
    const items = (body as { menu: MenuItem[] }).menu
    expect(names(items)).toEqual(expect.arrayContaining(['Auth', 'LawPage']))
    expect(names(items)).not.toContain('NoAccess')
    expect(items.every(({ meta }) => meta.public)).toBe(true)
    expect(items.find(({ name }) => name === 'Auth')?.meta).toEqual({
      layout: 'Auth',
      public: true,
      tabNumber: 0,
      title: 'Вход',
      serviceUrl: null,
      redirect: null,
    })
  })

  test('of the public part has no registration while that is disabled', async () => {
    const registration = async () =>
      names(((await new Browser().send(publicMenu, 'GET')).body as { menu: MenuItem[] }).menu).filter((name) =>
        name.startsWith('Registration'),
      )
    expect(await registration()).toEqual(['RegistrationStepOne', 'RegistrationStepTwo'])
    await setSetting('registrationEnabled', false)
    expect(await registration()).toEqual([])
    await setSetting('registrationEnabled', true)
  })
})

describe('the services', () => {
  const servicesOf = async (browser: Browser) => {
    const { status, body } = await browser.send(servicesMenu, 'GET', { query: { type: 'platform' } })
    expect(status).toBe(200)
    return (body as { menu: ServiceItem[] }).menu
  }
  let elsewhere: string
  beforeAll(async () => {
    elsewhere = await createDomainWith({ hosts: ['elsewhere.example'], in: { ru: texts('Д') } })
    const make = async (values: Partial<typeof applications.$inferInsert> & { code: string }) =>
      first(
        await db()
          .insert(applications)
          .values({
            type: 'internal',
            name: values.code,
            url: `https://${values.code}.example/`,
            menuVisible: true,
            ...values,
          })
          .returning(),
      ).id
    const named = { name: 'Склад', nameEn: 'Stock', description: 'Остатки', descriptionEn: 'What is in stock' }
    const stock = await make({ code: 'stock', ...named, order: 0 })
    await make({ code: 'reports', type: 'virtual', parentId: stock, order: 1 })
    await make({ code: 'resting', enabled: false, order: 2 })
    const orphan = await make({ code: 'orphan', type: 'virtual', order: 3 })
    await make({ code: 'grouped', type: 'link', parentId: orphan, order: 4 })
    // a second level doesn't exist, and no ring takes anything out of the menu
    await make({
      code: 'deeper',
      type: 'virtual',
      parentId: await make({ code: 'deep', parentId: orphan, order: 5 }),
      order: 6,
    })
    const ring = await make({ code: 'ring', type: 'virtual', order: 7 })
    const other = await make({ code: 'ringed', type: 'virtual', parentId: ring, order: 8 })
    await db().update(applications).set({ parentId: other }).where(eq(applications.id, ring))
    await make({ code: 'beside', type: 'link', parentId: stock, order: 9 })
    const hidden = await make({ code: 'hidden', order: 4 })
    await make({ code: 'invisible', menuVisible: false })
    await make({ code: 'sketch', type: 'draft' })
    await make({ code: 'without-address', url: null })
    await db()
      .insert(methods)
      .values({ code: 'hidden.use', name: 'Скрытое', kind: 'application', applicationId: hidden })
    const away = await make({ code: 'other-domain', order: 5 })
    await db().insert(applicationDomains).values({ applicationId: away, domainId: elsewhere })
    dropCached('applications')
  })

  test('are those open to the person on this domain; a disabled one shows that, a virtual one groups on one level', async () => {
    const items = await servicesOf(await signedIn())
    expect(items.map(({ name, disabled, children }) => [name, disabled, children.map((each) => each.name)])).toEqual([
      ['stock', false, ['reports']],
      ['resting', true, []],
      ['orphan', false, ['grouped', 'deep']],
      ['deeper', false, []],
      ['ring', false, []],
      ['ringed', false, []],
      ['beside', false, []],
    ])
    expect(items[0]).toMatchObject({
      title: 'Склад',
      titleEn: 'Stock',
      description: 'Остатки',
      descriptionEn: 'What is in stock',
      serviceUrl: 'https://stock.example/',
      applicationKey: 'stock',
      iconId: null,
    })
  })

  test('differ by domain', async () => {
    const items = await servicesOf(await signedIn(['user'], 'elsewhere.example'))
    expect(items.map(({ name }) => name)).toContain('other-domain')
  })
})

test('project info is that of the requested domain', async () => {
  await createDomainWith({ hosts: ['styled.example'], styleTemplate: 'partners', in: { en: texts('Styled') } })
  const { status, body } = await new Browser('styled.example').send(projectInfo, 'GET')
  expect(status).toBe(200)
  expect(body).toMatchObject({ styleCode: 'partners', options: { en: { projectName: 'Styled' } } })
  expect((await new Browser().send(projectInfo, 'GET')).body).toMatchObject({ styleCode: 'default' })
})

test('the configuration contains accesses and the look of the interface', async () => {
  await store('navMiniTitle', false)
  const auditor = await signedIn(['auditor'])
  expect((await auditor.send(configure, 'GET')).body).toEqual({
    accesses: {
      monitoringNotifyAccess: true,
      diagnosticsNotifyAccess: true,
      diagnosticsApplicationsNotifyAccess: true,
      masterAccountAccess: false,
      usersAccess: true,
    },
    settings: {
      headerVisible: true,
      uiNavMini: false,
      editNavMini: true,
      navMiniTitle: false,
      useUserFio: true,
      localNotifies: true,
      accessRequests: true,
      cookie: true,
      pageSizes: [10, 20, 50, 100],
    },
  })
  const { body } = await (await signedIn()).send(configure, 'GET')
  expect(Object.values(body.accesses as Record<string, boolean>)).toEqual([false, false, false, false, false])
})

test('the platform’s application has the running version', async () => {
  const { status, body } = await (await signedIn()).send(platform, 'GET')
  expect([status, body]).toEqual([200, { code: 'platform', name: 'Платформа', nameEn: 'Platform', version }])
})

test('public settings contain the rules of the forms and no secret field', async () => {
  await store('passwordMin', 12)
  await store('registrationEnabled', false)
  await db().insert(dynamicFields).values({
    type: 'users',
    subtype: 'additional',
    code: 'clearance',
    title: 'Допуск',
    fieldType: 'input',
    adminEdit: true,
  })
  dropCached('dynamic-fields')
  const { status, body } = await new Browser().send(publicSettings, 'GET')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    password: { min: 12, max: 128, uppercase: true, custom: [] },
    codeDigits: 4,
    registrationEnabled: false,
    identification: { login: true, email: true, mobile: true },
  })
  const fields = body.fields as { code: string; required: boolean }[]
  expect(fields.find(({ code }) => code === 'email')).toMatchObject({ required: true, title: 'Электронная почта' })
  // by useUserFio there is one name field instead of three; only administrators see comment and clearance
  const codes = fields.map(({ code }) => code)
  expect(codes).toContain('fio')
  for (const code of ['lastName', 'comment', 'clearance']) expect(codes).not.toContain(code)
})

test('countries are named in the language of the caller, with their codes', async () => {
  const inLocale = async (locale: string) => {
    const browser = new Browser()
    browser.cookies.set('locale', locale)
    return (await browser.send(countries, 'GET')).body.countries as {
      code: string
      name: string
      callingCode: string
    }[]
  }
  const ru = await inLocale('ru')
  expect(ru).toContainEqual({ code: 'RU', name: 'Россия', callingCode: '+7' })
  expect(ru).toContainEqual({ code: 'KZ', name: 'Казахстан', callingCode: '+7' })
  expect(ru.length).toBeGreaterThan(200)
  expect(ru.map(({ name }) => name)).toEqual(ru.map(({ name }) => name).toSorted(new Intl.Collator('ru').compare))
  expect(await inLocale('en')).toContainEqual({ code: 'RU', name: 'Russia', callingCode: '+7' })
})

test('locales are found by name, code and id, but never disabled ones', async () => {
  await db().insert(localeRows).values({ code: 'de', name: 'Deutsch', enabled: false })
  dropCached('locales')
  const listLocales = async (query: Record<string, string | string[]>) =>
    (await new Browser().send(locales, 'GET', { query })).body.locales as { id: string; code: string }[]
  const all = await listLocales({})
  expect(all.map(({ code }) => code)).toEqual(['en', 'ru'])
  const codes = async (query: Record<string, string | string[]>) => (await listLocales(query)).map(({ code }) => code)
  expect(await codes({ searchValue: 'РУС' })).toEqual(['ru'])
  expect(await codes({ searchValue: 'en' })).toEqual(['en'])
  expect(await codes({ searchValue: 'deutsch' })).toEqual([])
  const ru = all.find(({ code }) => code === 'ru')?.id ?? ''
  expect(await codes({ ids: ru })).toEqual(['ru'])
  expect(await codes({ ids: [ru, crypto.randomUUID()] })).toEqual(['ru'])
  expect((await new Browser().send(locales, 'GET', { query: { ids: 'ru' } })).status).toBe(400)
})

test('own settings are stored on the server and apply in another browser at once', async () => {
  const user = await createUser()
  const [here, there] = [new Browser(), new Browser()]
  for (const browser of [here, there]) await signInByPassword(browser, user.login, password)
  const contextOf = async (browser: Browser) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { ctx } = await buildContext(new Headers({ cookie }), { get: readCookies(cookie), set: () => {} })
    return ctx
  }
  expect((await contextOf(there)).user).toMatchObject({ navMini: null, pagination: null, columns: {} })
  const change = {
    navMini: true,
    pagination: 50,
    lang: 'en',
    cookie: true,
    timeZone: 'Asia/Omsk',
    columns: { PlatformRoles: { code: true } },
  }
  const stored = { ...change, chosenTimeZone: null }
  expect((await here.send(changeSettings, 'PATCH', { body: { settings: change } })).body).toEqual({ settings: stored })
  const { user: signedInUser, locale } = await contextOf(there)
  expect(signedInUser).toMatchObject({ navMini: true, pagination: 50, columns: change.columns })
  expect(locale).toBe('en')
  expect((await there.send(settings, 'GET')).body).toEqual({ settings: stored })
  await there.send(changeSettings, 'PATCH', { body: { settings: { navMini: false } } })
  expect((await here.send(settings, 'GET')).body).toEqual({ settings: { ...stored, navMini: false } })
  // tabs choose different columns at once, each without the others' choice
  const names = ['code', 'kpp', 'ogrn', 'okpo', 'people', 'changed']
  await Promise.all(
    names.flatMap((name) =>
      ['PlatformContractors', 'PlatformOrganizations'].map((list) =>
        there.send(changeSettings, 'PATCH', { body: { settings: { columns: { [list]: { [name]: false } } } } }),
      ),
    ),
  )
  const all = Object.fromEntries(names.map((name) => [name, false]))
  const columns = { ...change.columns, PlatformContractors: all, PlatformOrganizations: all }
  expect((await contextOf(here)).user?.columns).toEqual(columns)
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`c${'abcdefghij'[n % 10]}${'klmnop'[Math.floor(n / 10)]}`, true]),
  )
  const wrongColumns = [
    { NoSuchScreen: { code: true } },
    { PlatformRoles: { code: 'yes' } },
    { PlatformRoles: { 'no-name': true } },
    { PlatformContractors: many },
  ]
  for (const wrong of [
    ...wrongColumns.map((each) => ({ columns: each })),
    { pagination: 30 },
    { lang: 'fr' },
    { navMini: 'yes' },
    { theme: 'dark' },
    {},
  ])
    expect(
      (await here.send(changeSettings, 'PATCH', { body: { settings: wrong } })).status,
      JSON.stringify(wrong),
    ).toBe(400)
  expect((await contextOf(here)).user?.columns).toEqual(columns)
})

test('while local notices are switched off, no menu leads to them', async () => {
  const browser = await signedIn()
  const names = async () => {
    const { body } = await browser.send(menu, 'GET', { query: { type: 'platform' } })
    return JSON.stringify(body.menu)
  }
  expect(await names()).toContain('"Notify"')
  await store('localNotifies', false)
  expect(await names()).not.toContain('"Notify"')
  await store('localNotifies', true)
})
