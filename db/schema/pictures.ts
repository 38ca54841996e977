import { sql } from 'drizzle-orm'
import { check, customType, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt } from './columns'
import { contractors, users } from './people'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/**
 * The picture of a person, as the platform encoded it. Another picture is another row, so that the address of an id
 * always answers with the same bytes.
 */
export const userPictures = pgTable(
  'user_pictures',
  {
    /** The file's id: everybody who has it may see the picture. */
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** WebP of 96 and of 256 pixels. */
    small: bytes().notNull(),
    large: bytes().notNull(),
    createdAt: createdAt(),
  },
  (t) => [unique('user_pictures_user').on(t.userId)],
)

/**
 * The picture in a field of a person or a contractor, as the platform encoded it. The owner's values have its id under
 * the code of the field; without such an owner, the row is unused.
 */
export const fieldPictures = pgTable(
  'field_pictures',
  {
    id: uuid().primaryKey().defaultRandom(),
    code: text().notNull(),
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    contractorId: uuid().references(() => contractors.id, { onDelete: 'cascade' }),
    /** WebP within 320 and within 1600 pixels. */
    small: bytes().notNull(),
    large: bytes().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('field_pictures_user').on(t.userId, t.code),
    unique('field_pictures_contractor').on(t.contractorId, t.code),
    check('field_pictures_owner', sql`num_nonnulls(${t.userId}, ${t.contractorId}) = 1`),
  ],
)
