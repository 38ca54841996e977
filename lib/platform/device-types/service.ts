import { db, type Transaction } from '@/db/client'
import { requireAnyMethod, requireMethod } from '@/lib/kernel/access'
import { cached } from '@/lib/kernel/cache'
import { changing, requireUnchanged } from '@/lib/kernel/change'
import { onBroken } from '@/lib/kernel/constraints'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { codesLike, latinCode } from '@/lib/kernel/latin-code'
import { recorded } from '@/lib/kernel/record/entity'
import { record } from '@/lib/kernel/record/record'
import type {
  createDeviceType,
  deleteDeviceType,
  listDeviceTypes,
  searchDeviceTypes,
  updateDeviceType,
} from './contract'
import { deviceTypeEntity } from './entity'
import {
  allDeviceTypes,
  deviceTypePage,
  domainsByType,
  findDeviceTypes,
  holdDeviceType,
  insertDeviceType,
  removeDeviceType,
  storeDeviceType,
} from './queries'

type KnownType = { id: string; code: string; name: string; nameEn: string | null }

const taken = () => fieldError('code', 'errorUnique')
const broken = { device_types_code: taken }

/** Every device type, by name. */
export const deviceTypes = (): Promise<KnownType[]> => cached('device-types', async () => allDeviceTypes())

const change = <T>(work: (tx: Transaction) => Promise<T>) => onBroken(broken, () => changing('device-types', work))

/** One page of device types, with how many domains use each. Needs device-types.read. */
export async function deviceTypeList(ctx: Ctx, { query }: VerbInput<typeof listDeviceTypes>) {
  requireMethod(ctx, 'device-types.read')
  const [{ rows, meta }, domains] = await Promise.all([
    deviceTypePage(query, ctx.user?.pagination ?? null, ctx.locale),
    domainsByType(db()),
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

/** Creates a device type; gives its id and code. Throws 400 for a given code that is taken. */
export async function addDeviceType(ctx: Ctx, { body }: VerbInput<typeof createDeviceType>) {
  requireMethod(ctx, 'device-types.write')
  const { name, nameEn, code } = body
  return change(async (tx) => {
    for (const free of code ? [code] : codesLike(latinCode(name, 'device'))) {
      const values = { name, nameEn: nameEn || null, code: free }
      const row = await insertDeviceType(tx, values, ctx.now())
      if (!row) continue
      await record(tx, ctx, deviceTypeEntity, row.id, null, values)
      return row
    }
    throw taken()
  })
}

/** Renames a device type. Throws 404, 400 for a code that is taken or a shipped type's, 409 if somebody saved since. */
export async function changeDeviceType(ctx: Ctx, { params: { id }, body }: VerbInput<typeof updateDeviceType>) {
  requireMethod(ctx, 'device-types.write')
  const values = recorded(deviceTypeEntity, { ...body, nameEn: body.nameEn || null })
  await change(async (tx) => {
    const before = requireUnchanged(await holdDeviceType(tx, id), body.updatedAt)
    if (before.immutable && before.code !== body.code) throw fieldError('code', 'errorImmutable')
    if (await record(tx, ctx, deviceTypeEntity, id, recorded(deviceTypeEntity, before), values))
      await storeDeviceType(tx, id, values)
  })
  return {}
}

/** Deletes one. Throws 404, 409 deviceTypeImmutable for a shipped one, 409 deviceTypeUsed while a domain names it. */
export async function dropDeviceType(ctx: Ctx, { params: { id } }: VerbInput<typeof deleteDeviceType>) {
  requireMethod(ctx, 'device-types.write')
  await change(async (tx) => {
    const before = requireUnchanged(await holdDeviceType(tx, id))
    if (before.immutable) throw new AppError(409, 'deviceTypeImmutable')
    if ((await domainsByType(tx)).has(id)) throw new AppError(409, 'deviceTypeUsed')
    await removeDeviceType(tx, id)
    await record(tx, ctx, deviceTypeEntity, id, recorded(deviceTypeEntity, before), null)
  })
  return {}
}

/** Device types to choose from. Needs the reading right of an area whose screens offer them. */
export async function deviceTypeChoice(ctx: Ctx, { query }: VerbInput<typeof searchDeviceTypes>) {
  requireAnyMethod(ctx, ['device-types.read', 'domains.read'])
  const rows = await findDeviceTypes(query, ctx.locale)
  return { devicesTypes: rows.map(({ nameEn, ...row }) => ({ ...row, nameEn: nameEn ?? '' })) }
}
