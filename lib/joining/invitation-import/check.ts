import { folded } from '@/lib/accounts/user-table/cells'
import { localName } from '@/lib/base/i18n/local-name'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { oneLine } from '@/lib/base/text/characters'
import { type ContractorAccess, managedBy } from '@/lib/companies/managers/service'
import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'
import type { RowFault } from './contract'
import { type Column, columns, longestCell, type ParsedRow } from './parse'
import {
  selectByNumbers,
  selectContractorRoles,
  selectManagedContractor,
  selectOrganizations,
  selectUnassignableRoles,
  selectUninvitable,
} from './queries'

/** The company, organization and roles that the form chose for rows that don't name their own. */
export type FormChoice = { contractorId?: string | undefined; access?: ContractorAccess[] | undefined }

type Contractor = Awaited<ReturnType<typeof selectByNumbers>>[number]
type Organization = Awaited<ReturnType<typeof selectOrganizations>>[number]
type Role = Awaited<ReturnType<typeof selectContractorRoles>>[number]

/** A row that can be sent. */
export type Invitation = { email: string; contractor: Contractor; access: { place: Organization; roles: Role[] }[] }
type Fault = Omit<RowFault, 'row' | 'email'>
export type CheckedRow = ParsedRow & ({ invitation: Invitation; fault?: undefined } | { fault: Fault })

/** A fault of a cell, which ends the check of its row. */
class CellFault extends Error {
  constructor(readonly fault: Fault) {
    super(fault.code)
  }
}
const failCell = (column: Column, code: string, params: Fault['params'] = {}): never => {
  throw new CellFault({ column, code, params })
}

/** Returns a function that finds rows by any of their names, in either language. */
function byName<T>(rows: readonly T[], namesOf: (row: T) => readonly (string | null)[]) {
  const rowsByName = new Map<string, T[]>()
  for (const row of rows)
    for (const name of new Set(namesOf(row).flatMap((text) => (text ? [folded(text)] : []))))
      rowsByName.set(name, [...(rowsByName.get(name) ?? []), row])
  return (name: string) => rowsByName.get(folded(name)) ?? []
}

/** Returns the e-mail of a row. Throws a fault of the cell if it is missing or wrong. */
function addressOf({ cells: { email } }: ParsedRow): string {
  try {
    return normalizeIdentifier('email', email)
  } catch (error) {
    const { code = 'errorEmail' } = (error instanceof AppError ? error.data.errorList?.[0] : undefined) ?? {}
    return failCell('email', code)
  }
}

function requirePlain({ cells }: ParsedRow) {
  for (const column of columns) {
    if (cells[column].length > longestCell) failCell(column, 'errorTooLong')
    if (!oneLine.test(cells[column])) failCell(column, 'errorChars')
  }
}

/** Returns a function that finds the company of a row among those that the person manages. */
async function contractorFinder(userId: string, rows: readonly ParsedRow[], { contractorId }: FormChoice) {
  const managed = await managedBy(userId)
  const inns = [...new Set(rows.flatMap(({ cells: { inn } }) => (inn ? [inn] : [])))]
  const [numbered, [chosen]] = await Promise.all([
    inns.length > 0 ? selectByNumbers(managed, inns) : [],
    contractorId ? selectManagedContractor(managed, contractorId) : [],
  ])
  if (contractorId && !chosen) throw notFound()
  const byInn = Map.groupBy(numbered, ({ inn }) => inn)
  return ({ cells: { inn, kpp } }: ParsedRow): Contractor => {
    if (!inn) return (kpp ? undefined : chosen) ?? failCell('inn', 'errorEmpty')
    const matching = (byInn.get(inn) ?? []).filter((contractor) => !kpp || contractor.kpp === kpp)
    if (matching.length > 1) failCell('kpp', 'importContractorMany')
    return matching[0] ?? failCell(kpp ? 'kpp' : 'inn', 'importContractor')
  }
}

/** Returns the roles of a cell: one name, or several with `,`, `;`, `|` or line ends between them. */
function rolesOf(cell: string, roleCalled: (name: string) => Role[]): Role[] {
  const isOneName = roleCalled(cell).length > 0
  const names = isOneName ? [cell] : cell.split(/[,;|]/).map((name) => name.trim())
  const roles = names.filter(Boolean).map((name) => {
    const [role, second] = roleCalled(name)
    if (second) failCell('roles', 'importRoleMany', { name })
    return role ?? failCell('roles', 'importRole', { name })
  })
  return [...new Set(roles)]
}

/** Returns the result of `work`, or the fault of a cell that it throws. */
function valueOrFault<T>(work: () => T): T | Fault {
  try {
    return work()
  } catch (error) {
    if (error instanceof CellFault) return error.fault
    throw error
  }
}

/**
 * Returns the access that was chosen in the form, each role of an organization once. Throws a fault of the cells that
 * name no access if nothing was chosen.
 */
function chosenAccess(
  places: readonly Organization[],
  roles: readonly Role[],
  { access = [] }: FormChoice,
): Invitation['access'] {
  if (access.length === 0) return failCell('roles', 'errorEmpty')
  return [...Map.groupBy(access, ({ organizationId }) => organizationId)].map(([organizationId, chosen]) => ({
    place: places.find(({ id }) => id === organizationId) ?? failCell('organization', 'importOrganization'),
    roles: [...new Set(chosen.flatMap((each) => each.roles))].map(
      (id) => roles.find((role) => role.id === id) ?? failCell('roles', 'errorRole'),
    ),
  }))
}

