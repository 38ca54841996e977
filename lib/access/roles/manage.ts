import { randomUUID } from 'node:crypto'
import { type Database, db, type Transaction } from '@/db/client'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { audit } from '@/lib/base/audit/audit'
import { requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { callerId, requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, type FieldError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { singleSpaced } from '@/lib/base/text/characters'
import type { Settings } from '@/lib/site/settings/definitions'
import { platformSettings, settingsIn } from '@/lib/site/settings/service'
import { keepingAdministrator } from '../rights/administrators'
import { methodsNotHeld, refreshRights, requireAssignable } from '../rights/service'
import * as calls from './contract'
import { roleEntity } from './entity'
import { methodOfRole } from './of-methods'
import {
  insertRole,
  isRoleName,
  lockRole,
  lockRoleNames,
  removeRole,
  roleRows,
  selectAllMethods,
  selectEffect,
  selectMethodOptions,
  selectMethodsByIds,
  selectRole,
  selectRoleCounts,
  selectRoleMethods,
  selectRoleOptions,
  selectRolePage,
  selectRoleUsage,
  storeRoleMethods,
  updateRoleRow,
} from './queries'

/** The code by which the history names a method: those of an application after its own. */
const keysOf = (methods: Awaited<ReturnType<typeof selectRoleMethods>>) =>
  methods.map(({ code, application }) => (application ? `${application.code}: ${code}` : code))

const valuesOf = ({ name, nameEn, comment, commentEn, roleType }: calls.RoleInput) => ({
  name: singleSpaced(name),
  nameEn: singleSpaced(nameEn) || null,
  comment,
  commentEn,
  roleType,
})

type Named = { name: string; nameEn: string | null }

/** The names under which readers of each language see a role. */
const namesOf = ({ name, nameEn }: Named) => ({ name: singleSpaced(name), nameEn: singleSpaced(nameEn || name) })

/** Throws 400 for unknown ids, and 403 forbiddenRole for methods of `changed` that the caller may not grant. */
async function requireMethods(tx: Transaction, ctx: Ctx, wanted: readonly string[], changed: readonly string[]) {
  const known = await selectMethodsByIds(tx, [...wanted])
  const faulty = (code: string, isFaulty: (id: string) => boolean) =>
    wanted.flatMap((id, at): FieldError[] => (isFaulty(id) ? [{ field: `methods.${at}`, code }] : []))
  const unknown = faulty('errorMethodUnknown', (id) => !known.some((method) => method.id === id))
  if (unknown.length > 0) throw new AppError(400, undefined, { errorList: unknown })
  const beyond = new Set((await methodsNotHeld(tx, ctx, { methods: changed })).map(({ id }) => id))
  if (beyond.size > 0)
    throw new AppError(403, 'forbiddenRole', { errorList: faulty('forbiddenMethod', (id) => beyond.has(id)) })
  return known
}

/**
 * Throws 400 if readers of a language would see another role under the new name of this one, because people choose roles by
 * their names, or if it is the code of the role of a method, because configurations name roles without a code by their
 * names.
 */
async function requireOwnName(tx: Transaction, id: string, is: Named, was: Named | null) {
  const [names, before] = [namesOf(is), was && namesOf(was)]
  const changed = (['name', 'nameEn'] as const).filter((column) => names[column] !== before?.[column])
  if (changed.length > 0) await lockRoleNames(tx)
  if (changed.includes('name') && methodOfRole(is.name) !== null) throw fieldError('name', 'errorUnique')
  for (const column of changed)
    if (await isRoleName(tx, column, names[column], id)) throw fieldError(is[column] ? column : 'name', 'errorUnique')
}

/**
 * Creates a role; returns its id. Needs roles.write. Throws 400 for unknown methods and a taken name, and 403 forbiddenRole for a method
 * that the caller may not grant.
 */
export async function createRole(ctx: Ctx, { body }: ServiceInput<typeof calls.createRole>) {
  requireMethod(ctx, 'roles.write')
  const id = randomUUID()
  await db().transaction(async (tx) => {
    const methods = await requireMethods(tx, ctx, body.methods, body.methods)
    const values = valuesOf(body)
    await requireOwnName(tx, id, values, null)
    await insertRole(tx, id, values, ctx.now())
    await storeRoleMethods(tx, id, { add: body.methods, remove: [] })
    await audit(tx, ctx, roleEntity, id, null, { ...values, enabled: true, methods: keysOf(methods) })
  })
  return { id }
}

/** Returns what uses a role besides its holders, with how many there are. */
async function usageOf(
  run: Database | Transaction,
  id: string,
  now: Date,
  { defaultUserRole }: Pick<Settings, 'defaultUserRole'>,
): Promise<calls.Usage[]> {
  const { schemas, invitations } = await selectRoleUsage(run, id, now)
  const counts = { schemas, invitations, defaultUserRole: defaultUserRole === id ? 1 : 0 }
  return (['schemas', 'invitations', 'defaultUserRole'] as const)
    .map((place) => ({ place, count: counts[place] }))
    .filter(({ count }) => count > 0)
}

type Row = NonNullable<Awaited<ReturnType<typeof lockRole>>>

/** The type can change while nobody holds the role and nothing uses it: where it is held depends on it. */
async function requireType(tx: Transaction, ctx: Ctx, { id, roleType, immutable }: Row, wanted: calls.RoleType) {
  if (roleType === wanted) return
  if (immutable) throw fieldError('roleType', 'errorRoleFixed')
  const counts = (await selectRoleCounts([id], 1, tx)).get(id)
  const used = await usageOf(tx, id, ctx.now(), await settingsIn(tx))
  if ((counts?.holders.count ?? 0) > 0 || used.length > 0) throw fieldError('roleType', 'errorRoleHeld')
}

/**
 * Replaces a role; its holders gain and lose methods at once. Needs roles.write. Throws 404, 409 if somebody has saved
 * it since `updatedAt`, 403 forbiddenRole for an added or removed method that the caller may not grant and for other words
 * of a role that they may not, and 400 by field: for the type of a shipped or a used role, for unknown methods, for methods of the platform in the role of
 * `defaultUserRole`, for the methods of the administrator and of the role of a method, and for the name of another role.
 */
export async function updateRole(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateRole>) {
  requireMethod(ctx, 'roles.write')
  const afterCommit = await db().transaction(async (tx) => {
    const locked = await lockRole(tx, id)
    const held = locked ? await selectRoleMethods(id, tx) : []
    const row = locked && { ...locked, methods: held.map((method) => method.id) }
    const kept = { read: 'roles.read', id, row, updatedAt: body.updatedAt } as const
    const before = await requireVersion(tx, ctx, roleEntity, kept)
    await requireType(tx, ctx, before, body.roleType)
    const add = body.methods.filter((method) => !before.methods.includes(method))
    const remove = before.methods.filter((method) => !body.methods.includes(method))
    const changed = [...add, ...remove]
    if (before.code === 'administrator' && changed.length > 0) throw fieldError('methods', 'errorAdministratorMethods')
    if (methodOfRole(before.code) !== null && changed.length > 0) throw fieldError('methods', 'errorRoleOfMethod')
    const methods = await requireMethods(tx, ctx, body.methods, changed)
    const strong = methods.find(({ id: method, kind }) => kind === 'systemic' && add.includes(method))
    if (strong && (await settingsIn(tx)).defaultUserRole === id)
      throw fieldError(`methods.${body.methods.indexOf(strong.id)}`, 'errorDefaultRole')
    const { name, nameEn, comment, roleType } = before
    const commentEn = before.commentEn ?? ''
    const values = valuesOf(body)
    await requireOwnName(tx, id, values, before)
    const was = { name, nameEn, comment, commentEn, roleType, methods: keysOf(held) }
    if (!(await audit(tx, ctx, roleEntity, id, was, { ...values, methods: keysOf(methods) }))) return undefined
    // whoever gives a role chooses it by its words
    const sameWords = values.name === name && (values.nameEn ?? '') === (nameEn ?? '') && values.comment === comment
    if (!sameWords || values.commentEn !== commentEn) await requireAssignable(tx, ctx, { roles: [id] }, 'forbiddenRole')
    await updateRoleRow(tx, id, values)
    await storeRoleMethods(tx, id, { add, remove })
    return changed.length > 0 && before.enabled ? refreshRights(tx, ctx, { role: id }) : undefined
  })
  await afterCommit?.()
  return {}
}

const roleHeld = (count: number) =>
  new AppError(409, 'roleHeld', { errorList: [{ field: 'id', code: 'roleHeld', params: { count } }] })

/**
 * Deletes a role. Needs roles.write. Throws 404; 409 roleFixed for a shipped one, roleHeld with the number of holders
 * while somebody holds it, roleUsed while a schema, an open invitation or a setting names it; 403 forbiddenRole if it has
 * a method that the caller may not grant.
 */
export async function deleteRole(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteRole>) {
  requireMethod(ctx, 'roles.write')
  await db().transaction(async (tx) => {
    const { code, name, nameEn, comment, commentEn, roleType, enabled, immutable } = requireUnchanged(
      await lockRole(tx, id),
    )
    if (immutable) throw new AppError(409, 'roleFixed')
    await requireAssignable(tx, ctx, { roles: [id] }, 'forbiddenRole')
    const holders = (await selectRoleCounts([id], calls.countedHolders, tx)).get(id)?.holders
    if (holders && holders.count > 0) throw roleHeld(holders.count)
    if ((await usageOf(tx, id, ctx.now(), await settingsIn(tx))).length > 0) throw new AppError(409, 'roleUsed')
    const methods = keysOf(await selectRoleMethods(id, tx))
    await removeRole(tx, id)
    await audit(tx, ctx, roleEntity, id, { code, name, nameEn, comment, commentEn, roleType, enabled, methods }, null)
  })
  return {}
}

/**
 * Enables or disables a role; a disabled one gives nobody its methods, at once. Needs roles.write. Throws 404, 409 if
 * somebody has changed it since `updatedAt`, 403 forbiddenRole if it has a method that the caller may not grant, and 409
 * lastAdministrator.
 */
export async function enableRole(ctx: Ctx, input: ServiceInput<typeof calls.enableRole>) {
  requireMethod(ctx, 'roles.write')
  const { id } = input.params
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, async () => {
      const check = () => requireAssignable(tx, ctx, { roles: [id] }, 'forbiddenRole')
      const switched = await switchEnabled(tx, ctx, input, { ...roleRows, entity: roleEntity, check })
      return switched ? refreshRights(tx, ctx, { role: id }, input.body.enabled) : undefined
    }),
  )
  await afterCommit?.()
  return {}
}

