import { randomUUID } from 'node:crypto'
import { type Database, db, type Transaction } from '@/db/client'
import { requireAssignable } from '@/lib/access/rights/service'
import { makeMethodRoles } from '@/lib/access/roles/of-methods'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { Id } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { fieldError, notFound } from '@/lib/base/runtime/errors'
import { isBase, viewOf } from '@/lib/fields/values/definition'
import { peopleFields } from '@/lib/fields/values/service'
import { type AccessTarget, accessSource, accessTargets, sourcesOf } from '@/lib/identity-providers/connections/kinds'
import { requireMayChangeProvider, withdrawVouching } from '../providers/who-may-change'
import type * as calls from './contract'
import type { MapperInput } from './contract'
import { providerMapperEntity } from './entity'
import {
  insertMappers,
  lockMapper,
  lockSync,
  type MapperRow,
  mapperRows,
  ofSync,
  selectMappers,
  selectNames,
  selectStrongRoles,
  selectSyncOf,
  selectSystemic,
  storeActor,
} from './queries'

const [read, write] = ['providers.read', 'providers.write'] as const
const constraintErrors = { provider_mappers_name: () => fieldError('name', 'errorUnique') }

async function syncOf(run: Parameters<typeof selectSyncOf>[0], syncId: string) {
  const sync = await selectSyncOf(run, syncId)
  if (!sync) throw notFound()
  return sync
}

/** Returns the mappers of a synchronization. Needs providers.read. Throws 404. */
export async function listProviderMappers(
  ctx: Ctx,
  { params: { syncId } }: ServiceInput<typeof calls.listProviderMappers>,
) {
  requireMethod(ctx, read)
  await syncOf(db(), syncId)
  const mappers = (await selectMappers(db(), syncId)).map(({ syncId: _, createdAt: __, ...row }) => ({
    ...row,
    updatedAt: row.updatedAt.toISOString(),
  }))
  return { mappers }
}

type MapperValues = Pick<MapperInput, 'type' | 'after'> & {
  attributes: readonly { attribute: string; value: string }[]
}
/** Returns the ids of the roles, or of the methods, that mappers give. */
const givenIds = (target: AccessTarget, mappers: readonly MapperValues[]): string[] => {
  const accessMappers = mappers.filter(({ type, after }) => type === 'users-access' && after === target)
  return [...new Set(accessMappers.flatMap(({ attributes }) => attributes.map(({ value }) => value)))]
}

/** Returns the names of the roles and methods that mappers give, by id. It checks no access. */
export const givenNames = async (mappers: readonly MapperValues[], run: Database | Transaction = db()) =>
  new Map((await selectNames(run, givenIds('role', mappers), givenIds('method', mappers))).map((row) => [row.id, row]))

/** Returns the ids of the roles with a method of the platform, of which the form warns. It checks no access. */
export const strongRoles = async (): Promise<string[]> => (await selectStrongRoles()).map(({ id }) => id)

/** Requires that the caller may give the roles and methods of a mapper (docs/rules/access.md#granting). */
async function requireMayGive(tx: Transaction, ctx: Ctx, mapper: MapperValues) {
  const [roles, methods] = [givenIds('role', [mapper]), givenIds('method', [mapper])]
  if (roles.length > 0) await requireAssignable(tx, ctx, { roles }, 'forbiddenRole')
  if (methods.length > 0) await requireAssignable(tx, ctx, { methods }, 'forbiddenRole')
}

/** Throws 400 by field for a mapper that can't work (docs/rules/providers.md#mappers). */
async function requireWorking(tx: Transaction, directory: keyof typeof sourcesOf, input: MapperInput) {
  const { type, before, after, customAttributes, attributes } = input
  if (type === 'users-base') {
    if (before === '') throw fieldError('before', 'errorEmpty')
    const sources: readonly string[] = sourcesOf[directory]
    if (!customAttributes && !sources.includes(before)) throw fieldError('before', 'errorMapperSource')
    const field = (await peopleFields()).find(({ code }) => code === after)
    if (!field || field.fieldType === 'picture') throw fieldError('after', 'errorMapperField')
    return
  }
  // during a sign-in no person acts whose rights could limit the given roles
  if (directory === 'oidc') throw fieldError('type', 'errorMapperAccess')
  const target = accessTargets.find((name) => name === after)
  if (!target) throw fieldError('after', 'errorMapperField')
  if (!customAttributes && before !== accessSource) throw fieldError('before', 'errorMapperSource')
  if (attributes.length === 0) throw fieldError('attributes', 'errorMapperPairs')
  const ids = attributes.map(({ value }) => value)
  const existingIds = await selectSystemic(
    tx,
    target,
    ids.filter((id) => Id.safeParse(id).success),
  )
  const index = ids.findIndex((id) => !existingIds.has(id))
  if (index >= 0) throw fieldError(`attributes.${index}.value`, target === 'role' ? 'errorRole' : 'errorMethodUnknown')
}

