import { db, type Transaction } from '@/db/client'
import type { organizations } from '@/db/schema/people'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
import { requireAssignableIn } from '@/lib/access/rights/places'
import { refreshRights } from '@/lib/access/rights/service'
import { audit } from '@/lib/base/audit/audit'
import { removeRow, replaceRow } from '@/lib/base/audit/rows'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { callerId, requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import type { Counted } from '@/lib/base/lists/lists'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'
import { requisiteColumns, requisitesOf } from '../requisites'
import type * as calls from './contract'
import { organizationEntity } from './entity'
import {
  insertOrganization,
  organizationRows,
  selectCodesLike,
  selectInvitationCount,
  selectInvitationCounts,
  selectOrganizationOptions,
  selectOrganizationPage,
  selectUsage,
  type Usage,
} from './queries'

/** Up to how many people, contractors and invitations of an organization a list counts, and a card. */
const [countedInList, countedOnCard] = [100, 10_000]

const taken = () => fieldError('code', 'errorUnique')
const constraintErrors = { organizations_code: taken }
const organization = { rows: organizationRows, entity: organizationEntity }

type Row = typeof organizations.$inferSelect
const noCount = { count: 0, more: false }

const answerOf = (
  row: Omit<Row, 'createdAt'>,
  usage: Usage | undefined,
  invitations: Counted = noCount,
): calls.Organization => ({
  id: row.id,
  name: row.name,
  nameEn: row.nameEn ?? '',
  code: row.code ?? '',
  enabled: row.enabled,
  ...requisitesOf(row),
  people: usage?.people ?? noCount,
  contractors: usage?.contractors ?? noCount,
  invitations,
  updatedAt: row.updatedAt.toISOString(),
})

const valuesOf = ({ name, nameEn, ...body }: calls.OrganizationInput, code: string) => ({
  name,
  nameEn: nameEn || null,
  code,
  ...requisiteColumns(body),
})

const codeFrom = ({ name, nameEn }: calls.OrganizationInput) => latinCode(nameEn || name, 'organization')

/** Returns one page of organizations, with how many people and contractors use each. Needs organizations.read. */
export async function listOrganizations(ctx: Ctx, { query }: ServiceInput<typeof calls.listOrganizations>) {
  requireMethod(ctx, 'organizations.read')
  const { rows, meta } = await selectOrganizationPage(query, callerId(ctx), ctx.user?.pagination ?? null, ctx.locale)
  const ids = rows.map(({ id }) => id)
  const [usage, invitations] = await Promise.all([
    selectUsage(db(), ids, countedInList),
    selectInvitationCounts(ids, ctx.now(), countedInList),
  ])
  return { organizations: rows.map((row) => answerOf(row, usage.get(row.id), invitations.get(row.id))), meta }
}

/** Returns an organization with what uses it. Needs organizations.read. Throws 404. */
export async function readOrganization(
  ctx: Ctx,
  { params: { id } }: ServiceInput<typeof calls.readOrganization>,
): Promise<ServiceOutput<typeof calls.readOrganization>> {
  requireMethod(ctx, 'organizations.read')
  const row = await organizationRows.select(id)
  if (!row) throw notFound()
  const [usage, invitations] = await Promise.all([
    selectUsage(db(), [id], countedOnCard),
    selectInvitationCount(db(), id, ctx.now(), countedOnCard),
  ])
  return { ...answerOf(row, usage.get(id), invitations), createdAt: row.createdAt.toISOString() }
}

/** Creates an organization; returns its id and code. Needs organizations.write. Throws 400 for a code that is taken. */
export async function createOrganization(ctx: Ctx, { body }: ServiceInput<typeof calls.createOrganization>) {
  requireMethod(ctx, 'organizations.write')
  return db().transaction(async (tx) => {
    for (const code of body.code ? [body.code] : codesLike(codeFrom(body))) {
      const values = valuesOf(body, code)
      const row = await insertOrganization(tx, values, ctx.now())
      if (!row) continue
      await audit(tx, ctx, organizationEntity, row.id, null, { ...values, enabled: true })
      return row
    }
    throw taken()
  })
}

/**
 * Returns the code of a replaced organization: the given one, its own, or one made from its name. Throws 400 if none is
 * free.
 */
async function codeOf(tx: Transaction, before: Row, body: calls.OrganizationInput): Promise<string> {
  const givenCode = body.code ?? before.code
  if (givenCode) return givenCode
  const baseCode = codeFrom(body)
  const used = await selectCodesLike(tx, baseCode)
  for (const code of codesLike(baseCode)) if (!used.has(code)) return code
  throw taken()
}

/**
 * Changes an organization's name, code and requisites. Needs organizations.write. Throws 404, 400 for a code that is
 * taken, and 409 if somebody has saved it since `updatedAt`.
 */
export async function updateOrganization(ctx: Ctx, input: ServiceInput<typeof calls.updateOrganization>) {
  requireMethod(ctx, 'organizations.write')
  const { body } = input
  await onBroken(constraintErrors, () =>
    db().transaction((tx) =>
      replaceRow(tx, ctx, input, organization, async (before) => valuesOf(body, await codeOf(tx, before, body))),
    ),
  )
  return {}
}

/**
 * Enables or disables an organization; open sessions of its people gain or lose methods at once. Needs
 * organizations.write. Throws 404, 403 forbiddenOrganization (docs/rules/access.md#granting), 409 if somebody has
 * changed it since `updatedAt`, and 409 lastAdministrator.
 */
export async function enableOrganization(ctx: Ctx, input: ServiceInput<typeof calls.enableOrganization>) {
  requireMethod(ctx, 'organizations.write')
  const { id } = input.params
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, async () => {
      const check = () => requireAssignableIn(tx, ctx, { organizations: [id] }, 'forbiddenOrganization')
      const switched = await switchEnabled(tx, ctx, input, { ...organizationRows, entity: organizationEntity, check })
      return switched ? refreshRights(tx, ctx, { organization: id }, input.body.enabled) : undefined
    }),
  )
  await afterCommit?.()
  return {}
}

/**
 * Deletes an organization that nothing uses. Needs organizations.write. Throws 404, 403 forbiddenOrganization, and 409
 * organizationUsed while somebody holds a role in it, a contractor has it available or an open invitation names it.
 */
export async function deleteOrganization(ctx: Ctx, input: ServiceInput<typeof calls.deleteOrganization>) {
  requireMethod(ctx, 'organizations.write')
  await db().transaction((tx) =>
    removeRow(tx, ctx, input, organization, async ({ id }) => {
      await requireAssignableIn(tx, ctx, { organizations: [id] }, 'forbiddenOrganization')
      const usage = (await selectUsage(tx, [id], countedOnCard)).get(id)
      const usedBy = {
        people: usage?.people.count ?? 0,
        contractors: usage?.contractors.count ?? 0,
        invitations: (await selectInvitationCount(tx, id, ctx.now(), countedOnCard)).count,
      }
      if (Object.values(usedBy).some((count) => count > 0)) throw new AppError(409, 'organizationUsed', { usedBy })
    }),
  )
  return {}
}

/** Returns organizations to choose from. Needs the read method of an area whose screens offer them. */
export async function searchOrganizations(ctx: Ctx, { query }: ServiceInput<typeof calls.searchOrganizations>) {
  requireAnyMethod(ctx, ['organizations.read', 'contractors.read', 'roles.read', 'users.read'])
  const rows = await selectOrganizationOptions(query, ctx.locale)
  return { organizations: rows.map((row) => ({ ...row, nameEn: row.nameEn ?? '', code: row.code ?? '' })) }
}
