import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '@/db/client'
import { keepingAdministrator, lockAdministrators } from '@/lib/access/rights/administrators'
import { DoneInPart } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { type ContractorInput, isKppWithoutCompany } from '@/lib/companies/contractors/contract'
import { createContractorIn, enableContractorIn, updateContractorIn } from '@/lib/companies/contractors/service'
import { requisiteNames, requisitesOf } from '@/lib/companies/requisites'
import { attempted } from '@/lib/directory-sync/provider-sync/fitting'
import { lockThing, selectByCode, selectOrganizationIds, selectPlaces, selectUncoded } from './import-queries'
import { ContractorItem, withoutMembers } from './items'

/** Returns the ids of organizations by their codes. Throws 400 for a code that none has. */
async function placesOf(tx: Transaction, codes: readonly string[]): Promise<string[]> {
  const known = await selectOrganizationIds(tx, codes)
  return codes.map((code, at) => {
    const id = known.get(code)
    if (!id) throw fieldError(`organizations.${at}`, 'errorOrganizationUnknown')
    return id
  })
}

/** Returns the contractor that a row is about, locked by its code; undefined for a new one. */
async function foundBy(tx: Transaction, { externalCode, inn, kpp }: ContractorItem) {
  await lockThing(tx, `contractor ${externalCode}`)
  return (await selectByCode(tx, externalCode)) ?? (inn ? await selectUncoded(tx, inn, kpp ?? '') : undefined)
}

/** A row without inn and kpp if one of them is wrong: the other one alone would be those of another company. */
function withoutTheOther(item: Record<string, unknown>, { data }: Partial<AppError> = {}) {
  const pair = ['inn', 'kpp']
  const isWrong = data?.errorList?.some(({ field }) => pair.includes(field)) === true
  return isWrong ? Object.fromEntries(Object.entries(item).filter(([member]) => !pair.includes(member))) : item
}

/**
 * Writes a row of a contractor as `importContractor` does. If it is there already, what is wrong is left out, and the rest is
 * written: `wrong` is what was found before. A new one isn't made of a row of which something is wrong. Throws as it
 * (docs/rules/integration.md#imports).
 */
export async function importFitting(
  tx: Transaction,
  ctx: Ctx,
  given: Record<string, unknown>,
  wrong: AppError | undefined,
) {
  // before every other lock of the transaction, as calls that take roles take it
  await lockAdministrators(tx)
  const found = await foundBy(tx, ContractorItem.parse(given))
  if (!found) {
    if (wrong) throw wrong
    return importContractor(tx, ctx, given)
  }
  // what is switched off is so whatever is wrong with the rest
  const { externalCode } = given
  const off = given.enabled === false && found.externalCode === externalCode
  const ended = off ? await importContractor(tx, ctx, { externalCode, enabled: false }) : undefined
  let fault = wrong
  for (let item = withoutTheOther(given, wrong); ; ) {
    const done = await attempted(tx, (inner) => importContractor(inner, ctx, item))
    if (!(done instanceof AppError)) {
      const after = async () => {
        await ended?.()
        await done()
      }
      return fault ? new DoneInPart(fault, after) : after
    }
    fault ??= done
    const left = { ...withoutTheOther(withoutMembers(item, done.data.errorList ?? []), done), externalCode }
    if (isDeepStrictEqual(left, item)) {
      if (!off) throw done
      return new DoneInPart(fault, ended)
    }
    item = left
  }
}

/**
 * Writes one contractor of another system by the rules of a single one. It is found by its external code; one with the
 * same inn and kpp that has no external code gets it. What the row leaves out stays. Returns what runs after the commit
 * (docs/rules/integration.md#contractors).
 */
async function importContractor(tx: Transaction, ctx: Ctx, given: Record<string, unknown>) {
  const item = ContractorItem.parse(given)
  const { enabled, organizations, values = {} } = item
  // before every other lock of the transaction, as calls that take roles take it
  return keepingAdministrator(tx, async () => {
    const found = await foundBy(tx, item)
    const was = found ? requisitesOf(found) : null
    const name = item.name ?? found?.name
    if (!name) throw fieldError('name', 'errorEmpty')
    const given = item as Record<string, unknown>
    const requisites = Object.fromEntries(
      requisiteNames.map((field) => [field, (given[field] as string | undefined) ?? was?.[field] ?? '']),
    ) as Pick<ContractorInput, (typeof requisiteNames)[number]>
    if (isKppWithoutCompany(requisites)) throw fieldError('kpp', 'errorKppInn')
    const availableOrganizations = organizations
      ? await placesOf(tx, organizations)
      : found
        ? await selectPlaces(tx, found.id)
        : []
    const body = { name, ...requisites, availableOrganizations, values: values as ContractorInput['values'] }
    const id = found?.id ?? (await createContractorIn(tx, ctx, body))
    const after = [found ? await updateContractorIn(tx, ctx, id, body) : undefined]
    if (enabled !== undefined) after.push(await enableContractorIn(tx, ctx, { params: { id }, body: { enabled } }))
    return async () => {
      for (const each of after) await each?.()
    }
  })
}
