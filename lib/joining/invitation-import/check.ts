import { folded } from '@/lib/accounts/user-table/cells'
import { localName } from '@/lib/base/i18n/local-name'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { oneLine } from '@/lib/base/text/characters'
import { type ContractorAccess, managedBy } from '@/lib/companies/managers/service'
import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'
import type { RowFault } from './contract'
import { type Column, columns, longestCell, type ParsedRow } from './parse'
import {
  selectBeyond,
  selectByNumbers,
  selectContractorRoles,
  selectManagedContractor,
  selectPlaces,
  selectTaken,
} from './queries'

/** What rows get that name no company, or no organization and roles. */
export type Given = { contractorId?: string | undefined; access?: ContractorAccess[] | undefined }

type Contractor = Awaited<ReturnType<typeof selectByNumbers>>[number]
type Place = Awaited<ReturnType<typeof selectPlaces>>[number]
type Role = Awaited<ReturnType<typeof selectContractorRoles>>[number]

/** A row that can be sent. */
export type Invitation = { email: string; contractor: Contractor; access: { place: Place; roles: Role[] }[] }
type Fault = Omit<RowFault, 'row' | 'email'>
export type CheckedRow = ParsedRow & ({ invitation: Invitation; fault?: undefined } | { fault: Fault })

/** A fault of a cell, which ends the check of its row. */
class CellFault extends Error {
  constructor(readonly fault: Fault) {
    super(fault.code)
  }
}
const refuse = (column: Column, code: string, params: Fault['params'] = {}): never => {
  throw new CellFault({ column, code, params })
}

/** Groups rows by each of their names, so that a name can be found in either language. */
function byName<T>(rows: readonly T[], namesOf: (row: T) => readonly (string | null)[]) {
  const found = new Map<string, T[]>()
  for (const row of rows)
    for (const name of new Set(namesOf(row).flatMap((each) => (each ? [folded(each)] : []))))
      found.set(name, [...(found.get(name) ?? []), row])
  return (name: string) => found.get(folded(name)) ?? []
}

/** Returns the address of a row. Faults: missing, wrong, or in an earlier row to the same company. */
function addressOf({ cells: { email } }: ParsedRow): string {
  try {
    return normalizeIdentifier('email', email)
  } catch (error) {
    const { code = 'errorEmail' } = (error instanceof AppError ? error.data.errorList?.[0] : undefined) ?? {}
    return refuse('email', code)
  }
}

function requirePlain({ cells }: ParsedRow) {
  for (const column of columns) {
    if (cells[column].length > longestCell) refuse(column, 'errorTooLong')
    if (!oneLine.test(cells[column])) refuse(column, 'errorChars')
  }
}

/** Returns how to find the company of a row among those that the person manages. */
async function contractorFinder(userId: string, rows: readonly ParsedRow[], { contractorId }: Given) {
  const managed = await managedBy(userId)
  const inns = [...new Set(rows.flatMap(({ cells: { inn } }) => (inn ? [inn] : [])))]
  const [known, [chosen]] = await Promise.all([
    inns.length > 0 ? selectByNumbers(managed, inns) : [],
    contractorId ? selectManagedContractor(managed, contractorId) : [],
  ])
  if (contractorId && !chosen) throw notFound()
  const byInn = Map.groupBy(known, ({ inn }) => inn)
  return ({ cells: { inn, kpp } }: ParsedRow): Contractor => {
    if (!inn) return (kpp ? undefined : chosen) ?? refuse('inn', 'errorEmpty')
    const found = (byInn.get(inn) ?? []).filter((each) => !kpp || each.kpp === kpp)
    if (found.length > 1) refuse('kpp', 'importContractorMany')
    return found[0] ?? refuse(kpp ? 'kpp' : 'inn', 'importContractor')
  }
}

/** Returns the roles of a cell: one name, or several with `,`, `;`, `|` or line ends between them. */
function rolesOf(cell: string, roleCalled: (name: string) => Role[]): Role[] {
  const whole = roleCalled(cell).length > 0
  const names = whole ? [cell] : cell.split(/[,;|]/).map((name) => name.trim())
  const found = names.filter(Boolean).map((name) => {
    const [role, second] = roleCalled(name)
    if (second) refuse('roles', 'importRoleMany', { name })
    return role ?? refuse('roles', 'importRole', { name })
  })
  return [...new Set(found)]
}

/** Returns what a check says, or the fault of a cell. */
function faultless<T>(work: () => T): T | Fault {
  try {
    return work()
  } catch (error) {
    if (error instanceof CellFault) return error.fault
    throw error
  }
}

/** Returns what was chosen in the form, each role of an organization once. Throws a fault of the cells that lack it. */
function chosenOf(places: readonly Place[], roles: readonly Role[], { access = [] }: Given): Invitation['access'] {
  if (access.length === 0) return refuse('roles', 'errorEmpty')
  return [...Map.groupBy(access, ({ organizationId }) => organizationId)].map(([organizationId, all]) => ({
    place: places.find(({ id }) => id === organizationId) ?? refuse('organization', 'importOrganization'),
    roles: [...new Set(all.flatMap((each) => each.roles))].map(
      (id) => roles.find((role) => role.id === id) ?? refuse('roles', 'errorRole'),
    ),
  }))
}

