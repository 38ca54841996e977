import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'
import { fieldTypes } from '../values/definition'
import { mayBeUnique } from './rules'

export const fieldOwners = ['users', 'contractors', 'personnel-actions'] as const
const Owner = z.enum(fieldOwners, { error: 'errorFormat' })
export type FieldOwner = z.output<typeof Owner>

const flag = z.boolean({ error: 'errorFormat' }).default(false)
const length = z.number({ error: 'errorFormat' }).int('errorFormat').min(1, 'errorRange').max(2_000, 'errorRange')
const code = requiredLine(64).regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'errorFieldCode')

const Item = z.strictObject({
  /** A new item needs none. */
  id: Id.optional(),
  code: requiredLine(64).regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, 'errorFieldCode'),
  value: requiredLine(255),
  valueEn: line(255).default(''),
})

const FieldShape = z.strictObject({
  subtype: requiredLine(64),
  code,
  title: requiredLine(100),
  titleEn: line(100).default(''),
  comment: line(500).default(''),
  active: z.boolean({ error: 'errorFormat' }).default(true),
  fieldType: z.enum(fieldTypes, { error: 'errorFormat' }),
  adminRequired: flag,
  adminVisible: flag.default(true),
  adminEdit: flag,
  profileRequired: flag,
  profileVisible: flag,
  profileEdit: flag,
  integrationRequired: flag,
  unique: flag,
  multiple: flag,
  pattern: line(200).nullable().default(null),
  minLength: length.nullable().default(null),
  maxLength: length.nullable().default(null),
  latin: flag,
  /** In their order; only a `dropbox` and a `combobox` keep them. */
  items: z.array(Item).max(500, 'errorTooMany').default([]),
})
type FieldShape = z.output<typeof FieldShape>

/** Checks the rules that concern several parts of a definition. */
function checkWhole(field: FieldShape, check: z.RefinementCtx) {
  const addFault = (message: string, ...path: (string | number)[]) => check.addIssue({ code: 'custom', message, path })
  if (field.unique && !mayBeUnique(field)) addFault('errorNeverUnique', 'unique')
  if (field.minLength !== null && field.maxLength !== null && field.minLength > field.maxLength)
    addFault('errorRange', 'maxLength')
  for (const name of ['id', 'code'] as const) {
    const earlierValues = new Set<string>()
    for (const [index, { [name]: value }] of field.items.entries()) {
      if (value === undefined) continue
      if (earlierValues.has(value)) addFault('errorDuplicateItem', 'items', index, name)
      earlierValues.add(value)
    }
  }
}

const FieldCreation = FieldShape.extend({ type: Owner }).superRefine(checkWhole)
const FieldUpdate = FieldShape.extend(readVersion).superRefine(checkWhole)
export type FieldInput = FieldShape

const Field = FieldShape.extend({
  id: Id,
  type: Owner,
  titleEn: z.string().nullable(),
  order: z.number().int(),
  items: z.array(
    z.strictObject({
      id: z.string(),
      code: z.string(),
      value: z.string(),
      valueEn: z.string(),
      order: z.number().int(),
    }),
  ),
  /** Shipped with the platform: it can't be deleted or switched off. */
  systemic: z.boolean(),
  immutable: z.boolean(),
  /**
   * 0: everything may change; 1: all but code, type, unique and multiple; 2: nor visibility; 3: nor required; 4:
   * nothing.
   */
  actionsAccess: z.number().int(),
  updatedAt: z.iso.datetime(),
})

const Tab = z.strictObject({
  id: z.string(),
  type: Owner,
  title: z.string(),
  titleEn: z.string().nullable(),
  viewType: z.string(),
  active: z.boolean(),
  systemic: z.boolean(),
  order: z.number().int(),
  updatedAt: z.iso.datetime(),
})
const Subtype = z.strictObject({
  /** Equals the code. */
  id: z.string(),
  code: z.string(),
  tab: z.string(),
  title: z.string(),
  titleEn: z.string().nullable(),
  active: z.boolean(),
  systemic: z.boolean(),
  order: z.number().int(),
  updatedAt: z.iso.datetime(),
})

