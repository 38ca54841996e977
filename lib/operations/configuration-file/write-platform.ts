import { fieldError } from '@/lib/base/runtime/errors'
import * as documents from '@/lib/documents/documents/administer'
import * as documentCalls from '@/lib/documents/documents/contract'
import * as textCalls from '@/lib/messaging/locale-texts/contract'
import { knownMessages } from '@/lib/messaging/locale-texts/messages'
import * as localeTexts from '@/lib/messaging/locale-texts/service'
import * as messageCalls from '@/lib/messaging/message-texts/contract'
import * as messages from '@/lib/messaging/message-texts/service'
import * as accessCalls from '@/lib/network/access-lists/contract'
import * as accessLists from '@/lib/network/access-lists/entries'
import aliasScreen from '@/lib/network/network-aliases/endpoints'
import bannerScreen from '@/lib/site/banners/endpoints'
import deviceTypeScreen from '@/lib/site/device-types/endpoints'
import * as domains from '@/lib/site/domains/administration'
import * as domainCalls from '@/lib/site/domains/contract'
import { storeDomainLogo } from '@/lib/site/domains/logo'
import localeScreen from '@/lib/site/locales/endpoints'
import type { RedundantTexts } from './own-texts'
import type { Plan, Step } from './plan'
import type { Configured } from './sections'
import {
  bodyOf,
  changes,
  differs,
  idOf,
  idsOf,
  pictureOf,
  storedId,
  type Writer,
  type Writers,
  type Writing,
  writerOf,
} from './writing'

/** Returns the texts that differ, by key; a removed text is empty. */
function changedTexts(before: Record<string, string>, after: Record<string, string>) {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap((key) => (before[key] === after[key] ? [] : [{ key, text: after[key] ?? '' }]))
}

const writeLocaleItself = writerOf('locales', localeScreen, [
  'createLocale',
  'updateLocale',
  'enableLocale',
  'deleteLocale',
])

const writeLocale: Writer<'locales'> = async (writing, step) => {
  const id = await writeLocaleItself(writing, step)
  const texts = step.after ? changedTexts(step.before?.texts ?? {}, step.after.texts) : []
  const { writeLocaleTexts } = textCalls
  if (texts.length > 0)
    await localeTexts.writeLocaleTexts(writing.ctx, { params: { id }, body: bodyOf(writeLocaleTexts, { texts }) })
}

const writeDeviceType = writerOf('deviceTypes', deviceTypeScreen, [
  'createDeviceType',
  'updateDeviceType',
  'deleteDeviceType',
])

const writeNetworkAlias = writerOf('networkAliases', aliasScreen, [
  'createNetworkAlias',
  'updateNetworkAlias',
  'deleteNetworkAlias',
])

const writeBanner = writerOf('banners', bannerScreen, ['createBanner', 'updateBanner', 'showBanner', 'deleteBanner'])

const lists = {
  whitelist: {
    create: accessLists.createWhitelistEntry,
    update: accessLists.updateWhitelistEntry,
    enable: accessLists.enableWhitelistEntry,
    remove: accessLists.deleteWhitelistEntry,
  },
  blacklist: {
    create: accessLists.createBlacklistEntry,
    update: accessLists.updateBlacklistEntry,
    enable: accessLists.enableBlacklistEntry,
    remove: accessLists.deleteBlacklistEntry,
  },
}

const writeAccessEntry: Writer<'accessLists'> = async (writing, { key, before, after }) => {
  const { ctx } = writing
  const { list } = (after ?? before) as Configured<'accessLists'>
  const operations = lists[list]
  // an entry may be stored more than once: the file speaks for all of these rows
  for (const id of writing.current.twins.get(key) ?? []) await operations.remove(ctx, { params: { id } })
  if (!after) return void (await operations.remove(ctx, { params: { id: storedId(writing, 'accessLists', key) } }))
  const { enabled } = after
  const alias = after.alias === null ? null : idOf(writing, 'networkAliases', after.alias, 'alias')
  const input = { ...after, alias }
  if (!before) return void (await operations.create(ctx, { body: bodyOf(accessCalls.createWhitelistEntry, input) }))
  const params = { id: storedId(writing, 'accessLists', key) }
  if (differs(before, after, ['comment']))
    await operations.update(ctx, { params, body: bodyOf(accessCalls.updateWhitelistEntry, input) })
  if (before.enabled !== enabled) await operations.enable(ctx, { params, body: { enabled } })
}

