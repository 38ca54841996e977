import { randomInt } from 'node:crypto'
import { redis } from '@/lib/base/redis/redis'
import {
  registrationCode,
  registrationComplete,
  registrationLink,
  registrationStatus,
  registrationVerify,
} from '@/lib/joining/registration/contract'
import type { Browser } from './browser'
import { lastCodeTo, lastMessageTo } from './messages'
import { handlerOf } from './routes'

const code = handlerOf(registrationCode)
const complete = handlerOf(registrationComplete)
const link = handlerOf(registrationLink)
const status = handlerOf(registrationStatus)
const verify = handlerOf(registrationVerify)

export const newPassword = 'Severnyj-veter-41'

// starts at a random number, because a restarted worker finds the data of the one before
let made = randomInt(8_000_000)
/** Returns an unused e-mail. */
export const newEmail = () => `new.${++made}@polaris.example`
/** Returns an unused mobile. */
export const newMobile = () => `+7911${String(1_000_000 + ++made)}`

type Body = Record<string, unknown>

/** Makes the first step, by default with a full name. */
export const askLink = (browser: Browser, email: string, body: Body = {}, headers: Record<string, string> = {}) =>
  browser.send(link, 'POST', { body: { fio: 'Ковалёва Ольга Игоревна', email, ...body }, headers })

/** Returns the GUID in the newest registration link sent to an e-mail. */
export async function linkSentTo(email: string): Promise<string> {
  const message = await lastMessageTo(email)
  const id = /\/platform\/registration\/([0-9a-f-]{36})/.exec(message?.content.text ?? '')?.[1]
  if (!id) throw new Error(`no registration link was sent to ${email}`)
  return id
}

/** Requests a link and returns its GUID. */
export async function startRegistration(browser: Browser, email = newEmail(), body: Body = {}) {
  const answer = await askLink(browser, email, body)
  if (answer.status !== 200) throw new Error(`no link for ${email}: ${JSON.stringify(answer.body)}`)
  return { email, secret: await linkSentTo(email) }
}

export const linkStatus = (browser: Browser, id: string) => browser.send(status, 'GET', { params: { id } })
export const askMobileCode = (browser: Browser, secret: string, mobile: string) =>
  browser.send(code, 'POST', { body: { secret, mobile } })
export const verifyMobile = (browser: Browser, secret: string, mobile: string, digits: string) =>
  browser.send(verify, 'PUT', { body: { secret, mobile, code: digits } })
export const finish = (browser: Browser, secret: string, body: Body = {}) =>
  browser.send(complete, 'POST', {
    body: { secret, password: newPassword, repeatPassword: newPassword, ...body },
  })

/** Proves a mobile by its code. */
export async function proveMobileOf(browser: Browser, secret: string, mobile = newMobile()) {
  await askMobileCode(browser, secret, mobile)
  const { status: answered, body } = await verifyMobile(browser, secret, mobile, await lastCodeTo(mobile))
  if (answered !== 200) throw new Error(`${mobile} was not proven: ${JSON.stringify(body)}`)
  return mobile
}

/** Lets the resend time pass. */
export const passResend = async () => {
  const keys = await redis().keys('code-resend:*')
  if (keys.length > 0) await redis().del(keys)
}
