import { db } from '@/db/client'
import { accessListEntries, banners, deviceTypes, documents, domains, locales, networkAliases } from '@/db/schema'
import type { Ctx } from '@/lib/base/context/ctx'
import * as documentVerbs from '@/lib/documents/documents/administer'
import * as documentCalls from '@/lib/documents/documents/contract'
import * as localeTextCalls from '@/lib/messaging/locale-texts/contract'
import { writeLocaleTexts } from '@/lib/messaging/locale-texts/service'
import * as messageCalls from '@/lib/messaging/message-texts/contract'
import * as messageVerbs from '@/lib/messaging/message-texts/service'
import * as entryCalls from '@/lib/network/access-lists/contract'
import * as entryVerbs from '@/lib/network/access-lists/entries'
import * as aliasCalls from '@/lib/network/network-aliases/contract'
import * as aliasVerbs from '@/lib/network/network-aliases/service'
import * as bannerCalls from '@/lib/site/banners/contract'
import * as bannerVerbs from '@/lib/site/banners/service'
import * as deviceCalls from '@/lib/site/device-types/contract'
import * as deviceVerbs from '@/lib/site/device-types/service'
import * as domainVerbs from '@/lib/site/domains/administration'
import * as domainCalls from '@/lib/site/domains/contract'
import { storeDomainLogo } from '@/lib/site/domains/logo'
import { imageCodes, styleCodes } from '@/lib/site/domains/style-codes'
import * as localeCalls from '@/lib/site/locales/contract'
import * as localeVerbs from '@/lib/site/locales/service'
import { type At, drawn, parsed, pictures } from './random-values'