/** Throws 400 if another enabled mapper fills the same field: they would overwrite each other in each run. */
async function requireOnlyMapper(
  tx: Transaction,
  syncId: string,
  mapper: Pick<MapperRow, 'type' | 'after'>,
  id: string | null,
) {
  if (mapper.type !== 'users-base') return
  const otherMappers = (await selectMappers(tx, syncId)).filter((row) => row.id !== id && row.type === 'users-base')
  if (otherMappers.some((row) => row.enabled && row.after === mapper.after))
    throw fieldError('after', 'errorMapperTwice')
}

const withIds = (attributes: MapperInput['attributes']) =>
  attributes.map(({ id, attribute, value }) => ({ id: id ?? randomUUID(), attribute, value }))

/** Returns the audited fields of a mapper, with the names of its roles and methods. */
async function recordedOf(tx: Transaction, row: Omit<MapperInput, 'attributes'> & MapperValues & { enabled: boolean }) {
  const names = await givenNames([row], tx)
  return {
    type: row.type,
    enabled: row.enabled,
    name: row.name,
    before: row.before,
    after: row.after,
    customAttributes: row.customAttributes,
    absent: row.absent,
    attributes: row.attributes.map(({ attribute, value }) => `${attribute} → ${names.get(value)?.name ?? value}`),
  }
}

/**
 * Runs a change of the mappers of a synchronization, which then works with the rights of the caller. Throws what
 * `requireMayChangeProvider` throws: a mapper decides about the accounts of all people of the directory.
 */
const change = <T>(
  ctx: Ctx,
  syncId: string,
  work: (tx: Transaction, sync: Awaited<ReturnType<typeof syncOf>>) => Promise<T>,
) =>
  onBroken(constraintErrors, () =>
    changing('providers', async (tx) => {
      await lockSync(tx, syncId)
      const sync = await syncOf(tx, syncId)
      await requireMayChangeProvider(tx, ctx, sync.providerId)
      const result = await work(tx, sync)
      await withdrawVouching(tx, ctx, sync.providerId)
      // an application holds no roles that could limit a run, so scheduled runs wait for a person
      await storeActor(tx, syncId, ctx.user?.id ?? null)
      return result
    }),
  )

/**
 * Adds a mapper. Returns its id. Needs providers.write, what `requireMayChangeProvider` requires, and the roles and
 * methods that the new mapper gives. Throws 400 by field, 403 forbiddenRole and forbiddenUser, and 404
 * (docs/rules/providers.md#mappers).
 */
export async function createProviderMapper(
  ctx: Ctx,
  { params: { syncId }, body }: ServiceInput<typeof calls.createProviderMapper>,
) {
  requireMethod(ctx, write)
  return change(ctx, syncId, async (tx, sync) => {
    await requireWorking(tx, sync.type, body)
    if (body.enabled) await requireOnlyMapper(tx, syncId, body, null)
    await requireMayGive(tx, ctx, body)
    await makeMethodRoles(tx, ctx, givenIds('method', [body]))
    const row = { ...body, syncId, attributes: withIds(body.attributes), createdAt: ctx.now() }
    const [created] = await insertMappers(tx, [row])
    if (!created) throw new Error('no mapper was made')
    await audit(tx, ctx, providerMapperEntity, created.id, null, await recordedOf(tx, row))
    return { id: created.id }
  })
}

/** Replaces a mapper. Needs and throws what `createProviderMapper` does, and 409 if somebody has saved it since. */
export async function updateProviderMapper(
  ctx: Ctx,
  { params: { syncId, id }, body: { updatedAt, ...body } }: ServiceInput<typeof calls.updateProviderMapper>,
) {
  requireMethod(ctx, write)
  await change(ctx, syncId, async (tx, sync) => {
    const row = await lockMapper(tx, syncId, id)
    const before = await requireVersion(tx, ctx, providerMapperEntity, { id, row, updatedAt })
    await requireWorking(tx, sync.type, body)
    if (before.enabled) await requireOnlyMapper(tx, syncId, body, id)
    const values = { ...body, attributes: withIds(body.attributes) }
    const valuesAfter = await recordedOf(tx, { ...values, enabled: before.enabled })
    if (!(await audit(tx, ctx, providerMapperEntity, id, await recordedOf(tx, before), valuesAfter))) return
    await requireMayGive(tx, ctx, values)
    await makeMethodRoles(tx, ctx, givenIds('method', [values]))
    await mapperRows.update(tx, id, values)
  })
  return {}
}

