import type { Transaction } from '@/db/client'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs, type FieldItem } from '@/db/schema/dynamic-fields'
import { stableId } from '@/lib/base/runtime/stable-id'

const itemsOf = (field: string, names: [code: string, value: string, valueEn: string][]): FieldItem[] =>
  names.map(([code, value, valueEn], order) => ({
    id: stableId('demo field item', field, code),
    code,
    value,
    valueEn,
    order,
  }))

const departments = itemsOf('department', [
  ['procurement', 'Закупки', 'Procurement'],
  ['logistics', 'Логистика', 'Logistics'],
  ['production', 'Производство', 'Production'],
  ['finance', 'Финансы', 'Finance'],
  ['it', 'Информационные технологии', 'Information technology'],
  ['hr', 'Персонал', 'Human resources'],
])
const languages = itemsOf('languages', [
  ['ru', 'Русский', 'Russian'],
  ['en', 'Английский', 'English'],
  ['de', 'Немецкий', 'German'],
  ['zh', 'Китайский', 'Chinese'],
])

const segments = itemsOf('segment', [
  ['construction', 'Строительство', 'Construction'],
  ['transport', 'Перевозки', 'Transport'],
  ['service', 'Обслуживание', 'Maintenance'],
])

export const departmentCodes = departments.map(({ code }) => code)
export const languageCodes = languages.map(({ code }) => code)

const inProfile = { profileVisible: true, profileEdit: true, adminEdit: true }

const fields: Omit<typeof dynamicFields.$inferInsert, 'id'>[] = [
  {
    type: 'users',
    subtype: 'work',
    code: 'position',
    title: 'Должность',
    titleEn: 'Position',
    fieldType: 'input',
    ...inProfile,
    profileRequired: true,
  },
  {
    type: 'users',
    subtype: 'work',
    code: 'department',
    title: 'Подразделение',
    titleEn: 'Department',
    fieldType: 'dropbox',
    items: departments,
    adminEdit: true,
    profileVisible: true,
  },
  {
    type: 'users',
    subtype: 'work',
    code: 'personnelNumber',
    title: 'Табельный номер',
    titleEn: 'Personnel number',
    comment: 'Присваивается отделом персонала',
    fieldType: 'input',
    adminEdit: true,
    unique: true,
  },
  {
    type: 'users',
    subtype: 'work',
    code: 'languages',
    title: 'Рабочие языки',
    titleEn: 'Working languages',
    fieldType: 'combobox',
    items: languages,
    multiple: true,
    ...inProfile,
  },
  {
    type: 'users',
    subtype: 'permits',
    code: 'heightPermit',
    title: 'Допуск к работе на высоте',
    titleEn: 'Permit to work at height',
    fieldType: 'toggle',
    adminEdit: true,
    profileVisible: true,
  },
  {
    type: 'users',
    subtype: 'permits',
    code: 'medicalUntil',
    title: 'Медосмотр действует до',
    titleEn: 'Medical examination valid until',
    fieldType: 'date',
    ...inProfile,
  },
  {
    type: 'users',
    subtype: 'permits',
    code: 'protectiveSizes',
    title: 'Размеры спецодежды',
    titleEn: 'Sizes of work clothes',
    fieldType: 'textarea',
    ...inProfile,
  },
  {
    type: 'users',
    subtype: 'permits',
    code: 'permitScan',
    title: 'Скан удостоверения',
    titleEn: 'Scan of the certificate',
    comment: 'Разворот с фотографией и сроком действия',
    fieldType: 'picture',
    ...inProfile,
  },
  {
    type: 'contractors',
    subtype: 'details',
    code: 'contractNumber',
    title: 'Номер договора',
    titleEn: 'Contract number',
    comment: 'Как в учётной системе, например Д-2024/118',
    fieldType: 'input',
    adminEdit: true,
    unique: true,
  },
  {
    type: 'contractors',
    subtype: 'details',
    code: 'contractUntil',
    title: 'Договор действует до',
    titleEn: 'Contract valid until',
    fieldType: 'date',
    adminEdit: true,
  },
  {
    type: 'contractors',
    subtype: 'details',
    code: 'segment',
    title: 'Вид работ',
    titleEn: 'Kind of work',
    fieldType: 'combobox',
    items: segments,
    multiple: true,
    adminEdit: true,
  },
  {
    type: 'personnel-actions',
    subtype: 'hiring',
    code: 'hiringDate',
    title: 'Дата приёма',
    titleEn: 'Date of hiring',
    fieldType: 'date',
    adminEdit: true,
    adminRequired: true,
  },
  {
    type: 'personnel-actions',
    subtype: 'hiring',
    code: 'hiringOrder',
    title: 'Номер приказа',
    titleEn: 'Order number',
    fieldType: 'input',
    adminEdit: true,
  },
  {
    type: 'personnel-actions',
    subtype: 'vacation',
    code: 'vacationUntil',
    title: 'В отпуске до',
    titleEn: 'On vacation until',
    fieldType: 'date',
    adminEdit: true,
  },
]

/** Fields beyond those that the platform ships with. */
export async function seedDemoFields(tx: Transaction) {
  await tx.insert(dynamicFieldTabs).values({
    id: 'users_safety',
    type: 'users',
    title: 'Охрана труда',
    titleEn: 'Safety',
    order: 10,
  })
  await tx.insert(dynamicFieldSubtypes).values([
    { type: 'users', tabId: 'users_safety', code: 'permits', title: 'Допуски', titleEn: 'Permits', order: 0 },
    { type: 'users', tabId: 'users_main', code: 'work', title: 'Работа', titleEn: 'Work', order: 10 },
    {
      type: 'personnel-actions',
      tabId: 'personnel_actions_main',
      code: 'hiring',
      title: 'Приём на работу',
      titleEn: 'Hiring',
      order: 0,
    },
    {
      type: 'personnel-actions',
      tabId: 'personnel_actions_main',
      code: 'vacation',
      title: 'Отпуск',
      titleEn: 'Vacation',
      order: 1,
    },
  ])
  await tx
    .insert(dynamicFields)
    .values(
      fields.map((field, at) => ({ id: stableId('demo field', field.type, field.code), order: 100 + at, ...field })),
    )
}
