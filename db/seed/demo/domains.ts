import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import {
  banners,
  type DomainLocaleSettings,
  deviceTypes,
  documentLocales,
  documents,
  domainAgreements,
  domainAliases,
  domainDocuments,
  domainLocales,
  domains,
  locales,
} from '@/db/schema/platform'
import { stableId } from '@/lib/base/runtime/stable-id'
import { documentsEn } from './documents-en'
import { documentsRu } from './documents-ru'
import { daysAgo } from './random'

type Code = 'ru' | 'en'

/** Id of the domain of partners. */
export const partnersId = stableId('demo domain', 'partners')
const bannerId = (code: string) => stableId('demo banner', code)

/** Id of a demo document. */
export const documentId = (code: keyof typeof documentsRu) => stableId('demo document', code)

/** Id of the base domain, which the platform ships with. */
export async function baseDomainId(tx: Transaction): Promise<string> {
  const [row] = await tx.select({ id: domains.id }).from(domains).where(eq(domains.base, true))
  if (!row) throw new Error('there is no base domain: migrations have not run')
  return row.id
}

const demoBanners: Omit<typeof banners.$inferInsert, 'id'>[] = [
  {
    code: 'sign-in-by-code-ru',
    title: 'Вход без пароля',
    text: 'Введите почту или телефон и получите код: запоминать ничего не нужно.',
    link: '/platform/law/help',
  },
  {
    code: 'sign-in-by-code-en',
    title: 'Sign in without a password',
    text: 'Enter your e-mail or phone number and get a code: nothing to remember.',
    link: '/platform/law/help',
  },
  {
    code: 'maintenance-ru',
    title: 'Плановые работы в субботу',
    text: 'С 2:00 до 4:00 по московскому времени сервис «Склад» будет недоступен.',
    visible: false,
  },
  {
    code: 'become-partner-ru',
    title: 'Станьте поставщиком',
    text: 'Зарегистрируйтесь, укажите компанию — и участвуйте в открытых конкурсах.',
    link: 'https://polaris.example/suppliers',
  },
  {
    code: 'become-partner-en',
    title: 'Become a supplier',
    text: 'Register, name your company and take part in open tenders.',
    link: 'https://polaris.example/en/suppliers',
  },
]

const support = { link: 'mailto:support@polaris.example', mobile: '+7 900 000-00-00' }
const site = { siteLink: 'https://polaris.example/' }

const baseTexts: Record<Code, DomainLocaleSettings> = {
  ru: {
    projectTitle: 'Полярис',
    projectName: 'Полярис',
    copyright: '© 2001–2026 АО «Полярис»',
    siteName: 'polaris.example',
    ...site,
    banners: [bannerId('sign-in-by-code-ru'), bannerId('maintenance-ru')],
    technical: [{ title: 'Техническая поддержка', text: 'support@polaris.example', ...support }],
  },
  en: {
    projectTitle: 'Polaris',
    projectName: 'Polaris',
    copyright: '© 2001–2026 Polaris JSC',
    siteName: 'polaris.example',
    ...site,
    banners: [bannerId('sign-in-by-code-en')],
    technical: [{ title: 'Technical support', text: 'support@polaris.example', ...support }],
  },
}

const partnersTexts: Record<Code, DomainLocaleSettings> = {
  ru: {
    projectTitle: 'Полярис для партнёров',
    projectName: 'Полярис · Партнёры',
    copyright: '© 2001–2026 АО «Полярис»',
    siteName: 'Сайт для поставщиков',
    siteLink: 'https://polaris.example/suppliers',
    banners: [bannerId('become-partner-ru')],
    technical: [
      { title: 'Поддержка поставщиков', text: 'partners@polaris.example', link: 'mailto:partners@polaris.example' },
      { title: 'Горячая линия', text: '+7 900 000-00-01', link: 'tel:+79000000001', mobile: '+7 900 000-00-01' },
    ],
  },
  en: {
    projectTitle: 'Polaris for partners',
    projectName: 'Polaris · Partners',
    copyright: '© 2001–2026 Polaris JSC',
    siteName: 'Site for suppliers',
    siteLink: 'https://polaris.example/en/suppliers',
    banners: [bannerId('become-partner-en')],
    technical: [
      { title: 'Supplier support', text: 'partners@polaris.example', link: 'mailto:partners@polaris.example' },
      { title: 'Hotline', text: '+7 900 000-00-01', link: 'tel:+79000000001', mobile: '+7 900 000-00-01' },
    ],
  },
}