/** What administrators set in the platform, at random; without `raising` no agreement gets a new version. */
export async function setPlatform(ctx: Ctx, at: At, { raising }: { raising: boolean }): Promise<void> {
  const { act, chance, few, one, order, text, long, flag } = at
  const idsOf = async (table: typeof locales | typeof documents | typeof banners | typeof domains) =>
    (await db().select({ id: table.id }).from(table)).map(({ id }) => id)

  for (const code of few(['kk', 'be', 'uz']))
    await act('createLocale', () =>
      localeVerbs.createLocale(ctx, {
        body: parsed(localeCalls.createLocale, { code, name: text(), enabled: flag() }),
      }),
    )
  const languages = await db().select().from(locales)
  for (const { id } of few(languages))
    await act('writeLocaleTexts', () => {
      const texts = few(ownKeys).map((of) => ({
        key: of,
        text: one(['Свой текст', 'Own', ' с пробелом ', '«Кавычки»']),
      }))
      return texts.length > 0
        ? writeLocaleTexts(ctx, { params: { id }, body: parsed(localeTextCalls.writeLocaleTexts, { texts }) })
        : undefined
    })
  for (const code of few(['kiosk', 'terminal', 'tv']))
    await act('createDeviceType', () =>
      deviceVerbs.createDeviceType(ctx, {
        body: parsed(deviceCalls.createDeviceType, { code, name: text(), nameEn: one(['', text()]) }),
      }),
    )
  const devices = await db().select().from(deviceTypes)
  for (const { id, code } of few(devices))
    await act('updateDeviceType', () =>
      deviceVerbs.updateDeviceType(ctx, {
        params: { id },
        body: parsed(deviceCalls.updateDeviceType, { code, name: text(), nameEn: one(['', text()]) }),
      }),
    )

  const subnets = ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32', '10.0.0.0/8', '192.0.2.1', '::ffff:192.0.2.9']
  for (const name of few(['Офис', 'Сеть (2)', 'ЦОД «Юг»']))
    await act('createNetworkAlias', () => {
      const ips = order(subnets)
        .slice(0, 1 + at.random(4))
        .map((ip) => ({ ip, comment: one(['', text()]) }))
      return aliasVerbs.createNetworkAlias(ctx, {
        body: parsed(aliasCalls.createNetworkAlias, { name, comment: one(['', text()]), ips }),
      })
    })
  const nets = await db().select().from(networkAliases)
  for (const list of ['whitelist', 'blacklist'] as const)
    for (const ip of [...few(subnets), ...few(subnets), ...few(nets)])
      await act(`${list} create`, () => {
        const target = typeof ip === 'string' ? { ip, alias: null } : { ip: null, alias: ip.id }
        const [dateFrom, dateTo] = one([
          [null, null],
          ['2026-01-02T03:04:05.678Z', null],
          [null, '2031-05-06T00:00:00Z'],
          ['2026-11-01T12:00:00Z', '2027-01-01T00:00:00.000Z'],
        ] as [string | null, string | null][])
        const given = { ...target, dateFrom, dateTo, comment: one(['', text()]), enabled: flag() }
        return entryLists[list].create(ctx, { body: parsed(entryCalls.createWhitelistEntry, given) })
      })
  for (const entry of few(await db().select().from(accessListEntries)))
    await act('enableEntry', () =>
      entryLists[entry.list].enable(ctx, {
        params: { id: entry.id },
        body: { enabled: flag() },
      }),
    )

  const contents = [
    '# Заголовок\n\nТекст',
    '    отступ\nконец',
    'a\r\nb\n\n\n\tc',
    '«ёлки»\n— тире',
    '- раз\n- два\n\n',
  ]
  const textsOf = () =>
    order(languages)
      .slice(0, 1 + at.random(3))
      .map(({ id }) => ({ localeId: id, name: text(), linkName: text(), content: one(contents) }))
  for (const code of few(['rules', 'terms', 'privacy', 'cookies']))
    await act('createDocument', () => {
      const given = { code, type: one(['agreement', 'document']), adminVisible: flag(), format: one(['md', 'html']) }
      const body = parsed(documentCalls.createDocument, { ...given, enabled: flag(), locales: textsOf() })
      return documentVerbs.createDocument(ctx, { body })
    })
  for (const { id, code, type } of few(await db().select().from(documents)))
    await act('updateDocument', () => {
      const kind = chance(4) ? one(['agreement', 'document'] as const) : type
      const given = { code, type: kind, adminVisible: flag(), format: one(['md', 'html']), locales: textsOf() }
      const agreeAgain = raising && kind === 'agreement' && chance(2)
      const body = parsed(documentCalls.updateDocument, { ...given, agreeAgain })
      return documentVerbs.updateDocument(ctx, { params: { id }, body })
    })
  for (const code of few(['sale', 'works', 'news-1', 'spring']))
    await act('createBanner', () => {
      const given = {
        code,
        title: text(),
        text: one(['', long()]),
        link: one(['', '/help', 'https://polaris.example/a?b=c']),
      }
      return bannerVerbs.createBanner(ctx, { body: parsed(bannerCalls.createBanner, { ...given, visible: flag() }) })
    })

  const all = { documents: await db().select().from(documents), banners: await idsOf(banners) }
  const domainBody = (base: boolean) => {
    const kinds = ['login', 'email', 'mobile']
    const shownLanguages = order(languages).slice(0, 1 + at.random(3))
    const idsOfType = (type: string) => few(all.documents.filter((doc) => doc.type === type)).map(({ id }) => id)
    return {
      comment: one(['', text()]),
      imageCode: one(imageCodes),
      styleTemplate: one(styleCodes),
      publicDocsUrl: one(['', '/help', 'https://docs.example/']),
      ...{ baseSettings: flag(), cookie: flag(), timeZone: one(['', 'Europe/Moscow', 'Asia/Almaty']) },
      devicesIdAttributes: Object.fromEntries(few(devices).map(({ id }) => [id, ['login', ...few(kinds.slice(1))]])),
      documents: idsOfType('document'),
      agreements: idsOfType('agreement').map((agreementId) => ({
        ...{ agreementId, menuVisible: flag(), footerVisible: flag(), loginRequired: flag(), profileVisible: flag() },
      })),
      locales: shownLanguages.map(({ id }, index) => ({
        ...{ localeId: id, order: index, enabled: (base && index === 0) || flag() },
        settings: {
          ...{ projectTitle: text(), projectName: text(), copyright: one(['', text()]), siteName: one(['', text()]) },
          siteLink: one(['', 'https://polaris.example/']),
          banners: few(order(all.banners)),
          technical: few([1, 2]).map(() => ({
            ...{ title: text(), text: text(), link: one(['mailto:help@polaris.example', '/help', 'tel:+74950000000']) },
            mobile: one(['', '+7 495 000-00-00']),
          })),
        },
      })),
    }
  }
  const hosts = order(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.polaris.example`))
  for (let count = at.random(4); count > 0; count--)
    await act('createDomain', async () => {
      const type = one(['other', 'other', 'draft'] as const)
      const aliases = hosts.splice(0, (type === 'other' ? 1 : 0) + at.random(3))
      const sources = type === 'draft' ? { domains: few(await idsOf(domains)) } : {}
      const body = parsed(domainCalls.createDomain, {
        ...domainBody(false),
        type,
        aliases,
        enabled: flag(),
        ...sources,
      })
      return domainVerbs.createDomain(ctx, { body })
    })
  const served = await db().select().from(domains)
  for (const { id, base } of served) {
    if (base && chance(2))
      await act('updateDomain', () => {
        const body = parsed(domainCalls.updateDomain, { ...domainBody(true), aliases: hosts.splice(0, at.random(2)) })
        return domainVerbs.updateDomain(ctx, { params: { id }, body })
      })
    if (chance(3)) await act('storeDomainLogo', async () => storeDomainLogo(ctx, id, await drawn(one(pictures))))
    if (chance(2))
      await act('writeMessageTexts', async () => {
        const { id: localeId } = one(languages)
        const message = one(['mail-common', 'mail-passwordChanged', 'sms-signInCode', 'mail-invitation'])
        const domainId = one([null, id])
        const { parts } = await messageVerbs.readMessageTexts(ctx, {
          params: { id: message },
          query: { localeId, domainId: domainId ?? undefined } as never,
        })
        const texts = few(parts).map(({ part, source }) => ({ part, text: `${source}${one([' !', '', '?'])}` }))
        if (texts.length === 0) return
        await messageVerbs.writeMessageTexts(ctx, {
          params: { id: message },
          body: parsed(messageCalls.writeMessageTexts, { localeId, domainId, texts }),
        })
        // the language may get later what its domain has already
        if (domainId && chance(2))
          await messageVerbs.writeMessageTexts(ctx, {
            params: { id: message },
            body: parsed(messageCalls.writeMessageTexts, { localeId, domainId: null, texts }),
          })
      })
  }
}

const entryLists = {
  whitelist: { create: entryVerbs.createWhitelistEntry, enable: entryVerbs.enableWhitelistEntry },
  blacklist: { create: entryVerbs.createBlacklistEntry, enable: entryVerbs.enableBlacklistEntry },
}

/** Texts without arguments, which every language may have in words of its own. */
const ownKeys = ['common.help', 'common.more', 'common.signIn', 'common.change']
