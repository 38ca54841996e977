import { randomInt } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { roles, userRoles, users } from '@/db/schema/people'
import { newPasswordFaults } from '@/lib/entry/passwords/policy'
import { endUserSessions } from '@/lib/entry/sessions/service'
import { normalizeIdentifier } from '@/lib/entry/sign-in/identifier'
import { audit, changesBetween } from '@/lib/kernel/audit'
import { hashPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import type { Env } from '@/lib/kernel/env'
import { loadMessages } from '@/lib/kernel/i18n/messages'
import { log } from '@/lib/kernel/log'
import { syncIdentifiers } from '@/lib/people/users/identifiers'
import { domainByHost } from '@/lib/platform/domains/service'
import { StartFault } from './server/start-checks'

type Wanted = { login: string; email: string; password?: string }

/** What a command of the operator acts as: nobody, from nowhere, on the base domain. */
async function commandContext(): Promise<Ctx> {
  return {
    requestId: '',
    ip: '',
    userAgent: '',
    domain: await domainByHost(''),
    locale: 'ru',
    deviceType: 'desktop',
    session: null,
    user: null,
    service: null,
    cookies: { get: () => undefined, set: () => {} },
    now: () => new Date(),
  }
}

// no characters that are read as one another
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Four groups of five, with every kind of character that a password rule may ask for. */
function randomPassword(): string {
  for (;;) {
    const groups = [1, 2, 3, 4].map(() =>
      Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    )
    const password = groups.join('-')
    if (/[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)) return password
  }
}

async function administratorRole(tx: Transaction): Promise<string> {
  // the lock under which the last administrator is looked for when one is disabled
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('administrators'))`)
  const [role] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.code, 'administrator'))
  if (!role) throw new StartFault('there is no administrator role: run npm run migrate first')
  return role.id
}

async function write(tx: Transaction, ctx: Ctx, wanted: Wanted, roleId: string, passwordHash: string) {
  const login = normalizeIdentifier('login', wanted.login)
  const email = normalizeIdentifier('email', wanted.email)
  const now = ctx.now()
  const values = {
    login,
    email,
    emailVerifiedAt: now,
    enabled: true,
    temporary: true,
    passwordHash,
    passwordChangedAt: now,
    // a password that we made up was on a screen; one that the operator brought is theirs
    passwordChangeRequired: wanted.password === undefined,
  }
  const [before] = await tx.select().from(users).where(sql`lower(${users.login}) = ${login}`).for('update')
  if (before?.providerId) throw new StartFault(`${login} is a directory's account: choose another login`)
  const [after] = before
    ? await tx
        .update(users)
        .set({ ...values, version: before.version + 1, updatedAt: now })
        .where(eq(users.id, before.id))
        .returning()
    : await tx.insert(users).values(values).returning()
  if (!after) throw new Error('the administrator was not written')
  await syncIdentifiers(tx, [after.id]).catch((error: { cause?: { constraint?: string } }) => {
    const taken = error.cause?.constraint === 'user_identifiers_kind_value'
    throw taken ? new StartFault(`${login} or ${email} belongs to another account`) : error
  })
  await tx.insert(userRoles).values({ userId: after.id, roleId }).onConflictDoNothing()
  const audited = ({ login, email, enabled, temporary, passwordHash }: typeof after) => ({
    login,
    email,
    enabled,
    temporary,
    passwordHash,
  })
  const changes = changesBetween(before ? audited(before) : {}, audited(after))
  await audit(tx, ctx, { type: before ? 'update' : 'create', entity: 'users', entityId: after.id, changes })
  return { login, afterCommit: await endUserSessions(tx, ctx, after.id, 'password') }
}

/** Holds a password that the operator brought to the rules that everybody's is held to (S6). Throws StartFault. */
async function checkPassword(ctx: Ctx, { login, email }: Wanted, password: string) {
  const wanted = { password, repeatPassword: password, userId: null, about: [login, email] }
  const [fault] = await newPasswordFaults(ctx, wanted)
  if (!fault) return
  const words: Record<string, string> = (await loadMessages('en')).errors
  throw new StartFault(`the password is refused: ${words[fault.code] ?? fault.code}`)
}

/**
 * Makes the temporary administrator, or makes the account one again after a lock-out: enabled, with a new password
 * and without sessions. Gives the password. Throws StartFault, or AppError for a login or e-mail that is none.
 */
export async function makeAdministrator(wanted: Wanted): Promise<{ login: string; password: string }> {
  const ctx = await commandContext()
  if (wanted.password !== undefined) await checkPassword(ctx, wanted, wanted.password)
  const password = wanted.password ?? randomPassword()
  const passwordHash = await hashPassword(password)
  const { login, afterCommit } = await db().transaction(async (tx) =>
    write(tx, ctx, wanted, await administratorRole(tx), passwordHash),
  )
  await afterCommit()
  return { login, password }
}

/** Makes the administrator that the environment names, once: while the platform has none. */
export async function firstAdministrator({ ADMIN_LOGIN, ADMIN_EMAIL, ADMIN_PASSWORD }: Env): Promise<void> {
  if (!ADMIN_LOGIN && !ADMIN_EMAIL && !ADMIN_PASSWORD) return
  if (!ADMIN_LOGIN || !ADMIN_EMAIL || !ADMIN_PASSWORD)
    throw new StartFault('ADMIN_LOGIN, ADMIN_EMAIL and ADMIN_PASSWORD go together')
  const ctx = await commandContext()
  const named = { login: ADMIN_LOGIN, email: ADMIN_EMAIL, password: ADMIN_PASSWORD }
  const passwordHash = await hashPassword(ADMIN_PASSWORD)
  const made = await db().transaction(async (tx) => {
    const roleId = await administratorRole(tx)
    const [holder] = await tx.select({ id: userRoles.id }).from(userRoles).where(eq(userRoles.roleId, roleId)).limit(1)
    if (holder) return false
    await checkPassword(ctx, named, ADMIN_PASSWORD)
    await write(tx, ctx, named, roleId, passwordHash)
    return true
  })
  if (made) log.info('the first administrator is made')
}
