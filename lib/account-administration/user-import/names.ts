import { db } from '@/db/client'
import { methodsNotHeld } from '@/lib/access/rights/service'
import type { Held } from '@/lib/accounts/role-holders/of-person'
import {
  contractorsByName,
  contractorsCalled,
  placedParts,
  placesByName,
  placesOfContractors,
  rolesAndPlaces,
  rolesByName,
} from '@/lib/accounts/user-table/names'
import type { Ctx } from '@/lib/base/context/ctx'
import { CellFault, type RowInput } from './cells'

/** A role that a row names; `refused`: why it can't be given to somebody who doesn't hold it yet. */
type NamedRole = { held: Held; text: string; refused?: CellFault }
type NamedContractor = { id: string; text: string }
/** What a row names besides fields. */
export type Named = { roles: NamedRole[]; contractors: NamedContractor[] }

/** Returns the only thing with a name. Throws CellFault for none and for several. */
function onlyOne<T>(name: string, find: (name: string) => T[], code: string): T {
  const [one, second] = find(name)
  if (second) throw new CellFault(`${code}Many`, { name })
  if (!one) throw new CellFault(code, { name })
  return one
}

const withCommas = (cell: string) =>
  cell
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Returns the names of a cell. A name may have a comma; without one that is called so, the comma separates names. */
const namesIn = (cells: readonly string[], find: (name: string) => unknown[]) =>
  cells.flatMap((cell) => (find(cell).length > 0 ? [cell] : withCommas(cell)))

/**
 * Reads what the rows name, and returns a function that finds the roles and contractors of a row. It throws CellFault for
 * a name that nothing or several things have. A role in a place in which it can't be held, and one that gives what the
 * caller lacks, are refused to whoever doesn't hold them (docs/rules/people.md#import-of-accounts).
 */
export async function nameFinder(ctx: Ctx, inputs: readonly RowInput[]) {
  const namedContractors = new Set(
    inputs.flatMap((input) => [
      ...input.contractors.flatMap((cell) => [cell, ...withCommas(cell)]),
      ...input.roles.flatMap((cell) => [cell, ...withCommas(cell)].flatMap((part) => placedParts(part)[2] ?? [])),
    ]),
  )
  const [[roles, places], companies] = await Promise.all([rolesAndPlaces(), contractorsCalled([...namedContractors])])
  const available = await placesOfContractors(companies.map(({ id }) => id))
  const [roleCalled, placeCalled, companyCalled] = [
    rolesByName(roles),
    placesByName(places),
    contractorsByName(companies),
  ]
  const companyNamed = (name: string) => onlyOne(name, companyCalled, 'userImportContractor').id
  const placeNamed = (name: string) => onlyOne(name, placeCalled, 'userImportOrganization').id
  const beyond = new Map<string, boolean>()
  const isBeyond = async (roleId: string, contractorId: string | null) => {
    const key = `${roleId} ${contractorId}`
    const known = beyond.get(key)
    if (known !== undefined) return known
    const found = (await methodsNotHeld(db(), ctx, { roles: [roleId], contractor: contractorId }, 1)).length > 0
    beyond.set(key, found)
    return found
  }
  /** A role may be called as another one with its place. */
  const roleOrPlaced = (name: string) => {
    const found = roleCalled(name)
    return found.length > 0 ? found : roleCalled(placedParts(name)[0] ?? '')
  }
  return async (input: RowInput): Promise<Named> => {
    const contractors = [
      ...new Map(
        namesIn(input.contractors, companyCalled).map((text) => {
          const id = companyNamed(text)
          return [id, { id, text }] as const
        }),
      ).values(),
    ]
    const organization = input.organization ? placeNamed(input.organization) : null
    const found: NamedRole[] = []
    for (const text of namesIn(input.roles, roleOrPlaced)) {
      const isWhole = roleCalled(text).length > 0
      const [name = '', ownPlace, ownCompany] = isWhole ? [text] : placedParts(text)
      const { id: roleId, roleType } = onlyOne(name, roleCalled, 'userImportRole')
      const place = ownPlace ? placeNamed(ownPlace) : organization
      const given = ownCompany ? [companyNamed(ownCompany)] : contractors.map(({ id }) => id)
      if (roleType !== 'systemic' && !place) throw new CellFault('userImportRolePlace', { name })
      if (roleType === 'contractor' && given.length === 0) throw new CellFault('userImportRoleContractor', { name })
      const organizationId = roleType === 'systemic' ? null : place
      for (const contractorId of roleType === 'contractor' ? given : [null]) {
        const held = { roleId, organizationId, contractorId }
        const isClosed = contractorId !== null && !available.has(`${contractorId} ${place}`)
        if (isClosed)
          found.push({
            held,
            text,
            refused: new CellFault('userImportPlaceClosed', { name: ownPlace ?? input.organization }),
          })
        else if (await isBeyond(roleId, contractorId))
          found.push({ held, text, refused: new CellFault('userImportRoleBeyond', { name }) })
        else found.push({ held, text })
      }
    }
    return { roles: found, contractors }
  }
}
