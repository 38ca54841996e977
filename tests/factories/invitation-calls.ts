import { and, count, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { invitations, messages, userContractorRoles, users } from '@/db/schema'
import {
  acceptInvitation,
  declineInvitation,
  readInvitation,
  sendInvitationCode,
  verifyInvitationMobile,
} from '@/lib/joining/invitations/contract'
import { Browser } from './browser'
import { lastCodeTo, runJobs } from './messages'
import { first } from './platform'
import { handlerOf } from './routes'
import { startSessionOf } from './sign-in'
import { createUser, password } from './users'

const decline = handlerOf(declineInvitation)
const read = handlerOf(readInvitation)
const accept = handlerOf(acceptInvitation)
const code = handlerOf(sendInvitationCode)
const verify = handlerOf(verifyInvitationMobile)

let mobiles = 9_160_000_000 + Math.floor(Math.random() * 1_000_000)
export const newMobile = () => `+7${++mobiles}`
export const past = () => new Date(Date.now() - 1000)
/** Returns a code that differs in every digit. */
export const wrong = (right: string) => right.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))

export const look = (browser: Browser, id: string) => browser.send(read, 'GET', { params: { id } })
export const refuse = (browser: Browser, id: string) => browser.send(decline, 'DELETE', { params: { id } })
export const say = (browser: Browser, body: Record<string, unknown>) => browser.send(accept, 'POST', { body })
export const askCode = (browser: Browser, hash: string, mobile: string) =>
  browser.send(code, 'POST', { body: { hash, mobile } })
export const enterCode = (browser: Browser, hash: string, mobile: string, digits: string) =>
  browser.send(verify, 'PUT', { body: { hash, mobile, code: digits } })

/** The input of a person without an account. */
export const formOf = ({ guid }: { guid: string }, more: Record<string, unknown> = {}) => ({
  hash: guid,
  fio: 'Новикова Ольга Игоревна',
  password,
  repeatPassword: password,
  ...more,
})

/** Proves the mobile, as the page does. */
export async function prove(browser: Browser, hash: string, mobile = newMobile()) {
  await askCode(browser, hash, mobile)
  const { status, body } = await enterCode(browser, hash, mobile, await lastCodeTo(mobile))
  if (status !== 200 || body.mobile_verify !== true) throw new Error(`${mobile} is not proven: ${status} ${body.code}`)
  return mobile
}

export const rowOf = async ({ id }: { id: string }) =>
  first(await db().select().from(invitations).where(eq(invitations.id, id)))
export const setInvitation = (id: string, values: Partial<typeof invitations.$inferInsert>) =>
  db().update(invitations).set(values).where(eq(invitations.id, id))
export const accountOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0]
export const rolesOf = (userId: string) =>
  db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, userId))

/** Runs the due jobs and counts the mails of a kind to somebody. */
export async function mailsTo(recipient: string, template: string) {
  await runJobs()
  const [row] = await db()
    .select({ rows: count() })
    .from(messages)
    .where(and(eq(messages.recipient, recipient), eq(messages.template, template)))
  return row?.rows
}

/** An account that is signed in, with its browser. */
export async function signedIn(wishes: Parameters<typeof createUser>[0] = {}) {
  const user = await createUser(wishes)
  const browser = new Browser()
  await startSessionOf(browser, user.id)
  return { user, browser }
}
