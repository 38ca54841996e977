import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { banners, documentLocales, documents, domainAgreements, domainDocuments, locales } from '@/db/schema'
import { getMenu, getPublicMenu, type MenuItem } from '@/lib/applications/menu/contract'
import { dropCached } from '@/lib/base/cache/cache'
import { loadMessages } from '@/lib/base/i18n/messages'
import { env, parseEnv } from '@/lib/base/runtime/env'
import { createDomain as create, listStyleTemplates, readDomain, updateDomain } from '@/lib/site/domains/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { ProjectInfo } from '@/lib/site/project-info/contract'
import { projectInfo } from '@/lib/site/project-info/service'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { callerFor } from '../../factories/caller'
import { createAgreement, createDomain } from '../../factories/domains'
import { contextOf } from '../../factories/invitations'
import { createDomainWith, first, localeId, store, texts } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { begin, prove } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const base = () => domainByHost('')

describe('the domain of a host', () => {
  test('is found by any of its aliases, and its links use the first alias', async () => {
    const id = await createDomainWith({ hosts: ['one.example', 'two.example'] })
    expect(await domainByHost('TWO.example:8080')).toMatchObject({
      id,
      base: false,
      origin: 'http://one.example:3000',
      locales: ['en', 'ru'],
    })
  })

  test('is the base domain for any other host, with links to the configured address', async () => {
    for (const host of ['localhost:3000', 'evil.example', ''])
      expect(await domainByHost(host)).toMatchObject({
        base: true,
        origin: 'http://localhost:3000',
        locales: ['ru', 'en'],
      })
  })

  test('is never a draft or a disabled one', async () => {
    await createDomainWith({ hosts: ['draft.example'], type: 'draft' })
    await createDomainWith({ hosts: ['off.example'], enabled: false })
    expect(await domainByHost('draft.example')).toMatchObject({ base: true })
    expect(await domainByHost('off.example')).toMatchObject({ base: true })
  })

  test('has the base domain’s languages if it takes over its settings or has none', async () => {
    await createDomainWith({ hosts: ['inherits.example'], baseSettings: true, in: { en: texts('D') } })
    await createDomainWith({ hosts: ['mute.example'], in: {} })
    await createDomainWith({ hosts: ['english.example'], in: { en: texts('D') } })
    expect((await domainByHost('inherits.example')).locales).toEqual(['ru', 'en'])
    expect((await domainByHost('mute.example')).locales).toEqual(['ru', 'en'])
    expect((await domainByHost('english.example')).locales).toEqual(['en'])
  })
})

describe('the texts of a domain', () => {
  const inLanguage = async (code: string, projectTitle: string) => ({
    localeId: await localeId(code),
    settings: { projectTitle, projectName: projectTitle },
  })

  test('of a language that the body leaves out are kept and switched off, and deleted only by name', async () => {
    const caller = await callerFor(updateDomain)
    const host = 'kept.example'
    const [russian, english] = [await inLanguage('ru', 'Тексты'), await inLanguage('en', 'Texts')]
    const { id } = await caller.call(create, { body: { aliases: [host], locales: [russian, english] } })
    const put = (more: object) =>
      caller.call(updateDomain, { params: { id }, body: { aliases: [host], locales: [russian], ...more } })
    const spoken = async () =>
      (await caller.call(readDomain, { params: { id } })).locales.map(({ enabled, settings: { projectTitle } }) => [
        projectTitle,
        enabled,
      ])
    await put({})
    expect(await spoken()).toEqual([
      ['Тексты', true],
      ['Texts', false],
    ])
    expect((await domainByHost(host)).locales).toEqual(['ru'])
    await put({ locales: [russian, { ...english, enabled: true }] })
    expect((await domainByHost(host)).locales).toEqual(['ru', 'en'])
    await put({ removedLocales: [english.localeId.toUpperCase()] })
    expect(await spoken()).toEqual([['Тексты', true]])
  })

  test('of a draft come from the base domain unless it names others, which lose it when it is put in service', async () => {
    const caller = await callerFor(updateDomain)
    const sources = async (id: string) => (await caller.call(readDomain, { params: { id } })).domains
    const other = await caller.call(create, { body: { aliases: ['source.example'] } })
    const { id } = await caller.call(create, { body: { type: 'draft' } })
    expect(await sources(id)).toEqual([(await base()).id])
    await caller.call(updateDomain, { params: { id }, body: { type: 'draft', domains: [other.id] } })
    expect(await sources(id)).toEqual([other.id])
    await caller.call(updateDomain, { params: { id }, body: { aliases: ['served.example'], domains: [other.id] } })
    expect(await sources(id)).toEqual([])
  })
})

