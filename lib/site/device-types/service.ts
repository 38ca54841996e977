import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { removeRow, replaceRow } from '@/lib/base/audit/rows'
import { cached } from '@/lib/base/cache/cache'
import { requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'
import type * as calls from './contract'
import { deviceTypeEntity } from './entity'
import * as queries from './queries'

const codeTaken = () => fieldError('code', 'errorUnique')
const constraintErrors = { device_types_code: codeTaken }
const deviceType = { rows: queries.deviceTypeRows, entity: deviceTypeEntity }

/** Returns every device type, sorted by name. */
export const deviceTypes = () => cached('device-types', async () => queries.selectDeviceTypes())

const change = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken(constraintErrors, () => changing('device-types', work))

/** Returns one page of device types, with how many domains use each. Needs device-types.read. */
export async function listDeviceTypes(ctx: Ctx, { query }: ServiceInput<typeof calls.listDeviceTypes>) {
  requireMethod(ctx, 'device-types.read')
  const [{ rows, meta }, domains] = await Promise.all([
    queries.selectDeviceTypePage(query, ctx.user?.pagination ?? null, ctx.locale),
    queries.selectDomainsByType(db()),
  ])
  const devicesTypes = rows.map(({ createdAt: _, ...row }) => ({
    ...row,
    nameEn: row.nameEn ?? '',
    domainsCount: domains.get(row.id) ?? 0,
    updatedAt: row.updatedAt.toISOString(),
  }))
  return { devicesTypes, meta }
}

/**
 * Creates a device type. Returns its id and code. Needs device-types.write. Throws 400 for a code that another one has.
 */
export async function createDeviceType(ctx: Ctx, { body }: ServiceInput<typeof calls.createDeviceType>) {
  requireMethod(ctx, 'device-types.write')
  return change(async (tx) => {
    for (const code of body.code ? [body.code] : codesLike(latinCode(body.name, 'device'))) {
      const values = { name: body.name, nameEn: body.nameEn || null, code }
      const row = await queries.insertDeviceType(tx, { ...values, createdAt: ctx.now() })
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
export async function updateDeviceType(ctx: Ctx, input: ServiceInput<typeof calls.updateDeviceType>) {
  requireMethod(ctx, 'device-types.write')
  const { name, nameEn, code } = input.body
  await change((tx) =>
    replaceRow(tx, ctx, input, deviceType, (before) => {
      if (before.immutable && before.code !== code) throw fieldError('code', 'errorImmutable')
      return { name, nameEn: nameEn || null, code }
    }),
  )
  return {}
}

/**
 * Deletes a device type. Needs device-types.write. Throws 404, 409 deviceTypeImmutable for a shipped one, and
 * 409 deviceTypeUsed while a domain names it.
 */
export async function deleteDeviceType(ctx: Ctx, input: ServiceInput<typeof calls.deleteDeviceType>) {
  requireMethod(ctx, 'device-types.write')
  await change((tx) =>
    removeRow(tx, ctx, input, deviceType, async ({ id, immutable }) => {
      if (immutable) throw new AppError(409, 'deviceTypeImmutable')
      if ((await queries.selectDomainsByType(tx)).has(id)) throw new AppError(409, 'deviceTypeUsed')
    }),
  )
  return {}
}

/** Returns device types to choose from. Needs the read method of an area whose screens offer them. */
export async function searchDeviceTypes(ctx: Ctx, { query }: ServiceInput<typeof calls.searchDeviceTypes>) {
  requireAnyMethod(ctx, ['device-types.read', 'domains.read'])
  const rows = await queries.selectDeviceTypeOptions(query, ctx.locale)
  return { devicesTypes: rows.map((row) => ({ ...row, nameEn: row.nameEn ?? '' })) }
}
