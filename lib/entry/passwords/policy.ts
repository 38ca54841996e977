import { and, desc, eq, notInArray } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { passwordHistory } from '@/db/schema/entry'
import { verifyPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import type { FieldError } from '@/lib/kernel/errors'
import { projectInfo } from '@/lib/platform/project-info/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { isBreached } from './breached'
import { findsPattern } from './patterns'
import { isPersonal } from './personal'
import { passwordOf, wordsAbout } from './queries'
import { isAcceptable } from './rules'
import { passwordRules } from './rules-of-settings'

/** What holds when the setting names no upper bound (docs/rules/passwords.md#rules). */
const longest = 256
/** The most that the setting passwordHistory may ask for. */
const keptAtMost = 24

export type NewPassword = {
  password: string
  repeatPassword: string
  /** Whose it shall be; null for an account that isn't there yet. */
  userId: string | null
  /** What else the person is called: e-mail, login, names of a form. An account's own are known. */
  about?: string[]
}

/** The hashes that the setting passwordHistory refuses: the present one and those before it. */
async function recentHashes(userId: string): Promise<string[]> {
  const { passwordHistory: wanted } = await platformSettings()
  if (wanted === 0) return []
  const present = (await passwordOf(userId))?.passwordHash ?? null
  const rows = await db()
    .select({ hash: passwordHistory.passwordHash })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
    .orderBy(desc(passwordHistory.createdAt))
    .limit(wanted)
  return [...new Set([...(present ? [present] : []), ...rows.map(({ hash }) => hash)])].slice(0, wanted)
}

async function isRecent(userId: string, password: string): Promise<boolean> {
  for (const hash of await recentHashes(userId)) if ((await verifyPassword(hash, password)).right) return true
  return false
}

type PolicyCtx = Pick<Ctx, 'locale' | 'domain'>

/** The first thing that is wrong with the password itself; what costs most is looked at last. */
async function faultOf(ctx: PolicyCtx, { password, userId, about = [] }: NewPassword): Promise<string | null> {
  if ([...password.normalize('NFKC')].length > longest) return 'errorTooLong'
  // half a surrogate pair has no form of its own in UTF-8: many passwords would be one
  if (/[\p{Cc}\p{Cs}]/u.test(password)) return 'errorChars'
  if (!isAcceptable(await passwordRules(ctx.locale), password, findsPattern)) return 'errorPasswordRules'
  if (await isBreached(password)) return 'errorPasswordBreached'
  const { options } = await projectInfo(ctx.domain)
  const project = Object.values(options).flatMap(({ projectName, projectTitle }) => [projectName, projectTitle])
  const known = userId ? await wordsAbout(userId) : []
  if (isPersonal(password, [...about, ...known, ...project])) return 'errorPasswordPersonal'
  return userId && (await isRecent(userId, password)) ? 'errorPasswordRecent' : null
}

/**
 * What is wrong with a new password, by field: the rules of the settings, a breached or personal one, a recent one,
 * the repeat. Every path that stores a password asks this first (docs/quality.md#s6).
 */
export async function newPasswordFaults(ctx: PolicyCtx, wanted: NewPassword): Promise<FieldError[]> {
  const faults: FieldError[] = []
  const code = await faultOf(ctx, wanted)
  if (code) faults.push({ field: 'password', code })
  if (wanted.password.normalize('NFKC') !== wanted.repeatPassword.normalize('NFKC')) {
    if (!code) faults.push({ field: 'password', code: 'errorMatch' })
    faults.push({ field: 'repeatPassword', code: 'errorMatch' })
  }
  return faults
}

/** Keeps the hash of a password that an account now has, for the refusal of recent ones. */
export async function rememberPassword(tx: Transaction, userId: string, passwordHash: string, now: Date) {
  await tx.insert(passwordHistory).values({ userId, passwordHash, createdAt: now })
  const kept = tx
    .select({ id: passwordHistory.id })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
    .orderBy(desc(passwordHistory.createdAt))
    .limit(keptAtMost)
  await tx.delete(passwordHistory).where(and(eq(passwordHistory.userId, userId), notInArray(passwordHistory.id, kept)))
}
