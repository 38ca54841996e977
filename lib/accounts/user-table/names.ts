import { localName } from '@/lib/base/i18n/local-name'
import type { PlacedRole } from '../role-holders/of-person'
import { folded, isOnePart, joined } from './cells'
import {
  selectAvailable,
  selectContractors,
  selectContractorsById,
  selectContractorsOf,
  selectOrganizations,
  selectRoles,
  selectRolesInEffect,
} from './queries'

/**
 * Returns a function that finds rows by each of their names: those with exactly this name, otherwise those whose name
 * differs in case or spaces.
 */
function byName<T>(rows: readonly T[], namesOf: (row: T) => readonly (string | null)[]): (name: string) => T[] {
  const [exact, alike] = [new Map<string, Set<T>>(), new Map<string, Set<T>>()]
  const addName = (rowsByName: Map<string, Set<T>>, name: string, row: T) =>
    rowsByName.set(name, (rowsByName.get(name) ?? new Set()).add(row))
  for (const row of rows)
    for (const name of namesOf(row)) {
      if (!name) continue
      addName(exact, name, row)
      addName(alike, folded(name), row)
    }
  return (name) => [...(exact.get(name) ?? alike.get(folded(name)) ?? [])]
}

type Role = Awaited<ReturnType<typeof selectRoles>>[number]
type Organization = Awaited<ReturnType<typeof selectOrganizations>>[number]
type Contractor = Awaited<ReturnType<typeof selectContractors>>[number]

export const rolesByName = (rows: readonly Role[]) =>
  byName(rows, ({ id, code, name, nameEn }) => [code, name, nameEn, id])
export const organizationsByName = (rows: readonly Organization[]) =>
  byName(rows, ({ id, code, name, nameEn }) => [code, name, nameEn, id])
export const contractorsByName = (rows: readonly Contractor[]) =>
  byName(rows, ({ id, inn, code, name }) => [inn, code, name, id])

/** Returns the enabled roles and organizations, which a table may name. */
export const rolesAndOrganizations = () => Promise.all([selectRoles(), selectOrganizations()])

/** Returns in which organizations people of these contractors may hold roles, as `contractor organization`. */
export const availablePlaces = (contractorIds: readonly string[]) => selectAvailable(contractorIds)

/** How many names one query looks for. */
const namesPerQuery = 2_000

/** Returns the contractors that have one of these names. */
export async function contractorsCalled(names: readonly string[]): Promise<Contractor[]> {
  const contractors: Contractor[] = []
  for (let start = 0; start < names.length; start += namesPerQuery)
    contractors.push(...(await selectContractors(names.slice(start, start + namesPerQuery))))
  return [...new Map(contractors.map((each) => [each.id, each])).values()]
}

/** Separates a role, its organization and its contractor. */
const slash = ' / '

/** Returns the parts of `role / organization / contractor`. */
export const placedParts = (text: string): string[] => text.split(slash).map((part) => part.trim())

/**
 * Returns whether a name can be one of several in a cell: with a comma it could be read as two names, with a slash as a
 * name with its place.
 */
const isPlain = (name: string) => isOnePart(name) && !/[,/]/.test(name) && !/[\p{Cc}\p{DI}]/u.test(name)

/** Returns the first of these names that finds only this row, otherwise the id of the row. */
function nameOf<T extends { id: string }>(row: T, names: readonly (string | null)[], find: (name: string) => T[]) {
  const isUnambiguous = (name: string | null): name is string => {
    if (!name || !isPlain(name)) return false
    const [first, second] = find(name)
    return first?.id === row.id && !second
  }
  return names.find(isUnambiguous) ?? row.id
}

/**
 * Returns a function that reads people's roles in effect and contractors as cells of a table, with names in a language:
 * `role / organization / contractor`, as an import reads them. An ambiguous name is replaced by a code or an id.
 */
export async function roleAndContractorCells(locale: string) {
  const [roles, organizations] = await rolesAndOrganizations()
  const [findRoles, findOrganizations] = [rolesByName(roles), organizationsByName(organizations)]
  const roleNames = new Map(
    roles.map((role) => [role.id, nameOf(role, [localName(role, locale), role.code], findRoles)]),
  )
  const organizationNames = new Map(
    organizations.map((organization) => [
      organization.id,
      nameOf(organization, [localName(organization, locale), organization.code], findOrganizations),
    ]),
  )
  const roleText = (
    { roleId, organizationId, contractorId }: PlacedRole,
    contractorNames: ReadonlyMap<string, string>,
  ) => {
    const organization = organizationId ? [organizationNames.get(organizationId) ?? organizationId] : []
    const contractor = contractorId ? [contractorNames.get(contractorId) ?? contractorId] : []
    const text = [roleNames.get(roleId) ?? roleId, ...organization, ...contractor].join(slash)
    // another role may have this text as its name
    const isAmbiguous = organization.length > 0 && findRoles(text).length > 0
    return isAmbiguous ? [roleId, ...organization, ...contractor].join(slash) : text
  }
  return async (userIds: readonly string[]) => {
    const [rolesByUser, contractorsByUser] = await Promise.all([
      selectRolesInEffect(userIds),
      selectContractorsOf(userIds),
    ])
    const joinedContractors = [...contractorsByUser.values()].flat()
    const joinedIds = new Set(joinedContractors.map(({ id }) => id))
    const roleContractorIds = [...rolesByUser.values()].flat().flatMap(({ contractorId }) => contractorId ?? [])
    const otherContractors = await selectContractorsById(
      [...new Set(roleContractorIds)].filter((id) => !joinedIds.has(id)),
    )
    const contractors = [
      ...new Map([...joinedContractors, ...otherContractors].map((each) => [each.id, each])).values(),
    ]
    const findContractors = contractorsByName(
      await contractorsCalled([
        ...new Set(contractors.flatMap(({ inn, code, name }) => [name, inn, code].flatMap((text) => text ?? []))),
      ]),
    )
    const contractorNames = new Map(
      contractors.map((row) => [row.id, nameOf(row, [row.name, row.inn, row.code], findContractors)]),
    )
    return (userId: string) => ({
      roles: joined((rolesByUser.get(userId) ?? []).map((placed) => roleText(placed, contractorNames))),
      contractors: joined((contractorsByUser.get(userId) ?? []).map(({ id }) => contractorNames.get(id) ?? id)),
    })
  }
}
