import { db, type Transaction } from '@/db/client'
import { mayAssignIn, requireAssignableIn } from '@/lib/access/rights/places'
import { notifiedAtMost, refreshRights } from '@/lib/access/rights/service'
import { audit } from '@/lib/base/audit/audit'
import { requireUnchanged } from '@/lib/base/audit/change'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { emit } from '@/lib/base/events/events'
import { onBroken } from '@/lib/base/postgres/constraints'
import { fieldError, notFound } from '@/lib/base/runtime/errors'
import { keepMergedPictures } from '@/lib/fields/field-pictures/service'
import { storedUnder } from '@/lib/fields/values/definition'
import { holdUniqueness } from '@/lib/fields/values/unique'
import { recordedValues } from '@/lib/fields/values/values'
import { requisitesOf } from '../requisites'
import type * as calls from './contract'
import { isKppWithoutCompany, type MergeField, type MergePreview, mergeFields } from './contract'
import { contractorEntity } from './entity'
import { claimContractorValues } from './fields'
import { auditingMemberships } from './memberships'
import {
  copyLinks,
  lockInvitationsTo,
  lockMerges,
  selectContractors,
  selectEffects,
  selectMembers,
} from './merge-queries'
import {
  type ContractorRow,
  lockContractors,
  removeContractors,
  selectAvailableIds,
  selectPeopleCounts,
  storeContractor,
} from './queries'
import { auditDeletion, brokenContractor, requireKpp } from './service'

type ChosenSources = { [F in MergeField]?: string | undefined }
type Fields = Record<MergeField, string>

const fieldsOf = (row: ContractorRow): Fields => ({ name: row.name, ...requisitesOf(row) })

/** Returns the ids of a merge, the target first. Throws 400 if the target is among the sources. */
function idsOf(targetId: string, sourceIds: readonly string[]): [target: string, sources: string[]] {
  if (sourceIds.includes(targetId)) throw fieldError('sourceIds', 'errorContractor')
  return [targetId, [...new Set(sourceIds)]]
}

/** Returns the rows of a merge in this order. Throws 404 if one is missing. */
function inOrder(rows: readonly ContractorRow[], ids: readonly string[]): [ContractorRow, ...ContractorRow[]] {
  const orderedRows = ids.map((id) => {
    const row = rows.find((each) => each.id === id)
    if (!row) throw notFound()
    return row
  })
  return orderedRows as [ContractorRow, ...ContractorRow[]]
}

/**
 * Returns the contractor from which the target takes each field: the chosen one, otherwise the first that has a value.
 * Throws 400 for an unknown one.
 */
function sourcesOf(
  rows: readonly [ContractorRow, ...ContractorRow[]],
  chosen: ChosenSources,
): Record<MergeField, ContractorRow> {
  const sourceOf = (field: MergeField) => {
    const chosenId = chosen[field]
    if (chosenId === undefined) return rows.find((row) => row[field]) ?? rows[0]
    const row = rows.find(({ id }) => id === chosenId)
    if (!row) throw fieldError(`take.${field}`, 'errorContractor')
    return row
  }
  return Object.fromEntries(mergeFields.map((field) => [field, sourceOf(field)])) as Record<MergeField, ContractorRow>
}