describe('project info', () => {
  async function createDocument(
    code: string,
    type: 'agreement' | 'document',
    spoken: Record<string, string>,
    version = 1,
  ) {
    const { id } = first(await db().insert(documents).values({ code, type, version }).returning())
    for (const [locale, name] of Object.entries(spoken))
      await db()
        .insert(documentLocales)
        .values({
          documentId: id,
          version,
          localeId: await localeId(locale),
          name,
          linkName: `${name} ссылка`,
          content: '',
        })
    return id
  }

  test('of the shipped base domain has the documented values', async () => {
    const info = await projectInfo(await base())
    expect(ProjectInfo.parse(info)).toEqual(info)
    expect(info.options.ru?.projectName).toBe('Полярис')
    expect(info.options.en?.projectName).toBe('Polaris')
    expect(info.locales.map(({ code }) => code)).toEqual(['ru', 'en'])
  })

  test('shows visible banners in their order, without dangerous links', async () => {
    const rows = await db()
      .insert(banners)
      .values([
        { code: 'b1', title: 'Первый', link: 'https://polaris.example/' },
        { code: 'b2', title: 'Скрытый', visible: false },
        { code: 'b3', title: 'Третий', link: 'javascript:alert(1)' },
        { code: 'b4', title: 'Четвёртый', link: '/platform/help' },
      ])
      .returning()
    const ids = ['b4', 'b2', 'b3', 'b1'].map((code) => first(rows.filter((row) => row.code === code)).id)
    const id = await createDomainWith({ hosts: [], in: { ru: texts('Д', { banners: ids }), en: texts('D') } })
    const info = ProjectInfo.parse(await projectInfo({ id }))
    expect(info.options.ru?.authBanners.map(({ title, link }) => [title, link])).toEqual([
      ['Четвёртый', '/platform/help'],
      ['Третий', null],
      ['Первый', 'https://polaris.example/'],
    ])
    expect(info.options.en?.authBanners).toEqual([])
  })

  test('names agreements in the requested locale, else in the first, in their current version', async () => {
    const personal = await createDocument('personal-data', 'agreement', { ru: 'Согласие', en: 'Consent' }, 3)
    const rules = await createDocument('rules', 'agreement', { en: 'Rules' })
    const off = await createDocument('off', 'agreement', { ru: 'Нет' })
    const help = await createDocument('help', 'document', { ru: 'Справка' })
    await db().update(documents).set({ enabled: false }).where(eq(documents.id, off))
    await db()
      .insert(documentLocales)
      .values({
        documentId: personal,
        version: 2,
        localeId: await localeId('ru'),
        name: 'Старое согласие',
        linkName: 'старое',
        content: '',
      })
    const id = await createDomainWith({ hosts: [] })
    await db()
      .insert(domainAgreements)
      .values([
        { domainId: id, documentId: rules, order: 1, loginRequired: true },
        { domainId: id, documentId: personal, order: 0, footerVisible: true },
        { domainId: id, documentId: off, order: 2, loginRequired: true },
      ])
    await db().insert(domainDocuments).values({ domainId: id, documentId: help })
    const { ru, en } = ProjectInfo.parse(await projectInfo({ id })).options
    expect(ru?.lawInfo.termsInfo).toEqual([
      {
        id: personal,
        version: 3,
        title: 'Согласие',
        linkTitle: 'Согласие ссылка',
        link: '/platform/law/personal-data',
        loginRequired: false,
        footerVisible: true,
        menuVisible: false,
      },
      {
        id: rules,
        version: 1,
        title: 'Rules',
        linkTitle: 'Rules ссылка',
        link: '/platform/law/rules',
        loginRequired: true,
        footerVisible: false,
        menuVisible: false,
      },
    ])
    expect(ru?.lawInfo.personalAgree?.id).toBe(personal)
    expect(en?.lawInfo.termsInfo.map(({ title }) => title)).toEqual(['Consent', 'Rules'])
    expect(en?.lawInfo.legalInfo).toEqual([{ url: '/platform/law/help', text: 'Справка ссылка' }])
    expect((await projectInfo(await base())).options.ru?.lawInfo).toEqual({
      legalInfo: [],
      termsInfo: [],
      personalAgree: null,
    })
  })

  test('takes over the base domain’s texts and not its look, if the domain says so', async () => {
    const id = await createDomainWith({
      hosts: [],
      baseSettings: true,
      styleTemplate: 'night',
      imageCode: 'star',
      in: { ru: texts('Свой') },
    })
    const info = await projectInfo({ id })
    expect(info).toMatchObject({ styleCode: 'night', code: 'star' })
    expect(info.options.ru?.projectName).toBe('Полярис')
    expect(Object.keys(info.options)).toEqual(['ru', 'en'])
  })

  test('links to the site and to support if their addresses can be links', async () => {
    const technical = [
      { title: 'Почта', text: 'a', link: 'mailto:a@b.example' },
      { title: 'Плохая', text: 'b', link: 'javascript:alert(1)', mobile: '+7' },
      { title: 'Чат', text: 'c', link: 'https://chat.example/', mobile: '+79000000000' },
    ]
    const site = { siteName: '', siteLink: 'https://polaris.example/', technical }
    const id = await createDomainWith({
      hosts: [],
      in: { ru: texts('Д', site) },
      publicDocsUrl: 'http://plain.example/',
    })
    const info = ProjectInfo.parse(await projectInfo({ id }))
    expect(info.siteUrl).toEqual({ url: 'https://polaris.example/', text: 'https://polaris.example/' })
    expect(info.technicalLinks).toEqual([
      { title: 'Почта', text: 'a', url: 'mailto:a@b.example', mobile: null },
      { title: 'Чат', text: 'c', url: 'https://chat.example/', mobile: '+79000000000' },
    ])
    // a page can't link to this address, so the help is the platform's own page
    expect(info.helpUrl).toBe('/platform/help')
    expect([info.copyrightUrl, info.devUrl]).toEqual(['https://polaris.example/', 'https://polaris.example/'])
  })

  test('links copyright and developer to the site, else to the environment’s addresses, else to the help', async () => {
    const id = await createDomainWith({ hosts: [], in: { ru: texts('Д', { siteLink: '' }) } })
    const links = async () => {
      dropCached(`project-info:${id}`)
      const { copyrightUrl, devUrl, helpUrl } = await projectInfo({ id })
      return { copyrightUrl, devUrl, helpUrl }
    }
    const help = '/platform/help'
    expect(await links()).toEqual({ copyrightUrl: help, devUrl: help, helpUrl: help })
    const named = { COPYRIGHT_URL: 'https://owner.example/', DEV_URL: 'https://maker.example/' }
    expect(parseEnv({ ...process.env, ...named })).toMatchObject(named)
    expect(() => parseEnv({ ...process.env, DEV_URL: 'javascript:alert(1)' })).toThrow(/DEV_URL/)
    Object.assign(env(), named)
    const [copyrightUrl, devUrl] = Object.values(named)
    expect(await links()).toEqual({ copyrightUrl, devUrl, helpUrl: help })
    Object.assign(env(), { COPYRIGHT_URL: undefined, DEV_URL: undefined })
  })

  test('returns which agreements are in menus', async () => {
    const agreement = await createAgreement()
    const host = await createDomain({ agreement })
    const menuOf = async () =>
      ((await new Browser(host).send(handlerOf(getPublicMenu), 'GET')).body.menu as MenuItem[]).filter(({ path }) =>
        path?.startsWith('/platform/law/agreement'),
      )
    expect(await menuOf()).toEqual([])
    await db().update(domainAgreements).set({ menuVisible: true }).where(eq(domainAgreements.documentId, agreement))
    dropCached('project-info')
    expect(await menuOf()).toMatchObject([{ leftMenu: true, meta: { layout: 'Law', public: true } }])
    const user = await createUser()
    const browser = new Browser(host)
    await begin(browser, user.login)
    await prove(browser, user.login, { password, termsAgree: [{ type: agreement, agree: true, version: 1 }] })
    const { menu } = (await browser.send(handlerOf(getMenu), 'GET', { query: { type: 'platform' } })).body as {
      menu: MenuItem[]
    }
    expect(menu.find(({ name }) => name === 'documents')?.children).toMatchObject([{ meta: { layout: 'Law' } }])
  })

  test('offers a language without interface texts like the others, with the domain’s own texts in it', async () => {
    const [locale] = await db()
      .insert(locales)
      .values({ code: 'kk', name: 'Қазақша' })
      .onConflictDoUpdate({ target: locales.code, set: { enabled: true } })
      .returning()
    const id = await createDomainWith({ hosts: ['kk.example'], in: { ru: texts('Д'), kk: texts('Қ') } })
    const info = await projectInfo({ id })
    expect(info.locales.map(({ code }) => code)).toContain(locale?.code)
    expect(info.options.kk?.projectName).toBe(texts('Қ').projectName)
    const browser = new Browser('kk.example')
    browser.cookies.set('locale', 'kk')
    expect((await contextOf(browser)).locale).toBe('kk')
    expect(await loadMessages('kk')).toBe(await loadMessages('ru'))
  })

  test('asks about cookies only if both setting and domain say so; settings apply at once', async () => {
    const withNotice = await createDomainWith({ hosts: [] })
    const without = await createDomainWith({ hosts: [], cookie: false })
    const notices = async (id: string) => {
      const { uiSettings, options } = await projectInfo({ id })
      return [uiSettings.cookie, ...Object.values(options).map(({ cookie }) => cookie)]
    }
    expect(await notices(withNotice)).toEqual([true, true, true])
    expect(await notices(without)).toEqual([false, false, false])
    await store('cookie', false)
    await store('metricsScript', 'https://metrics.example/m.js')
    expect(await notices(withNotice)).toEqual([false, false, false])
    expect((await projectInfo({ id: withNotice })).metrics).toBe('https://metrics.example/m.js')
    await store('cookie', true)
  })

  test('answers 404 for a deleted domain', async () => {
    await expect(projectInfo({ id: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a domain that administrators change', () => {
  test('is served under each of its host names, however the Host is written, as soon as it is saved', async () => {
    const caller = await callerFor(create)
    const aliases = ['Saved.Example.', 'домен.пример']
    const { id } = await caller.call(create, { body: { comment: 'Новый', aliases, styleTemplate: 'partners' } })
    for (const host of ['saved.example', 'SAVED.example.:8080', 'xn--d1acufc.xn--e1afmkfd'])
      expect(await domainByHost(host), host).toMatchObject({ id, styleTemplate: 'partners' })
    await caller.call(updateDomain, { params: { id }, body: { aliases: ['moved.example'] } })
    expect(await domainByHost('saved.example')).toMatchObject({ base: true })
    expect(await domainByHost('moved.example')).toMatchObject({ id })
  })

  test('takes nothing but host names and links that lead nowhere else', async () => {
    const caller = await callerFor(create)
    const hosts = ['a.example:80', 'a.example/x', '*.example', 'u@a.example', '%61.example', '0x7f.1', '2130706433']
    for (const host of [...hosts, '-a.example', 'a..example', 'a_b.example', '[::1]', 'a\\b.example', '..'])
      expect(await caller.send(create, { body: { aliases: [host] } }), host).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: 'aliases.0', code: 'errorHost' }] } },
      })
    for (const link of ['javascript:alert(1)', '//evil.example', '/\\evil.example', 'http://a.example', 'data:,x'])
      expect(await caller.send(create, { body: { aliases: ['l.example'], publicDocsUrl: link } }), link).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: 'publicDocsUrl', code: 'errorPageLink' }] } },
      })
    const named = async (projectName: string) => [
      { localeId: await localeId('ru'), settings: { ...texts('Д'), projectName } },
    ]
    for (const name of ['https://evil.example', 'www.evil', 'Вход: evil.example/c', 'evil.example?c=1'])
      expect(
        (await caller.send(create, { body: { aliases: ['l.example'], locales: await named(name) } })).body,
      ).toMatchObject({
        data: { errorList: [{ field: 'locales.0.settings.projectName', code: 'errorTextAddress' }] },
      })
    for (const timeZone of ['+03:00', 'Mars/Olympus', 'Europe/Moscow; --', 'a'.repeat(64)])
      expect(await caller.send(create, { body: { aliases: ['l.example'], timeZone } }), timeZone).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: 'timeZone', code: 'errorTimeZone' }] } },
      })
    expect(await caller.send(create, { body: { aliases: ['https://a.example'] } })).toMatchObject({
      body: { data: { errorList: [{ field: 'aliases.0', code: 'errorScheme' }] } },
    })
    expect(await caller.send(create, { body: { aliases: ['l.example'], styleTemplate: '}*{x' } })).toMatchObject({
      status: 400,
    })
  })

  test('gets a host name that thirty ask for at once only once, and one of thirty saves', async () => {
    const caller = await callerFor(create)
    const asked = await thirty((n) => caller.send(create, { body: { comment: `${n}`, aliases: ['race.example'] } }))
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of asked)
      if (status !== 200)
        expect(body).toMatchObject({ data: { errorList: [{ field: 'aliases.0', code: 'errorUnique' }] } })
    const params = { id: (await domainByHost('race.example')).id }
    const { updatedAt } = await caller.call(readDomain, { params })
    const saved = await thirty((n) =>
      caller.send(updateDomain, { params, body: { comment: `saved ${n}`, aliases: ['race.example'], updatedAt } }),
    )
    expect(saved.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 29 }, () => 409)])
  })

  test('has a style whose pictures are listed with their addresses', async () => {
    const { browser } = await callerFor(listStyleTemplates)
    const { body } = await browser.send(handlerOf(listStyleTemplates), 'GET')
    const { templates } = listStyleTemplates.response.parse(body)
    expect(templates.map(({ code }) => code)).toEqual(['default', 'partners'])
    for (const { code, images } of templates)
      for (const { name, url } of images) expect(url).toContain(`/style/${code}/images/${name}.svg?v=`)
  })
})
