import { z } from 'zod'
import { Id, LatinCode, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'

const DeviceTypeInput = z.strictObject({
  name: requiredLine(100),
  /** In English; if empty, `name` serves both languages. */
  nameEn: line(100).default(''),
  /** By default a new device type's code is made from its name. */
  code: LatinCode.optional(),
})

const DeviceType = z.strictObject({
  id: Id,
  name: z.string(),
  nameEn: z.string(),
  code: z.string(),
  /** A shipped device type: it can't be deleted, and its code can't change. */
  immutable: z.boolean(),
  /** How many domains limit the kinds of identifier on it. */
  domainsCount: z.number().int(),
  updatedAt: z.iso.datetime(),
})
export type DeviceType = z.output<typeof DeviceType>

export const DeviceTypeQuery = listQuery({
  filters: { search: line(100).optional() },
  sorts: ['name', 'code', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
})

const calls = areaCalls('device-types', '/setting/devices-types', {
  one: 'DeviceType',
  many: 'DeviceTypes',
  snackbar: 'devicesTypes',
})

export const listDeviceTypes = calls.list({
  summary: 'Kinds of device by which domains decide how people may sign in',
  query: DeviceTypeQuery,
  response: z.strictObject({ devicesTypes: z.array(DeviceType), meta: ListMeta }),
})

export const createDeviceType = calls.create({
  summary: 'Creates a device type; by default its code is made from the name',
  body: DeviceTypeInput,
  response: z.strictObject({ id: Id, code: z.string() }),
  errors: { errorUnique: 400 },
})

export const updateDeviceType = calls.update({
  summary: 'Renames a device type; with `updatedAt` as read only if nobody saved it meanwhile',
  body: DeviceTypeInput.extend({ code: LatinCode, ...readVersion }),
  errors: { errorUnique: 400, errorImmutable: 400 },
})

export const deleteDeviceType = calls.remove({
  summary: 'Deletes a device type that is not shipped and that no domain uses',
  errors: { deviceTypeImmutable: 409, deviceTypeUsed: 409 },
})

export const searchDeviceTypes = calls.search({
  summary: 'Up to 50 device types for a choice: by part of the name or the code, or these ids',
  areas: ['domains'],
  response: z.strictObject({
    devicesTypes: z.array(DeviceType.pick({ id: true, name: true, nameEn: true, code: true })),
  }),
})