function mergedValues(rows: readonly [ContractorRow, ...ContractorRow[]], chosen: ChosenSources) {
  const sources = sourcesOf(rows, chosen)
  const values = Object.fromEntries(mergeFields.map((field) => [field, sources[field][field]])) as Pick<
    ContractorRow,
    MergeField
  >
  const numbers = { inn: values.inn ?? '', kpp: values.kpp ?? '' }
  requireKpp(values, rows, 'take.kpp')
  if (!isKppWithoutCompany(numbers)) return values
  if (chosen.kpp !== undefined) throw fieldError('take.kpp', 'errorKppInn')
  return { ...values, kpp: null }
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/**
 * Returns the values of dynamic fields after a merge: those of the target, and from the others in their order those
 * that it lacks.
 */
function mergedDynamicValues(rows: readonly ContractorRow[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const { values } of rows)
    for (const [code, value] of Object.entries(values)) if (isEmpty(storedUnder(merged, code))) merged[code] = value
  return merged
}

/** Returns what a merge would do. Needs contractors.read. Throws 404, and 400 if the target is among the sources. */
export async function previewContractorMerge(
  ctx: Ctx,
  { query }: ServiceInput<typeof calls.previewContractorMerge>,
): Promise<MergePreview> {
  requireMethod(ctx, 'contractors.read')
  const [targetId, sourceIds] = idsOf(query.targetId, query.sourceIds)
  const ids = [targetId, ...sourceIds]
  const rows = inOrder(await selectContractors(db(), ids), ids)
  const [effects, people, allowed] = await Promise.all([
    selectEffects(db(), targetId, sourceIds),
    selectPeopleCounts(db(), ids),
    mayAssignIn(db(), ctx, { contractors: ids }),
  ])
  const sources = sourcesOf(rows, {})
  const differs = (field: MergeField) => new Set(rows.flatMap((row) => row[field] || [])).size > 1
  return {
    contractors: rows.map((row) => ({
      id: row.id,
      name: row.name,
      enabled: row.enabled,
      people: people.get(row.id) ?? 0,
      updatedAt: row.updatedAt.toISOString(),
      fields: fieldsOf(row),
    })),
    conflicts: mergeFields.filter(differs).map((field) => ({ field, from: sources[field].id })),
    effects,
    allowed,
  }
}

/**
 * Copies people, roles and organizations to the target, and runs `moveFurther`. Records for each person which
 * contractors and contractor roles they have before and after.
 */
async function movePeople(
  tx: Transaction,
  ctx: Ctx,
  targetId: string,
  sourceIds: string[],
  moveFurther: () => Promise<unknown>,
) {
  await auditingMemberships(tx, ctx, await selectMembers(tx, sourceIds), async () => {
    await copyLinks(tx, targetId, sourceIds)
    await moveFurther()
  })
}

/**
 * Merges contractors into another one (docs/rules/administration-screens.md#merging-contractors); returns what it did.
 * Needs contractors.write. Throws 404, 400 by field, 403 forbiddenContractor if people hold a method for them that the
 * caller lacks, and 409 if one of them was saved since its version in `versions`.
 */
export async function mergeContractors(ctx: Ctx, { body }: ServiceInput<typeof calls.mergeContractors>) {
  requireMethod(ctx, 'contractors.write')
  const [targetId, sourceIds] = idsOf(body.targetId, body.sourceIds)
  const ids = [targetId, ...sourceIds]
  const { effects, afterCommit } = await onBroken(brokenContractor, () =>
    db().transaction(async (tx) => {
      await holdUniqueness(tx)
      await lockMerges(tx)
      // an answer to an invitation locks the invitation before the contractor
      await lockInvitationsTo(tx, ids)
      const rows = inOrder(await lockContractors(tx, ids), ids)
      for (const row of rows) requireUnchanged(row, body.versions[row.id])
      await requireAssignableIn(tx, ctx, { contractors: ids }, 'forbiddenContractor')
      const [target, ...sources] = rows
      const values = mergedValues(rows, body.take)
      const dynamic = mergedDynamicValues(rows)
      const effects = await selectEffects(tx, targetId, sourceIds)
      const available = await selectAvailableIds(tx, targetId)
      await keepMergedPictures(tx, targetId, { from: sourceIds, values: dynamic })
      const availableOfSources = new Map<string, string[]>()
      for (const id of sourceIds) availableOfSources.set(id, await selectAvailableIds(tx, id))

      const movedIds = (await selectMembers(tx, sourceIds)).filter((userId) => userId !== ctx.user?.id)
      await movePeople(tx, ctx, targetId, sourceIds, async () => {
        await emit(tx, ctx, 'contractorsMerged', { targetId, sourceIds })
        for (const source of sources) {
          const auditedAfter = { mergedInto: targetId }
          await audit(tx, ctx, contractorEntity, source.id, { mergedInto: null }, auditedAfter)
          await auditDeletion(tx, ctx, source, availableOfSources.get(source.id) ?? [])
        }
        await removeContractors(tx, sourceIds)
      })
      // the sources are deleted first, so that the target can have their numbers
      await storeContractor(tx, targetId, { ...values, values: dynamic })
      await claimContractorValues(tx, targetId, dynamic)
      const codes = Object.keys(dynamic)
      const columnsBefore = Object.fromEntries(mergeFields.map((field) => [field, target[field]])) as typeof values
      await audit(
        tx,
        ctx,
        contractorEntity,
        targetId,
        {
          ...columnsBefore,
          availableOrganizations: available,
          ...recordedValues(target.values, codes),
          mergedFrom: [],
        },
        {
          ...values,
          availableOrganizations: await selectAvailableIds(tx, targetId),
          ...recordedValues(dynamic, codes),
          mergedFrom: sources.map(({ name }) => name),
        },
      )
      const refreshed = await refreshRights(tx, ctx, { contractor: targetId })
      if (movedIds.length === 0 || movedIds.length > notifiedAtMost) return { effects, afterCommit: refreshed }
      const event = { userIds: movedIds, contractorId: targetId, company: values.name }
      const notified = await emit(tx, ctx, 'companiesMerged', event)
      return { effects, afterCommit: () => refreshed().then(notified) }
    }),
  )
  await afterCommit()
  return effects
}
