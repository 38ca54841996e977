import { setImmediate } from 'node:timers/promises'
import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { lastWrite, unnamed } from '@/lib/base/audit/conflict'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { digest } from '@/lib/base/crypto/encryption'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { isTextLocale, messageSources } from '@/lib/base/i18n/messages'
import { defaultPageSize } from '@/lib/base/lists/lists'
import { isFound } from '@/lib/base/lists/search-form'
import { AppError, type FieldError, notFound } from '@/lib/base/runtime/errors'
import { localeEntity } from '@/lib/site/locales/entity'
import { lockedLocale } from '@/lib/site/locales/service'
import { ownTextFault } from './check'
import type * as calls from './contract'
import { selectLocale, selectTexts, storeTexts } from './queries'
import { smsFaults } from './sms-length'

/** Returns the version of one text, which a save compares: it changes with the own text. */
const versionOf = (own: string | null | undefined) => digest(own ?? '').slice(0, 32)

async function readTexts(id: string): Promise<calls.LocaleText[]> {
  const { code } = (await selectLocale(id)) ?? {}
  if (code === undefined) throw notFound()
  const [sources, shipped, own] = await Promise.all([
    messageSources(textLocales[0]),
    isTextLocale(code) ? messageSources(code) : new Map<string, string>(),
    selectTexts(db(), id),
  ])
  return [...sources]
    .map(([key, source]) => {
      const text = own.get(key) ?? null
      return { key, source, shipped: shipped.get(key) ?? null, text, version: versionOf(text) }
    })
    .sort((first, second) => (first.key < second.key ? -1 : 1))
}

/**
 * Returns a language with the number of its own texts, and of texts that it shows in Russian. Needs libraries.read.
 * Throws 404.
 */
export async function readLocale(ctx: Ctx, id: string) {
  requireMethod(ctx, 'libraries.read')
  const [locale, texts] = await Promise.all([selectLocale(id), readTexts(id)])
  if (!locale) throw notFound()
  return {
    ...locale,
    own: texts.filter(({ text }) => text !== null).length,
    missing: texts.filter(({ text, shipped }) => text === null && shipped === null).length,
  }
}

/** Returns one page of the texts of a language. Needs libraries.read. Throws 404. */
export async function listLocaleTexts(ctx: Ctx, { params: { id }, query }: ServiceInput<typeof calls.listLocaleTexts>) {
  requireMethod(ctx, 'libraries.read')
  const { search, state, part } = query.filter
  const matching = (await readTexts(id)).filter(
    ({ key, source, shipped, text }) =>
      (!search || isFound(search, [key, source, shipped, text])) &&
      (!part || key.startsWith(`${part}.`)) &&
      (state !== 'own' || text !== null) &&
      (state !== 'missing' || (text === null && shipped === null)) &&
      (!query.only || key === query.only),
  )
  const sorted = query.sort === 'desc' ? matching.reverse() : matching
  const perPage = query.perPage ?? ctx.user?.pagination ?? defaultPageSize
  const start = (query.page - 1) * perPage
  return {
    texts: sorted.slice(start, start + perPage),
    meta: { page: query.page, perPage, total: sorted.length, pages: Math.ceil(sorted.length / perPage) },
  }
}

/** The most faults in one answer. */
const mostFaults = 100

/** How many texts are checked before the process handles other calls. */
const textsAtOnce = 20

/** Throws 400 with the fault of each text, by its index. */
async function requireMessages(texts: readonly { key: string; text: string }[], sources: ReadonlyMap<string, string>) {
  const seenKeys = new Set<string>()
  const faults: FieldError[] = []
  for (const [index, { key, text }] of texts.entries()) {
    if (index % textsAtOnce === 0) await setImmediate()
    const source = sources.get(key)
    if (source === undefined) faults.push({ field: `texts.${index}.key`, code: 'errorTextKey', params: { name: key } })
    else if (seenKeys.has(key)) faults.push({ field: `texts.${index}.key`, code: 'errorNamedTwice' })
    else if (text !== '') {
      const fault = ownTextFault(key, text, source)
      if (fault) faults.push({ field: `texts.${index}.text`, ...fault })
    }
    seenKeys.add(key)
    if (faults.length >= mostFaults) break
  }
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
}

/** The most texts that one audit event names. */
const mostRecorded = 50

const recordedTexts = (keys: readonly string[], texts: ReadonlyMap<string, string>) => ({
  texts: {
    ...Object.fromEntries(keys.slice(0, mostRecorded).map((key) => [key, texts.get(key) ?? ''])),
    ...(keys.length > mostRecorded
      ? { [unnamed]: keys.slice(mostRecorded).filter((key) => texts.get(key)).length }
      : {}),
  },
})

