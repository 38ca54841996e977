import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { userIdentifiers, userRoles, users } from '@/db/schema/people'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import type { Names } from '@/lib/fields/names'
import type { Further } from '@/lib/fields/profile-fields/further-fields'
import { peopleFields } from '@/lib/fields/values/service'
import { claimStored, claimUnique } from '@/lib/fields/values/unique'
import { blocksOf, recordedValues, withChanges } from '@/lib/fields/values/values'
import { platformSettings } from '@/lib/site/settings/service'
import { userEntity } from './entity'
import { syncIdentifiers } from './identifiers'
import { insertUsers, type NewUser } from './queries'

export type NewAccount = {
  /** In lower case. It is proven: its owner opened a link that was sent to it. */
  email: string
  /** A chosen login, in lower case; by default the e-mail. */
  login?: string | undefined
  /** Proven by a code, as E.164; null if the form has none. */
  mobile: string | null
  names: Names
  passwordHash: string
  locale: string
  /** Further values that a form asked for. */
  further: Further
}

/**
 * Returns the id of the account that signs in with this mobile; null if none does, or people don't sign in with
 * mobiles.
 */
export async function accountOfMobile(mobile: string, database: Database | Transaction = db()): Promise<string | null> {
  const [row] = await database
    .select({ userId: userIdentifiers.userId })
    .from(userIdentifiers)
    .where(and(eq(userIdentifiers.kind, 'mobile'), eq(userIdentifiers.value, mobile)))
  return row?.userId ?? null
}

/** Returns whether somebody signs in with this mobile. If people don't sign in with mobiles, accounts may share one. */
export const isMobileTaken = async (mobile: string, database: Database | Transaction = db()): Promise<boolean> =>
  (await accountOfMobile(mobile, database)) !== null

/**
 * The error for a mobile that somebody has. Throw it only after the right code
 * (docs/rules/registration.md#the-same-answer-for-everybody).
 */
export const mobileTaken = () => fieldError('mobile', 'errorMobileRegistered')

async function isLoginFree(tx: Transaction, login: string): Promise<boolean> {
  const [row] = await tx
    .select({ userId: userIdentifiers.userId })
    .from(userIdentifiers)
    .where(and(eq(userIdentifiers.kind, 'login'), eq(userIdentifiers.value, login)))
  return !row
}

/** Returns the e-mail as a login, with a number at the end if somebody else has that login. */
async function freeLogin(tx: Transaction, email: string): Promise<string> {
  for (let suffix = 1; ; suffix++) {
    const login = suffix === 1 ? email : `${email}-${suffix}`
    if (await isLoginFree(tx, login)) return login
  }
}

/**
 * Creates an account with the role of the setting defaultUserRole, and records it. Returns its id and login. Throws 400
 * errorMobileRegistered for a mobile in use, 400 errorUnique for a chosen login or a unique field in use, 409
 * errorEmailRegistered if the e-mail has got an account meanwhile, and 409 if somebody has taken another identifier.
 */
export async function createAccount(tx: Transaction, ctx: Ctx, account: NewAccount) {
  const { email, mobile, names, passwordHash, locale } = account
  const { values: dynamic, ...further } = account.further
  const now = ctx.now()
  // one account for each e-mail, also if people don't sign in with e-mails and no index ensures that
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`account ${email}`}, 0))`)
  if ((await accountsOfEmail(email, tx)).length > 0) throw new AppError(409, 'errorEmailRegistered')
  if (mobile && (await isMobileTaken(mobile, tx))) throw mobileTaken()
  const { login: chosen = email } = account
  if (chosen !== email && !(await isLoginFree(tx, chosen))) throw fieldError('login', 'errorUnique')
  const login = chosen === email ? await freeLogin(tx, email) : chosen
  const userId = randomUUID()
  const proven = { emailVerifiedAt: now, mobileVerifiedAt: mobile ? now : null, passwordChangedAt: now }
  const values = { ...names, ...further, login, email, mobile, passwordHash, locale, values: withChanges({}, dynamic) }
  await insertUsers(tx, [{ ...values, ...proven, id: userId, createdAt: now }])
  const fields = await peopleFields()
  const filledFields = fields.filter(({ code }) => Object.hasOwn(dynamic, code))
  const [takenCode] = await claimUnique(tx, { userId }, filledFields, dynamic)
  if (takenCode !== undefined) throw fieldError(`additionalInfo.${takenCode}`, 'errorUnique')
  const { defaultUserRole } = await platformSettings()
  await tx.insert(userRoles).values({ userId, roleId: defaultUserRole })
  await onBroken({ user_identifiers_kind_value: () => new AppError(409) }, () => syncIdentifiers(tx, [userId]))
  const after = {
    login,
    email,
    ...names,
    mobile,
    ...further,
    comment: further.comment || null,
    locale,
    password: passwordHash,
    roles: [defaultUserRole],
    ...recordedValues(dynamic, Object.keys(dynamic)),
  }
  await audit(tx, ctx, userEntity, userId, null, after, { changerId: userId, subtype: blocksOf(fields) })
  return { userId, login }
}

/** Stores accounts as they are, with their identifiers; for seeds and tests. */
export async function storeUsers(tx: Transaction, rows: (NewUser & { id: string })[]): Promise<void> {
  await insertUsers(tx, rows)
  await syncIdentifiers(
    tx,
    rows.map(({ id }) => id),
  )
  await claimStored(
    tx,
    rows.map(({ id, values = {} }) => ({ id, values })),
  )
}

const accountColumns = {
  id: users.id,
  login: users.login,
  email: sql<string>`${users.email}`,
  firstName: users.firstName,
  enabled: users.enabled,
  providerId: users.providerId,
  lang: sql<string | null>`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`,
}
export type NamedAccount = Awaited<ReturnType<typeof accountsOfEmail>>[number]

/** Returns the accounts with one of these e-mails (lower case), the oldest first. */
export const accountsOfEmails = (emails: readonly string[], tx: Transaction) =>
  tx
    .select({ ...accountColumns, lowered: sql<string>`lower(${users.email})` })
    .from(users)
    .where(inArray(sql`lower(${users.email})`, [...emails]))
    .orderBy(users.createdAt)

/** Returns the accounts with this e-mail (lower case); several are possible if people don't sign in with e-mails. */
export const accountsOfEmail = (email: string, database: Database | Transaction = db()) =>
  database
    .select(accountColumns)
    .from(users)
    .where(eq(sql`lower(${users.email})`, email))
    .orderBy(users.createdAt)
    .limit(20)