const writeDocument: Writer<'documents'> = async (writing, { key, before, after }) => {
  const { ctx } = writing
  if (!after) return void (await documents.deleteDocument(ctx, { params: { id: storedId(writing, 'documents', key) } }))
  const { code, enabled, version } = after
  const texts = after.texts.map(({ locale, content, ...text }, index) => ({
    ...text,
    localeId: idOf(writing, 'locales', locale, `texts.${index}.locale`),
    content: content.join('\n'),
  }))
  const input = { ...after, locales: texts }
  let id = before ? storedId(writing, 'documents', key) : ''
  if (!before) {
    const body = bodyOf(documentCalls.createDocument, input)
    id = (await documents.createDocument(ctx, { body }, writing.drawn)).id
    writing.ids.documents.set(code, id)
  }
  const storedVersion = before?.version ?? 1
  // people of this instance agreed to a later version, which can't become an earlier one
  if (version < storedVersion) throw fieldError('version', 'errorConfigurationVersion', { version: storedVersion })
  if (version === storedVersion && before && changes(documentCalls.updateDocument, before, after, 'texts'))
    await documents.updateDocument(
      ctx,
      { params: { id }, body: bodyOf(documentCalls.updateDocument, input) },
      writing.drawn,
    )
  for (let index = storedVersion; index < version; index++) {
    // the document may have got its version while it was an agreement
    const body = { ...bodyOf(documentCalls.updateDocument, input), agreeAgain: true }
    await documents.updateDocument(ctx, { params: { id }, body }, writing.drawn)
  }
  if (before && before.enabled !== enabled) await documents.enableDocument(ctx, { params: { id }, body: { enabled } })
}

type Domain = Configured<'domains'>

function domainInput(writing: Writing, domain: Domain, sources: readonly string[] | undefined) {
  return {
    ...domain,
    devicesIdAttributes: Object.fromEntries(
      Object.entries(domain.identifiers).map(([code, kinds]) => [
        idOf(writing, 'deviceTypes', code, `identifiers.${code}`),
        kinds,
      ]),
    ),
    documents: idsOf(writing, 'documents', domain.documents, 'documents'),
    agreements: domain.agreements.map(({ document, ...flags }, index) => ({
      agreementId: idOf(writing, 'documents', document, `agreements.${index}.document`),
      ...flags,
    })),
    locales: domain.locales.map(({ locale, enabled: localeEnabled, banners: bannerCodes, ...settings }, index) => ({
      localeId: idOf(writing, 'locales', locale, `locales.${index}.locale`),
      enabled: localeEnabled,
      order: index,
      settings: { ...settings, banners: idsOf(writing, 'banners', bannerCodes, `locales.${index}.banners`) },
    })),
    ...(sources ? { domains: idsOf(writing, 'domains', sources, 'sources') } : {}),
  }
}

async function writeMessages(
  writing: Writing,
  domainId: string,
  locale: string,
  texts: { key: string; text: string }[],
) {
  const localeId = idOf(writing, 'locales', locale, 'messages')
  const unknownKeys = new Set(texts.map(({ key }) => key))
  for (const message of knownMessages) {
    const belongs = (key: string) => (message.kind === 'sms' ? key === message.prefix : key.startsWith(message.prefix))
    const messageTexts = texts.filter(({ key }) => belongs(key))
    if (messageTexts.length === 0) continue
    for (const { key } of messageTexts) unknownKeys.delete(key)
    const parts = messageTexts.map(({ key, text }) => ({
      part: message.kind === 'sms' ? 'text' : key.slice(message.prefix.length),
      text,
    }))
    const body = bodyOf(messageCalls.writeMessageTexts, { localeId, domainId, texts: parts })
    await messages.writeMessageTexts(writing.ctx, { params: { id: message.id }, body })
  }
  const [unknown] = unknownKeys
  if (unknown) throw fieldError(`messages.${unknown}`, 'errorTextKey', { name: unknown })
}

