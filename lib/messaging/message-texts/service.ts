import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { lastWrite } from '@/lib/base/audit/conflict'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { digest } from '@/lib/base/crypto/encryption'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { messageSources } from '@/lib/base/i18n/messages'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { wordsOf } from '@/lib/base/i18n/words'
import { defaultPageSize } from '@/lib/base/lists/lists'
import { isFound } from '@/lib/base/lists/search-form'
import { composeMail } from '@/lib/base/mail-and-sms/compose-mail'
import { letterText } from '@/lib/base/mail-and-sms/plain-text'
import { AppError, type FieldError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { domainEntity } from '@/lib/site/domains/entity'
import { servedDomain, servedDomains } from '@/lib/site/domains/service'
import { localeEntity } from '@/lib/site/locales/entity'
import { lockedLocale } from '@/lib/site/locales/service'
import { argumentsOf, ownTextFault } from '../locale-texts/check'
import { type KnownMessage, knownMessages, messageById, partsOf } from '../locale-texts/messages'
import { mailSamples } from '../locale-texts/samples'
import { localeById, storeOwnTexts, textsOfLocale } from '../locale-texts/service'
import { sampleSms, smsFaults } from '../locale-texts/sms-length'
import { senderOf } from '../sender/service'
import type * as calls from './contract'
import { fieldOfPart } from './field-of-part'
import { holdDomain, isDomain, selectCounts, selectDomainTexts, storeDomainTexts } from './queries'

type Run = Pick<Transaction, 'select'>
type Locale = { id: string; code: string }

/** Returns one page of the mails and SMS of the platform. Needs libraries.read. */
export async function listMessageTexts(ctx: Ctx, { query }: ServiceInput<typeof calls.listMessageTexts>) {
  requireMethod(ctx, 'libraries.read')
  const { search, kind, own } = query.filter
  const [t, counts] = await Promise.all([textsIn(ctx.locale), selectCounts()])
  const names = wordsOf(t)
  const matching = knownMessages
    .map((message) => ({
      id: message.id,
      kind: message.kind,
      own: counts
        .filter(({ id }) => id === message.id)
        .map(({ localeId, domainId, count }) => ({ localeId, domainId, count })),
    }))
    .filter(
      (row) =>
        (!kind || row.kind === kind) &&
        (!own || row.own.some(({ domainId }) => (domainId === null) === (own === 'language'))) &&
        (!search || isFound(search, [row.id, names(`message-texts.names.${row.id}`)])),
    )
  const perPage = query.perPage ?? ctx.user?.pagination ?? defaultPageSize
  const start = (query.page - 1) * perPage
  const sorted = query.sort === 'desc' ? matching.reverse() : matching
  return {
    messages: sorted.slice(start, start + perPage),
    meta: { page: query.page, perPage, total: matching.length, pages: Math.ceil(matching.length / perPage) },
  }
}

function requireMessage(id: string): KnownMessage {
  const message = messageById(id)
  if (!message) throw notFound()
  return message
}

/**
 * Returns the parts of a message for a language or a domain: the own text, and the inherited one that is used without
 * it.
 */
async function textsAt(run: Run, message: KnownMessage, locale: Locale, domainId: string | null) {
  const [sources, { shipped, own }] = await Promise.all([messageSources(textLocales[0]), textsOfLocale(run, locale)])
  const ofDomain =
    domainId === null ? null : await selectDomainTexts(run, { domainId, localeId: locale.id }, message.prefix)
  return partsOf(message, sources.keys()).map(({ part, key }) => {
    const source = sources.get(key) ?? ''
    const ofShipped = shipped.get(key) ?? source
    const written = ofDomain ?? own
    return {
      part,
      key,
      source,
      inherited: ofDomain ? (own.get(key) ?? ofShipped) : ofShipped,
      text: written.get(key) ?? null,
      names: argumentsOf(source),
    }
  })
}
type PlacedPart = Awaited<ReturnType<typeof textsAt>>[number]

/** Returns the version that a save compares: it changes with every own text of the message. */
const versionOf = (parts: readonly PlacedPart[]) =>
  digest(JSON.stringify(parts.map(({ key, text }) => [key, text]))).slice(0, 32)

/** Returns the texts of a message in a language, for a domain or for all. Needs libraries.read. Throws 404. */
export async function readMessageTexts(
  ctx: Ctx,
  { params: { id }, query: { localeId, domainId } }: ServiceInput<typeof calls.readMessageTexts>,
) {
  requireMethod(ctx, 'libraries.read')
  const message = requireMessage(id)
  const locale = await localeById(localeId)
  if (!locale || (domainId && !(await isDomain(domainId)))) throw notFound()
  const parts = await textsAt(db(), message, locale, domainId ?? null)
  return {
    id,
    kind: message.kind,
    version: versionOf(parts),
    parts: parts.map(({ key: _, ...part }) => part),
  }
}

type PartTexts = readonly { part: string; text: string }[]

/** Returns texts with their keys. Throws 400 with the fault of each text, by its index. */
async function checkedTexts(message: KnownMessage, partTexts: PartTexts): Promise<{ key: string; text: string }[]> {
  const sources = await messageSources(textLocales[0])
  const keys = new Map(partsOf(message, sources.keys()).map(({ part, key }) => [part, key]))
  const seenKeys = new Set<string>()
  const faults: FieldError[] = []
  const texts = partTexts.map(({ part, text }, index) => {
    const key = keys.get(part)
    if (key === undefined) faults.push({ field: `texts.${index}.part`, code: 'errorTextKey', params: { name: part } })
    else if (seenKeys.has(key)) faults.push({ field: `texts.${index}.part`, code: 'errorNamedTwice' })
    else if (text !== '') {
      const fault = ownTextFault(key, text, sources.get(key) ?? '')
      if (fault) faults.push({ field: `texts.${index}.text`, ...fault })
    }
    seenKeys.add(key ?? part)
    return { key: key ?? part, text }
  })
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
  return texts
}

/**
 * Writes texts of a message in a language, for a domain or for all, all or none; an empty text, or one equal to the
 * inherited text, removes the own text. Needs libraries.write. Throws 404 for a message, a language or a domain that
 * doesn't exist, 400 by index for a text with a fault, and 409 with the stored texts if somebody has changed one since
 * `version` (docs/rules/messages.md#own-words).
 */
export async function writeMessageTexts(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.writeMessageTexts>,
) {
  requireMethod(ctx, 'libraries.write')
  const { localeId, domainId, version } = body
  const message = requireMessage(id)
  const texts = await checkedTexts(message, body.texts)
  const language = await localeById(localeId)
  if (!language) throw notFound()
  const [tooLong] = await smsFaults(language.code, texts, domainId ?? undefined)
  if (tooLong) throw fieldError(`texts.${tooLong.at}.text`, tooLong.code, tooLong.params)
  await changing(domainId === null ? 'locale-texts' : 'domain-texts', async (tx) => {
    // the lock of the language also guards its texts of all domains
    const locale = await lockedLocale(tx, localeId)
    if (!locale || (domainId !== null && !(await holdDomain(tx, domainId)))) throw notFound()
    const parts = await textsAt(tx, message, locale, domainId)
    if (version !== undefined && version !== versionOf(parts)) throw await conflictOf(tx, ctx, locale, domainId, parts)
    const stored = new Map(parts.map(({ key, text, inherited }) => [key, { text: text ?? '', inherited }]))
    const differing = texts.flatMap(({ key, text }): [string, string][] => {
      const { text: before, inherited } = stored.get(key) ?? { text: '', inherited: '' }
      const after = text === inherited ? '' : text
      return after === before ? [] : [[key, after]]
    })
    if (differing.length === 0) return
    if (domainId === null) return void (await storeOwnTexts(tx, ctx, locale, new Map(differing)))
    await storeDomainTexts(tx, { domainId, localeId }, new Map(differing))
    const recordedTexts = (textOf: (key: string, after: string) => string) => ({
      messageTexts: Object.fromEntries(differing.map(([key, after]) => [recordedKey(locale, key), textOf(key, after)])),
    })
    await audit(
      tx,
      ctx,
      domainEntity,
      domainId,
      recordedTexts((key) => stored.get(key)?.text ?? ''),
      recordedTexts((_, after) => after),
    )
  })
  return {}
}

/**
 * Returns the name of a domain's text in the history, with the language, because a domain has texts in several ones.
 */
const recordedKey = ({ code }: Locale, key: string) => `${code}: ${key}`

/** Returns the 409 with who saved when, and the stored texts by part, from which the form lets the person choose. */
async function conflictOf(
  tx: Transaction,
  ctx: Ctx,
  locale: Locale,
  domainId: string | null,
  parts: readonly PlacedPart[],
) {
  const keys = parts.map(({ key }) => key)
  const written = await (domainId === null
    ? lastWrite(tx, ctx, localeEntity, locale.id, { field: 'texts', members: keys })
    : lastWrite(tx, ctx, domainEntity, domainId, {
        field: 'messageTexts',
        members: keys.map((key) => recordedKey(locale, key)),
      }))
  const values = Object.fromEntries(parts.map(({ part, text, inherited }) => [fieldOfPart(part), text ?? inherited]))
  return new AppError(409, undefined, { conflict: { ...written, updatedAt: versionOf(parts), values, hidden: [] } })
}

/** Returns the mail or SMS that people would get with these texts and sample values. Stores nothing. */
async function composedPreview(
  message: KnownMessage,
  locale: Locale,
  domainId: string | null,
  tried: Map<string, string>,
) {
  const domain = domainId === null ? (await servedDomains())[0] : await servedDomain(domainId)
  if (!domain) throw notFound()
  const { domainId: _, ...senderOfAll } = (await senderOf(domain))(
    domain.locales.includes(locale.code) ? locale.code : (domain.locales[0] ?? locale.code),
  )
  const sender = domainId === null ? senderOfAll : { ...senderOfAll, domainId }
  if (message.kind === 'sms') return { mail: null, sms: await sampleSms(message.template, locale.code, sender, tried) }
  const samples = mailSamples(locale.code === 'en' ? 'en' : 'ru', domain.origin)
  const letter = await composeMail(message.template, locale.code, samples[message.template], sender, undefined, tried)
  // pages load this module, and the renderer is large
  const { letterHtml } = await import('@/lib/base/mail-and-sms/letter-html')
  const { subject, preheader } = letter
  return { mail: { subject, preheader, html: await letterHtml(letter), text: letterText(letter) }, sms: null }
}

/**
 * Returns the mail or SMS that people would get with these texts and sample values. Stores nothing. Needs
 * libraries.write. Throws 404, and 400 as the save does.
 */
export async function previewMessageTexts(
  ctx: Ctx,
  { params: { id }, body: { localeId, domainId, texts } }: ServiceInput<typeof calls.previewMessageTexts>,
) {
  requireMethod(ctx, 'libraries.write')
  const message = requireMessage(id)
  const checked = await checkedTexts(message, texts)
  const locale = await localeById(localeId)
  if (!locale || (domainId && !(await isDomain(domainId)))) throw notFound()
  return composedPreview(message, locale, domainId, await triedTexts(message, locale, domainId, checked))
}

/** Returns the texts for a preview; an empty text is replaced by the inherited one. */
async function triedTexts(
  message: KnownMessage,
  locale: Locale,
  domainId: string | null,
  checked: { key: string; text: string }[],
) {
  const parts = await textsAt(db(), message, locale, domainId)
  const inherited = new Map(parts.map((part) => [part.key, part.inherited]))
  return new Map(checked.map(({ key, text }) => [key, text === '' ? (inherited.get(key) ?? '') : text]))
}

/** Returns the stored message as people get it, with sample values. Needs libraries.read. Throws 404. */
export async function storedPreview(ctx: Ctx, id: string, localeId: string, domainId: string | null) {
  requireMethod(ctx, 'libraries.read')
  const message = requireMessage(id)
  const locale = await localeById(localeId)
  if (!locale) throw notFound()
  return composedPreview(message, locale, domainId, new Map())
}
