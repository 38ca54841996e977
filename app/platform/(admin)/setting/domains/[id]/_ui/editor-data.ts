import { createTranslator } from 'next-intl'
import { bannerOption, documentOption, domainOption } from '@/components/form/option-of'
import type { Ctx } from '@/lib/base/context/ctx'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { isTextLocale, loadMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'
import { searchDocuments } from '@/lib/documents/documents/administer'
import { searchBanners } from '@/lib/site/banners/service'
import { readDomain, searchDomains } from '@/lib/site/domains/administration'
import type { Domain } from '@/lib/site/domains/contract'
import { styleCodes } from '@/lib/site/domains/style-codes'
import { styleLook } from '@/lib/site/domains/style-templates'
import { searchLocales } from '@/lib/site/locales/service'
import { platformSettings } from '@/lib/site/settings/service'
import { identifierKinds } from './identifier-kinds'
import type { PageWords } from './preview-look'

const unique = (ids: readonly string[]) => [...new Set(ids)].slice(0, 100)

/** The sign-in page's own texts in a language. */
async function pageWords(code: string, kinds: string): Promise<PageWords> {
  const locale = isTextLocale(code) ? code : textLocales[0]
  const messages = (await loadMessages(locale)) as Record<string, object>
  const translator = createTranslator({ locale, messages })
  const t = wordsOf(translator)
  const rich = translator as unknown as {
    markup: (key: string, values: Record<string, (words: string) => string>) => string
  }
  return {
    title: t('entry.id.title'),
    lead: t('entry.id.lead'),
    label: t('entry.id.label', { kinds }),
    remember: t('entry.remember.label'),
    rememberHint: t('entry.remember.hint'),
    next: t('common.continue'),
    invite: rich.markup('registration.invite', { link: (words) => words }),
    help: t('common.help'),
    more: t('common.more'),
  }
}

/** Reads what the editor of a domain shows beside the domain: languages, looks, and the names of all that is chosen. */
export async function editorData(ctx: Ctx, domain: Domain) {
  const rows = domain.locales
  const [{ locales }, settings, { domains }] = await Promise.all([
    searchLocales(ctx, { query: {} }),
    platformSettings(),
    searchDomains(ctx, { query: { searchValue: undefined, ids: undefined } }),
  ])
  const base = domains.find((candidate) => candidate.base)?.id ?? domain.id
  const samples = await Promise.all(
    unique([...domain.domains, base]).map(async (id) =>
      id === domain.id ? domain : readDomain(ctx, { params: { id } }),
    ),
  )
  const texts = [...rows, ...samples.flatMap((sample) => sample.locales)]
  const documentIds = unique([...domain.documents, ...domain.agreements.map(({ agreementId }) => agreementId)])
  const spoken = locales.filter(({ id }) => texts.some(({ localeId }) => localeId === id))
  const documentNames = await Promise.all(
    spoken.map(async ({ code }) => {
      const { documents } = await searchDocuments({ ...ctx, locale: code }, { query: { ids: documentIds } })
      return [code, Object.fromEntries(documents.map(({ id, linkName }) => [id, linkName]))] as const
    }),
  )
  const [{ banners }, { documents }] = await Promise.all([
    searchBanners(ctx, {
      query: { ids: unique(texts.flatMap(({ settings: { banners: textBanners } }) => textBanners)) },
    }),
    searchDocuments(ctx, { query: { ids: documentIds } }),
  ])
  const enabled = {
    login: settings.identificationLogin,
    email: settings.identificationEmail,
    mobile: settings.identificationMobile,
  }
  const offered = identifierKinds.filter((kind) => enabled[kind])
  const words = await Promise.all(
    locales.map(async ({ code }) => [code, await pageWords(code, offered.join('_'))] as const),
  )
  return {
    base,
    locales,
    offered,
    documentNames: Object.fromEntries(documentNames),
    samples: samples.map(({ id, locales: rows, aliases, comment }) => ({
      id,
      locales: rows,
      name: aliases[0] ?? comment,
    })),
    looks: styleCodes.map((code) => ({ code, ...styleLook(code) })),
    words: Object.fromEntries(words),
    known: [...banners.map(bannerOption), ...documents.map(documentOption), ...domains.map(domainOption)],
  }
}