const area = 'dynamic-fields'
const path = '/setting/dynamic-fields'
const common = { tag: area, access: { area } } as const
const limits = { bodyLimit: 512 * 1024 }
const OfType = z.strictObject({ type: line(64) })
const OfTab = OfType.extend({ tab: line(64) })
const OfSubtype = OfType.extend({ id: line(64) })
const OfField = OfType.extend({ id: Id })
const Activity = z.strictObject({ active: z.boolean({ error: 'errorFormat' }), ...readVersion })
const orderOf = <T extends z.ZodType>(id: T) =>
  z.strictObject({
    order: z
      .array(z.strictObject({ id, order: z.number({ error: 'errorFormat' }).int('errorFormat').min(0).max(10_000) }))
      .max(1_000, 'errorTooMany'),
  })

export const listFieldTypes = contract({
  ...common,
  name: 'listFieldTypes',
  summary: 'What has dynamic fields, with the number of its tabs and fields',
  method: 'GET',
  path: `${path}/types`,
  response: z.strictObject({
    types: z.array(z.strictObject({ id: Owner, tabs: z.number().int(), fields: z.number().int() })),
  }),
})

export const listFieldTabs = contract({
  ...common,
  name: 'listFieldTabs',
  summary: 'The tabs of a type, in their order',
  method: 'GET',
  path: `${path}/{type}/tabs`,
  params: OfType,
  response: z.strictObject({ tabs: z.array(Tab) }),
  errors: { notFound: 404 },
})

export const readFieldTab = contract({
  ...common,
  name: 'readFieldTab',
  summary: 'A tab with its subtypes and their fields, in their order',
  method: 'GET',
  path: `${path}/{type}/tabs/{tab}`,
  params: OfTab,
  response: z.strictObject({ tab: Tab.extend({ subtypes: z.array(Subtype.extend({ fields: z.array(Field) })) }) }),
  errors: { notFound: 404 },
})

export const activateFieldTab = contract({
  ...common,
  name: 'activateFieldTab',
  snackbar: 'tabActive',
  summary: 'Shows a tab or hides it with its fields; a shipped one stays',
  method: 'PUT',
  path: `${path}/{type}/tabs/{tab}/active`,
  params: OfTab,
  body: Activity,
  response: Done,
  errors: { notFound: 404, conflict: 409, fieldSystemic: 409 },
})

export const orderFieldTabs = contract({
  ...common,
  name: 'orderFieldTabs',
  snackbar: 'tabOrder',
  summary: 'Orders the tabs of a type; names each of them',
  method: 'PUT',
  path: `${path}/{type}/tabs/order`,
  params: OfType,
  list: 'order',
  body: orderOf(line(64)),
  response: Done,
  errors: { notFound: 404, conflict: 409 },
})

export const orderFields = contract({
  ...common,
  name: 'orderFields',
  snackbar: 'fieldOrder',
  summary: 'Orders the fields of a tab, each in its subtype; names each of them',
  method: 'PUT',
  path: `${path}/{type}/tabs/{tab}/order`,
  params: OfTab,
  list: 'order',
  body: orderOf(Id),
  response: Done,
  errors: { notFound: 404, conflict: 409 },
})

const SubtypeInput = z.strictObject({
  active: z.boolean({ error: 'errorFormat' }).default(true),
  title: requiredLine(100),
  titleEn: line(100).default(''),
  /** Of personnel actions: the code of their type. */
  code,
  tab: requiredLine(64),
})
export type SubtypeInput = z.output<typeof SubtypeInput>

export const createSubtype = contract({
  ...common,
  name: 'createSubtype',
  snackbar: 'subtypeCreate',
  summary: 'Creates a subtype in a tab',
  method: 'POST',
  path: `${path}/{type}/subtypes`,
  params: OfType,
  body: SubtypeInput,
  response: z.strictObject({ id: z.string() }),
  errors: { notFound: 404, errorUnique: 400, errorOption: 400 },
})

export const updateSubtype = contract({
  ...common,
  name: 'updateSubtype',
  snackbar: 'subtypeUpdate',
  summary: 'Replaces the subtype of this code',
  method: 'PUT',
  path: `${path}/{type}/subtypes`,
  params: OfType,
  body: SubtypeInput.extend(readVersion),
  response: Done,
  errors: { notFound: 404, conflict: 409, errorOption: 400, fieldSystemic: 409 },
})

