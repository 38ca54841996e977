import { randomInt } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { hasAdministrator, saveAdministrator } from '@/lib/accounts/users/administrator'
import type { Ctx } from '@/lib/base/context/ctx'
import { hashPassword } from '@/lib/base/crypto/password'
import { loadMessages } from '@/lib/base/i18n/messages'
import type { Env } from '@/lib/base/runtime/env'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'
import { openPasswordFlow } from '@/lib/sign-in/factors/password/throttle'
import { newPasswordFaults } from '@/lib/sign-in/passwords/policy'
import { endUserSessions } from '@/lib/sign-in/sessions/service'
import { commandContext } from './operator'
import { StartFault } from './start-fault'

type Wanted = { login: string; email: string; password?: string }

// no characters that look alike
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Four groups of five, with every kind of character that a password rule may require. */
function randomPassword(): string {
  for (;;) {
    const groups = [1, 2, 3, 4].map(() =>
      Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    )
    const password = groups.join('-')
    if (/[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)) return password
  }
}

async function write(tx: Transaction, ctx: Ctx, wanted: Wanted, passwordHash: string) {
  const login = normalizeIdentifier('login', wanted.login)
  const email = normalizeIdentifier('email', wanted.email)
  // a generated password was on a screen, so it must be changed; one that the operator chose stays
  const passwordChangeRequired = wanted.password === undefined
  const userId = await saveAdministrator(tx, ctx, { login, email, passwordHash, passwordChangeRequired }).catch(
    (error) => {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'directoryAccount')
        throw new StartFault(`${login} is a directory's account: choose another login`)
      if (error.status === 404) throw new StartFault('there is no administrator role: run npm run migrate first')
      throw new StartFault(`${login} or ${email} belongs to another account`)
    },
  )
  await openPasswordFlow(tx, userId)
  return { login, afterCommit: await endUserSessions(tx, ctx, userId, 'password') }
}

/**
 * Checks a password that the operator chose against the same rules as every password (docs/quality.md#s6). Throws
 * StartFault.
 */
async function checkPassword(ctx: Ctx, { login, email }: Wanted, password: string) {
  const candidate = { password, repeatPassword: password, userId: null, about: [login, email] }
  const [fault] = await newPasswordFaults(ctx, candidate)
  if (!fault) return
  const words: Record<string, string> = (await loadMessages('en')).errors
  throw new StartFault(`the password is refused: ${words[fault.code] ?? fault.code}`)
}

/**
 * Creates the temporary administrator. After a lock-out it makes an existing account the administrator again: enabled,
 * with a new password and without sessions. Returns the password. Throws StartFault, or AppError for an invalid login
 * or e-mail.
 */
export async function makeAdministrator(wanted: Wanted): Promise<{ login: string; password: string }> {
  const ctx = await commandContext()
  if (wanted.password !== undefined) await checkPassword(ctx, wanted, wanted.password)
  const password = wanted.password ?? randomPassword()
  const passwordHash = await hashPassword(password)
  const { login, afterCommit } = await db().transaction((tx) => write(tx, ctx, wanted, passwordHash))
  await afterCommit()
  return { login, password }
}

/** Creates the administrator of the environment variables, if the platform has none. */
export async function firstAdministrator({ ADMIN_LOGIN, ADMIN_EMAIL, ADMIN_PASSWORD }: Env): Promise<void> {
  if (!ADMIN_LOGIN && !ADMIN_EMAIL && !ADMIN_PASSWORD) return
  if (!ADMIN_LOGIN || !ADMIN_EMAIL || !ADMIN_PASSWORD)
    throw new StartFault('ADMIN_LOGIN, ADMIN_EMAIL and ADMIN_PASSWORD go together')
  const ctx = await commandContext()
  const named = { login: ADMIN_LOGIN, email: ADMIN_EMAIL, password: ADMIN_PASSWORD }
  const passwordHash = await hashPassword(ADMIN_PASSWORD)
  const made = await db().transaction(async (tx) => {
    if (await hasAdministrator(tx)) return false
    await checkPassword(ctx, named, ADMIN_PASSWORD)
    await write(tx, ctx, named, passwordHash)
    return true
  })
  if (made) log.info('the first administrator is made')
}
