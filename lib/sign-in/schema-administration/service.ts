import { db, type Transaction } from '@/db/client'
import { schemaFor } from '@/lib/access/authentication-schemas/choice'
import { type Factors, isDeadEnd, isWeaker, nextFlows } from '@/lib/access/authentication-schemas/factors'
import { readyFlows } from '@/lib/access/authentication-schemas/flows'
import { schemaCache, schemasIn, schemaUsage } from '@/lib/access/authentication-schemas/service'
import { keepingSignIn } from '@/lib/access/rights/administrators'
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
import { offerTo, offerToAnybody } from '../attempts/offers'
import * as calls from './contract'
import { schemaEntity } from './entity'
import {
  insertSchema,
  lockRoles,
  lockSchemas,
  removeSchema,
  type SchemaRow,
  selectOwnCounts,
  selectRoleIds,
  selectSchemas,
  selectTies,
  storeTies,
  updateSchema,
} from './queries'

/** How many schemas there may be: the page shows all at once. */
export const mostSchemas = 100

const read = 'authentication-schemas.read'
const write = 'authentication-schemas.write'
const broken = { authentication_schemas_code: () => fieldError('code', 'errorUnique') }

const lockout = (whom: 'caller' | 'administrators') =>
  new AppError(409, whom === 'caller' ? 'schemaOwnLockout' : 'schemaLockout')

/**
 * Throws 403 forbiddenUser if somebody who holds more than the caller could now sign in by something that didn't do
 * before: whoever knows it could be them.
 */
async function requireAsStrong(tx: Transaction, ctx: Ctx, before: Awaited<ReturnType<typeof schemasIn>>) {
  const after = await schemasIn(tx)
  const roleIds = [...new Set([...before, ...after].flatMap((schema) => schema.roleIds))]
  for (const { own, roles } of await choicesOfPeopleWithMore(tx, ctx, roleIds))
    if (isWeaker(schemaFor(before, own, roles), schemaFor(after, own, roles))) throw new AppError(403, 'forbiddenUser')
}

/**
 * Runs a change of schemas. Every process knows it at once; it is undone with 409 if it would shut the caller or every
 * administrator out, and with 403 forbiddenUser if it would weaken the sign-in of people who hold more
 * (docs/rules/sign-in.md#changes-of-schemas).
 */
const changingSchemas = <T>(ctx: Ctx, work: (tx: Transaction, schemas: SchemaRow[]) => Promise<T>) =>
  onBroken(broken, () =>
    changing(schemaCache, async (tx) => {
      const { done, before } = await keepingSignIn(tx, ctx.user?.id ?? null, lockout, async () => {
        const schemas = await lockSchemas(tx)
        const before = await schemasIn(tx)
        return { before, done: await work(tx, schemas) }
      })
      await requireAsStrong(tx, ctx, before)
      return done
    }),
  )

const asFactor = (enabled: readonly string[]) => {
  const known = enabled.filter((id): id is FlowId => FlowId.safeParse(id).success)
  const others = FlowId.options.filter((id) => !known.includes(id))
  return [...known.map((id) => ({ id, enabled: true })), ...others.map((id) => ({ id, enabled: false }))]
}

/** Returns the flows of sign-in: which can be used now, which a schema names. Needs authentication-schemas.read. */
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

/** Returns all schemas in their order, with whom they apply to now. Needs authentication-schemas.read. */
export async function listAuthenticationSchemas(ctx: Ctx) {
  requireMethod(ctx, read)
  const [rows, ties, usage, own] = await Promise.all([
    selectSchemas(db()),
    selectTies(db()),
    schemaUsage(db()),
    selectOwnCounts(db()),
  ])
  const schemas = rows.map(({ createdAt: _, updatedAt, nameEn, ...row }, priority) => ({
    ...row,
    nameEn: nameEn ?? '',
    firstFactor: asFactor(row.firstFactor),
    secondFactor: asFactor(row.secondFactor),
    roles: ties.flatMap(({ schemaId, ...role }) => (schemaId === row.id ? [role] : [])),
    usersCount: usage.get(row.id) ?? 0,
    ownCount: own.find(({ id }) => id === row.id)?.count ?? 0,
    priority,
    updatedAt: updatedAt.toISOString(),
  }))
  return { schemas }
}

/** Throws 400 for factors that nobody could fulfil, at all or, if the schema is active, with what is ready now. */
function requireFulfillable(factors: Factors, active: boolean) {
  if (isDeadEnd(factors)) throw fieldError('secondFactor', 'errorSchemaDeadEnd')
  if (active && nextFlows([], [factors], readyFlows()).length === 0)
    throw fieldError('firstFactor', 'errorFlowsNotReady')
}