/** Deletes a mapper. Needs and throws what `createProviderMapper` does. */
export async function deleteProviderMapper(
  ctx: Ctx,
  { params: { syncId, id } }: ServiceInput<typeof calls.deleteProviderMapper>,
) {
  requireMethod(ctx, write)
  await change(ctx, syncId, async (tx) => {
    const row = await lockMapper(tx, syncId, id)
    if (!row) throw notFound()
    await mapperRows.remove(tx, id)
    await audit(tx, ctx, providerMapperEntity, id, await recordedOf(tx, row), null)
  })
  return {}
}

/** Enables or disables a mapper. Needs and throws what `createProviderMapper` does, and 409. */
export async function enableProviderMapper(
  ctx: Ctx,
  { params, body }: ServiceInput<typeof calls.enableProviderMapper>,
) {
  requireMethod(ctx, write)
  const { syncId, id } = params
  await change(ctx, syncId, async (tx) => {
    const row = await lockMapper(tx, syncId, id)
    if (!row) throw notFound()
    await switchEnabled(
      tx,
      ctx,
      { params: { id }, body },
      {
        ...mapperRows,
        entity: providerMapperEntity,
        among: ofSync(syncId),
        check: async (enabled) => {
          if (enabled) await requireOnlyMapper(tx, syncId, row, id)
        },
      },
    )
  })
  return {}
}

type BaseFields = Record<string, string | { after: string; pairs: Record<string, string> }>
/** The base mappers of each type of directory: its name of a field, and ours, with pairs for values that differ. */
const baseFields: Record<keyof typeof sourcesOf, BaseFields> = {
  keycloak: { username: 'login', email: 'email', firstName: 'firstName', lastName: 'lastName' },
  wapps: {
    login: 'login',
    email: 'email',
    mobile: 'mobile',
    lastName: 'lastName',
    firstName: 'firstName',
    middleName: 'middleName',
  },
  oidc: {
    preferred_username: 'login',
    email: 'email',
    phone_number: 'mobile',
    family_name: 'lastName',
    given_name: 'firstName',
    middle_name: 'middleName',
    // for a provider that sends no parts of the name
    name: 'fio',
    birthdate: 'birthDate',
    gender: { after: 'gender', pairs: { male: 'man', female: 'woman' } },
  },
}

/** Adds the base mappers of this type of directory. Returns how many. Throws what `createProviderMapper` throws. */
export async function addBaseMappers(ctx: Ctx, { params: { syncId } }: ServiceInput<typeof calls.addBaseMappers>) {
  requireMethod(ctx, write)
  const fields = await peopleFields()
  return change(ctx, syncId, async (tx, sync) => {
    const existing = await selectMappers(tx, syncId)
    const rows = Object.entries(baseFields[sync.type]).flatMap(([before, target]) => {
      const { after, pairs } = typeof target === 'string' ? { after: target, pairs: {} } : target
      const field = fields.find((definition) => definition.code === after && isBase(definition))
      const name = `${before} → ${after}`
      const exists = existing.some((row) => row.name === name || (row.type === 'users-base' && row.after === after))
      if (!field || exists) return []
      const type = 'users-base' as const
      const attributes = withIds(Object.entries(pairs).map(([attribute, value]) => ({ attribute, value })))
      const absent = 'keep' as const
      return [{ syncId, type, name, before, after, customAttributes: false, absent, enabled: true, attributes }]
    })
    for (const [index, row] of rows.entries()) {
      // a millisecond apart, because lists sort mappers by their creation
      const createdAt = new Date(ctx.now().getTime() + index)
      const [created] = await insertMappers(tx, [{ ...row, createdAt }])
      if (created) await audit(tx, ctx, providerMapperEntity, created.id, null, await recordedOf(tx, row))
    }
    return { added: rows.length }
  })
}

/** Returns the fields that mappers may fill, and the fields that each type of directory has. Needs providers.read. */
export async function listMapperFields(ctx: Ctx) {
  requireMethod(ctx, read)
  const { locale, domain } = ctx
  const fields = (await peopleFields())
    .filter(({ fieldType }) => fieldType !== 'picture')
    .map((field) => {
      const { code, title, fieldType, options } = viewOf(field, { locale, locales: domain.locales, required: false })
      return { code, title, fieldType, required: field.integration, options }
    })
  return {
    fields,
    sources: { keycloak: [...sourcesOf.keycloak], wapps: [...sourcesOf.wapps], oidc: [...sourcesOf.oidc] },
  }
}