/**
 * Returns the organizations that the rows of one company may name, and the access that was chosen for rows that name
 * none.
 */
const companyContext = (places: readonly Organization[], roles: readonly Role[], choice: FormChoice) => ({
  places,
  called: byName(places, ({ code, name, nameEn }) => [code, name, nameEn]),
  chosen: valueOrFault(() => chosenAccess(places, roles, choice)),
})

/** Returns the roles of a row by organization. */
function accessOf(
  { cells }: ParsedRow,
  { places, called, chosen }: ReturnType<typeof companyContext>,
  roleCalled: (name: string) => Role[],
): Invitation['access'] {
  if (!cells.organization && !cells.roles) {
    if (!Array.isArray(chosen)) throw new CellFault(chosen)
    return chosen
  }
  if (!cells.roles) failCell('roles', 'errorEmpty')
  const possible = cells.organization ? called(cells.organization) : places
  if (possible.length > 1) failCell('organization', cells.organization ? 'importOrganizationMany' : 'errorEmpty')
  const place = possible[0] ?? failCell('organization', 'importOrganization')
  return [{ place, roles: rolesOf(cells.roles, roleCalled) }]
}

/**
 * Adds the faults that need a comparison of all rows: repeated rows, roles that the person may not give, and people who
 * are invited or members already.
 */
async function compareRows(userId: string, rows: CheckedRow[], now: Date): Promise<CheckedRow[]> {
  const good = rows.flatMap(({ row, ...fields }) => (fields.fault ? [] : [{ row, ...fields.invitation }]))
  // rows that name no access share the chosen one
  const different = [...new Map(good.map((each) => [each.access, each])).values()]
  const pairs = new Map(
    different.flatMap(({ contractor, access }) =>
      access.flatMap(({ roles }) =>
        roles.map(({ id }) => [`${contractor.id} ${id}`, { contractorId: contractor.id, roleId: id }] as const),
      ),
    ),
  )
  const people = good.map(({ contractor, email }) => ({ contractorId: contractor.id, email }))
  const [unassignable, uninvitable] = await Promise.all([
    selectUnassignableRoles(userId, [...pairs.values()]),
    selectUninvitable(people, now),
  ])
  const firstRows = new Map<string, number>()
  return rows.map((row): CheckedRow => {
    if (row.fault) return row
    const { contractor, email, access } = row.invitation
    const pair = `${contractor.id} ${email}`
    const faulty = (column: Column, code: string, params: Fault['params'] = {}) => {
      const { invitation: _, ...fields } = row
      return { ...fields, fault: { column, code, params } }
    }
    const firstRow = firstRows.get(pair)
    if (firstRow !== undefined) return faulty('email', 'importRepeated', { row: firstRow })
    firstRows.set(pair, row.row)
    const unassignableRole = access
      .flatMap(({ roles }) => roles)
      .find(({ id }) => unassignable.has(`${contractor.id} ${id}`))
    if (unassignableRole) return faulty('roles', 'importRoleBeyond', { name: unassignableRole.name })
    const reason = uninvitable.get(pair)
    return reason ? faulty('email', reason) : row
  })
}

/**
 * Checks rows by the rules of a single invitation (docs/rules/invitations.md#inviting). Returns each row with its
 * invitation or its first fault. Throws 404 for a chosen company that the person doesn't manage.
 */
export async function checkRows(userId: string, rows: readonly ParsedRow[], choice: FormChoice, now: Date) {
  const contractorOf = await contractorFinder(userId, rows, choice)
  const roles = await selectContractorRoles()
  const roleCalled = byName(roles, ({ name, nameEn }) => [name, nameEn])
  const placed = rows.map((row) => ({
    row,
    found: valueOrFault(() => {
      requirePlain(row)
      return { email: addressOf(row), contractor: contractorOf(row) }
    }),
  }))
  const ids = [
    ...new Set(placed.flatMap(({ found: result }) => ('contractor' in result ? [result.contractor.id] : []))),
  ]
  const places = Map.groupBy(ids.length > 0 ? await selectOrganizations(ids) : [], ({ contractorId }) => contractorId)
  const companies = new Map(ids.map((id) => [id, companyContext(places.get(id) ?? [], roles, choice)]))
  const checked = placed.map(({ row, found: result }): CheckedRow => {
    if (!('contractor' in result)) return { ...row, fault: result }
    const company = companies.get(result.contractor.id) ?? companyContext([], roles, choice)
    const access = valueOrFault(() => accessOf(row, company, roleCalled))
    return Array.isArray(access) ? { ...row, invitation: { ...result, access } } : { ...row, fault: access }
  })
  return compareRows(userId, checked, now)
}

/** Returns an invitation as a preview shows it. */
export const previewOf = ({ email, contractor, access }: Invitation, locale: string) => ({
  email,
  contractor: contractor.name,
  access: access.map(({ place, roles }) => ({
    organization: localName(place, locale),
    roles: roles.map((role) => localName(role, locale)),
  })),
})
