import { db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/administrators'
import { peopleWithMore, refreshRights } from '@/lib/access/rights/service'
import { heldOf } from '@/lib/accounts/role-holders/of-person'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { storeMerged } from '@/lib/accounts/users/administered'
import { userEntity } from '@/lib/accounts/users/entity'
import { removeAccount } from '@/lib/accounts/users/own'
import { marksOf, preparer, together } from '@/lib/accounts/users/prepared'
import { audit } from '@/lib/base/audit/audit'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { localName } from '@/lib/base/i18n/local-name'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { profileFields } from '@/lib/fields/profile-fields/service'
import { type Definition, isBase, isFilled, storedUnder, uniqueText } from '@/lib/fields/values/definition'
import { claimUnique, holdUniqueness } from '@/lib/fields/values/unique'
import { recordedValues } from '@/lib/fields/values/values'
import { type KeptFields, keptFields } from '@/lib/identity-providers/connections/kept-fields'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import { endUserSessions } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'
import type { UserMergePreview } from './contract'
import { type MergedRow, moveLinks, selectEffects, selectMerged } from './queries'

type Rows = [MergedRow, ...MergedRow[]]

/** Columns of an account that it takes over where it has nothing. The login is its own. */
const kept = ['birthDate', 'gender', 'email', 'mobile', 'locale', 'comment'] as const
const names = ['fio', 'lastName', 'firstName', 'middleName'] as const

/** The ids of a merge, the target first. Throws 400 if the target is among the others. */
function idsOf(targetId: string, sourceIds: readonly string[]): [target: string, sources: string[]] {
  if (sourceIds.includes(targetId)) throw fieldError('sourceIds', 'errorUser')
  return [targetId, [...new Set(sourceIds)]]
}

/** The rows in the order of these ids. Throws 404 if one is missing. */
function ordered(rows: readonly MergedRow[], ids: readonly string[]): Rows {
  const found = ids.map((id) => {
    const row = rows.find((each) => each.id === id)
    if (!row) throw notFound()
    return row
  })
  return found as Rows
}

/** What the target takes over: columns and dynamic values that it lacks, in the order of the others. */
function takenOver([target, ...sources]: Rows, fields: readonly Definition[], keptOf: KeptFields) {
  const ofProvider = keptOf(target.providerId)
  const columns: Partial<MergedRow> = {}
  const named = sources.find((row) => row.fio !== '')
  if (target.fio === '' && named && !ofProvider.has('fio')) for (const code of names) columns[code] = named[code]
  for (const code of kept) {
    const from = sources.find((row) => isFilled(row[code]))
    if (isFilled(target[code]) || !from) continue
    if (ofProvider.has(code)) continue
    Object.assign(columns, { [code]: from[code] })
    if (code === 'email') columns.emailVerifiedAt = from.emailVerifiedAt
    if (code === 'mobile') {
      columns.mobileVerifiedAt = from.mobileVerifiedAt
      columns.mobileEnteredBy = from.mobileEnteredBy
    }
  }
  // a picture belongs to the account to which it was uploaded
  const pictures = fields.filter(({ fieldType }) => fieldType === 'picture').map(({ code }) => code)
  const values: Record<string, unknown> = { ...target.values }
  for (const { values: own } of sources)
    for (const [code, value] of Object.entries(own))
      if (!isFilled(storedUnder(values, code)) && !pictures.includes(code) && !ofProvider.has(code))
        values[code] = value
  return { columns, values }
}

/**
 * Returns what a merge would do. Needs users.read. Throws 404, and 400 if the target is among the others
 * (docs/rules/people.md#merging-accounts).
 */
export async function previewUserMerge(
  ctx: Ctx,
  { query }: ServiceInput<typeof calls.previewUserMerge>,
): Promise<UserMergePreview> {
  requireMethod(ctx, 'users.read')
  const [targetId, sourceIds] = idsOf(query.targetId, query.sourceIds)
  const ids = [targetId, ...sourceIds]
  const rows = ordered(await selectMerged(db(), ids), ids)
  const [target, ...sources] = rows
  const [all, keptOf, effects, beyond] = await Promise.all([
    profileFields(),
    keptFields(),
    selectEffects(db(), targetId, sourceIds, ctx.now()),
    peopleWithMore(db(), ctx, ids),
  ])
  const fields = all.filter(({ admin }) => admin.visible || admin.required)
  const { columns, values } = takenOver(rows, all, keptOf)
  const stored = (row: MergedRow, field: Definition) =>
    isBase(field) ? row[field.code as 'login'] : storedUnder(row.values, field.code)
  const next: MergedRow = { ...target, ...columns, values }
  const differs = (field: Definition) =>
    sources.some((row) => {
      const value = stored(row, field)
      return isFilled(value) && uniqueText(value) !== uniqueText(stored(next, field))
    })
  // main contacts stay as additional ones
  const isContact = (field: Definition) => isBase(field) && (field.code === 'email' || field.code === 'mobile')
  const shown = (list: readonly Definition[]) =>
    list.map((field) => ({ code: field.code, title: localName(field, ctx.locale) }))
  return {
    users: rows.map(({ id, fio: name, login, enabled, providerId, updatedAt }) => ({
      ...{ id, name, login, enabled },
      directory: providerId !== null,
      own: id === ctx.user?.id,
      updatedAt: updatedAt.toISOString(),
    })),
    filled: shown(fields.filter((field) => !isFilled(stored(target, field)) && isFilled(stored(next, field)))),
    lost: shown(fields.filter((field) => !isContact(field) && differs(field))),
    effects,
    allowed: beyond.size === 0,
  }
}

/** Ends and deletes the accounts that were merged, each of which names the target in its history. */
async function removeSources(tx: Transaction, ctx: Ctx, target: MergedRow, sources: readonly MergedRow[]) {
  const after: (() => Promise<void>)[] = []
  for (const { id } of sources) {
    await endAttempts(tx, id, ctx.now())
    after.push(await endUserSessions(tx, ctx, id, 'merged'))
    await audit(tx, ctx, userEntity, id, { mergedInto: null }, { mergedInto: target.id })
    after.push(await removeAccount(tx, ctx, id))
  }
  return after
}

/**
 * Merges accounts into another one; returns what it got. Needs users.write. Throws 404, 400, 403 forbiddenUser if one of
 * them has a method that the caller lacks or may come to one, 409 directoryAccount and
 * ownAccount for one that would be deleted, 409 lastAdministrator, and 409 if one has changed since its version
 * (docs/rules/people.md#merging-accounts).
 */
export async function mergeUsers(ctx: Ctx, { body }: ServiceInput<typeof calls.mergeUsers>) {
  requireMethod(ctx, 'users.write')
  const [targetId, sourceIds] = idsOf(body.targetId, body.sourceIds)
  const ids = [targetId, ...sourceIds]
  const [fields, keptOf] = await Promise.all([profileFields(), keptFields()])
  const { effects, after } = await db().transaction((tx) =>
    keepingAdministrator(tx, async () => {
      await holdUniqueness(tx)
      // in one order for all: two merges of the same accounts would each wait for the other
      for (const id of ids.toSorted()) await lockAdministered(tx, ctx, id, body.versions[id])
      const rows = ordered(await selectMerged(tx, ids), ids)
      const [target, ...sources] = rows
      if (ctx.user && sourceIds.includes(ctx.user.id)) throw new AppError(409, 'ownAccount')
      if (sources.some(({ providerId }) => providerId !== null)) throw new AppError(409, 'directoryAccount')
      const effects = await selectEffects(tx, targetId, sourceIds, ctx.now())
      const { columns, values } = takenOver(rows, fields, keptOf)
      const before = await heldOf(tx, targetId)
      await moveLinks(tx, targetId, sourceIds)
      const after = await removeSources(tx, ctx, target, sources)
      // the others are gone, so that the target can have their identifiers and unique values
      const who = together([await preparer(tx, ctx), ...sources.map(({ preparedBy }) => preparedBy)])
      const entered = { email: Boolean(columns.email), mobile: Boolean(columns.mobile), schema: false }
      // what was proven in an account that somebody prepared, or merges, they may have proven
      if (who && entered.email) columns.emailVerifiedAt = null
      if (who && entered.mobile) columns.mobileVerifiedAt = null
      const marks = marksOf(who, target, entered, ctx.now())
      const mobileEnteredBy = together([marks.mobileEnteredBy ?? null, columns.mobileEnteredBy ?? null])
      await storeMerged(tx, targetId, { ...columns, values, ...marks, ...(entered.mobile ? { mobileEnteredBy } : {}) })
      const own = fields.filter((field) => !isBase(field))
      if ((await claimUnique(tx, { userId: targetId }, own, values)).length > 0) throw new AppError(409)
      const changed = Object.keys(columns).filter((code) => code in userEntity.fields)
      const codes = Object.keys(values).filter((code) => !Object.hasOwn(target.values, code))
      const columnsOf = (row: Partial<MergedRow>): Record<string, unknown> =>
        Object.fromEntries(changed.map((code) => [code, row[code as 'login'] || null]))
      const stated = (row: Partial<MergedRow>, dynamic: Record<string, unknown>) => ({
        ...columnsOf(row),
        ...recordedValues(dynamic, codes),
      })
      await audit(
        tx,
        ctx,
        userEntity,
        targetId,
        { ...before, ...stated(target, target.values), mergedFrom: [] },
        { ...(await heldOf(tx, targetId)), ...stated(columns, values), mergedFrom: sources.map((row) => row.login) },
      )
      after.push(await refreshRights(tx, ctx, { people: [targetId] }))
      return { effects, after }
    }),
  )
  for (const each of after) await each()
  return effects
}
