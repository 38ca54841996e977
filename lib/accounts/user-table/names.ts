import { localName } from '@/lib/base/i18n/local-name'
import type { Held } from '../role-holders/of-person'
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
 * Returns a function that finds things by each of their names: those that are called exactly so, otherwise those whose
 * name differs in case or spaces.
 */
function byName<T>(rows: readonly T[], namesOf: (row: T) => readonly (string | null)[]): (name: string) => T[] {
  const [exact, alike] = [new Map<string, Set<T>>(), new Map<string, Set<T>>()]
  const learn = (found: Map<string, Set<T>>, name: string, row: T) =>
    found.set(name, (found.get(name) ?? new Set()).add(row))
  for (const row of rows)
    for (const name of namesOf(row)) {
      if (!name) continue
      learn(exact, name, row)
      learn(alike, folded(name), row)
    }
  return (name) => [...(exact.get(name) ?? alike.get(folded(name)) ?? [])]
}

type Role = Awaited<ReturnType<typeof selectRoles>>[number]
type Place = Awaited<ReturnType<typeof selectOrganizations>>[number]
type Contractor = Awaited<ReturnType<typeof selectContractors>>[number]

export const rolesByName = (rows: readonly Role[]) =>
  byName(rows, ({ id, code, name, nameEn }) => [code, name, nameEn, id])
export const placesByName = (rows: readonly Place[]) =>
  byName(rows, ({ id, code, name, nameEn }) => [code, name, nameEn, id])
export const contractorsByName = (rows: readonly Contractor[]) =>
  byName(rows, ({ id, inn, code, name }) => [inn, code, name, id])

/** Returns the enabled roles and organizations, which a table may name. */
export const rolesAndPlaces = () => Promise.all([selectRoles(), selectOrganizations()])

/** Returns where people of these contractors may hold roles, as `contractor organization`. */
export const placesOfContractors = (contractorIds: readonly string[]) => selectAvailable(contractorIds)

/** How many names one query looks for. */
const atOnce = 2_000

/** Returns the contractors that have one of these names. */
export async function contractorsCalled(names: readonly string[]): Promise<Contractor[]> {
  const found: Contractor[] = []
  for (let at = 0; at < names.length; at += atOnce)
    found.push(...(await selectContractors(names.slice(at, at + atOnce))))
  return [...new Map(found.map((each) => [each.id, each])).values()]
}

/** Stands between a role, its organization and its contractor. */
const slash = ' / '

/** Returns the parts of `role / organization / contractor`. */
export const placedParts = (text: string): string[] => text.split(slash).map((part) => part.trim())

/** Whether a name can stand among others: with a comma it could be two names, with a slash one and its place. */
const isPlain = (name: string) => isOnePart(name) && !/[,/]/.test(name) && !/[\p{Cc}\p{DI}]/u.test(name)

/** Returns the first of these names that finds nothing but the thing itself; an id always does. */
function nameOf<T extends { id: string }>(row: T, names: readonly (string | null)[], find: (name: string) => T[]) {
  const isOwn = (name: string | null): name is string => {
    if (!name || !isPlain(name)) return false
    const [one, second] = find(name)
    return one?.id === row.id && !second
  }
  return names.find(isOwn) ?? row.id
}

/**
 * Returns what reads the roles in effect and the contractors of people as cells of a table, in the names of a language:
 * `role / organization / contractor`, as an import reads them. What a name doesn't tell apart stands by its code or id.
 */
export async function heldNamer(locale: string) {
  const [roles, places] = await rolesAndPlaces()
  const [roleCalled, placeCalled] = [rolesByName(roles), placesByName(places)]
  const roleNames = new Map(
    roles.map((role) => [role.id, nameOf(role, [localName(role, locale), role.code], roleCalled)]),
  )
  const placeNames = new Map(
    places.map((place) => [place.id, nameOf(place, [localName(place, locale), place.code], placeCalled)]),
  )
  const roleText = ({ roleId, organizationId, contractorId }: Held, companies: ReadonlyMap<string, string>) => {
    const place = organizationId ? [placeNames.get(organizationId) ?? organizationId] : []
    const company = contractorId ? [companies.get(contractorId) ?? contractorId] : []
    const text = [roleNames.get(roleId) ?? roleId, ...place, ...company].join(slash)
    // a role may be called as another one with its place
    const isOther = place.length > 0 && roleCalled(text).length > 0
    return isOther ? [roleId, ...place, ...company].join(slash) : text
  }
  return async (userIds: readonly string[]) => {
    const [held, joinedBy] = await Promise.all([selectRolesInEffect(userIds), selectContractorsOf(userIds)])
    const own = [...joinedBy.values()].flat()
    const named = new Set(own.map(({ id }) => id))
    const others = [...held.values()].flat().flatMap(({ contractorId }) => contractorId ?? [])
    const more = await selectContractorsById([...new Set(others)].filter((id) => !named.has(id)))
    const rows = [...new Map([...own, ...more].map((each) => [each.id, each])).values()]
    const called = contractorsByName(
      await contractorsCalled([
        ...new Set(rows.flatMap(({ inn, code, name }) => [name, inn, code].flatMap((text) => text ?? []))),
      ]),
    )
    const companies = new Map(rows.map((row) => [row.id, nameOf(row, [row.name, row.inn, row.code], called)]))
    return (userId: string) => ({
      roles: joined((held.get(userId) ?? []).map((one) => roleText(one, companies))),
      contractors: joined((joinedBy.get(userId) ?? []).map(({ id }) => companies.get(id) ?? id)),
    })
  }
}
