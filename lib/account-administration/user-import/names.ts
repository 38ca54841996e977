import { db } from '@/db/client'
import { methodsNotHeld } from '@/lib/access/rights/service'
import type { PlacedRole } from '@/lib/accounts/role-holders/of-person'
import {
  availablePlaces,
  contractorsByName,
  contractorsCalled,
  organizationsByName,
  placedParts,
  rolesAndOrganizations,
  rolesByName,
} from '@/lib/accounts/user-table/names'
import type { Ctx } from '@/lib/base/context/ctx'
import { CellFault, type RowInput } from './cells'

/** A role that a row names; `refused`: why it can't be given to somebody who doesn't hold it yet. */
type NamedRole = { held: PlacedRole; text: string; refused?: CellFault }
type NamedContractor = { id: string; text: string }
/** The roles and contractors that a row names. */
export type Named = { roles: NamedRole[]; contractors: NamedContractor[] }

/** Returns the only row that has a name. Throws CellFault for none and for several. */
function onlyOne<T>(name: string, find: (name: string) => T[], code: string): T {
  const [first, second] = find(name)
  if (second) throw new CellFault(`${code}Many`, { name })
  if (!first) throw new CellFault(code, { name })
  return first
}

const splitAtCommas = (cell: string) =>
  cell
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/**
 * Returns the names in cells. A name may contain a comma: only if nothing has the text of a cell as its name, its
 * commas separate names.
 */
const namesIn = (cells: readonly string[], find: (name: string) => unknown[]) =>
  cells.flatMap((cell) => (find(cell).length > 0 ? [cell] : splitAtCommas(cell)))

/**
 * Reads the roles, organizations and contractors that rows name, and returns a function that finds those of a row. The
 * function throws CellFault for a name that nothing or several have. It returns a role with `refused` if the role can't
 * be held in its place, or gives a method that the caller lacks: it can't be given to somebody who doesn't hold it
 * (docs/rules/people.md#import-of-accounts).
 */
export async function nameFinder(ctx: Ctx, inputs: readonly Pick<RowInput, 'roles' | 'contractors'>[]) {
  const namedContractors = new Set(
    inputs.flatMap((input) => [
      ...input.contractors.flatMap((cell) => [cell, ...splitAtCommas(cell)]),
      ...input.roles.flatMap((cell) => [cell, ...splitAtCommas(cell)].flatMap((part) => placedParts(part)[2] ?? [])),
    ]),
  )
  const [[roles, organizations], contractors] = await Promise.all([
    rolesAndOrganizations(),
    contractorsCalled([...namedContractors]),
  ])
  const available = await availablePlaces(contractors.map(({ id }) => id))
  const [findRoles, findOrganizations, findContractors] = [
    rolesByName(roles),
    organizationsByName(organizations),
    contractorsByName(contractors),
  ]
  const contractorIdOf = (name: string) => onlyOne(name, findContractors, 'userImportContractor').id
  const organizationIdOf = (name: string) => onlyOne(name, findOrganizations, 'userImportOrganization').id
  const unassignable = new Map<string, boolean>()
  const isUnassignable = async (roleId: string, contractorId: string | null) => {
    const key = `${roleId} ${contractorId}`
    const cached = unassignable.get(key)
    if (cached !== undefined) return cached
    const result = (await methodsNotHeld(db(), ctx, { roles: [roleId], contractor: contractorId }, 1)).length > 0
    unassignable.set(key, result)
    return result
  }
  /** Finds roles by a name, which may be followed by a place. A role whose name is the whole text comes first. */
  const roleOrPlaced = (name: string) => {
    const result = findRoles(name)
    return result.length > 0 ? result : findRoles(placedParts(name)[0] ?? '')
  }
  return async (input: RowInput): Promise<Named> => {
    const rowContractors = [
      ...new Map(
        namesIn(input.contractors, findContractors).map((text) => {
          const id = contractorIdOf(text)
          return [id, { id, text }] as const
        }),
      ).values(),
    ]
    const rowOrganization = input.organization ? organizationIdOf(input.organization) : null
    const result: NamedRole[] = []
    for (const text of namesIn(input.roles, roleOrPlaced)) {
      const isWhole = findRoles(text).length > 0
      const [name = '', organizationName, contractorName] = isWhole ? [text] : placedParts(text)
      const { id: roleId, roleType } = onlyOne(name, findRoles, 'userImportRole')
      const roleOrganization = organizationName ? organizationIdOf(organizationName) : rowOrganization
      const contractorIds = contractorName ? [contractorIdOf(contractorName)] : rowContractors.map(({ id }) => id)
      if (roleType !== 'systemic' && !roleOrganization) throw new CellFault('userImportRolePlace', { name })
      if (roleType === 'contractor' && contractorIds.length === 0)
        throw new CellFault('userImportRoleContractor', { name })
      const organizationId = roleType === 'systemic' ? null : roleOrganization
      for (const contractorId of roleType === 'contractor' ? contractorIds : [null]) {
        const placedRole = { roleId, organizationId, contractorId }
        const isUnavailable = contractorId !== null && !available.has(`${contractorId} ${roleOrganization}`)
        if (isUnavailable)
          result.push({
            held: placedRole,
            text,
            refused: new CellFault('userImportPlaceClosed', { name: organizationName ?? input.organization }),
          })
        else if (await isUnassignable(roleId, contractorId))
          result.push({ held: placedRole, text, refused: new CellFault('userImportRoleBeyond', { name }) })
        else result.push({ held: placedRole, text })
      }
    }
    return { roles: result, contractors: rowContractors }
  }
}
