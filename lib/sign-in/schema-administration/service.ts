import { db, type Transaction } from '@/db/client'
import { schemaFor } from '@/lib/access/authentication-schemas/choice'
import { type Factors, isDeadEnd, isWeaker, nextFlows } from '@/lib/access/authentication-schemas/factors'
import { firstFlowIds } from '@/lib/access/authentication-schemas/flow-ids'
import { readyFlows } from '@/lib/access/authentication-schemas/flows'
import { phishingResistant, schemaCache, schemasIn, schemaUsage } from '@/lib/access/authentication-schemas/service'
import { keepingSignIn } from '@/lib/access/rights/last-administrator'
import { choicesOfPeopleWithMore } from '@/lib/access/rights/service'
import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { loadMessages } from '@/lib/base/i18n/messages'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, type FieldError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'
import { FlowId } from '../attempts/contract'
import { offerTo, offerToAnybody } from '../attempts/sign-in-preview'
import * as calls from './contract'
import { schemaEntity } from './entity'
import {
  insertSchema,
  lockRoles,
  lockSchemas,
  type SchemaRow,
  schemaRows,
  selectOwnCounts,
  selectRoleIds,
  selectSchemas,
  selectTies,
  storeTies,
} from './queries'

/** How many schemas there may be. The page shows all of them at once. */
export const mostSchemas = 100

const read = 'authentication-schemas.read'
const write = 'authentication-schemas.write'
const broken = { authentication_schemas_code: () => fieldError('code', 'errorUnique') }

const lockout = (lockedOut: 'caller' | 'administrators') =>
  new AppError(409, lockedOut === 'caller' ? 'schemaOwnLockout' : 'schemaLockout')

/**
 * Throws 403 forbiddenUser if the change weakens the sign-in of a person who has more effective methods than the
 * caller, because the caller could then sign in as that person more easily.
 */
async function requireAsStrong(tx: Transaction, ctx: Ctx, before: Awaited<ReturnType<typeof schemasIn>>) {
  const after = await schemasIn(tx)
  const roleIds = [...new Set([...before, ...after].flatMap((schema) => schema.roleIds))]
  for (const { own: ownSchemaId, roles } of await choicesOfPeopleWithMore(tx, ctx, roleIds))
    if (isWeaker(schemaFor(before, ownSchemaId, roles), schemaFor(after, ownSchemaId, roles)))
      throw new AppError(403, 'forbiddenUser')
}

/**
 * Runs a change of schemas in a transaction, and notifies every process of it. Throws 409 if the caller or all
 * administrators could no longer sign in, and 403 forbiddenUser if it weakens the sign-in of people who have more
 * effective methods than the caller (docs/rules/sign-in.md#changes-of-schemas).
 */
const changingSchemas = <T>(ctx: Ctx, work: (tx: Transaction, schemas: SchemaRow[]) => Promise<T>) =>
  onBroken(broken, () =>
    changing(schemaCache, async (tx) => {
      const { done: result, before } = await keepingSignIn(tx, ctx.user?.id ?? null, lockout, async () => {
        const schemas = await lockSchemas(tx)
        const before = await schemasIn(tx)
        return { before, done: await work(tx, schemas) }
      })
      await requireAsStrong(tx, ctx, before)
      return result
    }),
  )

const asFactor = (enabled: readonly string[], options: readonly FlowId[]) => {
  const enabledFlows = options
    .filter((id) => enabled.includes(id))
    .sort((one, other) => enabled.indexOf(one) - enabled.indexOf(other))
  const disabledFlows = options.filter((id) => !enabled.includes(id))
  return [...enabledFlows.map((id) => ({ id, enabled: true })), ...disabledFlows.map((id) => ({ id, enabled: false }))]
}

/**
 * Returns the flows of sign-in, and of each whether it can be used now and whether a schema names it. Needs
 * authentication-schemas.read.
 */
