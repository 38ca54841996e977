import { and, desc, eq, notInArray } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { passwordHistory } from '@/db/schema/entry'
import type { Ctx } from '@/lib/base/context/ctx'
import { verifyPassword } from '@/lib/base/crypto/password'
import type { FieldError } from '@/lib/base/runtime/errors'
import { findsPattern } from '@/lib/base/text/safe-pattern'
import { projectInfo } from '@/lib/site/project-info/service'
import { platformSettings } from '@/lib/site/settings/service'
import { isBreached } from './breached'
import { isPersonal } from './personal'
import { selectPasswordAccount, selectPersonalWords } from './queries'
import { isAcceptable } from './rules'
import { passwordRules } from './rules-of-settings'

/** The upper bound if the setting has none (docs/rules/passwords.md#rules). */
const longest = 256
/** The highest value of the setting passwordHistory. */
const longestHistory = 24

export type NewPassword = {
  password: string
  repeatPassword: string
  /** The account; null for one that doesn't exist yet. */
  userId: string | null
  /** Personal words of a form: e-mail, login, names. Those of an existing account are read. */
  about?: string[]
}

/** Returns the hashes that the setting passwordHistory refuses: the current one and those before it. */
async function recentHashes(userId: string): Promise<string[]> {
  const { passwordHistory: count } = await platformSettings()
  if (count === 0) return []
  const current = (await selectPasswordAccount(userId))?.passwordHash ?? null
  const rows = await db()
    .select({ hash: passwordHistory.passwordHash })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
    .orderBy(desc(passwordHistory.createdAt))
    .limit(count)
  return [...new Set([...(current ? [current] : []), ...rows.map(({ hash }) => hash)])].slice(0, count)
}

async function isRecent(userId: string, password: string): Promise<boolean> {
  for (const hash of await recentHashes(userId)) if ((await verifyPassword(hash, password)).right) return true
  return false
}

type PolicyCtx = Pick<Ctx, 'locale' | 'domain'>

/** Returns the code of the password's first fault, or null. The most expensive checks come last. */
async function faultOf(
  ctx: PolicyCtx,
  { password, userId, about: formWords = [] }: NewPassword,
): Promise<string | null> {
  if ([...password.normalize('NFKC')].length > longest) return 'errorTooLong'
  // UTF-8 can't encode half a surrogate pair: different passwords would become the same
  if (/[\p{Cc}\p{Cs}]/u.test(password)) return 'errorChars'
  if (!isAcceptable(await passwordRules(ctx.locale), password, findsPattern)) return 'errorPasswordRules'
  if (await isBreached(password)) return 'errorPasswordBreached'
  const { options } = await projectInfo(ctx.domain)
  const project = Object.values(options).flatMap(({ projectName, projectTitle }) => [projectName, projectTitle])
  const accountWords = userId ? await selectPersonalWords(userId) : []
  if (isPersonal(password, [...formWords, ...accountWords, ...project])) return 'errorPasswordPersonal'
  return userId && (await isRecent(userId, password)) ? 'errorPasswordRecent' : null
}

/**
 * Returns the faults of a new password by field: the rules of the settings; a breached, personal or recent password; a
 * different repetition. Every function that stores a password calls this first (docs/quality.md#s6).
 */
export async function newPasswordFaults(ctx: PolicyCtx, input: NewPassword): Promise<FieldError[]> {
  const faults: FieldError[] = []
  const code = await faultOf(ctx, input)
  if (code) faults.push({ field: 'password', code })
  if (input.password.normalize('NFKC') !== input.repeatPassword.normalize('NFKC')) {
    if (!code) faults.push({ field: 'password', code: 'errorMatch' })
    faults.push({ field: 'repeatPassword', code: 'errorMatch' })
  }
  return faults
}

/** Adds the hash of an account's password to its history, for the refusal of recent passwords. */
export async function rememberPassword(tx: Transaction, userId: string, passwordHash: string, now: Date) {
  await tx.insert(passwordHistory).values({ userId, passwordHash, createdAt: now })
  const newest = tx
    .select({ id: passwordHistory.id })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
    .orderBy(desc(passwordHistory.createdAt))
    .limit(longestHistory)
  await tx
    .delete(passwordHistory)
    .where(and(eq(passwordHistory.userId, userId), notInArray(passwordHistory.id, newest)))
}
