import { db } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { methodsBeyond } from '@/lib/people/rights/service'
import type { Held } from '@/lib/people/role-holders/of-person'
import { CellFault, type RowInput } from './cells'
import { selectAvailable, selectContractors, selectOrganizations, selectRoles } from './queries'

/** What a row gives besides fields. */
export type Given = { roles: Held[]; contractors: string[] }

const folded = (text: string) => text.toLowerCase().replaceAll('ё', 'е').replace(/\s+/g, ' ').trim()

/** Groups things by each of their names, so that one can be found by its code or its name in either language. */
function byName<T>(rows: readonly T[], namesOf: (row: T) => readonly (string | null)[]) {
  const found = new Map<string, T[]>()
  for (const row of rows)
    for (const name of new Set(namesOf(row).flatMap((each) => (each ? [folded(each)] : []))))
      found.set(name, [...(found.get(name) ?? []), row])
  return (name: string) => found.get(folded(name)) ?? []
}

/** Returns the only thing with a name. Throws CellFault for none and for several. */
function onlyOne<T>(name: string, find: (name: string) => T[], code: string): T {
  const [one, second] = find(name)
  if (second) throw new CellFault(`${code}Many`, { name })
  if (!one) throw new CellFault(code, { name })
  return one
}

/** Returns the names of a cell. A name may have a comma; without one that is called so, the comma separates names. */
const namesIn = (cells: readonly string[], find: (name: string) => unknown[]) =>
  cells.flatMap((cell) =>
    find(cell).length > 0
      ? [cell]
      : cell
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
  )

/** How many names one query looks for. */
const atOnce = 2_000

async function contractorsCalled(inputs: readonly RowInput[]) {
  const cells = new Set(inputs.flatMap((input) => input.contractors))
  const names = [...new Set([...cells].flatMap((cell) => [cell, ...cell.split(',').map((part) => part.trim())]))]
  const found: Awaited<ReturnType<typeof selectContractors>> = []
  for (let at = 0; at < names.length; at += atOnce)
    found.push(...(await selectContractors(names.slice(at, at + atOnce))))
  return [...new Map(found.map((each) => [each.id, each])).values()]
}

/**
 * Reads what the rows name, and returns a function that finds the roles and contractors of a row. It throws CellFault for
 * a name that nothing or several things have, a place in which a role can't be held, and a role that gives what the
 * caller lacks (docs/rules/people.md#import-of-accounts).
 */
export async function nameFinder(ctx: Ctx, inputs: readonly RowInput[]) {
  const [roles, places, companies] = await Promise.all([
    selectRoles(),
    selectOrganizations(),
    contractorsCalled(inputs),
  ])
  const available = await selectAvailable(companies.map(({ id }) => id))
  const roleCalled = byName(roles, ({ code, name, nameEn }) => [code, name, nameEn])
  const placeCalled = byName(places, ({ code, name, nameEn }) => [code, name, nameEn])
  const companyCalled = byName(companies, ({ inn, code, name }) => [inn, code, name])
  const beyond = new Map<string, boolean>()
  const isBeyond = async (roleId: string, contractorId: string | null) => {
    const key = `${roleId} ${contractorId}`
    const known = beyond.get(key)
    if (known !== undefined) return known
    const found = (await methodsBeyond(db(), ctx, { roles: [roleId], contractor: contractorId }, 1)).length > 0
    beyond.set(key, found)
    return found
  }
  return async (input: RowInput): Promise<Given> => {
    const contractors = [
      ...new Set(
        namesIn(input.contractors, companyCalled).map(
          (name) => onlyOne(name, companyCalled, 'userImportContractor').id,
        ),
      ),
    ]
    const place = input.organization ? onlyOne(input.organization, placeCalled, 'userImportOrganization').id : null
    const held: Held[] = []
    for (const name of namesIn(input.roles, roleCalled)) {
      const { id: roleId, roleType } = onlyOne(name, roleCalled, 'userImportRole')
      if (roleType !== 'systemic' && !place) throw new CellFault('userImportRolePlace', { name })
      if (roleType === 'contractor' && contractors.length === 0)
        throw new CellFault('userImportRoleContractor', { name })
      const organizationId = roleType === 'systemic' ? null : place
      for (const contractorId of roleType === 'contractor' ? contractors : [null]) {
        if (contractorId && !available.has(`${contractorId} ${place}`))
          throw new CellFault('userImportPlaceClosed', { name: input.organization })
        if (await isBeyond(roleId, contractorId)) throw new CellFault('userImportRoleBeyond', { name })
        held.push({ roleId, organizationId, contractorId })
      }
    }
    return { roles: held, contractors }
  }
}