export async function listSchemaFlows(ctx: Ctx) {
  requireMethod(ctx, read)
  const [schemas, messages, ready] = [await selectSchemas(db()), await loadMessages(ctx.locale), readyFlows()]
  const names = messages['authentication-schemas'].flows
  const used = new Set(schemas.flatMap(({ firstFactor, secondFactor }) => [...firstFactor, ...secondFactor]))
  return {
    flows: FlowId.options.map((id) => ({
      id,
      name: names[id],
      active: ready.includes(id),
      used: used.has(id),
      base: id === calls.baseFlow,
    })),
  }
}

/** Returns all schemas in their order, and to how many people each applies now. Needs authentication-schemas.read. */
export async function listAuthenticationSchemas(ctx: Ctx) {
  requireMethod(ctx, read)
  const [rows, ties, usage, ownCounts] = await Promise.all([
    selectSchemas(db()),
    selectTies(db()),
    schemaUsage(db()),
    selectOwnCounts(db()),
  ])
  const schemas = rows.map(({ createdAt: _, updatedAt, nameEn, ...row }, priority) => ({
    ...row,
    nameEn: nameEn ?? '',
    firstFactor: asFactor(row.firstFactor, firstFlowIds),
    secondFactor: asFactor(row.secondFactor, FlowId.options),
    roles: ties.flatMap(({ schemaId, ...role }) => (schemaId === row.id ? [role] : [])),
    usersCount: usage.get(row.id) ?? 0,
    ownCount: ownCounts.find(({ id }) => id === row.id)?.count ?? 0,
    priority,
    updatedAt: updatedAt.toISOString(),
  }))
  return { schemas }
}

/**
 * Throws 400 for factors that nobody can prove: never, or, if the schema is active, not with the flows that are ready
 * now.
 */
function requireFulfillable(factors: Factors, active: boolean) {
  if (isDeadEnd(factors)) throw fieldError('secondFactor', 'errorSchemaDeadEnd')
  if (active && nextFlows([], [factors], readyFlows()).length === 0)
    throw fieldError('firstFactor', 'errorFlowsNotReady')
}

/** Throws 400 for unknown roles, and for any role of the base schema, which needs none. */
async function requireRoles(tx: Transaction, ids: string[], base: boolean) {
  const existing = await selectRoleIds(tx, ids)
  const faults = ids.flatMap((id, index): FieldError[] =>
    existing.has(id) ? [] : [{ field: `roles.${index}`, code: 'errorSchemaRole' }],
  )
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
  if (base && ids.length > 0) throw fieldError('roles', 'errorImmutable')
}

const valuesOf = ({ name, nameEn, comment, firstFactor, secondFactor }: Omit<calls.SchemaInput, 'code'>) => ({
  name,
  nameEn: nameEn || null,
  comment,
  firstFactor,
  secondFactor,
})

const auditedOf = ({ name, nameEn, code, comment, firstFactor, secondFactor }: SchemaRow, roles: string[]) => ({
  name,
  nameEn,
  code,
  comment,
  firstFactor,
  secondFactor,
  roles,
})

const tiesOf = async (tx: Transaction, id: string) =>
  (await selectTies(tx)).flatMap((tie) => (tie.schemaId === id ? [tie.id] : []))

/**
 * Creates a schema above the base schema and returns its id. Needs authentication-schemas.write. Throws 400 by field
 * for a code that is taken, unknown roles and factors that nobody can prove, and 409 schemasTooMany, schemaOwnLockout,
 * schemaLockout.
 */
