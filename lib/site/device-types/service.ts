import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { cached } from '@/lib/base/cache/cache'
import { requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'
import type * as calls from './contract'
import { deviceTypeEntity } from './entity'
import {
  insertDeviceType,
  lockDeviceType,
  removeDeviceType,
  selectDeviceTypeOptions,
  selectDeviceTypePage,
  selectDeviceTypes,
  selectDomainsByType,
  storeDeviceType,
} from './queries'

type DeviceTypeName = { id: string; code: string; name: string; nameEn: string | null }

const codeTaken = () => fieldError('code', 'errorUnique')
const constraintErrors = { device_types_code: codeTaken }

/** Returns every device type, sorted by name. */
export const deviceTypes = (): Promise<DeviceTypeName[]> => cached('device-types', async () => selectDeviceTypes())

const change = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken(constraintErrors, () => changing('device-types', work))

/** Returns one page of device types, with how many domains use each. Needs device-types.read. */
export async function listDeviceTypes(ctx: Ctx, { query }: ServiceInput<typeof calls.listDeviceTypes>) {
  requireMethod(ctx, 'device-types.read')
  const [{ rows, meta }, domains] = await Promise.all([
    selectDeviceTypePage(query, ctx.user?.pagination ?? null, ctx.locale),
    selectDomainsByType(db()),
  ])
  const devicesTypes = rows.map(({ id, name, nameEn, code, immutable, updatedAt }) => ({
    id,
    name,
    nameEn: nameEn ?? '',
    code,
    immutable,
    domainsCount: domains.get(id) ?? 0,
    updatedAt: updatedAt.toISOString(),
  }))
  return { devicesTypes, meta }
}

/**
 * Creates a device type. Returns its id and code. Needs device-types.write. Throws 400 for a code that another one has.
 */
export async function createDeviceType(ctx: Ctx, { body }: ServiceInput<typeof calls.createDeviceType>) {
  requireMethod(ctx, 'device-types.write')
  const { name, nameEn, code } = body
  return change(async (tx) => {
    for (const candidate of code ? [code] : codesLike(latinCode(name, 'device'))) {
      const values = { name, nameEn: nameEn || null, code: candidate }
      const row = await insertDeviceType(tx, values, ctx.now())
      if (!row) continue
      await audit(tx, ctx, deviceTypeEntity, row.id, null, values)
      return row
    }
    throw codeTaken()
  })
}

/**
 * Changes a device type. Needs device-types.write. Throws 404, 400 for a code that another one has and for a new code
 * of a shipped type, and 409 if somebody has saved it since `updatedAt`.
 */
export async function updateDeviceType(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateDeviceType>,
) {
  requireMethod(ctx, 'device-types.write')
  const values = recorded(deviceTypeEntity, { ...body, nameEn: body.nameEn || null })
  await change(async (tx) => {
    const row = await lockDeviceType(tx, id)
    const version = { read: 'device-types.read', id, row, updatedAt: body.updatedAt } as const
    const before = await requireVersion(tx, ctx, deviceTypeEntity, version)
    if (before.immutable && before.code !== body.code) throw fieldError('code', 'errorImmutable')
    if (await audit(tx, ctx, deviceTypeEntity, id, recorded(deviceTypeEntity, before), values))
      await storeDeviceType(tx, id, values)
  })
  return {}
}

/**
 * Deletes a device type. Needs device-types.write. Throws 404, 409 deviceTypeImmutable for a shipped one, and
 * 409 deviceTypeUsed while a domain names it.
 */
export async function deleteDeviceType(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteDeviceType>) {
  requireMethod(ctx, 'device-types.write')
  await change(async (tx) => {
    const before = requireUnchanged(await lockDeviceType(tx, id))
    if (before.immutable) throw new AppError(409, 'deviceTypeImmutable')
    if ((await selectDomainsByType(tx)).has(id)) throw new AppError(409, 'deviceTypeUsed')
    await removeDeviceType(tx, id)
    await audit(tx, ctx, deviceTypeEntity, id, recorded(deviceTypeEntity, before), null)
  })
  return {}
}

/** Returns device types to choose from. Needs the read method of an area whose screens offer them. */
export async function searchDeviceTypes(ctx: Ctx, { query }: ServiceInput<typeof calls.searchDeviceTypes>) {
  requireAnyMethod(ctx, ['device-types.read', 'domains.read'])
  const rows = await selectDeviceTypeOptions(query, ctx.locale)
  return { devicesTypes: rows.map(({ nameEn, ...row }) => ({ ...row, nameEn: nameEn ?? '' })) }
}
