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
import { keepingAdministrator } from '../rights/last-administrator'
import { methodsNotHeld, refreshRights, requireAssignable } from '../rights/service'
import * as calls from './contract'
import { roleEntity } from './entity'
import { methodOfRole } from './of-methods'
import {
  isRoleName,
  lockRoleNames,
  roleRows,
  selectAllMethods,
  selectEffect,
  selectMethodOptions,
  selectMethodsByIds,
  selectRoleCounts,
  selectRoleMethods,
  selectRoleOptions,
  selectRolePage,
  selectRoleUsage,
  storeRoleMethods,
  updateRoleRow,
} from './queries'

/**
 * Returns the codes by which the history names methods; the code of an application's method follows that of the
 * application.
 */
const keysOf = (methods: Awaited<ReturnType<typeof selectRoleMethods>>) =>
  methods.map(({ code, application }) => (application ? `${application.code}: ${code}` : code))

const valuesOf = ({ name, nameEn, comment, commentEn, roleType }: calls.RoleInput) => ({
  name: singleSpaced(name),
  nameEn: singleSpaced(nameEn) || null,
  comment,
  commentEn,
  roleType,
})

type RoleNames = { name: string; nameEn: string | null }

/** Returns the names that readers of each language see. */
const namesOf = ({ name, nameEn }: RoleNames) => ({ name: singleSpaced(name), nameEn: singleSpaced(nameEn || name) })

/**
 * Returns the methods with these ids. Throws 400 for unknown ids, and 403 forbiddenRole for methods of `changed` that
 * the caller may not grant.
 */
async function requireMethods(tx: Transaction, ctx: Ctx, methodIds: readonly string[], changed: readonly string[]) {
  const methods = await selectMethodsByIds(tx, [...methodIds])
  const errorsFor = (code: string, isFaulty: (id: string) => boolean) =>
    methodIds.flatMap((id, index): FieldError[] => (isFaulty(id) ? [{ field: `methods.${index}`, code }] : []))
  const unknownErrors = errorsFor('errorMethodUnknown', (id) => !methods.some((method) => method.id === id))
  if (unknownErrors.length > 0) throw new AppError(400, undefined, { errorList: unknownErrors })
  const notHeld = new Set((await methodsNotHeld(tx, ctx, { methods: changed })).map(({ id }) => id))
  if (notHeld.size > 0)
    throw new AppError(403, 'forbiddenRole', { errorList: errorsFor('forbiddenMethod', (id) => notHeld.has(id)) })
  return methods
}

/**
 * Throws 400 for a new name under which readers of a language see another role, because people choose roles by their
 * names. Also throws 400 for a name that is the code of a method's role, because configurations name roles without a
 * code by their names.
 */
async function requireOwnName(tx: Transaction, id: string, values: RoleNames, previous: RoleNames | null) {
  const [names, previousNames] = [namesOf(values), previous && namesOf(previous)]
  const changed = (['name', 'nameEn'] as const).filter((column) => names[column] !== previousNames?.[column])
  if (changed.length > 0) await lockRoleNames(tx)
  if (changed.includes('name') && methodOfRole(values.name) !== null) throw fieldError('name', 'errorUnique')
  for (const column of changed)
    if (await isRoleName(tx, column, names[column], id))
      throw fieldError(values[column] ? column : 'name', 'errorUnique')
}

/**
 * Creates a role and returns its id. Needs roles.write. Throws 400 for unknown methods and a taken name, and 403
 * forbiddenRole for a method that the caller may not grant.
 */