export async function createAuthenticationSchema(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.createAuthenticationSchema>,
) {
  requireMethod(ctx, write)
  requireFulfillable(body, body.active)
  return changingSchemas(ctx, async (tx, schemas) => {
    if (schemas.length >= mostSchemas) throw new AppError(409, 'schemasTooMany')
    await requireRoles(tx, body.roles, false)
    const priority = Math.max(-1, ...schemas.filter(({ base }) => !base).map((schema) => schema.priority)) + 1
    for (const code of body.code ? [body.code] : codesLike(latinCode(body.name, 'schema'))) {
      if (code === phishingResistant) continue
      const values = { ...valuesOf(body), code, active: body.active, priority }
      const row = await insertSchema(tx, values, ctx.now())
      if (!row) continue
      await storeTies(tx, row.id, body.roles)
      const { priority: _, ...audited } = values
      await audit(tx, ctx, schemaEntity, row.id, null, { ...audited, roles: body.roles, place: schemas.length })
      return row
    }
    throw fieldError('code', 'errorUnique')
  })
}

/**
 * Changes a schema. Needs authentication-schemas.write. Throws 404; 409 if somebody has saved it since `updatedAt`,
 * schemaOwnLockout and schemaLockout; 400 by field as `createAuthenticationSchema` does, and for the base schema also
 * for another code, for roles, and if the password flow is missing.
 */
export async function updateAuthenticationSchema(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateAuthenticationSchema>,
) {
  requireMethod(ctx, write)
  await changingSchemas(ctx, async (tx, schemas) => {
    const row = schemas.find((schema) => schema.id === id)
    const before = await requireVersion(tx, ctx, schemaEntity, { id, row, updatedAt: body.updatedAt })
    requireFulfillable(body, before.active)
    if (before.base && before.code !== body.code) throw fieldError('code', 'errorImmutable')
    if (body.code === phishingResistant && before.code !== body.code) throw fieldError('code', 'errorUnique')
    const dropsBaseFlow = before.firstFactor.includes(calls.baseFlow) && !body.firstFactor.includes(calls.baseFlow)
    if (before.base && dropsBaseFlow) throw fieldError('firstFactor', 'errorFlowBase')
    await requireRoles(tx, body.roles, before.base)
    const oldRoles = await tiesOf(tx, id)
    // the order of roles means nothing
    const roles = [
      ...oldRoles.filter((role) => body.roles.includes(role)),
      ...body.roles.filter((role) => !oldRoles.includes(role)),
    ]
    const values = { ...valuesOf(body), code: body.code }
    if (!(await audit(tx, ctx, schemaEntity, id, auditedOf(before, oldRoles), { ...values, roles }))) return
    await schemaRows.update(tx, id, values)
    await storeTies(tx, id, body.roles)
  })
  return {}
}

const schemaUsed = (count: number) =>
  new AppError(409, 'schemaUsed', { errorList: [{ field: 'id', code: 'schemaUsed', params: { count } }] })

/**
 * Throws 409 schemaUsed with the number of people, if a schema applies to anybody or is the own schema of an account.
 * Locks its roles, so that nobody gets one of them until the transaction ends.
 */
async function requireUnused(tx: Transaction, id: string) {
  const roles = await tiesOf(tx, id)
  if (roles.length > 0) await lockRoles(tx, roles)
  const ownCount = (await selectOwnCounts(tx)).find((row) => row.id === id)?.count ?? 0
  const count = Math.max(ownCount, (await schemaUsage(tx)).get(id) ?? 0)
  if (count > 0) throw schemaUsed(count)
}

/**
 * Deletes a schema. Needs authentication-schemas.write. Throws 404, 409 schemaBase for the base schema, and 409
 * schemaUsed while it applies to anybody or is the own schema of an account.
 */
export async function deleteAuthenticationSchema(
  ctx: Ctx,
  { params: { id } }: ServiceInput<typeof calls.deleteAuthenticationSchema>,
) {
  requireMethod(ctx, write)
  await changingSchemas(ctx, async (tx, schemas) => {
    const before = requireUnchanged(schemas.find((schema) => schema.id === id))
    if (before.base) throw new AppError(409, 'schemaBase')
    await requireUnused(tx, id)
    const values = { ...auditedOf(before, await tiesOf(tx, id)), active: before.active }
    await schemaRows.remove(tx, id)
    await audit(tx, ctx, schemaEntity, id, values, null)
  })
  return {}
}

