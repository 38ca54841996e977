import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '@/db/client'
import { keepingAdministrator, lockAdministrators } from '@/lib/access/rights/last-administrator'
import { DoneInPart } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { type ContractorInput, isKppWithoutCompany } from '@/lib/companies/contractors/contract'
import { createContractorIn, enableContractorIn, updateContractorIn } from '@/lib/companies/contractors/service'
import { requisiteNames, requisitesOf } from '@/lib/companies/requisites'
import { attempt } from '@/lib/directory-sync/provider-sync/fitting'
import {
  lockExternalObject,
  selectByCode,
  selectContractorOrganizations,
  selectOrganizationIds,
  selectWithoutCode,
} from './import-queries'
import { ContractorItem, withoutMembers } from './items'

/** Returns the ids of organizations by their codes. Throws 400 for an unknown code. */
async function organizationIdsOf(tx: Transaction, codes: readonly string[]): Promise<string[]> {
  const idsByCode = await selectOrganizationIds(tx, codes)
  return codes.map((code, index) => {
    const id = idsByCode.get(code)
    if (!id) throw fieldError(`organizations.${index}`, 'errorOrganizationUnknown')
    return id
  })
}

/** Returns the contractor of a row, after it has locked the external code; undefined for a new contractor. */
async function lockContractor(tx: Transaction, { externalCode, inn, kpp }: ContractorItem) {
  await lockExternalObject(tx, `contractor ${externalCode}`)
  return (await selectByCode(tx, externalCode)) ?? (inn ? await selectWithoutCode(tx, inn, kpp ?? '') : undefined)
}

/** Returns a row without inn and kpp if one of them is wrong: the remaining one could belong to another company. */
function withoutCompanyCodes(item: Record<string, unknown>, { data }: Partial<AppError> = {}) {
  const pair = ['inn', 'kpp']
  const isWrong = data?.errorList?.some(({ field }) => pair.includes(field)) === true
  return isWrong ? Object.fromEntries(Object.entries(item).filter(([member]) => !pair.includes(member))) : item
}

/**
 * Writes a row of a contractor with `importContractor`. For an existing contractor it leaves out faulty members and
 * writes the rest; `rowError` is a fault that the reading of the row found. A row with a fault creates no contractor.
 * Throws what `importContractor` throws (docs/rules/integration.md#imports).
 */
export async function importContractorItem(
  tx: Transaction,
  ctx: Ctx,
  row: Record<string, unknown>,
  rowError: AppError | undefined,
) {
  // before every other lock of the transaction: calls that take roles lock in the same order
  await lockAdministrators(tx)
  const contractor = await lockContractor(tx, ContractorItem.parse(row))
  if (!contractor) {
    if (rowError) throw rowError
    return importContractor(tx, ctx, row)
  }
  // the contractor is disabled even if other members are wrong
  const { externalCode } = row
  const isSwitchedOff = row.enabled === false && contractor.externalCode === externalCode
  const afterDisabling = isSwitchedOff ? await importContractor(tx, ctx, { externalCode, enabled: false }) : undefined
  let fault = rowError
  for (let item = withoutCompanyCodes(row, rowError); ; ) {
    const result = await attempt(tx, (inner) => importContractor(inner, ctx, item))
    if (!(result instanceof AppError)) {
      const after = async () => {
        await afterDisabling?.()
        await result()
      }
      return fault ? new DoneInPart(fault, after) : after
    }
    fault ??= result
    const remaining = {
      ...withoutCompanyCodes(withoutMembers(item, result.data.errorList ?? []), result),
      externalCode,
    }
    if (isDeepStrictEqual(remaining, item)) {
      if (!isSwitchedOff) throw result
      return new DoneInPart(fault, afterDisabling)
    }
    item = remaining
  }
}

/**
 * Writes one contractor of another system by the rules of a single change. Finds it by its external code, or else by
 * inn and kpp if it has no external code yet, which it then gets. Members that the row leaves out stay. Returns what
 * runs after the commit (docs/rules/integration.md#contractors).
 */
async function importContractor(tx: Transaction, ctx: Ctx, row: Record<string, unknown>) {
  const item = ContractorItem.parse(row)
  const { enabled, organizations, values = {} } = item
  // before every other lock of the transaction: calls that take roles lock in the same order
  return keepingAdministrator(tx, async () => {
    const contractor = await lockContractor(tx, item)
    const requisitesBefore = contractor ? requisitesOf(contractor) : null
    const name = item.name ?? contractor?.name
    if (!name) throw fieldError('name', 'errorEmpty')
    const row = item as Record<string, unknown>
    const requisites = Object.fromEntries(
      requisiteNames.map((field) => [field, (row[field] as string | undefined) ?? requisitesBefore?.[field] ?? '']),
    ) as Pick<ContractorInput, (typeof requisiteNames)[number]>
    if (isKppWithoutCompany(requisites)) throw fieldError('kpp', 'errorKppInn')
    const availableOrganizations = organizations
      ? await organizationIdsOf(tx, organizations)
      : contractor
        ? await selectContractorOrganizations(tx, contractor.id)
        : []
    const body = { name, ...requisites, availableOrganizations, values: values as ContractorInput['values'] }
    const id = contractor?.id ?? (await createContractorIn(tx, ctx, body))
    const after = [contractor ? await updateContractorIn(tx, ctx, id, body) : undefined]
    if (enabled !== undefined) after.push(await enableContractorIn(tx, ctx, { params: { id }, body: { enabled } }))
    return async () => {
      for (const each of after) await each?.()
    }
  })
}
