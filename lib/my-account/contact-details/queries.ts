import { and, asc, eq, inArray } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { userContacts } from '@/db/schema/contacts'
import { users } from '@/db/schema/people'
import type { Agreement, ContactKind, Messenger } from './contract'

type Executor = Database | Transaction

const columns = {
  id: userContacts.id,
  kind: userContacts.kind,
  value: userContacts.value,
  verifiedAt: userContacts.verifiedAt,
  messengers: userContacts.messengers,
  agreement: userContacts.agreement,
}

/** Returns the stored contacts of a person, in the order in which they were added. */
export const selectContactRows = (run: Executor, userId: string) =>
  run
    .select(columns)
    .from(userContacts)
    .where(eq(userContacts.userId, userId))
    .orderBy(asc(userContacts.createdAt), asc(userContacts.id))
export type ContactRow = Awaited<ReturnType<typeof selectContactRows>>[number]

/** Returns the main contacts of a person. */
export async function selectMain(userId: string, run: Executor = db()) {
  const { email, emailVerifiedAt, mobile, mobileVerifiedAt } = users
  const [row] = await run
    .select({ email, emailVerifiedAt, mobile, mobileVerifiedAt })
    .from(users)
    .where(eq(users.id, userId))
  return row ?? null
}

export type ContactChange = {
  kind: ContactKind
  value: string
  messengers?: Messenger[]
  agreement?: Agreement
  verifiedAt?: Date
}

/** Stores a contact of a person, or changes these values of an existing one. */
export async function storeContact(
  tx: Transaction,
  userId: string,
  { kind, value, ...details }: ContactChange,
  now: Date,
) {
  const insert = tx.insert(userContacts).values({ userId, kind, value, ...details, createdAt: now })
  const target = [userContacts.userId, userContacts.kind, userContacts.value]
  await (Object.keys(details).length > 0
    ? insert.onConflictDoUpdate({ target, set: details })
    : insert.onConflictDoNothing({ target }))
}

export const removeContacts = (tx: Transaction, userId: string, ids: string[]) =>
  tx.delete(userContacts).where(and(eq(userContacts.userId, userId), inArray(userContacts.id, ids)))
