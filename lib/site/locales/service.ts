import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { removeRow, replaceRow } from '@/lib/base/audit/rows'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { cached } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { isFound } from '@/lib/base/lists/search-form'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import { localeEntity } from './entity'
import { isLastLocale, isLocaleUsed, localeRows, selectEnabledLocales, selectLocalePage } from './queries'

const locale = { rows: localeRows, entity: localeEntity }

/** Locks a language for a change of what belongs to it. Returns it; undefined if there is none. */
export const lockedLocale = (tx: Transaction, id: string) => localeRows.lock(tx, id)

type EnabledLocale = { id: string; code: string; name: string }

/** Returns the platform's enabled locales, sorted by name; a domain may offer fewer. */
export const enabledLocales = (): Promise<EnabledLocale[]> => cached('locales', async () => selectEnabledLocales())

/** Returns the enabled locales whose name or code contains `searchValue` and, if given, whose ids are among `ids`. */
export async function searchLocales(_: Ctx, { query: { searchValue, ids } }: ServiceInput<typeof calls.searchLocales>) {
  const matching = (await enabledLocales()).filter(
    ({ id, code, name }) => (ids === undefined || ids.includes(id)) && isFound(searchValue ?? '', [code, name]),
  )
  return { locales: matching }
}

/** The caches that a change of a language invalidates: domains, their texts and documents depend on languages. */
const caches = ['locales', 'domains', 'project-info', 'documents', 'locale-texts', 'domain-texts'] as const
const change = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken({ locales_code: () => fieldError('code', 'errorUnique') }, () => changing(caches, work))

/** Returns one page of languages. Needs libraries.read. */
export async function listLocales(ctx: Ctx, { query }: ServiceInput<typeof calls.listLocales>) {
  requireMethod(ctx, 'libraries.read')
  const { rows, meta } = await selectLocalePage(query, ctx.user?.pagination ?? null)
  return { locales: rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() })), meta }
}

/** Adds a language. Returns its id. Needs libraries.write. Throws 400 for a code that another one has. */
export async function createLocale(ctx: Ctx, { body }: ServiceInput<typeof calls.createLocale>) {
  requireMethod(ctx, 'libraries.write')
  const id = randomUUID()
  await change(async (tx) => {
    await localeRows.insert(tx, { id, ...body, createdAt: ctx.now() })
    await audit(tx, ctx, localeEntity, id, null, body)
  })
  return { id }
}

/**
 * Renames a language. Needs libraries.write. Throws 404, 400 for a code that another one has and for a new code of a
 * shipped language, and 409 if somebody has saved it since `updatedAt`.
 */
export async function updateLocale(ctx: Ctx, input: ServiceInput<typeof calls.updateLocale>) {
  requireMethod(ctx, 'libraries.write')
  const { updatedAt: _, ...values } = input.body
  await change((tx) =>
    replaceRow(tx, ctx, input, locale, (before) => {
      if (before.immutable && before.code !== values.code) throw fieldError('code', 'errorImmutable')
      return values
    }),
  )
  return {}
}

/**
 * Deletes a language. Needs libraries.write. Throws 404, 409 localeImmutable for a shipped one, and 409 localeUsed
 * while a domain or a document has it.
 */
export async function deleteLocale(ctx: Ctx, input: ServiceInput<typeof calls.deleteLocale>) {
  requireMethod(ctx, 'libraries.write')
  await change((tx) =>
    removeRow(tx, ctx, input, locale, async ({ id, immutable }) => {
      if (immutable) throw new AppError(409, 'localeImmutable')
      if (await isLocaleUsed(tx, id)) throw new AppError(409, 'localeUsed')
    }),
  )
  return {}
}

/**
 * Enables or disables a language. Needs libraries.write. Throws 404, 409 localeLast for the last language of the base
 * domain, and 409 if it was saved since `updatedAt`.
 */
export async function enableLocale(ctx: Ctx, input: ServiceInput<typeof calls.enableLocale>) {
  requireMethod(ctx, 'libraries.write')
  await change(async (tx) => {
    // before the row itself is locked: all languages are locked in one order
    const last = !input.body.enabled && (await isLastLocale(tx, input.params.id))
    await switchEnabled(tx, ctx, input, {
      ...localeRows,
      entity: localeEntity,
      check: () => {
        if (last) throw new AppError(409, 'localeLast')
      },
    })
  })
  return {}
}
