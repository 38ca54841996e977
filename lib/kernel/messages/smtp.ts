import { createTransport } from 'nodemailer'
import { env } from '../env'
import type { MailContent } from './content'
import { DeliveryError, withoutSecrets } from './delivery-error'

export type OutgoingMail = MailContent & {
  id: string
  to: string
  /** The project's name, as whom it writes. */
  project: string
  /** Host of the domain that writes. */
  host: string
  /** Where the subscription is changed, if it comes from one. */
  unsubscribe: string
}

/** The address of MAIL_FROM, which may have a name around it. */
const addressOf = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()

/** An SMTP server refuses this message for good: 5xx to its sender, receiver or content, rather than to us. */
const isFinal = ({ code, responseCode }: { code?: unknown; responseCode?: unknown }) =>
  (code === 'EENVELOPE' || code === 'EMESSAGE') && (typeof responseCode !== 'number' || responseCode >= 500)

/**
 * Sends by a server: smtps:// speaks TLS at once, smtp:// as soon as the server offers it, and with
 * ?requireTLS=true not otherwise. What the address says in its query wins over what stands here.
 * Throws DeliveryError.
 */
export function createSmtp(url: string, from: string) {
  const transporter = createTransport(
    {
      url,
      pool: true,
      maxConnections: 4,
      maxMessages: 100,
      // the job comes again by itself, later each time
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
  const address = addressOf(from)
  return {
    async send({ id, to, project, host, unsubscribe, subject, text, html }: OutgoingMail) {
      try {
        await transporter.sendMail({
          from: { name: project, address },
          to: { name: '', address: to },
          subject,
          text,
          html,
          // one id however often it is tried, so that a receiver can tell a repeat
          messageId: `<${id}@${host || address.split('@')[1]}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribe ? { 'List-Unsubscribe': `<${unsubscribe}>` } : {}),
          },
        })
      } catch (error) {
        const said = error instanceof Error ? error : new Error('unknown')
        const { code } = said as { code?: unknown }
        const message = withoutSecrets(said.message)
        // sockets tell by their code alone what happened
        const named = typeof code === 'string' && !message.includes(code) ? `${code}: ${message}` : message
        throw new DeliveryError(named, { permanent: isFinal(said as { code?: unknown }) })
      }
    },
    close: () => transporter.close(),
  }
}

let server: ReturnType<typeof createSmtp> | undefined

/** Sends a mail; without SMTP_URL it stays in the outbox, which production refuses. Throws DeliveryError. */
export async function sendMail(mail: OutgoingMail) {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = env()
  if (!SMTP_URL) return
  server ??= createSmtp(SMTP_URL, MAIL_FROM ?? `no-reply@${new URL(PUBLIC_URL).hostname}`)
  await server.send(mail)
}
