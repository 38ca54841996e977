import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { removeRow } from '@/lib/base/audit/rows'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'
import {
  countUses,
  documentRows,
  insertDocument,
  isAgreed,
  isTaken,
  selectDocument,
  selectDocumentOptions,
  selectDocumentPage,
  selectDrawn,
  selectKnownLocales,
  selectTexts,
  storeTexts,
} from './admin-queries'
import type * as calls from './contract'
import { type DrawnTexts, drawnKey, drawTexts } from './drawing'
import { documentEntity } from './entity'

const codeTaken = () => fieldError('code', 'errorUnique')
const changeDocuments = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken({ documents_code: codeTaken }, () => changing(['documents', 'project-info'], work))

type Row = NonNullable<Awaited<ReturnType<typeof selectDocument>>>
const rowView = ({ date, updatedAt, ...row }: Row) => ({
  ...row,
  date: date.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** Returns one page of documents. Needs libraries.read. */
export async function listDocuments(ctx: Ctx, { query }: ServiceInput<typeof calls.listDocuments>) {
  requireMethod(ctx, 'libraries.read')
  const { rows, meta } = await selectDocumentPage(query, ctx.user?.pagination ?? null, ctx.locale)
  return { documents: rows.map(rowView), meta }
}

/** Returns a document with the texts of its current version. Needs libraries.read. Throws 404. */
export async function readDocument(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readDocument>) {
  requireMethod(ctx, 'libraries.read')
  const row = await selectDocument(id, ctx.locale)
  if (!row) throw notFound()
  return { ...rowView(row), locales: await selectTexts(db(), id, row.version) }
}

/** Throws 400 for unknown locales. */
async function requireLocales(tx: Transaction, texts: calls.DocumentText[]) {
  const knownIds = await selectKnownLocales(
    tx,
    texts.map(({ localeId }) => localeId),
  )
  const faults = texts.flatMap(({ localeId }, index) =>
    knownIds.has(localeId) ? [] : [{ field: `locales.${index}.localeId`, code: 'errorLocale' }],
  )
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
}

type InputTexts = Pick<calls.DocumentInput, 'format' | 'locales'>
const textsOf = ({ format, locales }: InputTexts) =>
  locales.map(({ content }, index) => ({ format, content, field: `locales.${index}.content` }))

/** Returns the texts with the HTML that pages show. Throws 409 for a text without HTML. */
const withDrawn = ({ format, locales }: InputTexts, drawn: DrawnTexts) =>
  locales.map((text) => {
    const html = drawn.get(drawnKey(format, text.content))
    if (html === undefined) throw new AppError(409)
    return { ...text, html }
  })

/** A document of an import file; a text that is invalid for a document is null. */
type Imported = { code: string; format: 'md' | 'html'; contents: readonly (string | null)[] }

/**
 * Draws the texts of documents that aren't stored, before the transaction of the import. Throws the errors of
 * `drawTexts`, at the code of the document. Doesn't check access.
 */
export async function drawImported(ctx: Ctx, documents: readonly Imported[]): Promise<DrawnTexts> {
  const storedTexts = await selectDrawn(documents.map(({ code }) => code))
  const texts = documents.flatMap(({ code, format, contents }) =>
    contents.flatMap((content, index) =>
      content === null ? [] : [{ format, content, field: `documents[${code}].locales.${index}.content` }],
    ),
  )
  return drawTexts(ctx, texts, storedTexts)
}

/**
 * Creates a document; returns its id and code. Texts are drawn before its transaction, unless they are `drawn` already.
 * Needs libraries.write. Throws 400 for a code that another document has, for an unknown language and for a text that
 * would cost its readers too much, and 503 when too many texts wait.
 */
export async function createDocument(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.createDocument>,
  drawn?: DrawnTexts,
) {
  requireMethod(ctx, 'libraries.write')
  const { code, locales: texts, ...values } = body
  if (!drawn)
    await db().transaction(async (tx) => {
      await requireLocales(tx, texts)
      if (code && (await isTaken(tx, code))) throw codeTaken()
    })
  const stored = withDrawn(body, drawn ?? (await drawTexts(ctx, textsOf(body), new Map())))
  return changeDocuments(async (tx) => {
    await requireLocales(tx, texts)
    for (const candidate of code ? [code] : codesLike(latinCode(texts[0]?.name ?? '', 'document'))) {
      const row = await insertDocument(tx, { ...values, code: candidate, createdAt: ctx.now() })
      if (!row) continue
      await storeTexts(tx, row.id, 1, stored)
      const after = { ...values, code: candidate, version: 1, locales: texts }
      await audit(tx, ctx, documentEntity, row.id, null, after)
      return row
    }
    throw codeTaken()
  })
}

/**
 * Replaces a document; with `agreeAgain` its texts become a new version, and people must agree again
 * (docs/rules/agreements.md#versions). Only changed texts are drawn, before its transaction, unless they are `drawn`
 * already. Needs libraries.write. Throws the errors of `createDocument`, and 404, 400 for a type that doesn't fit the
 * domains that use it, and 409 if somebody has saved it since `updatedAt`.
 */
export async function updateDocument(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateDocument>,
  drawn?: DrawnTexts,
) {
  requireMethod(ctx, 'libraries.write')
  const { agreeAgain, updatedAt, ...values } = body
  const checkedDocument = async (tx: Transaction) => {
    const row = await documentRows.lock(tx, id)
    const before = await requireVersion(tx, ctx, documentEntity, { id, row, updatedAt })
    await requireLocales(tx, values.locales)
    if (before.code !== values.code && values.code && (await isTaken(tx, values.code))) throw codeTaken()
    // a domain lists agreements and other documents separately
    if (before.type !== values.type && (await countUses(tx, id))[before.type] > 0)
      throw fieldError('type', 'errorUsedAs')
    return before
  }
  // checked first, so that a change that is refused isn't drawn
  const draw = async () => {
    const { code } = await db().transaction(checkedDocument)
    return drawTexts(ctx, textsOf(values), await selectDrawn([code]))
  }
  const texts = withDrawn(values, drawn ?? (await draw()))
  await changeDocuments(async (tx) => {
    const before = await checkedDocument(tx)
    const version = agreeAgain ? before.version + 1 : before.version
    const after = { ...values, enabled: before.enabled, version }
    if (!(await audit(tx, ctx, documentEntity, id, recorded(documentEntity, before), after))) return
    const { locales: _, ...stored } = values
    await documentRows.update(tx, id, { ...stored, version, versionAt: agreeAgain ? ctx.now() : before.versionAt })
    await storeTexts(tx, id, version, texts)
  })
  return {}
}

/**
 * Deletes a document. Needs libraries.write. Throws 404, 409 documentUsed while a domain uses it, and 409
 * documentAgreed if a person has agreed to it: people can always read what they agreed to.
 */
export async function deleteDocument(ctx: Ctx, input: ServiceInput<typeof calls.deleteDocument>) {
  requireMethod(ctx, 'libraries.write')
  await changeDocuments((tx) =>
    removeRow(tx, ctx, input, { rows: documentRows, entity: documentEntity }, async ({ id }) => {
      const uses = await countUses(tx, id)
      if (uses.agreement + uses.document > 0) throw new AppError(409, 'documentUsed')
      if (await isAgreed(tx, id)) throw new AppError(409, 'documentAgreed')
    }),
  )
  return {}
}

/** Shows or hides a document. Needs libraries.write. Throws 404, and 409 if it was saved since `updatedAt`. */
export async function enableDocument(ctx: Ctx, input: ServiceInput<typeof calls.enableDocument>) {
  requireMethod(ctx, 'libraries.write')
  await changeDocuments((tx) => switchEnabled(tx, ctx, input, { ...documentRows, entity: documentEntity }))
  return {}
}

/** Returns documents to choose from. Needs the read method of an area whose screens offer them. */
export async function searchDocuments(ctx: Ctx, { query }: ServiceInput<typeof calls.searchDocuments>) {
  requireAnyMethod(ctx, ['libraries.read', 'domains.read'])
  return { documents: await selectDocumentOptions(query, ctx.locale) }
}
