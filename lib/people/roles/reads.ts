import { db } from '@/db/client'
import { callerId, holdsMethod, requireAnyMethod, requireMethod } from '@/lib/kernel/access'
import type { SystemicMethod } from '@/lib/kernel/access-methods'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { grantsApplicationMethods } from '@/lib/people/rights/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { countedHolders, usageOf } from './changes'
import * as calls from './contract'
import {
  selectAllMethods,
  selectEffect,
  selectMethodOptions,
  selectRole,
  selectRoleCounts,
  selectRoleMethods,
  selectRoleOptions,
  selectRolePage,
} from './queries'

/** Up to how many holders a list counts for each role; its page counts more. */
const listedHolders = 100

const nobody = { methodCount: 0, holders: { count: 0, more: false } }

/** Returns one page of roles with the numbers of their methods and holders. Needs roles.read. */
export async function listRoles(ctx: Ctx, { query }: VerbInput<typeof calls.listRoles>) {
  requireMethod(ctx, 'roles.read')
  const { rows, meta } = await selectRolePage(query, callerId(ctx), ctx.user?.pagination ?? null, ctx.locale)
  const counts = await selectRoleCounts(
    rows.map(({ id }) => id),
    listedHolders,
  )
  const roles = rows.map(({ createdAt: _, updatedAt, ...role }) => ({
    ...role,
    ...(counts.get(role.id) ?? nobody),
    updatedAt: updatedAt.toISOString(),
  }))
  return { roles, meta }
}

type Described = Awaited<ReturnType<typeof selectAllMethods>>

/** The methods, with whether the caller may give and take each. */
async function withGrantable(ctx: Ctx, methods: Described) {
  const administers = methods.some(({ kind }) => kind === 'application') && (await grantsApplicationMethods(ctx))
  return methods.map((method) => ({
    ...method,
    grantable: holdsMethod(ctx, method) || (method.kind === 'application' && administers),
  }))
}

/** Returns a role with its methods and what uses it. Needs roles.read. Throws 404. */
export async function getRole(ctx: Ctx, { params: { id } }: VerbInput<typeof calls.getRole>) {
  requireMethod(ctx, 'roles.read')
  const row = await selectRole(id)
  if (!row) throw notFound()
  const { createdAt: _, updatedAt, ...role } = row
  const [counts, methods, usedIn] = await Promise.all([
    selectRoleCounts([id], countedHolders),
    selectRoleMethods(id),
    platformSettings().then((settings) => usageOf(db(), id, ctx.now(), settings)),
  ])
  return {
    role: {
      ...role,
      ...(counts.get(id) ?? nobody),
      updatedAt: updatedAt.toISOString(),
      methods: await withGrantable(ctx, methods),
      usedIn,
    },
  }
}

/**
 * Returns how many people would gain or lose methods by a change of a role, before it is made. Needs roles.read. Throws
 * 404.
 */
export async function roleEffect(ctx: Ctx, { params: { id }, query }: VerbInput<typeof calls.roleEffect>) {
  requireMethod(ctx, 'roles.read')
  const role = await selectRole(id)
  if (!role) throw notFound()
  const { give = [], take = [], enabled = role.enabled } = query
  const all = enabled === role.enabled ? [] : (await selectRoleMethods(id)).map((method) => method.id)
  const change = {
    give: [...(enabled ? give : []), ...(enabled ? all : [])],
    take: [...(enabled ? take : []), ...(enabled ? [] : all)],
  }
  const { people, more, gain, lose } = await selectEffect(id, change, countedHolders)
  return { people: { count: people, more }, gain, lose }
}

/** The areas whose screens offer a choice of roles, or of methods: whoever may open one may search. */
const readers = ({ access }: { access: typeof calls.searchRoles.access }) =>
  typeof access === 'object' && 'areas' in access ? access.areas.map((area): SystemicMethod => `${area}.read`) : []

/** Returns roles to choose from. Needs the read method of an area whose screens offer them. */
export async function searchRoles(ctx: Ctx, { query }: VerbInput<typeof calls.searchRoles>) {
  requireAnyMethod(ctx, readers(calls.searchRoles))
  return { roles: await selectRoleOptions(query, ctx.locale) }
}

/** Returns methods to choose from. Needs the read method of an area whose screens offer them. */
export async function searchMethods(ctx: Ctx, { query }: VerbInput<typeof calls.searchMethods>) {
  requireAnyMethod(ctx, readers(calls.searchMethods))
  return { methods: await selectMethodOptions(query) }
}

/** Returns all methods that roles may give, and which of them the caller may grant. Needs roles.read. */
export async function listMethods(ctx: Ctx) {
  requireMethod(ctx, 'roles.read')
  return { methods: await withGrantable(ctx, await selectAllMethods()) }
}
