import type { Transaction } from '@/db/client'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs, personnelActionTypes } from '@/db/schema/dynamic-fields'
import { stableId } from '@/lib/base/runtime/stable-id'

type Tab = typeof dynamicFieldTabs.$inferInsert
type Subtype = typeof dynamicFieldSubtypes.$inferInsert
type Field = Omit<typeof dynamicFields.$inferInsert, 'id' | 'type' | 'order'>

const tabs: Tab[] = [
  { id: 'users_main', type: 'users', title: 'Поля профиля', titleEn: 'Profile fields' },
  { id: 'contractors_main', type: 'contractors', title: 'Сведения о контрагенте', titleEn: 'Contractor details' },
  {
    id: 'personnel_actions_main',
    type: 'personnel-actions',
    title: 'Кадровые мероприятия',
    titleEn: 'Personnel actions',
  },
]

const subtypes: Omit<Subtype, 'order'>[] = [
  { type: 'users', tabId: 'users_main', code: 'personal', title: 'Личные данные', titleEn: 'Personal data' },
  { type: 'users', tabId: 'users_main', code: 'contacts', title: 'Контакты', titleEn: 'Contacts' },
  { type: 'users', tabId: 'users_main', code: 'account', title: 'Учётная запись', titleEn: 'Account' },
  { type: 'users', tabId: 'users_main', code: 'additional', title: 'Дополнительно', titleEn: 'Additional' },
  {
    type: 'contractors',
    tabId: 'contractors_main',
    code: 'details',
    title: 'Основные сведения',
    titleEn: 'Main details',
  },
]

const actionTypes: (typeof personnelActionTypes.$inferInsert)[] = [
  { code: 'hiring', name: 'Приём на работу', nameEn: 'Hiring' },
  { code: 'transfer', name: 'Перевод', nameEn: 'Transfer' },
  { code: 'vacation', name: 'Отпуск', nameEn: 'Vacation' },
  { code: 'dismissal', name: 'Увольнение', nameEn: 'Dismissal' },
]

/** Required implies editable, editable implies visible: for administration and profile alike. */
const inProfile = { profileVisible: true, profileEdit: true, adminEdit: true }
const required = { ...inProfile, profileRequired: true, adminRequired: true }

const fields: Field[] = [
  {
    subtype: 'personal',
    code: 'fio',
    title: 'ФИО',
    titleEn: 'Full name',
    fieldType: 'input',
    ...required,
    actionsAccess: 2,
  },
  {
    subtype: 'personal',
    code: 'lastName',
    title: 'Фамилия',
    titleEn: 'Last name',
    fieldType: 'input',
    ...required,
    actionsAccess: 2,
  },
  {
    subtype: 'personal',
    code: 'firstName',
    title: 'Имя',
    titleEn: 'First name',
    fieldType: 'input',
    ...required,
    actionsAccess: 2,
  },
  {
    subtype: 'personal',
    code: 'middleName',
    title: 'Отчество',
    titleEn: 'Middle name',
    fieldType: 'input',
    ...inProfile,
    actionsAccess: 1,
  },
  {
    subtype: 'personal',
    code: 'birthDate',
    title: 'Дата рождения',
    titleEn: 'Date of birth',
    fieldType: 'date',
    ...inProfile,
    actionsAccess: 1,
  },
  {
    subtype: 'personal',
    code: 'gender',
    title: 'Пол',
    titleEn: 'Gender',
    fieldType: 'dropbox',
    items: [
      { id: stableId('field item', 'gender', 'man'), code: 'man', value: 'Мужской', valueEn: 'Male', order: 0 },
      { id: stableId('field item', 'gender', 'woman'), code: 'woman', value: 'Женский', valueEn: 'Female', order: 1 },
    ],
    ...inProfile,
    actionsAccess: 1,
  },
  {
    subtype: 'contacts',
    code: 'email',
    title: 'Электронная почта',
    titleEn: 'E-mail',
    fieldType: 'email',
    ...required,
    integrationRequired: true,
    actionsAccess: 1,
  },
  {
    subtype: 'contacts',
    code: 'mobile',
    title: 'Мобильный телефон',
    titleEn: 'Mobile phone',
    fieldType: 'phone',
    ...inProfile,
    actionsAccess: 1,
  },
  {
    subtype: 'account',
    code: 'login',
    title: 'Логин',
    titleEn: 'Login',
    fieldType: 'input',
    adminEdit: true,
    adminRequired: true,
    profileVisible: true,
    integrationRequired: true,
    unique: true,
    actionsAccess: 4,
  },
  {
    subtype: 'account',
    code: 'locale',
    title: 'Язык',
    titleEn: 'Language',
    fieldType: 'dropbox',
    ...inProfile,
    actionsAccess: 1,
  },
  {
    subtype: 'additional',
    code: 'comment',
    title: 'Комментарий',
    titleEn: 'Comment',
    comment: 'Виден только администраторам',
    fieldType: 'textarea',
    adminEdit: true,
    actionsAccess: 1,
  },
]

/** Types of personnel actions, tabs, blocks and the profile's own fields. Changes of administrators stay. */
export async function seedFields(tx: Transaction) {
  await tx.insert(personnelActionTypes).values(actionTypes).onConflictDoNothing()
  await tx
    .insert(dynamicFieldTabs)
    .values(tabs.map((tab, order) => ({ ...tab, systemic: true, order })))
    .onConflictDoNothing()
  await tx
    .insert(dynamicFieldSubtypes)
    .values(subtypes.map((subtype, order) => ({ ...subtype, systemic: true, order })))
    .onConflictDoNothing()
  await tx
    .insert(dynamicFields)
    .values(
      fields.map((field, order) => ({
        id: stableId('field', 'users', field.code),
        type: 'users' as const,
        systemic: true,
        immutable: true,
        order,
        ...field,
      })),
    )
    .onConflictDoNothing({ target: [dynamicFields.type, dynamicFields.code] })
}