export const activateSubtype = contract({
  ...common,
  name: 'activateSubtype',
  snackbar: 'subtypeActive',
  summary: 'Shows a subtype or hides it with its fields; a shipped one stays',
  method: 'PUT',
  path: `${path}/{type}/subtypes/{id}/active`,
  params: OfSubtype,
  body: Activity,
  response: Done,
  errors: { notFound: 404, conflict: 409, fieldSystemic: 409 },
})

export const deleteSubtype = contract({
  ...common,
  name: 'deleteSubtype',
  snackbar: 'subtypeDelete',
  summary: 'Deletes a subtype without fields',
  method: 'DELETE',
  path: `${path}/{type}/subtypes/{id}`,
  params: OfSubtype,
  response: Done,
  errors: { notFound: 404, fieldSystemic: 409, subtypeUsed: 409 },
})

export const DynamicFieldQuery = listQuery({
  filters: { search: line(100).optional() },
  sorts: ['title', 'code', 'updatedAt'],
  defaultSort: { by: 'title', order: 'asc' },
})

export const listDynamicFields = contract({
  ...common,
  name: 'listDynamicFields',
  summary: 'Fields of every type, found by a part of their title or code, each with its tab',
  method: 'GET',
  path,
  query: DynamicFieldQuery,
  response: z.strictObject({
    fields: z.array(
      Field.pick({
        id: true,
        type: true,
        code: true,
        title: true,
        titleEn: true,
        fieldType: true,
        active: true,
      }).extend({
        tab: z.string(),
      }),
    ),
    meta: ListMeta,
  }),
})

const refusals = { errorUnique: 400, errorOption: 400, errorDoubles: 400, errorPattern: 400 }

export const createDynamicField = contract({
  ...common,
  ...limits,
  name: 'createDynamicField',
  snackbar: 'fieldCreate',
  summary: 'Defines a field, the last one of its subtype',
  method: 'POST',
  path,
  body: FieldCreation,
  response: z.strictObject({ id: Id }),
  errors: refusals,
})

export const readDynamicField = contract({
  ...common,
  name: 'readDynamicField',
  summary: 'A field, with the number of its values',
  method: 'GET',
  path: `${path}/{type}/{id}`,
  params: OfField,
  response: z.strictObject({
    field: Field.extend({
      valueCount: z.number().int(),
      /**
       * How many people who can sign in have no value, and are asked for it first if the field is required; null for a
       * field that isn't asked for.
       */
      lackingCount: z.number().int().nullable(),
    }),
  }),
  errors: { notFound: 404 },
})

export const updateDynamicField = contract({
  ...common,
  ...limits,
  name: 'updateDynamicField',
  snackbar: 'fieldUpdate',
  summary: 'Replaces a definition; another type clears the required flags and leaves the values as they are',
  method: 'PUT',
  path: `${path}/{type}/{id}`,
  params: OfField,
  body: FieldUpdate,
  response: Done,
  errors: { ...refusals, notFound: 404, conflict: 409, errorFieldLocked: 400, errorFieldHasValues: 400 },
})

export const activateDynamicField = contract({
  ...common,
  name: 'activateDynamicField',
  snackbar: 'fieldActive',
  summary: 'Shows a field or hides it everywhere; a shipped one stays',
  method: 'PUT',
  path: `${path}/{type}/{id}/active`,
  params: OfField,
  body: Activity,
  response: Done,
  errors: { notFound: 404, conflict: 409, fieldSystemic: 409 },
})

export const deleteDynamicField = contract({
  ...common,
  name: 'deleteDynamicField',
  snackbar: 'fieldDelete',
  summary: 'Deletes a definition and leaves its values: a field with the same code finds them again',
  method: 'DELETE',
  path: `${path}/{type}/{id}`,
  params: OfField,
  response: Done,
  errors: { notFound: 404, fieldSystemic: 409 },
})

export const searchPersonnelActionTypes = contract({
  tag: area,
  name: 'searchPersonnelActionTypes',
  access: { areas: [area, 'users', 'integration'] },
  summary: 'Types of personnel actions for a choice; with `type`, those that are no subtype of it yet',
  method: 'GET',
  path: '/setting/personnel-actions-types/search',
  query: z.strictObject({ searchValue: line(100).optional(), type: z.enum(['personnel-actions']).optional() }),
  response: z.strictObject({
    types: z.array(z.strictObject({ code: z.string(), name: z.string(), nameEn: z.string().nullable() })),
  }),
})
