import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { updatedAt } from './columns'
import { contractors, users } from './people'

export const dynamicFieldType = pgEnum('dynamic_field_type', ['users', 'contractors', 'personnel-actions'])
export const fieldType = pgEnum('field_type', [
  'input',
  'dropbox',
  'combobox',
  'toggle',
  'date',
  'textarea',
  'picture',
  'phone',
  'email',
])

export type FieldItem = { id: string; code: string; value: string; valueEn?: string; order: number }

export const dynamicFieldTabs = pgTable('dynamic_field_tabs', {
  /** Also its code, such as users_main. */
  id: text().primaryKey(),
  type: dynamicFieldType().notNull(),
  title: text().notNull(),
  titleEn: text(),
  viewType: text().notNull().default('form'),
  active: boolean().notNull().default(true),
  systemic: boolean().notNull().default(false),
  order: integer().notNull().default(0),
  updatedAt: updatedAt(),
})

export const dynamicFieldSubtypes = pgTable(
  'dynamic_field_subtypes',
  {
    type: dynamicFieldType().notNull(),
    /** The subtype's id; can't change. */
    code: text().notNull(),
    tabId: text()
      .notNull()
      .references(() => dynamicFieldTabs.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    titleEn: text(),
    active: boolean().notNull().default(true),
    systemic: boolean().notNull().default(false),
    order: integer().notNull().default(0),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ name: 'dynamic_field_subtypes_type_code', columns: [t.type, t.code] }),
    index('dynamic_field_subtypes_tab').on(t.tabId),
  ],
)

export const dynamicFields = pgTable(
  'dynamic_fields',
  {
    id: uuid().primaryKey().defaultRandom(),
    type: dynamicFieldType().notNull(),
    subtype: text().notNull(),
    code: text().notNull(),
    title: text().notNull(),
    titleEn: text(),
    comment: text().notNull().default(''),
    active: boolean().notNull().default(true),
    order: integer().notNull().default(0),
    fieldType: fieldType().notNull(),
    adminRequired: boolean().notNull().default(false),
    adminVisible: boolean().notNull().default(true),
    adminEdit: boolean().notNull().default(false),
    profileRequired: boolean().notNull().default(false),
    profileVisible: boolean().notNull().default(false),
    profileEdit: boolean().notNull().default(false),
    integrationRequired: boolean().notNull().default(false),
    unique: boolean().notNull().default(false),
    multiple: boolean().notNull().default(false),
    /** What a text must contain, a pattern for RE2; null for any text. */
    pattern: text(),
    /** The smallest and largest number of characters of a text. */
    minLength: integer(),
    maxLength: integer(),
    /** Whether a text may contain only Latin letters. */
    latin: boolean().notNull().default(false),
    items: jsonb().$type<FieldItem[]>().notNull().default([]),
    systemic: boolean().notNull().default(false),
    immutable: boolean().notNull().default(false),
    /** 0: everything may change … 4: nothing may (decisions: field levels). */
    actionsAccess: integer().notNull().default(0),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('dynamic_fields_type_code').on(t.type, t.code),
    index('dynamic_fields_subtype').on(t.type, t.subtype),
    foreignKey({
      name: 'dynamic_fields_subtype',
      columns: [t.type, t.subtype],
      foreignColumns: [dynamicFieldSubtypes.type, dynamicFieldSubtypes.code],
    }),
  ],
)

/**
 * A row for each value of a unique field, so that the database itself keeps values different. Only
 * lib/fields/values/unique.ts writes them.
 */
export const dynamicFieldUniques = pgTable(
  'dynamic_field_uniques',
  {
    fieldId: uuid()
      .notNull()
      .references(() => dynamicFields.id, { onDelete: 'cascade' }),
    /** A digest of the value, as a long text wouldn't fit in an index. */
    digest: text().notNull(),
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    contractorId: uuid().references(() => contractors.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ name: 'dynamic_field_uniques_field_digest', columns: [t.fieldId, t.digest] }),
    index('dynamic_field_uniques_user').on(t.userId),
    index('dynamic_field_uniques_contractor').on(t.contractorId),
    check('dynamic_field_uniques_owner', sql`num_nonnulls(${t.userId}, ${t.contractorId}) = 1`),
  ],
)

export const personnelActionTypes = pgTable('personnel_action_types', {
  code: text().primaryKey(),
  name: text().notNull(),
  nameEn: text(),
})