/**
 * Writes texts of a language, all or none; a text that is empty or equal to the shipped one removes the own text.
 * Returns how many changed. Needs libraries.write. Throws 404, 400 by index for a key that doesn't exist and for a text
 * that isn't a message with the tags and arguments of its source, and 409 with the stored text if somebody wrote a text
 * since its `version` (docs/rules/texts-and-look.md#own-texts).
 */
export async function writeLocaleTexts(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.writeLocaleTexts>,
) {
  requireMethod(ctx, 'libraries.write')
  await requireMessages(body.texts, await messageSources(textLocales[0]))
  const { code } = (await selectLocale(id)) ?? {}
  if (code === undefined) throw notFound()
  const smsLengthFaults = await smsFaults(code, body.texts)
  if (smsLengthFaults.length > 0)
    throw new AppError(400, undefined, {
      errorList: smsLengthFaults.map(({ at, ...fault }) => ({ field: `texts.${at}.text`, ...fault })),
    })
  let changed = 0
  await changing('locale-texts', async (tx) => {
    const locale = await lockedLocale(tx, id)
    if (!locale) throw notFound()
    await requireVersions(tx, ctx, locale, body.texts)
    changed = await storeOwnTexts(tx, ctx, locale, new Map(body.texts.map(({ key, text }) => [key, text])))
  })
  return { changed }
}

type Written = ServiceInput<typeof calls.writeLocaleTexts>['body']['texts']

/** Throws 409 with the first text that has changed since its `version` was read, and who wrote it when. */
async function requireVersions(tx: Transaction, ctx: Ctx, locale: { id: string; code: string }, texts: Written) {
  const versioned = texts.filter(({ version }) => version !== undefined)
  if (versioned.length === 0) return
  const { shipped, own } = await textsOfLocale(tx, locale)
  const changedText = versioned.find(({ key, version }) => version !== versionOf(own.get(key)))
  if (!changedText) return
  const { key } = changedText
  const written = await lastWrite(tx, ctx, localeEntity, locale.id, { field: 'texts', members: [key] })
  const values = { text: own.get(key) ?? shipped.get(key) ?? '' }
  throw new AppError(409, undefined, {
    conflict: { ...written, updatedAt: versionOf(own.get(key)), values, hidden: [] },
  })
}

/** Returns a language with its code; undefined if there is none. */
export async function localeById(id: string): Promise<{ id: string; code: string; name: string } | undefined> {
  const locale = await selectLocale(id)
  return locale && { id, code: locale.code, name: locale.name }
}

/** Returns the shipped texts of a language and its own texts, by key. */
export async function textsOfLocale(run: Pick<Transaction, 'select'>, { id, code }: { id: string; code: string }) {
  const shipped = isTextLocale(code) ? await messageSources(code) : new Map<string, string>()
  return { shipped, own: await selectTexts(run, id) }
}

/**
 * Stores checked texts of a language that the transaction has locked, and records an audit event of those that differ.
 * Returns how many differ. A text that is empty or equal to the shipped one removes the own text.
 */
export async function storeOwnTexts(
  tx: Transaction,
  ctx: Ctx,
  locale: { id: string; code: string },
  texts: ReadonlyMap<string, string>,
): Promise<number> {
  const { shipped, own: before } = await textsOfLocale(tx, locale)
  const after = new Map([...texts].map(([key, text]) => [key, text === shipped.get(key) ? '' : text]))
  const differing = [...after].filter(([key, text]) => text !== (before.get(key) ?? ''))
  if (differing.length === 0) return 0
  const keys = differing.map(([key]) => key)
  await storeTexts(tx, locale.id, new Map(differing))
  await audit(tx, ctx, localeEntity, locale.id, recordedTexts(keys, before), recordedTexts(keys, after))
  return differing.length
}

/**
 * Returns all texts of a language as a file that can be imported again; missing texts are empty. Needs libraries.read.
 * Throws 404.
 */
export async function exportLocaleTexts(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.exportLocaleTexts>) {
  requireMethod(ctx, 'libraries.read')
  const [locale, texts] = await Promise.all([selectLocale(id), readTexts(id)])
  return {
    name: `texts-${locale?.code}.json`,
    type: 'application/json' as const,
    chunks: (async function* () {
      const words = texts.map(({ key, text, shipped }) => [key, text ?? shipped ?? ''])
      yield Buffer.from(`${JSON.stringify(Object.fromEntries(words), null, 2)}\n`)
    })(),
  }
}
