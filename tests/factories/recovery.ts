import { and, desc, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages, providers } from '@/db/schema'
import { messageContent } from '@/lib/base/mail-and-sms/send-message'
import { redis, redisReady } from '@/lib/base/redis/redis'
import { passwordLink, passwordLinkStatus, setPassword } from '@/lib/sign-in/passwords/contract'
import type { Browser } from './browser'
import { runJobs } from './messages'
import { handlerOf } from './routes'

const put = handlerOf(setPassword)
const link = handlerOf(passwordLink)
const status = handlerOf(passwordLinkStatus)

export const askForLink = (browser: Browser, email: string, headers?: Record<string, string>) =>
  browser.send(link, 'POST', { body: { email }, ...(headers ? { headers } : {}) })

export const linkStatus = (browser: Browser, id: string) => browser.send(status, 'GET', { params: { id } })

export const setByLink = (browser: Browser, id: string, password: string, more: Record<string, unknown> = {}) =>
  browser.send(put, 'PUT', { params: { id }, body: { password, repeatPassword: password, ...more } })

/** Lets the resend time pass. */
export async function passResend() {
  await redisReady()
  const keys = await redis().keys('code-resend:*')
  if (keys.length > 0) await redis().del(keys)
}

/** Runs the due jobs and returns the mails of a template to a user, newest first. */
export async function mailsTo(userId: string, template: string) {
  await runJobs()
  const rows = await db()
    .select()
    .from(messages)
    .where(and(eq(messages.userId, userId), eq(messages.template, template)))
    .orderBy(desc(messages.createdAt))
  return rows.map((row) => ({ ...row, text: messageContent(row).text }))
}

/** Returns the address in a mailed recovery link, and the id in it. */
export function linkIn(text: string) {
  const [address = '', origin = '', id = ''] =
    /(https?:\/\/\S+)\/platform\/new-password\/([0-9a-f-]{36})/.exec(text) ?? []
  return { address, origin, id }
}

/** Asks for a link and returns the id that came by mail. */
export async function recoveryLink(browser: Browser, user: { id: string; email: string }): Promise<string> {
  await passResend()
  const { status } = await askForLink(browser, user.email)
  if (status !== 200) throw new Error(`asking for a link answered ${status}`)
  const [mail] = await mailsTo(user.id, 'recoveryLink')
  return linkIn(mail?.text ?? '').id
}

let made = 0
/** Creates a directory, which claims mail domains if it is enabled. Returns its id. */
export async function createProvider(wishes: Partial<typeof providers.$inferInsert> = {}) {
  made++
  const values = {
    type: 'keycloak' as const,
    name: `Directory ${made}`,
    url: 'https://sso.directory.example/',
    realm: 'staff',
    clientId: 'platform',
    clientSecret: 'sealed',
    enabled: true,
    ...wishes,
  }
  const [row] = await db().insert(providers).values(values).returning()
  if (!row) throw new Error('no provider was made')
  return row
}
