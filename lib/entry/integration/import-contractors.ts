import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { fieldError } from '@/lib/kernel/errors'
import { type ContractorInput, isKppWithoutCompany } from '@/lib/people/contractors/contract'
import { createContractorIn, enableContractorIn, updateContractorIn } from '@/lib/people/contractors/service'
import { requisiteNames, requisitesOf } from '@/lib/people/requisites'
import { keepingAdministrator } from '@/lib/people/rights/administrators'
import { lockThing, selectByCode, selectOrganizationIds, selectPlaces, selectUncoded } from './import-queries'
import { ContractorItem } from './items'

/** Returns the ids of organizations by their codes. Throws 400 for a code that none has. */
async function placesOf(tx: Transaction, codes: readonly string[]): Promise<string[]> {
  const known = await selectOrganizationIds(tx, codes)
  return codes.map((code, at) => {
    const id = known.get(code)
    if (!id) throw fieldError(`organizations.${at}`, 'errorOrganizationUnknown')
    return id
  })
}

/**
 * Writes one contractor of another system by the rules of a single one. It is found by its external code; one with the
 * same inn and kpp that has no external code gets it. What the row leaves out stays. Returns what runs after the commit
 * (docs/rules/integration.md#contractors).
 */
export async function importContractor(tx: Transaction, ctx: Ctx, given: Record<string, unknown>) {
  const item = ContractorItem.parse(given)
  const { externalCode, enabled, organizations, values = {} } = item
  // before every other lock of the transaction, as calls that take roles take it
  return keepingAdministrator(tx, async () => {
    await lockThing(tx, `contractor ${externalCode}`)
    const found =
      (await selectByCode(tx, externalCode)) ??
      (item.inn ? await selectUncoded(tx, item.inn, item.kpp ?? '') : undefined)
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