/** Returns what the rows of one company may name, and what was chosen for those that name nothing. */
const knownOf = (places: readonly Place[], roles: readonly Role[], given: Given) => ({
  places,
  called: byName(places, ({ code, name, nameEn }) => [code, name, nameEn]),
  chosen: faultless(() => chosenOf(places, roles, given)),
})

/** Returns the roles of a row by organization. */
function accessOf(
  { cells }: ParsedRow,
  { places, called, chosen }: ReturnType<typeof knownOf>,
  roleCalled: (name: string) => Role[],
): Invitation['access'] {
  if (!cells.organization && !cells.roles) {
    if (!Array.isArray(chosen)) throw new CellFault(chosen)
    return chosen
  }
  if (!cells.roles) refuse('roles', 'errorEmpty')
  const possible = cells.organization ? called(cells.organization) : places
  if (possible.length > 1) refuse('organization', cells.organization ? 'importOrganizationMany' : 'errorEmpty')
  const place = possible[0] ?? refuse('organization', 'importOrganization')
  return [{ place, roles: rolesOf(cells.roles, roleCalled) }]
}

/** Adds what only many rows at once can tell: repeated rows, rights, and who is invited or a member already. */
async function comparing(userId: string, rows: CheckedRow[], now: Date): Promise<CheckedRow[]> {
  const good = rows.flatMap(({ row, ...rest }) => (rest.fault ? [] : [{ row, ...rest.invitation }]))
  // rows that say nothing share what was chosen
  const different = [...new Map(good.map((each) => [each.access, each])).values()]
  const pairs = new Map(
    different.flatMap(({ contractor, access }) =>
      access.flatMap(({ roles }) =>
        roles.map(({ id }) => [`${contractor.id} ${id}`, { contractorId: contractor.id, roleId: id }] as const),
      ),
    ),
  )
  const people = good.map(({ contractor, email }) => ({ contractorId: contractor.id, email }))
  const [beyond, taken] = await Promise.all([selectBeyond(userId, [...pairs.values()]), selectTaken(people, now)])
  const first = new Map<string, number>()
  return rows.map((row): CheckedRow => {
    if (row.fault) return row
    const { contractor, email, access } = row.invitation
    const pair = `${contractor.id} ${email}`
    const faulty = (column: Column, code: string, params: Fault['params'] = {}) => {
      const { invitation: _, ...rest } = row
      return { ...rest, fault: { column, code, params } }
    }
    const before = first.get(pair)
    if (before !== undefined) return faulty('email', 'importRepeated', { row: before })
    first.set(pair, row.row)
    const tooMuch = access.flatMap(({ roles }) => roles).find(({ id }) => beyond.has(`${contractor.id} ${id}`))
    if (tooMuch) return faulty('roles', 'importRoleBeyond', { name: tooMuch.name })
    const why = taken.get(pair)
    return why ? faulty('email', why) : row
  })
}

/**
 * Checks rows by the rules of a single invitation (docs/rules/invitations.md#inviting). Returns each row with its
 * invitation or its first fault. Throws 404 for a chosen company that the person doesn't manage.
 */
export async function checkRows(userId: string, rows: readonly ParsedRow[], given: Given, now: Date) {
  const contractorOf = await contractorFinder(userId, rows, given)
  const roles = await selectContractorRoles()
  const roleCalled = byName(roles, ({ name, nameEn }) => [name, nameEn])
  const placed = rows.map((row) => ({
    row,
    found: faultless(() => {
      requirePlain(row)
      return { email: addressOf(row), contractor: contractorOf(row) }
    }),
  }))
  const ids = [...new Set(placed.flatMap(({ found }) => ('contractor' in found ? [found.contractor.id] : [])))]
  const places = Map.groupBy(ids.length > 0 ? await selectPlaces(ids) : [], ({ contractorId }) => contractorId)
  const known = new Map(ids.map((each) => [each, knownOf(places.get(each) ?? [], roles, given)]))
  const checked = placed.map(({ row, found }): CheckedRow => {
    if (!('contractor' in found)) return { ...row, fault: found }
    const own = known.get(found.contractor.id) ?? knownOf([], roles, given)
    const access = faultless(() => accessOf(row, own, roleCalled))
    return Array.isArray(access) ? { ...row, invitation: { ...found, access } } : { ...row, fault: access }
  })
  return comparing(userId, checked, now)
}

/** Returns an invitation as a preview shows it. */
export const shownInvitation = ({ email, contractor, access }: Invitation, locale: string) => ({
  email,
  contractor: contractor.name,
  access: access.map(({ place, roles }) => ({
    organization: localName(place, locale),
    roles: roles.map((role) => localName(role, locale)),
  })),
})
