import nodemailer, { type Transporter } from 'nodemailer'
import { env } from '../env'
import type { MailContent } from './templates'

export type OutgoingMail = MailContent & { id: string; to: string }
/** A way for mails to leave: throws when it can't take one, and is asked again later. */
export type MailTransport = { name: string; send(mail: OutgoingMail): Promise<void> }

/** Keeps mails in the database alone, where the outbox page shows them. */
const outbox: MailTransport = { name: 'outbox', send: async () => {} }

function smtp(url: string, from: string): MailTransport {
  const transporter: Transporter = nodemailer.createTransport(url, { from, pool: true } as nodemailer.TransportOptions)
  const { host } = new URL(env().PUBLIC_URL)
  return {
    name: 'smtp',
    async send({ id, to, subject, text, html }) {
      // one id however often it is tried, so that a receiver can tell a repeat
      await transporter.sendMail({ to: { name: '', address: to }, subject, text, html, messageId: `<${id}@${host}>` })
    },
  }
}

let transport: MailTransport | undefined

/** SMTP if it is configured; else the outbox, which production refuses. */
export function mailTransport(): MailTransport {
  const { SMTP_URL, MAIL_FROM } = env()
  transport ??= SMTP_URL ? smtp(SMTP_URL, MAIL_FROM ?? `no-reply@${new URL(env().PUBLIC_URL).hostname}`) : outbox
  return transport
}
