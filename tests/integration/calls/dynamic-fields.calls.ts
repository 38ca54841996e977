import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs, personnelActionTypes } from '@/db/schema'
import * as calls from '@/lib/fields/dynamic-fields/contract'
import * as tabs from '@/lib/fields/field-tabs/contract'
import type { Caller } from '../../factories/caller'
import { itemsOf, newCode } from '../../factories/fields'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'

const type = 'users'
const newTab = async () => {
  const tab = newCode()
  await db()
    .insert(dynamicFieldTabs)
    .values({ id: tab, type, title: `Вкладка ${tab}`, order: 50 })
  return tab
}
const subtypeBody = (tab: string) => ({ code: newCode(), title: 'Блок', titleEn: 'Block', tab })
const newSubtype = async (caller: Caller) => {
  const tab = await newTab()
  const body = subtypeBody(tab)
  await caller.call(calls.createSubtype, { params: { type }, body })
  return { ...body, subtype: body.code, tab }
}
const fieldBody = (subtype: string) => ({
  type: type as 'users',
  subtype,
  code: newCode(),
  title: 'Поле',
  fieldType: 'input' as const,
})
const newField = async (caller: Caller) => {
  const { subtype, tab } = await newSubtype(caller)
  const body = fieldBody(subtype)
  const { id } = await caller.call(calls.createDynamicField, { body })
  return { id, tab, body }
}
const replacing = ({ type: _, ...body }: ReturnType<typeof fieldBody>) => body
const tabOf = async (caller: Caller, tab: string) =>
  (await caller.call(calls.readFieldTab, { params: { type, tab } })).tab
const tabsOf = async (caller: Caller) => (await caller.call(calls.listFieldTabs, { params: { type } })).tabs
const fieldOf = async (caller: Caller, id: string) =>
  (await caller.call(calls.readDynamicField, { params: { type, id } })).field

const shippedField = async (code: string) => {
  const [row] = await db()
    .select()
    .from(dynamicFields)
    .where(and(eq(dynamicFields.type, type), eq(dynamicFields.code, code)))
  return row?.id ?? ''
}
const off = { active: false }
const twice = async (code: string) => {
  await createUser({ values: { [code]: 'same' } })
  await createUser({ values: { [code]: 'Same' } })
}