/** Throws 400 for roles that don't exist, and for any role of the base schema, which needs none. */
async function requireRoles(tx: Transaction, ids: string[], base: boolean) {
  const known = await selectRoleIds(tx, ids)
  const faults = ids.flatMap((id, at): FieldError[] =>
    known.has(id) ? [] : [{ field: `roles.${at}`, code: 'errorSchemaRole' }],
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

const recordedOf = ({ name, nameEn, code, comment, firstFactor, secondFactor }: SchemaRow, roles: string[]) => ({
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
 * Creates a schema above the base schema; returns its id. Needs authentication-schemas.write. Throws 400 by field for a
 * code that is taken, unknown roles and factors that nobody could fulfil, and 409 schemasTooMany, schemaOwnLockout,
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
      const values = { ...valuesOf(body), code, active: body.active, priority }
      const row = await insertSchema(tx, values, ctx.now())
      if (!row) continue
      await storeTies(tx, row.id, body.roles)
      const { priority: _, ...shown } = values
      await audit(tx, ctx, schemaEntity, row.id, null, { ...shown, roles: body.roles, place: schemas.length })
      return row
    }
    throw fieldError('code', 'errorUnique')
  })
}

/**
 * Changes a schema. Needs authentication-schemas.write. Throws 404; 409 if somebody has saved it since `updatedAt`,
 * schemaOwnLockout and schemaLockout; 400 by field as creating one does, and for another code, roles or no password of the base one.
 */
export async function updateAuthenticationSchema(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateAuthenticationSchema>,
) {
  requireMethod(ctx, write)
  await changingSchemas(ctx, async (tx, schemas) => {
    const row = schemas.find((schema) => schema.id === id)
    const kept = { read, id, row, updatedAt: body.updatedAt } as const
    const before = await requireVersion(tx, ctx, schemaEntity, kept)
    requireFulfillable(body, before.active)
    if (before.base && before.code !== body.code) throw fieldError('code', 'errorImmutable')
    const left = before.firstFactor.includes(calls.baseFlow) && !body.firstFactor.includes(calls.baseFlow)
    if (before.base && left) throw fieldError('firstFactor', 'errorFlowBase')
    await requireRoles(tx, body.roles, before.base)
    const held = await tiesOf(tx, id)
    // the order of roles means nothing
    const roles = [
      ...held.filter((role) => body.roles.includes(role)),
      ...body.roles.filter((role) => !held.includes(role)),
    ]
    const values = { ...valuesOf(body), code: body.code }
    if (!(await audit(tx, ctx, schemaEntity, id, recordedOf(before, held), { ...values, roles }))) return
    await updateSchema(tx, id, values)
    await storeTies(tx, id, body.roles)
  })
  return {}
}

const schemaUsed = (count: number) =>
  new AppError(409, 'schemaUsed', { errorList: [{ field: 'id', code: 'schemaUsed', params: { count } }] })

/**
 * Throws 409 schemaUsed with the number of people, while a schema applies to anybody or somebody was given it. Until
 * the transaction ends nobody gets one of its roles.
 */
async function requireUnused(tx: Transaction, id: string) {
  const roles = await tiesOf(tx, id)
  if (roles.length > 0) await lockRoles(tx, roles)
  const own = (await selectOwnCounts(tx)).find((each) => each.id === id)?.count ?? 0
  const count = Math.max(own, (await schemaUsage(tx)).get(id) ?? 0)
  if (count > 0) throw schemaUsed(count)
}

/**
 * Deletes a schema. Needs authentication-schemas.write. Throws 404, 409 schemaBase for the base schema, and 409
 * schemaUsed while it applies to anybody or was given to somebody.
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
    const values = { ...recordedOf(before, await tiesOf(tx, id)), active: before.active }
    await removeSchema(tx, id)
    await audit(tx, ctx, schemaEntity, id, values, null)
  })
  return {}
}

/**
 * Switches a schema on or off. Needs authentication-schemas.write. Throws 404; 409 if somebody has saved it since
 * `updatedAt`, schemaBase, schemaUsed while it applies to anybody, schemaOwnLockout and schemaLockout; 400
 * errorFlowsNotReady for one that nobody could fulfil now.
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
    await updateSchema(tx, id, { active })
    await audit(tx, ctx, schemaEntity, id, { active: before.active }, { active })
  })
  return {}
}

/**
 * Orders the schemas above the base schema. Needs authentication-schemas.write. Throws 409 if the list doesn't name each
 * of them once, or if their order isn't `read` any more; 409 schemaOwnLockout and schemaLockout.
 */
export async function orderAuthenticationSchemas(
  ctx: Ctx,
  { body: { priority, read: seen } }: ServiceInput<typeof calls.orderAuthenticationSchemas>,
) {
  requireMethod(ctx, write)
  await changingSchemas(ctx, async (tx, schemas) => {
    const movable = schemas.filter(({ base }) => !base)
    const wanted = [...priority].sort((one, other) => one.priority - other.priority).map(({ id }) => id)
    const same = (ids: readonly string[]) =>
      ids.length === movable.length && movable.every(({ id }) => ids.includes(id)) && new Set(ids).size === ids.length
    if (!same(wanted)) throw new AppError(409)
    if (seen && movable.some(({ id }, at) => seen[at] !== id)) throw new AppError(409)
    for (const [at, id] of wanted.entries()) {
      const was = movable.findIndex((schema) => schema.id === id)
      if (movable[was]?.priority !== at) await updateSchema(tx, id, { priority: at })
      if (was !== at) await audit(tx, ctx, schemaEntity, id, { place: was + 1 }, { place: at + 1 })
    }
  })
  return {}
}

/**
 * Returns what sign-in would offer to a person, or what everybody sees who types an identifier. Sends nothing. Needs
 * authentication-schemas.read. Throws 404 for an unknown person, and 400 for what can't be an identifier.
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
