import { createTransport } from 'nodemailer'
import { env } from '../env'
import type { MailContent } from './templates'

export type OutgoingMail = MailContent & { id: string; to: string }
export type OutgoingSms = { id: string; to: string; text: string }
/** A way for messages to leave: throws when it can't take one, and is asked again later. */
type Transport<Message> = (message: Message) => Promise<void>

/** Keeps messages in the database alone, where the outbox page shows them. */
const outbox = async () => {}

function smtp(url: string, from: string): Transport<OutgoingMail> {
  // the pool is asked for in the address, which is how nodemailer takes options beside a URL
  const address = new URL(url)
  address.searchParams.set('pool', 'true')
  const transporter = createTransport(address.href, { from })
  const { hostname } = new URL(env().PUBLIC_URL)
  return async ({ id, to, subject, text, html }) => {
    // one id however often it is tried, so that a receiver can tell a repeat
    await transporter.sendMail({ to: { name: '', address: to }, subject, text, html, messageId: `<${id}@${hostname}>` })
  }
}

const gatewayTimeout = 10_000

/** An HTTP gateway by template: `{{to}}` and `{{text}}` are filled into address and body. */
function gateway(url: string): Transport<OutgoingSms> {
  const { SMS_METHOD, SMS_HEADERS = {}, SMS_BODY = '{"to":"{{to}}","text":"{{text}}"}' } = env()
  const fill = (template: string, { to, text }: OutgoingSms, write: (value: string) => string) =>
    template.replaceAll('{{to}}', () => write(to)).replaceAll('{{text}}', () => write(text))
  return async (sms) => {
    const response = await fetch(fill(url, sms, encodeURIComponent), {
      method: SMS_METHOD,
      headers: { 'content-type': 'application/json', ...SMS_HEADERS },
      // inside a JSON string, so without the quotes around
      body: SMS_METHOD === 'GET' ? undefined : fill(SMS_BODY, sms, (value) => JSON.stringify(value).slice(1, -1)),
      redirect: 'error',
      signal: AbortSignal.timeout(gatewayTimeout),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`)
  }
}

let mail: Transport<OutgoingMail> | undefined
let sms: Transport<OutgoingSms> | undefined

/** SMTP if it is configured; else the outbox, which production refuses. */
export function sendMail(message: OutgoingMail) {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = env()
  mail ??= SMTP_URL ? smtp(SMTP_URL, MAIL_FROM ?? `no-reply@${new URL(PUBLIC_URL).hostname}`) : outbox
  return mail(message)
}

export function sendSms(message: OutgoingSms) {
  const { SMS_URL } = env()
  sms ??= SMS_URL ? gateway(SMS_URL) : outbox
  return sms(message)
}

/** Whether SMS can leave at all: production has no outbox. */
export const smsReady = () => env().SMS_URL !== undefined || env().PLATFORM_MODE !== 'production'
