import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { userIdentifiers } from '@/db/schema/people'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError } from '@/lib/base/runtime/errors'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { accountsOfEmails } from './create'
import { syncIdentifiers } from './identifiers'
import { insertUsers, type NewUser } from './queries'

type Identified = Pick<NewUser, 'login' | 'email' | 'mobile'>

const lowered = (text: string | null | undefined) => text?.trim().toLowerCase() ?? ''
const keysOf = ({ login, email, mobile }: Identified) =>
  [
    ['login', lowered(login)],
    ['email', lowered(email)],
    ['mobile', lowered(mobile)],
  ].flatMap(([kind, value]) => (value ? [`${kind} ${value}`] : []))

/** Returns the domains of these e-mails that an identity provider claims, other than this one. */
async function claimedDomains(tx: Transaction, emails: readonly string[], providerId: string | null) {
  const claimed = new Set<string>()
  for (const domain of new Set(emails.map((email) => email.slice(email.lastIndexOf('@') + 1))))
    if (await isDirectoryEmail(`@${domain}`, tx, providerId)) claimed.add(domain)
  return claimed
}

/** Returns the identifiers of new accounts, in the form of `keysOf`, that existing accounts have. */
async function takenKeys(tx: Transaction, emails: readonly string[], rows: readonly Identified[]) {
  const taken = new Set<string>()
  if (emails.length > 0) {
    // the same locks as for a registration and for a single account, in one order for all
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('account ' || email, 0))
      from (select unnest(${sql.param([...emails].sort())}::text[]) as email) wanted`)
    for (const { lowered: email } of await accountsOfEmails(emails, tx)) taken.add(`email ${email}`)
  }
  const ofKind = (kind: 'login' | 'mobile') =>
    and(
      eq(userIdentifiers.kind, kind),
      inArray(
        userIdentifiers.value,
        rows.map((row) => lowered(row[kind])),
      ),
    )
  const identifiers = await tx
    .select({ kind: userIdentifiers.kind, value: userIdentifiers.value })
    .from(userIdentifiers)
    .where(or(ofKind('login'), ofKind('mobile')))
  for (const { kind, value } of identifiers) taken.add(`${kind} ${value}`)
  return taken
}

/**
 * Returns for each of these new accounts, of a directory or of the platform (null), whether its identifiers are free:
 * no account has one of them, and no other of these. Others must be created one by one, which tells what is taken.
 */
export async function areFree(
  tx: Transaction,
  rows: readonly Identified[],
  providerId: string | null,
): Promise<boolean[]> {
  const emails = [...new Set(rows.flatMap(({ email }) => (email ? [lowered(email)] : [])))]
  const claimed = await claimedDomains(tx, emails, providerId)
  const taken = await takenKeys(tx, emails, rows)
  const counts = new Map<string, number>()
  for (const key of rows.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return rows.map((row) => {
    const email = lowered(row.email)
    const domain = email.slice(email.lastIndexOf('@') + 1)
    return !claimed.has(domain) && keysOf(row).every((key) => !taken.has(key) && counts.get(key) === 1)
  })
}

/** Stores new accounts whose identifiers are free. Throws 409 if one is taken at the same moment. */
export async function insertFree(tx: Transaction, rows: (NewUser & { id: string })[]): Promise<void> {
  await insertUsers(tx, rows)
  const ids = rows.map(({ id }) => id)
  await onBroken({ user_identifiers_kind_value: () => new AppError(409) }, () => syncIdentifiers(tx, ids))
}