const nobody = { methodCount: 0, holders: { count: 0, more: false } }

/** Returns one page of roles with the numbers of their methods and holders. Needs roles.read. */
export async function listRoles(ctx: Ctx, { query }: ServiceInput<typeof calls.listRoles>) {
  requireMethod(ctx, 'roles.read')
  const { rows, meta } = await selectRolePage(query, callerId(ctx), ctx.user?.pagination ?? null, ctx.locale)
  const counts = await selectRoleCounts(
    rows.map(({ id }) => id),
    calls.countedHolders,
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
  const ids = methods.map(({ id }) => id)
  const beyond = new Set((await methodsNotHeld(db(), ctx, { methods: ids }, ids.length)).map(({ id }) => id))
  return methods.map((method) => ({ ...method, grantable: !beyond.has(method.id) }))
}

/** Returns a role with its methods and what uses it. Needs roles.read. Throws 404. */
export async function readRole(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readRole>) {
  requireMethod(ctx, 'roles.read')
  const row = await selectRole(id)
  if (!row) throw notFound()
  const { createdAt: _, updatedAt, ...role } = row
  const [counts, methods, usedIn] = await Promise.all([
    selectRoleCounts([id], calls.countedHolders),
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
export async function roleEffect(ctx: Ctx, { params: { id }, query }: ServiceInput<typeof calls.roleEffect>) {
  requireMethod(ctx, 'roles.read')
  const role = await selectRole(id)
  if (!role) throw notFound()
  const { give = [], take = [], enabled = role.enabled } = query
  const all = enabled === role.enabled ? [] : (await selectRoleMethods(id)).map((method) => method.id)
  const change = {
    give: [...(enabled ? give : []), ...(enabled ? all : [])],
    take: [...(enabled ? take : []), ...(enabled ? [] : all)],
  }
  const { people, more, gain, lose } = await selectEffect(id, change, calls.countedHolders)
  return { people: { count: people, more }, gain, lose }
}

/** The areas whose screens offer a choice of roles, or of methods: whoever may open one may search. */
const readers = ({ access }: { access: typeof calls.searchRoles.access }) =>
  typeof access === 'object' && 'areas' in access ? access.areas.map((area): SystemicMethod => `${area}.read`) : []

/** Returns roles to choose from. Needs the read method of an area whose screens offer them. */
export async function searchRoles(ctx: Ctx, { query }: ServiceInput<typeof calls.searchRoles>) {
  requireAnyMethod(ctx, readers(calls.searchRoles))
  return { roles: await selectRoleOptions(query, ctx.locale) }
}

/** Returns methods to choose from. Needs the read method of an area whose screens offer them. */
export async function searchMethods(ctx: Ctx, { query }: ServiceInput<typeof calls.searchMethods>) {
  requireAnyMethod(ctx, readers(calls.searchMethods))
  return { methods: await selectMethodOptions(query) }
}

/** Returns all methods that roles may give, and which of them the caller may grant. Needs roles.read. */
export async function listMethods(ctx: Ctx) {
  requireMethod(ctx, 'roles.read')
  return { methods: await allMethods(ctx) }
}

/** Returns all methods, and which of them the caller may grant. It checks no access. */
export const allMethods = async (ctx: Ctx) => withGrantable(ctx, await selectAllMethods())
