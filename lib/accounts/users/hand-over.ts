import { and, eq } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { userIdentifiers } from '@/db/schema/people'
import { accountOfMobile, accountsOfEmail } from './create'
import { dropIdentifier } from './identifiers'
import { userRows } from './queries'

export const identifierKinds = ['login', 'email', 'mobile'] as const
export type IdentifierKind = (typeof identifierKinds)[number]

/** Returns the id of the account that has an identifier; null if none has it. */
export async function holderOf(tx: Transaction, kind: IdentifierKind, value: string): Promise<string | null> {
  if (kind === 'mobile') return accountOfMobile(value, tx)
  if (kind === 'email') return (await accountsOfEmail(value.toLowerCase(), tx))[0]?.id ?? null
  const [row] = await tx
    .select({ userId: userIdentifiers.userId })
    .from(userIdentifiers)
    .where(and(eq(userIdentifiers.kind, kind), eq(userIdentifiers.value, value.toLowerCase())))
  return row?.userId ?? null
}

/**
 * Takes an identifier away from a locked account that gets another one later in the same transaction, so that another
 * account can have this one first.
 */
export async function setAside(tx: Transaction, userId: string, kind: IdentifierKind): Promise<void> {
  await dropIdentifier(tx, userId, kind)
  // the column `login` is never empty; people are looked up by the identifier, not by the column
  if (kind !== 'login') await userRows.update(tx, userId, { [kind]: null })
}
