import { pgEnum, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment } from './columns'
import { users } from './people'

export const contactKind = pgEnum('contact_kind', ['email', 'mobile'])
export const contactAgreement = pgEnum('contact_agreement', ['received', 'refused', 'notReceived'])

/**
 * Details of a person's contacts. The main ones are in `users`: a row with the same value describes the main one, every
 * other row is an additional contact. Several people may have the same additional contact.
 */
export const userContacts = pgTable(
  'user_contacts',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: contactKind().notNull(),
    /** In lower case, or E.164. */
    value: text().notNull(),
    /** When the person last entered a code that was sent there; null if they never did. */
    verifiedAt: moment(),
    /** Messengers in which the number can be reached. */
    messengers: text().array().notNull().default([]),
    /** Whether the person allows others to contact them there. */
    agreement: contactAgreement().notNull().default('notReceived'),
    createdAt: createdAt(),
  },
  (t) => [unique('user_contacts_user_kind_value').on(t.userId, t.kind, t.value)],
)
