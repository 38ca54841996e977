import { createTransport } from 'nodemailer'
import { env } from '../runtime/env'
import { asciiEmail } from '../text/email'
import type { MailContent } from './content'
import { SendError, withoutSecrets } from './send-error'

export type OutgoingMail = MailContent & {
  id: string
  to: string
  /** The name of the project, which is the name of the sender. */
  project: string
  /** The host of the sending domain. */
  host: string
  /** The address at which the subscription is changed; empty without one. */
  unsubscribe: string
}

/** Returns the address in MAIL_FROM, which may have a name around it. */
const addressOf = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()

/** Returns whether an SMTP server refused this message for good: 5xx for its sender, receiver or content. */
const isFinal = ({ code, responseCode }: { code?: unknown; responseCode?: unknown }) =>
  (code === 'EENVELOPE' || code === 'EMESSAGE') && (typeof responseCode !== 'number' || responseCode >= 500)

/**
 * Creates a client of an SMTP server: smtps:// uses TLS at once, smtp:// as soon as the server offers it, and with
 * ?requireTLS=true never without. Parameters of the address override the options here. `send` throws SendError.
 */
export function createSmtp(url: string, from: string) {
  const transporter = createTransport(
    {
      url,
      pool: true,
      maxConnections: 4,
      maxMessages: 100,
      // the job is repeated, with growing waits
      maxRequeues: 0,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      dnsTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0],
    {},
  )
  const address = asciiEmail(addressOf(from))
  return {
    async send({ id, to, project, host, unsubscribe, subject, text, html }: OutgoingMail) {
      try {
        await transporter.sendMail({
          from: { name: project, address },
          to: { name: '', address: asciiEmail(to) },
          subject,
          text,
          html,
          // the same id at every try, so that a receiver can recognize a repeat
          messageId: `<${id}@${host || address.split('@')[1]}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribe ? { 'List-Unsubscribe': `<${unsubscribe}>` } : {}),
          },
        })
      } catch (error) {
        const fault = error instanceof Error ? error : new Error('unknown')
        const { code } = fault as { code?: unknown }
        const message = withoutSecrets(fault.message)
        // errors of sockets state their cause only by a code
        const messageWithCode = typeof code === 'string' && !message.includes(code) ? `${code}: ${message}` : message
        throw new SendError(messageWithCode, { permanent: isFinal(fault as { code?: unknown }) })
      }
    },
    /** Connects and signs in, without sending anything. Throws the error of the socket or the server. */
    verify: () => transporter.verify(),
    close: () => transporter.close(),
  }
}

let server: ReturnType<typeof createSmtp> | undefined

function configuredServer() {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = env()
  if (SMTP_URL) server ??= createSmtp(SMTP_URL, MAIL_FROM ?? `no-reply@${new URL(PUBLIC_URL).hostname}`)
  return server
}

/** Sends a mail; without SMTP_URL it stays among the sent messages, which production refuses. Throws SendError. */
export const sendOverSmtp = async (mail: OutgoingMail): Promise<void> => configuredServer()?.send(mail)

/** Connects to the mail server and signs in; without SMTP_URL does nothing. Throws the error of the connection. */
export const verifySmtp = async (): Promise<void> => void (await configuredServer()?.verify())