/**
 * Switches a schema on or off. Needs authentication-schemas.write. Throws 404; 409 if somebody has saved it since
 * `updatedAt`, schemaBase, schemaUsed while it applies to anybody, schemaOwnLockout and schemaLockout; 400
 * errorFlowsNotReady for a schema that nobody can satisfy with the flows that are ready now.
 */
export async function activateAuthenticationSchema(
  ctx: Ctx,
  { params: { id }, body: { active, updatedAt } }: ServiceInput<typeof calls.activateAuthenticationSchema>,
) {
  requireMethod(ctx, write)
  await changingSchemas(ctx, async (tx, schemas) => {
    const before = requireUnchanged(
      schemas.find((schema) => schema.id === id),
      updatedAt,
    )
    if (before.active === active) return
    if (before.base) throw new AppError(409, 'schemaBase')
    if (active) requireFulfillable(before, true)
    else await requireUnused(tx, id)
    await schemaRows.update(tx, id, { active })
    await audit(tx, ctx, schemaEntity, id, { active: before.active }, { active })
  })
  return {}
}

/**
 * Orders the schemas above the base schema. Needs authentication-schemas.write. Throws 409 if the list doesn't name
 * each of them once, or if their order is no longer `read`; 409 schemaOwnLockout and schemaLockout.
 */
export async function orderAuthenticationSchemas(
  ctx: Ctx,
  { body: { priority, read: readOrder } }: ServiceInput<typeof calls.orderAuthenticationSchemas>,
) {
  requireMethod(ctx, write)
  await changingSchemas(ctx, async (tx, schemas) => {
    const movable = schemas.filter(({ base }) => !base)
    const order = [...priority].sort((first, second) => first.priority - second.priority).map(({ id }) => id)
    const namesEachOnce = (ids: readonly string[]) =>
      ids.length === movable.length && movable.every(({ id }) => ids.includes(id)) && new Set(ids).size === ids.length
    if (!namesEachOnce(order)) throw new AppError(409)
    if (readOrder && movable.some(({ id }, index) => readOrder[index] !== id)) throw new AppError(409)
    for (const [index, id] of order.entries()) {
      const oldIndex = movable.findIndex((schema) => schema.id === id)
      if (movable[oldIndex]?.priority !== index) await schemaRows.update(tx, id, { priority: index })
      if (oldIndex !== index) await audit(tx, ctx, schemaEntity, id, { place: oldIndex + 1 }, { place: index + 1 })
    }
  })
  return {}
}

/**
 * Returns the steps that sign-in would offer to a person, or that it shows for an identifier. Sends nothing. Needs
 * authentication-schemas.read. Throws 404 for an unknown person, and 400 for a text that can't be an identifier.
 */
export async function previewAuthenticationSchema(
  ctx: Ctx,
  { query: { userId, identifier } }: ServiceInput<typeof calls.previewAuthenticationSchema>,
): Promise<calls.SchemaPreview> {
  requireMethod(ctx, read)
  const person = userId ? await offerTo(userId) : null
  if (userId && !person) throw notFound()
  const offer = person ?? (await offerToAnybody(identifier ?? ''))
  const [schemas, ties] = await Promise.all([selectSchemas(db()), selectTies(db())])
  const schema = requireUnchanged(schemas.find(({ id }) => id === offer.schemaId))
  const named = ({ id, name, nameEn }: { id: string; name: string; nameEn: string | null }) => ({ id, name, nameEn })
  const tie =
    person?.by === 'role'
      ? ties.find((each) => each.schemaId === schema.id && person.roleIds.includes(each.id))
      : undefined
  return {
    schema: named(schema),
    by: person?.by ?? 'identifier',
    role: tie ? named(tie) : null,
    first: offer.first,
    second: person?.second ?? [],
    stuck: person ? person.stuck : null,
  }
}
