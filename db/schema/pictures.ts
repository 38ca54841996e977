import { customType, pgTable, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt } from './columns'
import { users } from './people'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/**
 * The picture of a person, as the platform encoded it. Another picture is another row, so that the address of an id
 * always answers with the same bytes.
 */
export const userPictures = pgTable(
  'user_pictures',
  {
    /** The file's id: whoever knows it may see the picture. */
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
