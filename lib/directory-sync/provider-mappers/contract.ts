import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'

export const mapperTypes = ['users-base', 'users-access'] as const
export type MapperType = (typeof mapperTypes)[number]
/** What happens to a value that the provider doesn't send (docs/rules/providers.md#absent-empty-and-broken). */
export const absentWays = ['keep', 'clear'] as const

const Pair = z.strictObject({
  id: line(64).optional(),
  /** A value of the directory; for access by key the name of an attribute. */
  attribute: requiredLine(255),
  /** What it becomes here: a value of the field, or the id of a role or a method. */
  value: requiredLine(255),
})

const MapperInput = z.strictObject({
  type: z.enum(mapperTypes, { error: 'errorOption' }),
  name: requiredLine(100),
  before: line(255).default(''),
  after: requiredLine(100),
  customAttributes: z.boolean({ error: 'errorFormat' }).default(false),
  absent: z.enum(absentWays, { error: 'errorOption' }).default('keep'),
  attributes: z
    .array(Pair)
    .max(200, 'errorTooMany')
    .superRefine((list, check) => {
      for (const [index, { attribute, value }] of list.entries())
        if (list.findIndex((pair) => pair.attribute === attribute && pair.value === value) < index)
          check.addIssue({ code: 'custom', message: 'errorDuplicate', path: [index, 'attribute'] })
    })
    .default([]),
})
export type MapperInput = z.output<typeof MapperInput>

const Mapper = z.strictObject({
  id: Id,
  type: z.enum(mapperTypes),
  enabled: z.boolean(),
  name: z.string(),
  before: z.string(),
  after: z.string(),
  customAttributes: z.boolean(),
  absent: z.enum(absentWays),
  attributes: z.array(z.strictObject({ id: z.string(), attribute: z.string(), value: z.string() })),
  updatedAt: z.iso.datetime(),
})
export type Mapper = z.output<typeof Mapper>

const common = { tag: 'providers', access: { area: 'providers' } } as const
const path = '/setting/providers/sync/{syncId}/mappers'
const BySync = z.strictObject({ syncId: Id })
const ById = z.strictObject({ syncId: Id, id: Id })
const faults = {
  notFound: 404,
  errorUnique: 400,
  errorEmpty: 400,
  errorMapperSource: 400,
  errorMapperField: 400,
  errorMapperTwice: 400,
  errorMapperPairs: 400,
  errorMapperAccess: 400,
  errorRole: 400,
  errorMethodUnknown: 400,
  forbiddenRole: 403,
  forbiddenUser: 403,
} as const

export const listProviderMappers = contract({
  ...common,
  name: 'listProviderMappers',
  method: 'GET',
  path,
  summary: 'How what a directory knows of people becomes fields of accounts, roles and methods',
  params: BySync,
  response: z.strictObject({ mappers: z.array(Mapper) }),
  errors: { notFound: 404 },
})

export const createProviderMapper = contract({
  ...common,
  name: 'createProviderMapper',
  snackbar: 'providersMappersCreate',
  method: 'POST',
  path,
  summary: 'Adds a mapper; who adds one that gives roles or methods holds these methods',
  params: BySync,
  body: MapperInput.extend({ enabled: z.boolean({ error: 'errorFormat' }).default(true) }),
  response: z.strictObject({ id: Id }),
  errors: faults,
})

export const updateProviderMapper = contract({
  ...common,
  name: 'updateProviderMapper',
  snackbar: 'providersMappersUpdate',
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Replaces a mapper',
  params: ById,
  body: MapperInput.extend(readVersion),
  response: Done,
  errors: { ...faults, conflict: 409 },
})

export const deleteProviderMapper = contract({
  ...common,
  name: 'deleteProviderMapper',
  snackbar: 'providersMappersDelete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Deletes a mapper; what it has written stays',
  params: ById,
  response: Done,
  errors: { notFound: 404, forbiddenRole: 403, forbiddenUser: 403 },
})

export const enableProviderMapper = contract({
  ...common,
  name: 'enableProviderMapper',
  snackbar: 'providersMappersEnabled',
  method: 'PUT',
  path: `${path}/{id}/enabled`,
  summary: 'Switches a mapper on or off',
  params: ById,
  body: z.strictObject({ enabled: z.boolean({ error: 'errorFormat' }), ...readVersion }),
  response: Done,
  errors: { notFound: 404, conflict: 409, errorMapperTwice: 400, forbiddenRole: 403, forbiddenUser: 403 },
})

export const addBaseMappers = contract({
  ...common,
  name: 'addBaseMappers',
  snackbar: 'providersMappersBase',
  method: 'POST',
  path: '/setting/providers/sync/{syncId}/base',
  summary: 'Adds mappers of the fields that every directory of this type has, unless a mapper fills them already',
  params: BySync,
  response: z.strictObject({ added: z.number().int() }),
  errors: { notFound: 404, forbiddenRole: 403, forbiddenUser: 403 },
})

const MapperField = z.strictObject({
  code: z.string(),
  title: z.string(),
  fieldType: z.string(),
  /** Whether synchronization requires a value of it. */
  required: z.boolean(),
  options: z.array(z.strictObject({ code: z.string(), title: z.string() })),
})
export type MapperField = z.output<typeof MapperField>

export const listMapperFields = contract({
  ...common,
  name: 'listMapperFields',
  method: 'GET',
  path: '/setting/providers/mappers/fields',
  summary: 'The fields of accounts that mappers may fill, and what each type of directory has of everybody',
  response: z.strictObject({
    fields: z.array(MapperField),
    sources: z.strictObject({ keycloak: z.array(z.string()), wapps: z.array(z.string()), oidc: z.array(z.string()) }),
  }),
})
