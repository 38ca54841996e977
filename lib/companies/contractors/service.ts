import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { contractors } from '@/db/schema/people'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
import { requireAssignableIn } from '@/lib/access/rights/places'
import { methodsNotHeld, refreshRights, requireAssignable, staysAsStrongWithout } from '@/lib/access/rights/service'
import { audit } from '@/lib/base/audit/audit'
import { requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { callerId, requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { holdUniqueness } from '@/lib/fields/values/unique'
import { recordedValues, withChanges } from '@/lib/fields/values/values'
import { requisiteColumns, requisiteNames, requisitesOf } from '../requisites'
import * as calls from './contract'
import { contractorEntity } from './entity'
import { claimContractorValues, contractorChanges, shownValues } from './fields'
import { auditingMemberships } from './memberships'
import { removeRolesIn, selectHeldByOrganization, selectHolders } from './people-queries'
import {
  type ContractorRow,
  insertContractor,
  keepOrganizations,
  lockContractors,
  removeContractors,
  selectAvailable,
  selectAvailableIds,
  selectContractor,
  selectContractorOptions,
  selectContractorPage,
  selectInvitationCounts,
  selectPeopleCounts,
  selectSimilar,
  selectUsage,
  storeAvailable,
  storeContractor,
} from './queries'

/** How many possible doubles of one contractor are looked for. */
const maxSimilar = 50

const taken = (field: string) => () => fieldError(field, 'errorUnique')
export const brokenContractor = {
  contractors_inn_kpp: taken('inn'),
  contractors_external_code: taken('externalCode'),
}

type NamedOrganization = { id: string; name: string }
const organizationsOf = (rows: (NamedOrganization & { contractorId: string })[], id: string): NamedOrganization[] =>
  rows.filter(({ contractorId }) => contractorId === id).map(({ id, name }) => ({ id, name }))

const answerOf = (
  row: ContractorRow,
  available: NamedOrganization[],
  { people, invitations }: Pick<calls.Contractor, 'people' | 'invitations'>,
): calls.Contractor => ({
  id: row.id,
  name: row.name,
  ...requisitesOf(row),
  enabled: row.enabled,
  availableOrganizations: available,
  people,
  invitations,
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns one page of contractors. Needs contractors.read. */
export async function listContractors(ctx: Ctx, { query }: ServiceInput<typeof calls.listContractors>) {
  requireMethod(ctx, 'contractors.read')
  const { similarTo } = query.filter
  const similar = similarTo ? await selectSimilar(similarTo, maxSimilar) : []
  const { rows, meta } = await selectContractorPage(query, callerId(ctx), ctx.user?.pagination ?? null, similar)
  const ids = rows.map(({ id }) => id)
  const [available, people, invitations] = await Promise.all([
    selectAvailable(db(), ids, ctx.locale),
    selectPeopleCounts(db(), ids),
    selectInvitationCounts(db(), ids, ctx.now()),
  ])
  const contractors = rows.map((row) =>
    answerOf(row, organizationsOf(available, row.id), {
      people: people.get(row.id) ?? 0,
      invitations: invitations.get(row.id) ?? 0,
    }),
  )
  return { contractors, meta }
}

/** Returns a contractor with how many people, roles and invitations it has. Needs contractors.read. Throws 404. */
export async function readContractor(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readContractor>) {
  requireMethod(ctx, 'contractors.read')
  const [row, available, { roles, ...usage }] = await Promise.all([
    selectContractor(id),
    selectAvailable(db(), [id], ctx.locale),
    selectUsage(db(), id, ctx.now()),
  ])
  if (!row) throw notFound()
  return {
    ...answerOf(row, organizationsOf(available, id), usage),
    roles,
    values: await shownValues(row.values),
    createdAt: row.createdAt.toISOString(),
  }
}

/** Returns how many possible doubles a contractor has, as many as a list of them shows. Needs contractors.read. */
export async function countSimilar(ctx: Ctx, id: string): Promise<number> {
  requireMethod(ctx, 'contractors.read')
  return (await selectSimilar(id, maxSimilar)).length
}

/** Locks organizations and returns their ids, each once and sorted. Throws 400 for one that doesn't exist. */
async function lockOrganizations(tx: Transaction, organizationIds: string[]): Promise<string[]> {
  const ids = [...new Set(organizationIds)].sort()
  if ((await keepOrganizations(tx, ids)).length < ids.length)
    throw fieldError('availableOrganizations', 'errorOrganizationUnknown')
  return ids
}

/**
 * Requires the kpp of a company, unless one of these rows already has its inn without a kpp: such rows are from before
 * a kpp was needed (docs/rules/administration-screens.md#contractors). Throws 400 at this field.
 */
export function requireKpp(
  numbers: Pick<ContractorRow, 'inn' | 'kpp'>,
  rows: readonly Pick<ContractorRow, 'inn' | 'kpp'>[],
  field = 'kpp',
) {
  const { inn, kpp } = { inn: numbers.inn ?? '', kpp: numbers.kpp ?? '' }
  if (calls.isCompanyWithoutKpp({ inn, kpp }) && !rows.some((row) => row.inn === inn && !row.kpp))
    throw fieldError(field, 'errorEmpty')
}

/** Creates a contractor in a transaction; returns its id. Throws 400 by field. */
export async function createContractorIn(tx: Transaction, ctx: Ctx, body: calls.ContractorInput): Promise<string> {
  const id = randomUUID()
  const values = { name: body.name, ...requisiteColumns(body) }
  requireKpp(values, [])
  await holdUniqueness(tx)
  const changes = await contractorChanges(ctx, body.values, null)
  const available = await lockOrganizations(tx, body.availableOrganizations)
  const row = { id, ...values, values: withChanges({}, changes), createdAt: ctx.now() }
  await onBroken(brokenContractor, () => insertContractor(tx, row))
  await storeAvailable(tx, id, [], available)
  await claimContractorValues(tx, id, changes)
  const dynamic = recordedValues(changes, Object.keys(changes))
  const after = { ...values, enabled: true, availableOrganizations: available, ...dynamic }
  await audit(tx, ctx, contractorEntity, id, null, after)
  return id
}

/** Creates a contractor; returns its id. Needs contractors.write. Throws 400 by field. */
export async function createContractor(ctx: Ctx, { body }: ServiceInput<typeof calls.createContractor>) {
  requireMethod(ctx, 'contractors.write')
  return { id: await db().transaction((tx) => createContractorIn(tx, ctx, body)) }
}

/**
 * Takes away the roles that people hold for a contractor in organizations. Returns the ids of the people who lost any.
 */
async function takeRoles(tx: Transaction, ctx: Ctx, id: string, organizationIds: string[]): Promise<string[]> {
  const people = await selectHolders(tx, id, organizationIds)
  if (people.length === 0) return []
  await requireAssignable(tx, ctx, { contractors: [id], organizations: organizationIds }, 'forbiddenContractor')
  if (!(await staysAsStrongWithout(tx, ctx, people, { contractor: id, organizations: organizationIds })))
    throw new AppError(403, 'forbiddenContractor')
  await auditingMemberships(tx, ctx, people, () => removeRolesIn(tx, id, organizationIds))
  return people
}

/** Returns a contractor as its form shows it, so that a conflict shows no more than the administration does. */
async function visibleRow({ values, ...row }: ContractorRow, availableOrganizations: string[], codes: string[]) {
  const visibleValues = await shownValues(values)
  const dynamic = recordedValues(visibleValues, [...Object.keys(visibleValues), ...codes])
  return { ...row, ...requisitesOf(row), availableOrganizations, ...dynamic }
}

/**
 * Replaces a contractor's requisites and available organizations in a transaction, and changes values of its fields.
 * Call it inside `keepingAdministrator`. Returns a function to run after the commit, or undefined. Throws what
 * `updateContractor` throws.
 */
export async function updateContractorIn(
  tx: Transaction,
  ctx: Ctx,
  id: string,
  body: ServiceInput<typeof calls.updateContractor>['body'],
) {
  const values = { name: body.name, ...requisiteColumns(body) }
  await holdUniqueness(tx)
  const [row] = await lockContractors(tx, [id])
  const availableBefore = await selectAvailableIds(tx, id)
  const rowForReader = row && (await visibleRow(row, availableBefore, Object.keys(body.values)))
  await requireVersion(tx, ctx, contractorEntity, { id, row: rowForReader, updatedAt: body.updatedAt })
  if (!row) throw notFound()
  requireKpp(values, [row])
  const available = await lockOrganizations(tx, body.availableOrganizations)
  const removed = availableBefore.filter((organization) => !available.includes(organization))
  const people = removed.length > 0 ? await takeRoles(tx, ctx, id, removed) : []
  // an open invitation to roles in an added organization gives them again
  const added = {
    contractors: [id],
    organizations: available.filter((organization) => !availableBefore.includes(organization)),
  }
  if (added.organizations.length > 0) await requireAssignableIn(tx, ctx, added, 'forbiddenContractor')
  const changes = await contractorChanges(ctx, body.values, row.values)
  await claimContractorValues(tx, id, changes)
  const codes = Object.keys(changes)
  const newValues = withChanges(row.values, changes)
  const before = { name: row.name, ...requisiteColumns(requisitesOf(row)), availableOrganizations: availableBefore }
  const after = { ...values, availableOrganizations: available }
  const [dynamicBefore, dynamicAfter] = [recordedValues(row.values, codes), recordedValues(newValues, codes)]
  if (await audit(tx, ctx, contractorEntity, id, { ...before, ...dynamicBefore }, { ...after, ...dynamicAfter })) {
    await storeAvailable(tx, id, availableBefore, available)
    await onBroken(brokenContractor, () => storeContractor(tx, id, { ...values, values: newValues }))
  }
  return people.length > 0 ? refreshRights(tx, ctx, { people }) : undefined
}

/**
 * Replaces a contractor's requisites and available organizations, and changes values of its fields. Roles in an
 * organization that is taken away go too (docs/rules/administration-screens.md#contractors). Needs contractors.write.
 * Throws 404; 400 by field; 403 forbiddenContractor for roles with a method that the caller lacks, which are held in an
 * organization that is taken away or given by an open invitation in one that is added, and if a person with such a
 * method would be easier to pass for without these roles; 409 lastAdministrator; and 409 if somebody has saved it since
 * `updatedAt`.
 */
export async function updateContractor(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateContractor>,
) {
  requireMethod(ctx, 'contractors.write')
  // with the roles, an authentication schema may go
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, () => updateContractorIn(tx, ctx, id, body)),
  )
  await afterCommit?.()
  return {}
}

/**
 * Returns what people would lose if a contractor had only these available organizations, and whether the caller may
 * take it. Needs contractors.read. Throws 404.
 */
export async function previewContractor(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.previewContractor>,
): Promise<calls.Loss> {
  requireMethod(ctx, 'contractors.read')
  if (!(await selectContractor(id))) throw notFound()
  const [availableBefore, heldByOrganization] = await Promise.all([
    selectAvailableIds(db(), id),
    selectHeldByOrganization(db(), id, ctx.locale),
  ])
  const removed = availableBefore.filter((organization) => !query.availableOrganizations?.includes(organization))
  const losses = heldByOrganization.filter((each) => removed.includes(each.id))
  if (losses.length === 0) return { organizations: [], people: 0, roles: 0, allowed: true }
  const lackedMethods = await methodsNotHeld(db(), ctx, { contractors: [id], organizations: removed }, 1)
  const people = await selectHolders(db(), id, removed)
  return {
    organizations: losses,
    people: people.length,
    roles: losses.reduce((sum, { roles }) => sum + roles, 0),
    allowed:
      lackedMethods.length === 0 &&
      (await staysAsStrongWithout(db(), ctx, people, { contractor: id, organizations: removed })),
  }
}

/**
 * Deletes a contractor. Needs contractors.write. Throws 404, and 409 contractorUsed with the numbers while people
 * belong to it or invitations to it are open.
 */
export async function deleteContractor(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteContractor>) {
  requireMethod(ctx, 'contractors.write')
  await db().transaction(async (tx) => {
    const [row] = await lockContractors(tx, [id])
    const before = requireUnchanged(row)
    const { people, invitations } = await selectUsage(tx, id, ctx.now())
    if (people + invitations > 0) throw new AppError(409, 'contractorUsed', { usedBy: { people, invitations } })
    await auditDeletion(tx, ctx, before, await selectAvailableIds(tx, id))
    await removeContractors(tx, [id])
  })
  return {}
}

/** Records the audit event of a contractor's deletion. */
export const auditDeletion = (tx: Transaction, ctx: Ctx, row: ContractorRow, availableOrganizations: string[]) => {
  const { name, enabled, values } = row
  const requisites = Object.fromEntries(requisiteNames.map((field) => [field, row[field]])) as ReturnType<
    typeof requisiteColumns
  >
  const dynamic = recordedValues(values, Object.keys(values))
  const before = { name, ...requisites, enabled, availableOrganizations, ...dynamic }
  return audit(tx, ctx, contractorEntity, row.id, before, null)
}

/** Enables or disables a contractor in a transaction. Returns a function to run after the commit, or undefined. */
export async function enableContractorIn(
  tx: Transaction,
  ctx: Ctx,
  input: ServiceInput<typeof calls.enableContractor>,
) {
  const { id } = input.params
  const check = () => requireAssignableIn(tx, ctx, { contractors: [id] }, 'forbiddenContractor')
  const switched = await switchEnabled(tx, ctx, input, { table: contractors, entity: contractorEntity, check })
  return switched ? refreshRights(tx, ctx, { contractor: id }, input.body.enabled) : undefined
}

/**
 * Enables or disables a contractor; its people gain or lose their methods for it at once, in open sessions too. Needs
 * contractors.write. Throws 404, 403 forbiddenContractor, and 409 if somebody has changed it since `updatedAt`.
 */
export async function enableContractor(ctx: Ctx, input: ServiceInput<typeof calls.enableContractor>) {
  requireMethod(ctx, 'contractors.write')
  const afterCommit = await db().transaction((tx) => enableContractorIn(tx, ctx, input))
  await afterCommit?.()
  return {}
}

/** Returns contractors to choose from. Needs the read method of an area whose screens offer them. */
export async function searchContractors(ctx: Ctx, { query }: ServiceInput<typeof calls.searchContractors>) {
  requireAnyMethod(ctx, ['contractors.read', 'users.read', 'roles.read', 'organizations.read', 'dynamic-fields.read'])
  const rows = await selectContractorOptions(query)
  return { contractors: rows.map(({ inn, kpp, ...row }) => ({ ...row, inn: inn ?? '', kpp: kpp ?? '' })) }
}