const writeDomain: Writer<'domains'> = async (writing, { key, before, after }) => {
  const { ctx } = writing
  if (!after) return void (await domains.deleteDomain(ctx, { params: { id: storedId(writing, 'domains', key) } }))
  let id = before ? storedId(writing, 'domains', key) : ''
  const mainValues = (domain: Domain | null) =>
    domain && JSON.stringify({ ...domain, logo: null, sources: null, messages: null })
  if (!before) {
    // a draft may take its texts from a domain that is written later
    const body = bodyOf(domainCalls.createDomain, domainInput(writing, after, []))
    id = (await domains.createDomain(ctx, { body })).id
    writing.ids.domains.set(key, id)
  } else if (mainValues(before) !== mainValues(after)) {
    const removed = before.locales.filter(({ locale }) => !after.locales.some((domain) => domain.locale === locale))
    const removedLocales = removed.map(({ locale }) => idOf(writing, 'locales', locale, 'locales'))
    const stored = before.sources.length > 0 ? before.sources : undefined
    const input = { ...domainInput(writing, after, after.type === 'draft' ? stored : undefined), removedLocales }
    await domains.updateDomain(ctx, { params: { id }, body: bodyOf(domainCalls.updateDomain, input) })
  }
  if (differs(before, after, ['logo']) && (before?.logo || after.logo))
    await storeDomainLogo(ctx, id, await pictureOf(after.logo))
  const textsIn = (domain: Domain | null, locale: string) =>
    domain?.messages.find((localeMessages) => localeMessages.locale === locale)?.texts ?? {}
  for (const locale of new Set([...(before?.messages ?? []), ...after.messages].map((domain) => domain.locale)))
    await writeMessages(writing, id, locale, changedTexts(textsIn(before, locale), textsIn(after, locale)))
}

/**
 * Removes the texts of a domain that equal those of its language: they would appear once the language's text changes.
 */
export async function removeHidden(writing: Writing, { domainId, localeId, keys }: RedundantTexts) {
  const locale = writing.current.names.locales.get(localeId) ?? ''
  const texts = keys.map((key) => ({ key, text: '' }))
  await writeMessages(writing, domainId, locale, texts)
}

/** Returns the keys of documents that become agreements, or stop being agreements. */
const retyped = ({ steps }: Plan) =>
  new Set(
    steps
      .filter(({ section, before, after }) => section === 'documents' && before && after && before.type !== after.type)
      .map(({ key }) => key),
  )

/**
 * Returns the domains that have a host name which the file gives to another one, or that show a document whose type
 * changes.
 */
export function releasingDomains(plan: Plan): Step[] {
  const steps = plan.steps.filter(({ section }) => section === 'domains')
  const owner = new Map(
    steps.flatMap(({ key, after }) => (after as Domain | null)?.aliases.map((host) => [host, key]) ?? []),
  )
  const documents = retyped(plan)
  return steps.filter(({ key, before }) => {
    if (!before) return false
    const { aliases, ...domain } = before as Domain
    const documentCodes = [...domain.documents, ...domain.agreements.map(({ document }) => document)]
    return (
      aliases.some((host) => owner.has(host) && owner.get(host) !== key) ||
      documentCodes.some((code) => documents.has(code))
    )
  })
}

/**
 * Takes from a domain what the file no longer gives it; a domain that the file doesn't have loses all its host names.
 */
export async function releaseDomain(writing: Writing, plan: Plan, { key, before, after }: Step) {
  const domain = before as Domain
  const documents = retyped(plan)
  const reduced = {
    ...domain,
    aliases: domain.aliases.filter((host) => (after as Domain | null)?.aliases.includes(host)),
    documents: domain.documents.filter((code) => !documents.has(code)),
    agreements: domain.agreements.filter(({ document }) => !documents.has(document)),
  }
  const result = after ? reduced : { ...reduced, type: 'draft' as const }
  const body = bodyOf(
    domainCalls.updateDomain,
    domainInput(writing, result, result.type === 'draft' ? domain.sources : undefined),
  )
  await domains.updateDomain(writing.ctx, { params: { id: storedId(writing, 'domains', key) }, body })
}

/** Sets the domains whose texts drafts take, once all domains exist. */
const writeSources: Writer<'domains'> = async (writing, { key, before, after }) => {
  if (after?.type !== 'draft' || !differs(before, after, ['sources'])) return
  const id = idOf(writing, 'domains', key, 'name')
  const body = bodyOf(domainCalls.updateDomain, domainInput(writing, after, after.sources))
  await domains.updateDomain(writing.ctx, { params: { id }, body })
}

export const platformWriters = {
  locales: [writeLocale],
  deviceTypes: [writeDeviceType],
  networkAliases: [writeNetworkAlias],
  accessLists: [writeAccessEntry],
  documents: [writeDocument],
  banners: [writeBanner],
  domains: [writeDomain, writeSources],
} satisfies Partial<Writers>