export default [
  proof(calls.listDynamicFields, {
    prepare: async (caller) => {
      const { id, tab, body } = await newField(caller)
      return { id, tab, code: body.code }
    },
    input: ({ code }) => ({ query: { filter: { search: code } } }),
    shows: ({ id, tab, code }) => ({ fields: [{ id, type, tab, code, active: true }], meta: { total: 1 } }),
  }),
  proof(calls.listFieldTypes, {
    prepare: async (caller) => {
      await newField(caller)
      return db().$count(dynamicFields, eq(dynamicFields.type, type))
    },
    input: () => ({}),
    shows: (fields) => ({ types: [{ id: type, fields }, { id: 'contractors' }, { id: 'personnel-actions' }] }),
  }),
  proof(calls.listFieldTabs, {
    prepare: newTab,
    input: () => ({ params: { type } }),
    shows: (id) => ({
      tabs: expect.arrayContaining([expect.objectContaining({ id, title: `Вкладка ${id}`, viewType: 'form' })]),
    }),
  }),
  proof(calls.readFieldTab, {
    prepare: newField,
    input: ({ tab }) => ({ params: { type, tab } }),
    shows: ({ id, tab, body }) => ({
      tab: { id: tab, subtypes: [{ id: body.subtype, tab, fields: [{ ...body, id, adminVisible: true }] }] },
    }),
  }),
  proof(calls.activateFieldTab, {
    makes: ['update dynamic-field-tabs'],
    prepare: newTab,
    input: (tab) => ({ params: { type, tab }, body: off }),
    look: tabOf,
    shows: () => off,
    errors: { fieldSystemic: { input: () => ({ params: { type, tab: 'users_main' }, body: off }) } },
  }),
  proof(tabs.createFieldTab, {
    makes: ['create dynamic-field-tabs'],
    prepare: async () => `Допуски ${newCode()}`,
    input: (title) => ({ params: { type }, body: { title, titleEn: 'Permits' } }),
    look: tabsOf,
    shows: (title, { id }) => expect.arrayContaining([expect.objectContaining({ id, title, titleEn: 'Permits' })]),
  }),
  proof(tabs.updateFieldTab, {
    makes: ['update dynamic-field-tabs'],
    prepare: newTab,
    input: (tab) => ({ params: { type, tab }, body: { title: 'Другая', titleEn: '' } }),
    look: tabOf,
    shows: () => ({ title: 'Другая', titleEn: null, active: true }),
  }),
  proof(tabs.deleteFieldTab, {
    makes: ['delete dynamic-field-tabs'],
    prepare: newTab,
    input: (tab) => ({ params: { type, tab } }),
    look: async (caller, tab) => ({ gone: (await tabsOf(caller)).every(({ id }) => id !== tab) }),
    shows: () => ({ gone: true }),
    errors: {
      fieldSystemic: { input: () => ({ params: { type, tab: 'users_main' } }) },
      tabUsed: { input: async (caller) => ({ params: { type, tab: (await newSubtype(caller)).tab } }) },
    },
  }),
  proof(calls.orderFieldTabs, {
    makes: ['update dynamic-field-tabs'],
    prepare: async (caller) => {
      await newTab()
      return (await tabsOf(caller)).map(({ id }) => id).toReversed()
    },
    input: (ids) => ({ params: { type }, body: { order: ids.map((id, order) => ({ id, order })) } }),
    look: tabsOf,
    shows: (ids) => ids.map((id) => ({ id })),
    errors: {
      conflict: { input: () => ({ params: { type }, body: { order: [{ id: 'users_main', order: 0 }] } }) },
    },
  }),
  proof(calls.orderFields, {
    makes: ['update dynamic-fields'],
    prepare: async (caller) => {
      const { id, tab, body } = await newField(caller)
      const second = await caller.call(calls.createDynamicField, { body: fieldBody(body.subtype) })
      return { tab, ids: [second.id, id] }
    },
    input: ({ tab, ids }) => ({ params: { type, tab }, body: { order: ids.map((id, order) => ({ id, order })) } }),
    look: (caller, { tab }) => tabOf(caller, tab),
    shows: ({ ids }) => ({ subtypes: [{ fields: ids.map((id) => ({ id })) }] }),
    errors: {
      conflict: {
        input: (_, { tab, ids: [id = ''] }) => ({ params: { type, tab }, body: { order: [{ id, order: 0 }] } }),
      },
    },
  }),
  proof(calls.createSubtype, {
    makes: ['create dynamic-field-subtypes'],
    prepare: async () => subtypeBody(await newTab()),
    input: (body) => ({ params: { type }, body }),
    look: (caller, { tab }) => tabOf(caller, tab),
    shows: ({ code, title, titleEn }, { id }) => ({ subtypes: [{ id, code, title, titleEn, active: true }] }),
    errors: {
      errorUnique: {
        field: 'code',
        input: async (caller, { tab }) => ({
          params: { type },
          body: { ...subtypeBody(tab), code: (await newSubtype(caller)).code },
        }),
      },
      errorOption: {
        field: 'code',
        input: () => ({ params: { type: 'personnel-actions' }, body: subtypeBody('personnel_actions_main') }),
      },
    },
  }),
  proof(calls.updateSubtype, {
    makes: ['update dynamic-field-subtypes'],
    prepare: newSubtype,
    input: ({ code, tab }) => ({ params: { type }, body: { code, tab, title: 'Другой', active: false } }),
    look: (caller, { tab }) => tabOf(caller, tab),
    shows: ({ code }) => ({ subtypes: [{ code, title: 'Другой', titleEn: null, active: false }] }),
    errors: {
      errorOption: {
        field: 'tab',
        input: (_, { code }) => ({ params: { type }, body: { code, title: 'Блок', tab: 'contractors_main' } }),
      },
      fieldSystemic: {
        input: (_, { tab }) => ({ params: { type }, body: { code: 'contacts', title: 'Контакты', tab } }),
      },
    },
  }),
  proof(calls.activateSubtype, {
    makes: ['update dynamic-field-subtypes'],
    prepare: newSubtype,
    input: ({ code }) => ({ params: { type, id: code }, body: off }),
    look: (caller, { tab }) => tabOf(caller, tab),
    shows: ({ code }) => ({ subtypes: [{ code, ...off }] }),
    errors: { fieldSystemic: { input: () => ({ params: { type, id: 'personal' }, body: off }) } },
  }),
  proof(calls.deleteSubtype, {
    makes: ['delete dynamic-field-subtypes'],
    prepare: newSubtype,
    input: ({ code }) => ({ params: { type, id: code } }),
    look: async (caller, { tab }) => ({ count: (await tabOf(caller, tab)).subtypes.length }),
    shows: () => ({ count: 0 }),
    errors: {
      fieldSystemic: { input: () => ({ params: { type: 'contractors', id: 'details' } }) },
      subtypeUsed: {
        input: async (caller) => ({ params: { type, id: (await newField(caller)).body.subtype } }),
      },
    },
  }),
  proof(calls.createDynamicField, {
    makes: ['create dynamic-fields'],
    prepare: async (caller) => {
      const { subtype, tab } = await newSubtype(caller)
      const items = itemsOf('a', 'b').map(({ order: _, ...item }) => item)
      return { tab, body: { ...fieldBody(subtype), fieldType: 'dropbox' as const, items, profileRequired: true } }
    },
    input: ({ body }) => ({ body }),
    look: (caller, { tab }) => tabOf(caller, tab),
    shows: ({ body }, { id }) => ({
      subtypes: [{ fields: [{ ...body, id, profileEdit: true, profileVisible: true, systemic: false }] }],
    }),
    errors: {
      errorUnique: { field: 'code', input: (_, { body }) => ({ body: { ...body, code: 'email' } }) },
      errorOption: { field: 'subtype', input: (_, { body }) => ({ body: { ...body, subtype: 'details' } }) },
      errorPattern: { field: 'pattern', input: (_, { body }) => ({ body: { ...body, pattern: '(a+)+$' } }) },
      errorDoubles: {
        field: 'unique',
        input: async (_, { body }) => {
          const unique = { ...fieldBody(body.subtype), unique: true }
          await twice(unique.code)
          return { body: unique }
        },
      },
    },
  }),
  proof(calls.readDynamicField, {
    prepare: async (caller) => {
      const made = await newField(caller)
      await twice(made.body.code)
      return made
    },
    input: ({ id }) => ({ params: { type, id } }),
    shows: ({ id, body }) => ({ field: { ...body, id, valueCount: 2 } }),
  }),
  proof(calls.updateDynamicField, {
    makes: ['update dynamic-fields'],
    prepare: newField,
    input: ({ id, body }) => ({
      params: { type, id },
      body: { ...replacing(body), title: 'Другое', fieldType: 'date' as const, profileRequired: true, unique: true },
    }),
    look: (caller, { id }) => fieldOf(caller, id),
    // another type is required nowhere
    shows: () => ({ title: 'Другое', fieldType: 'date', profileRequired: false, unique: true }),
    errors: {
      errorUnique: {
        field: 'code',
        input: (_, { id, body }) => ({ params: { type, id }, body: { ...replacing(body), code: 'login' } }),
      },
      errorOption: {
        field: 'subtype',
        input: (_, { id, body }) => ({ params: { type, id }, body: { ...replacing(body), subtype: 'details' } }),
      },
      errorPattern: {
        field: 'pattern',
        input: (_, { id, body }) => ({ params: { type, id }, body: { ...replacing(body), pattern: '[' } }),
      },
      errorDoubles: {
        field: 'unique',
        input: async (caller) => {
          const { id, body } = await newField(caller)
          await twice(body.code)
          return { params: { type, id }, body: { ...replacing(body), unique: true } }
        },
      },
      errorFieldHasValues: {
        field: 'code',
        input: async (caller) => {
          const { id, body } = await newField(caller)
          await twice(body.code)
          return { params: { type, id }, body: { ...replacing(body), code: newCode() } }
        },
      },
      errorFieldLocked: {
        field: 'fieldType',
        input: async (_, { body }) => ({
          params: { type, id: await shippedField('email') },
          body: { ...replacing(body), code: 'email', subtype: 'contacts' },
        }),
      },
    },
  }),
  proof(calls.activateDynamicField, {
    makes: ['update dynamic-fields'],
    prepare: newField,
    input: ({ id }) => ({ params: { type, id }, body: off }),
    look: (caller, { id }) => fieldOf(caller, id),
    shows: () => off,
    errors: {
      fieldSystemic: { input: async () => ({ params: { type, id: await shippedField('mobile') }, body: off }) },
    },
  }),
  proof(calls.deleteDynamicField, {
    makes: ['delete dynamic-fields'],
    prepare: newField,
    input: ({ id }) => ({ params: { type, id } }),
    look: async (caller, { tab }) => ({ count: (await tabOf(caller, tab)).subtypes[0]?.fields.length }),
    shows: () => ({ count: 0 }),
    errors: { fieldSystemic: { input: async () => ({ params: { type, id: await shippedField('comment') } }) } },
  }),
  proof(calls.searchPersonnelActionTypes, {
    prepare: async () => {
      const [free, used] = [newCode(), newCode()]
      const name = newCode()
      await db()
        .insert(personnelActionTypes)
        .values([free, used].map((code) => ({ code, name })))
      const subtype = { type: 'personnel-actions' as const, code: used, tabId: 'personnel_actions_main', title: name }
      await db().insert(dynamicFieldSubtypes).values(subtype)
      return { free, name }
    },
    input: ({ name }) => ({ query: { searchValue: name, type: 'personnel-actions' as const } }),
    shows: ({ free, name }) => ({ types: [{ code: free, name, nameEn: null }] }),
  }),
]
