import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/kernel/http/contract'
import { ListMeta, listQuery, many } from '@/lib/kernel/lists'

const tag = 'device-types'
const access = { area: 'device-types' }

const Code = requiredLine(64).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'errorLatin')

const DeviceTypeInput = z.strictObject({
  name: requiredLine(100),
  /** In English; empty: the name serves both languages. */
  nameEn: line(100).default(''),
  /** Left out on create, it is made from the name. */
  code: Code.optional(),
})
export type DeviceTypeInput = z.output<typeof DeviceTypeInput>

const DeviceType = z.strictObject({
  id: Id,
  name: z.string(),
  nameEn: z.string(),
  code: z.string(),
  /** Shipped: it can't be deleted, its code can't change. */
  immutable: z.boolean(),
  /** How many domains limit what is offered on it. */
  domainsCount: z.number().int(),
  updatedAt: z.iso.datetime(),
})
export type DeviceType = z.output<typeof DeviceType>

export const DeviceTypeQuery = listQuery({
  filters: { search: line(100).optional() },
  sorts: ['name', 'code', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
})

export const listDeviceTypes = contract({
  name: 'listDeviceTypes',
  method: 'GET',
  path: '/setting/devices-types',
  summary: 'Kinds of device by which domains decide how people may sign in',
  tag,
  access,
  query: DeviceTypeQuery,
  response: z.strictObject({ devicesTypes: z.array(DeviceType), meta: ListMeta }),
})

export const createDeviceType = contract({
  name: 'createDeviceType',
  method: 'POST',
  path: '/setting/devices-types',
  summary: 'Creates a device type; its code is made from the name unless told',
  tag,
  access,
  body: DeviceTypeInput,
  response: z.strictObject({ id: Id, code: z.string() }),
  errors: { errorUnique: 400 },
  notice: 'devicesTypesCreate',
})

export const updateDeviceType = contract({
  name: 'updateDeviceType',
  method: 'PUT',
  path: '/setting/devices-types/{id}',
  summary: 'Renames a device type; with `updatedAt` as read only if nobody saved it meanwhile',
  tag,
  access,
  params: z.strictObject({ id: Id }),
  body: DeviceTypeInput.extend({
    code: Code,
    /** The version that was read. */
    updatedAt: z.iso.datetime({ error: 'errorFormat' }).optional(),
  }),
  response: Done,
  errors: { errorUnique: 400, errorImmutable: 400, notFound: 404, conflict: 409 },
  notice: 'devicesTypesUpdate',
})

export const deleteDeviceType = contract({
  name: 'deleteDeviceType',
  method: 'DELETE',
  path: '/setting/devices-types/{id}',
  summary: 'Deletes a device type that is not shipped and that no domain uses',
  tag,
  access,
  params: z.strictObject({ id: Id }),
  response: Done,
  errors: { notFound: 404, deviceTypeImmutable: 409, deviceTypeUsed: 409 },
  notice: 'devicesTypesDelete',
})

export const searchDeviceTypes = contract({
  name: 'searchDeviceTypes',
  method: 'GET',
  path: '/setting/devices-types/search',
  summary: 'Up to 50 device types for a choice: by part of the name or the code, or these ids',
  tag,
  access: { areas: ['device-types', 'domains'] },
  query: z.strictObject({ searchValue: line(100).optional(), ids: many(Id, 100).optional() }),
  response: z.strictObject({
    devicesTypes: z.array(DeviceType.pick({ id: true, name: true, nameEn: true, code: true })),
  }),
})
