import { db } from '@/db/client'
import { peopleWithMore } from '@/lib/access/rights/service'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { requiredCodes, shownValues } from '../user-table/fields'
import { setUserEnabled } from '../users/enable'
import { namedAtMost } from '../users/named'
import type * as calls from './contract'
import {
  selectContractorsOf,
  selectCounts,
  selectHeldRoles,
  selectPreparer,
  selectProviderNames,
  selectSchemaNames,
  selectUnvouchedProviders,
  selectUser,
  selectUserPage,
} from './queries'

type Row = Awaited<ReturnType<typeof selectUserPage>>['rows'][number]

const answerOf = (row: Omit<Row, 'keys'>): calls.User => ({
  id: row.id,
  name: row.name,
  login: row.login,
  email: row.email,
  mobile: row.mobile,
  enabled: row.enabled,
  provider: row.providerId ? { id: row.providerId, name: row.providerName ?? '' } : null,
  externalId: row.externalId,
  hasPassword: row.hasPassword,
  lastSeenAt: row.lastSeenAt ? new Date(row.lastSeenAt).toISOString() : null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns one page of accounts. Needs users.read. */
export async function listUsers(ctx: Ctx, { query }: ServiceInput<typeof calls.listUsers>) {
  requireMethod(ctx, 'users.read')
  const { rows, meta } = await selectUserPage(
    query,
    {
      id: callerId(ctx),
      now: ctx.now(),
      required: query.filter.incomplete === undefined ? null : await requiredCodes(),
    },
    ctx.user?.pagination ?? null,
  )
  return { users: rows.map(answerOf), meta }
}

const idAndName = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

/** Returns an account with its roles and contractors. Needs users.read. Throws 404. */
export async function readUser(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readUser>) {
  requireMethod(ctx, 'users.read')
  const [row, roles, contractors] = await Promise.all([
    selectUser(id, ctx.locale),
    selectHeldRoles(id, ctx.locale, namedAtMost + 1),
    selectContractorsOf(id, namedAtMost + 1),
  ])
  if (!row) throw notFound()
  const unchangeable = await peopleWithMore(db(), ctx, [id])
  return {
    ...answerOf(row),
    lastName: row.lastName,
    firstName: row.firstName,
    middleName: row.middleName,
    emailVerified: row.emailVerifiedAt !== null,
    mobileVerified: row.mobileVerifiedAt !== null,
    isEditable: row.isEditable,
    passwordChangedAt: row.passwordChangedAt?.toISOString() ?? null,
    authenticationSchema: idAndName(row.authenticationSchemaId, row.schemaName),
    values: await shownValues({ ...row, fio: row.name }),
    roles: roles.slice(0, namedAtMost).map((role) => ({
      role: { id: role.id, name: role.name },
      organization: idAndName(role.organizationId, role.organization),
      contractor: idAndName(role.contractorId, role.contractor),
      inEffect: role.enabled && role.organizationEnabled !== false && role.contractorEnabled !== false,
    })),
    contractors: contractors.slice(0, namedAtMost),
    more: roles.length > namedAtMost || contractors.length > namedAtMost,
    allowed: unchangeable.size === 0,
  }
}

/** Enables or disables an account, as `setUserEnabled` does. */
export async function enableUser(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.enableUser>) {
  await setUserEnabled(ctx, { userId: id, ...body })
  return {}
}

/** Returns the schemas that can be chosen for an account. Needs users.read. */
export async function schemaChoices(ctx: Ctx) {
  requireMethod(ctx, 'users.read')
  return selectSchemaNames(ctx.locale)
}

/** Returns the identity providers by which the list can be filtered. Needs users.read. */
export async function providerChoices(ctx: Ctx) {
  requireMethod(ctx, 'users.read')
  return selectProviderNames()
}

/** Returns the numbers on the tabs of an account's card. Needs users.read. */
export async function userCounts(ctx: Ctx, id: string) {
  requireMethod(ctx, 'users.read')
  return selectCounts(id, ctx.now())
}

/**
 * Returns what an administrator should know before they give rights to an account: its preparer, if less than an
 * administrator, with the e-mail that proves its person, and its identity providers for which no administrator vouches
 * (docs/rules/access.md#prepared-accounts). Needs users.read.
 */
export async function doubtsOf(ctx: Ctx, id: string) {
  requireMethod(ctx, 'users.read')
  const [preparer, providers] = await Promise.all([selectPreparer(id), selectUnvouchedProviders(id)])
  return { preparer, providers }
}
