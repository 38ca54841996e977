import { randomUUID } from 'node:crypto'
import {
  createDeviceType,
  deleteDeviceType,
  listDeviceTypes,
  searchDeviceTypes,
  updateDeviceType,
} from '@/lib/site/device-types/contract'
import type { Caller } from '../../factories/caller'
import { createDomainWith } from '../../factories/platform'
import { proof } from '../../factories/proofs'

const newType = (caller: Caller) => caller.call(createDeviceType, { body: { name: randomUUID() } })
const typesLike = async (caller: Caller, search: string) =>
  (await caller.call(listDeviceTypes, { query: { filter: { search } } })).devicesTypes
const shipped = async (caller: Caller) => {
  const type = (await typesLike(caller, 'tablet')).find(({ immutable }) => immutable)
  if (!type) throw new Error('no device type is shipped')
  return type
}

export default [
  proof(listDeviceTypes, {
    prepare: newType,
    input: ({ code }) => ({ query: { filter: { search: code } } }),
    shows: ({ id, code }) => ({ devicesTypes: [{ id, code, immutable: false, domainsCount: 0 }] }),
  }),
  proof(searchDeviceTypes, {
    prepare: newType,
    input: ({ id }) => ({ query: { ids: [id] } }),
    shows: ({ id, code }) => ({ devicesTypes: [{ id, code }] }),
  }),
  proof(createDeviceType, {
    makes: ['create device-types'],
    prepare: async () => ({ name: 'Касса', nameEn: 'Till', code: randomUUID() }),
    input: (body) => ({ body }),
    look: (caller, { code }) => typesLike(caller, code),
    shows: (body) => [body],
    errors: {
      errorUnique: {
        field: 'code',
        input: async (caller) => ({ body: { name: 'Касса', code: (await newType(caller)).code } }),
      },
    },
  }),
  proof(updateDeviceType, {
    makes: ['update device-types'],
    prepare: newType,
    input: ({ id, code }) => ({ params: { id }, body: { name: 'Другая касса', nameEn: 'Another till', code } }),
    look: (caller, { code }) => typesLike(caller, code),
    shows: ({ id }) => [{ id, name: 'Другая касса', nameEn: 'Another till' }],
    errors: {
      errorUnique: {
        field: 'code',
        input: async (caller, { id }) => ({
          params: { id },
          body: { name: 'Касса', code: (await newType(caller)).code },
        }),
      },
      errorImmutable: {
        field: 'code',
        input: async (caller) => {
          const { id, name } = await shipped(caller)
          return { params: { id }, body: { name, code: randomUUID() } }
        },
      },
    },
  }),
  proof(deleteDeviceType, {
    makes: ['delete device-types'],
    prepare: newType,
    input: ({ id }) => ({ params: { id } }),
    look: (caller, { code }) => typesLike(caller, code),
    shows: () => [],
    errors: {
      deviceTypeImmutable: { input: async (caller) => ({ params: { id: (await shipped(caller)).id } }) },
      deviceTypeUsed: {
        input: async (caller) => {
          const { id, code } = await newType(caller)
          await createDomainWith({ hosts: [`${code}.localhost`], devicesIdAttributes: { [id]: ['login'] } })
          return { params: { id } }
        },
      },
    },
  }),
]