const documentCodes = Object.keys(documentsRu) as (keyof typeof documentsRu)[]
const agreementCodes = ['user-agreement', 'personal-data'] as const

async function seedDocuments(tx: Transaction, localeIds: Record<Code, string>) {
  await tx.insert(documents).values(
    documentCodes.map((code) => ({
      id: documentId(code),
      code,
      type: agreementCodes.some((agreement) => agreement === code) ? ('agreement' as const) : ('document' as const),
      createdAt: daysAgo(380),
      updatedAt: daysAgo(380),
    })),
  )
  await tx.insert(documentLocales).values(
    documentCodes.flatMap((code) => [
      { documentId: documentId(code), version: 1, localeId: localeIds.ru, ...documentsRu[code] },
      { documentId: documentId(code), version: 1, localeId: localeIds.en, ...documentsEn[code] },
    ]),
  )
}

/** Texts, documents, agreements and banners of the base domain, and a second domain with its own look. */
export async function seedDomains(tx: Transaction) {
  const baseId = await baseDomainId(tx)
  const localeRows = await tx
    .select({ id: locales.id, code: locales.code })
    .from(locales)
    .where(inArray(locales.code, ['ru', 'en']))
  const idOf = (code: Code) => localeRows.find((row) => row.code === code)?.id ?? ''
  const localeIds = { ru: idOf('ru'), en: idOf('en') }

  await tx
    .insert(banners)
    .values(demoBanners.map((banner, at) => ({ id: bannerId(banner.code), createdAt: daysAgo(90 - at), ...banner })))
  await seedDocuments(tx, localeIds)

  for (const code of ['ru', 'en'] as const)
    await tx
      .update(domainLocales)
      .set({ settings: baseTexts[code] })
      .where(and(eq(domainLocales.domainId, baseId), eq(domainLocales.localeId, localeIds[code])))
  await tx.update(domains).set({ publicDocsUrl: '/platform/help' }).where(eq(domains.id, baseId))

  const [phone] = await tx.select({ id: deviceTypes.id }).from(deviceTypes).where(eq(deviceTypes.code, 'mobile'))
  await tx.insert(domains).values({
    id: partnersId,
    comment: 'Портал для поставщиков и перевозчиков',
    imageCode: 'partners',
    styleTemplate: 'partners',
    publicDocsUrl: '/platform/help',
    // on a phone a login is hard to type
    devicesIdAttributes: phone ? { [phone.id]: ['mobile', 'email'] } : {},
    createdAt: daysAgo(210),
  })
  await tx.insert(domainAliases).values([
    { host: 'partners.localhost', domainId: partnersId, order: 0 },
    { host: 'suppliers.localhost', domainId: partnersId, order: 1 },
  ])
  await tx.insert(domainLocales).values([
    { domainId: partnersId, localeId: localeIds.ru, order: 0, settings: partnersTexts.ru },
    { domainId: partnersId, localeId: localeIds.en, order: 1, settings: partnersTexts.en },
  ])
  await tx.insert(domainAgreements).values(
    [baseId, partnersId].flatMap((domainId) => [
      {
        domainId,
        documentId: documentId('user-agreement'),
        order: 0,
        menuVisible: true,
        footerVisible: true,
        loginRequired: domainId === partnersId,
        profileVisible: true,
      },
      { domainId, documentId: documentId('personal-data'), order: 1, footerVisible: true, profileVisible: true },
    ]),
  )
  await tx
    .insert(domainDocuments)
    .values([baseId, partnersId].flatMap((domainId) => [{ domainId, documentId: documentId('cookies'), order: 0 }]))
}
