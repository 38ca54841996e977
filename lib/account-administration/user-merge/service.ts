import { db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
import { peopleWithMore, refreshRights } from '@/lib/access/rights/service'
import { auditedRolesOf } from '@/lib/accounts/role-holders/of-person'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { storeMerged } from '@/lib/accounts/users/administered'
import { userEntity } from '@/lib/accounts/users/entity'
import { removeAccount } from '@/lib/accounts/users/own'
import { jointPreparer, preparer, preparerColumns } from '@/lib/accounts/users/prepared'
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

/** Columns that the target takes over if it has no value. It keeps its login. */
const filledColumns = ['birthDate', 'gender', 'email', 'mobile', 'locale', 'comment'] as const
const nameColumns = ['fio', 'lastName', 'firstName', 'middleName'] as const

/** Returns the ids of a merge, the target first. Throws 400 if the target is among the others. */
function idsOf(targetId: string, sourceIds: readonly string[]): [target: string, sources: string[]] {
  if (sourceIds.includes(targetId)) throw fieldError('sourceIds', 'errorUser')
  return [targetId, [...new Set(sourceIds)]]
}

/** Returns the rows in the order of these ids. Throws 404 if one is missing. */
function inOrder(rows: readonly MergedRow[], ids: readonly string[]): Rows {
  const orderedRows = ids.map((id) => {
    const row = rows.find((each) => each.id === id)
    if (!row) throw notFound()
    return row
  })
  return orderedRows as Rows
}

/**
 * Returns the columns that the target takes over, and its dynamic values after the merge. Where the target has no
 * value, it gets the first one of the others in their order.
 */
function mergedValues([target, ...sources]: Rows, fields: readonly Definition[], directoryCodesOf: KeptFields) {
  const directoryCodes = directoryCodesOf(target.providerId)
  const columns: Partial<MergedRow> = {}
  const namedSource = sources.find((row) => row.fio !== '')
  if (target.fio === '' && namedSource && !directoryCodes.has('fio'))
    for (const code of nameColumns) columns[code] = namedSource[code]
  for (const code of filledColumns) {
    const source = sources.find((row) => isFilled(row[code]))
    if (isFilled(target[code]) || !source) continue
    if (directoryCodes.has(code)) continue
    Object.assign(columns, { [code]: source[code] })
    if (code === 'email') columns.emailVerifiedAt = source.emailVerifiedAt
    if (code === 'mobile') {
      columns.mobileVerifiedAt = source.mobileVerifiedAt
      columns.mobileEnteredBy = source.mobileEnteredBy
    }
  }
  // a picture belongs to the account to which it was uploaded
  const pictures = fields.filter(({ fieldType }) => fieldType === 'picture').map(({ code }) => code)
  const values: Record<string, unknown> = { ...target.values }
  for (const { values: sourceValues } of sources)
    for (const [code, value] of Object.entries(sourceValues))
      if (!isFilled(storedUnder(values, code)) && !pictures.includes(code) && !directoryCodes.has(code))
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
  const rows = inOrder(await selectMerged(db(), ids), ids)
  const [target, ...sources] = rows
  const [allFields, directoryCodesOf, effects, unchangeable] = await Promise.all([
    profileFields(),
    keptFields(),
    selectEffects(db(), targetId, sourceIds, ctx.now()),
    peopleWithMore(db(), ctx, ids),
  ])
  const fields = allFields.filter(({ admin }) => admin.visible || admin.required)
  const { columns, values } = mergedValues(rows, allFields, directoryCodesOf)
  const storedValue = (row: MergedRow, field: Definition) =>
    isBase(field) ? row[field.code as 'login'] : storedUnder(row.values, field.code)
  const merged: MergedRow = { ...target, ...columns, values }
  const differs = (field: Definition) =>
    sources.some((row) => {
      const value = storedValue(row, field)
      return isFilled(value) && uniqueText(value) !== uniqueText(storedValue(merged, field))
    })
  // main contacts of the others stay as additional ones
  const isContact = (field: Definition) => isBase(field) && (field.code === 'email' || field.code === 'mobile')
  const titlesOf = (list: readonly Definition[]) =>
    list.map((field) => ({ code: field.code, title: localName(field, ctx.locale) }))
  return {
    users: rows.map(({ id, fio: name, login, enabled, providerId, updatedAt }) => ({
      ...{ id, name, login, enabled },
      directory: providerId !== null,
      own: id === ctx.user?.id,
      updatedAt: updatedAt.toISOString(),
    })),
    filled: titlesOf(
      fields.filter((field) => !isFilled(storedValue(target, field)) && isFilled(storedValue(merged, field))),
    ),
    lost: titlesOf(fields.filter((field) => !isContact(field) && differs(field))),
    effects,
    allowed: unchangeable.size === 0,
  }
}

/**
 * Deletes the merged accounts with their sessions and attempts. The history of each names the target. Returns functions
 * to run after the commit.
 */
async function removeSources(tx: Transaction, ctx: Ctx, target: MergedRow, sources: readonly MergedRow[]) {
  const afterCommit: (() => Promise<void>)[] = []
  for (const { id } of sources) {
    await endAttempts(tx, id, ctx.now())
    afterCommit.push(await endUserSessions(tx, ctx, id, 'merged'))
    await audit(tx, ctx, userEntity, id, { mergedInto: null }, { mergedInto: target.id })
    afterCommit.push(await removeAccount(tx, ctx, id))
  }
  return afterCommit
}

/**
 * Merges accounts into another one; returns what it got. Needs users.write. Throws 404, 400, 403 forbiddenUser if one
 * of them has or may get a method that the caller lacks, 409 directoryAccount and ownAccount for one that would be
 * deleted, 409 lastAdministrator, and 409 if one has changed since its version (docs/rules/people.md#merging-accounts).
 */
export async function mergeUsers(ctx: Ctx, { body }: ServiceInput<typeof calls.mergeUsers>) {
  requireMethod(ctx, 'users.write')
  const [targetId, sourceIds] = idsOf(body.targetId, body.sourceIds)
  const ids = [targetId, ...sourceIds]
  const [fields, directoryCodesOf] = await Promise.all([profileFields(), keptFields()])
  const { effects, after } = await db().transaction((tx) =>
    keepingAdministrator(tx, async () => {
      await holdUniqueness(tx)
      // in one order for all merges: otherwise two merges of the same accounts would wait for each other
      for (const id of ids.toSorted()) await lockAdministered(tx, ctx, id, body.versions[id])
      const rows = inOrder(await selectMerged(tx, ids), ids)
      const [target, ...sources] = rows
      if (ctx.user && sourceIds.includes(ctx.user.id)) throw new AppError(409, 'ownAccount')
      if (sources.some(({ providerId }) => providerId !== null)) throw new AppError(409, 'directoryAccount')
      const effects = await selectEffects(tx, targetId, sourceIds, ctx.now())
      const { columns, values } = mergedValues(rows, fields, directoryCodesOf)
      const rolesBefore = await auditedRolesOf(tx, targetId)
      await moveLinks(tx, targetId, sourceIds)
      const after = await removeSources(tx, ctx, target, sources)
      // the others are deleted first, so that the target can have their identifiers and unique values
      const preparerId = jointPreparer([await preparer(tx, ctx), ...sources.map(({ preparedBy }) => preparedBy)])
      const entered = { email: Boolean(columns.email), mobile: Boolean(columns.mobile), schema: false }
      // a preparer, or the caller who merges, may have proven these contacts themselves
      if (preparerId && entered.email) columns.emailVerifiedAt = null
      if (preparerId && entered.mobile) columns.mobileVerifiedAt = null
      const preparation = preparerColumns(preparerId, target, entered, ctx.now())
      const mobileEnteredBy = jointPreparer([preparation.mobileEnteredBy ?? null, columns.mobileEnteredBy ?? null])
      await storeMerged(tx, targetId, {
        ...columns,
        values,
        ...preparation,
        ...(entered.mobile ? { mobileEnteredBy } : {}),
      })
      const dynamicFields = fields.filter((field) => !isBase(field))
      if ((await claimUnique(tx, { userId: targetId }, dynamicFields, values)).length > 0) throw new AppError(409)
      const changedColumns = Object.keys(columns).filter((code) => code in userEntity.fields)
      const changedCodes = Object.keys(values).filter((code) => !Object.hasOwn(target.values, code))
      const columnsOf = (row: Partial<MergedRow>): Record<string, unknown> =>
        Object.fromEntries(changedColumns.map((code) => [code, row[code as 'login'] || null]))
      const auditedState = (row: Partial<MergedRow>, dynamic: Record<string, unknown>) => ({
        ...columnsOf(row),
        ...recordedValues(dynamic, changedCodes),
      })
      await audit(
        tx,
        ctx,
        userEntity,
        targetId,
        { ...rolesBefore, ...auditedState(target, target.values), mergedFrom: [] },
        {
          ...(await auditedRolesOf(tx, targetId)),
          ...auditedState(columns, values),
          mergedFrom: sources.map((row) => row.login),
        },
      )
      after.push(await refreshRights(tx, ctx, { people: [targetId] }))
      return { effects, after }
    }),
  )
  for (const each of after) await each()
  return effects
}