export async function createRole(ctx: Ctx, { body }: ServiceInput<typeof calls.createRole>) {
  requireMethod(ctx, 'roles.write')
  const id = randomUUID()
  await db().transaction(async (tx) => {
    const methods = await requireMethods(tx, ctx, body.methods, body.methods)
    const values = valuesOf(body)
    await requireOwnName(tx, id, values, null)
    await roleRows.insert(tx, { id, ...values, createdAt: ctx.now() })
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

type Row = NonNullable<Awaited<ReturnType<typeof roleRows.lock>>>

/**
 * Throws 400 for a new type of a shipped role, and of a role that somebody holds or something uses: the type decides
 * where a role is held.
 */
async function requireType(tx: Transaction, ctx: Ctx, { id, roleType, immutable }: Row, newType: calls.RoleType) {
  if (roleType === newType) return
  if (immutable) throw fieldError('roleType', 'errorRoleFixed')
  const counts = (await selectRoleCounts([id], 1, tx)).get(id)
  const uses = await usageOf(tx, id, ctx.now(), await settingsIn(tx))
  if ((counts?.holders.count ?? 0) > 0 || uses.length > 0) throw fieldError('roleType', 'errorRoleHeld')
}

/**
 * Replaces a role; its holders gain and lose methods at once. Needs roles.write. Throws 404, 409 if somebody has saved
 * it since `updatedAt`, 403 forbiddenRole for an added or removed method that the caller may not grant and for new
 * texts of a role that the caller may not give. Throws 400 by field: for a new type of a shipped or used role, unknown
 * methods, methods of the platform in the role of `defaultUserRole`, changed methods of the administrator's role or of
 * a method's role, and the name of another role.
 */
export async function updateRole(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateRole>) {
  requireMethod(ctx, 'roles.write')
  const afterCommit = await db().transaction(async (tx) => {
    const locked = await roleRows.lock(tx, id)
    const methodsBefore = locked ? await selectRoleMethods(id, tx) : []
    const row = locked && { ...locked, methods: methodsBefore.map((method) => method.id) }
    const before = await requireVersion(tx, ctx, roleEntity, { id, row, updatedAt: body.updatedAt })
    await requireType(tx, ctx, before, body.roleType)
    const add = body.methods.filter((method) => !before.methods.includes(method))
    const remove = before.methods.filter((method) => !body.methods.includes(method))
    const changed = [...add, ...remove]
    if (before.code === 'administrator' && changed.length > 0) throw fieldError('methods', 'errorAdministratorMethods')
    if (methodOfRole(before.code) !== null && changed.length > 0) throw fieldError('methods', 'errorRoleOfMethod')
    const methods = await requireMethods(tx, ctx, body.methods, changed)
    const platformMethod = methods.find(({ id: method, kind }) => kind === 'systemic' && add.includes(method))
    if (platformMethod && (await settingsIn(tx)).defaultUserRole === id)
      throw fieldError(`methods.${body.methods.indexOf(platformMethod.id)}`, 'errorDefaultRole')
    const { name, nameEn, comment, roleType } = before
    const commentEn = before.commentEn ?? ''
    const values = valuesOf(body)
    await requireOwnName(tx, id, values, before)
    const previousValues = { name, nameEn, comment, commentEn, roleType, methods: keysOf(methodsBefore) }
    if (!(await audit(tx, ctx, roleEntity, id, previousValues, { ...values, methods: keysOf(methods) })))
      return undefined
    // people who give a role choose it by its texts
    const sameTexts = values.name === name && (values.nameEn ?? '') === (nameEn ?? '') && values.comment === comment
    if (!sameTexts || values.commentEn !== commentEn) await requireAssignable(tx, ctx, { roles: [id] }, 'forbiddenRole')
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
      await roleRows.lock(tx, id),
    )
    if (immutable) throw new AppError(409, 'roleFixed')
    await requireAssignable(tx, ctx, { roles: [id] }, 'forbiddenRole')
    const holders = (await selectRoleCounts([id], calls.countedHolders, tx)).get(id)?.holders
    if (holders && holders.count > 0) throw roleHeld(holders.count)
    if ((await usageOf(tx, id, ctx.now(), await settingsIn(tx))).length > 0) throw new AppError(409, 'roleUsed')
    const methods = keysOf(await selectRoleMethods(id, tx))
    await roleRows.remove(tx, id)
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

const noHolders = { methodCount: 0, holders: { count: 0, more: false } }

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
    ...(counts.get(role.id) ?? noHolders),
    updatedAt: updatedAt.toISOString(),
  }))
  return { roles, meta }
}

type MethodRows = Awaited<ReturnType<typeof selectAllMethods>>

/** Returns the methods, each with whether the caller may give and take it. */
async function withAssignable(ctx: Ctx, methods: MethodRows) {
  const ids = methods.map(({ id }) => id)
  const notHeld = new Set((await methodsNotHeld(db(), ctx, { methods: ids }, ids.length)).map(({ id }) => id))
  return methods.map((method) => ({ ...method, grantable: !notHeld.has(method.id) }))
}

/** Returns a role with its methods and what uses it. Needs roles.read. Throws 404. */
export async function readRole(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readRole>) {
  requireMethod(ctx, 'roles.read')
  const row = await roleRows.select(id)
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
      ...(counts.get(id) ?? noHolders),
      updatedAt: updatedAt.toISOString(),
      methods: await withAssignable(ctx, methods),
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
  const role = await roleRows.select(id)
  if (!role) throw notFound()
  const { give = [], take = [], enabled = role.enabled } = query
  const roleMethodIds = enabled === role.enabled ? [] : (await selectRoleMethods(id)).map((method) => method.id)
  const change = {
    give: [...(enabled ? give : []), ...(enabled ? roleMethodIds : [])],
    take: [...(enabled ? take : []), ...(enabled ? [] : roleMethodIds)],
  }
  const { people, more, gain, lose } = await selectEffect(id, change, calls.countedHolders)
  return { people: { count: people, more }, gain, lose }
}

/** Returns the read methods of the areas whose screens offer this choice: a caller with one of them may search. */
const readMethodsOf = ({ access }: { access: typeof calls.searchRoles.access }) =>
  typeof access === 'object' && 'areas' in access ? access.areas.map((area): SystemicMethod => `${area}.read`) : []

/** Returns roles to choose from. Needs the read method of an area whose screens offer them. */
export async function searchRoles(ctx: Ctx, { query }: ServiceInput<typeof calls.searchRoles>) {
  requireAnyMethod(ctx, readMethodsOf(calls.searchRoles))
  return { roles: await selectRoleOptions(query, ctx.locale) }
}

/** Returns methods to choose from. Needs the read method of an area whose screens offer them. */
export async function searchMethods(ctx: Ctx, { query }: ServiceInput<typeof calls.searchMethods>) {
  requireAnyMethod(ctx, readMethodsOf(calls.searchMethods))
  return { methods: await selectMethodOptions(query) }
}

/** Returns all methods that roles may give, and which of them the caller may grant. Needs roles.read. */
export async function listMethods(ctx: Ctx) {
  requireMethod(ctx, 'roles.read')
  return { methods: await allMethods(ctx) }
}

/** Returns all methods, and which of them the caller may grant. It checks no access. */
export const allMethods = async (ctx: Ctx) => withAssignable(ctx, await selectAllMethods())
