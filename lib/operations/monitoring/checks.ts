import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { discardBody } from '@/lib/base/http/external-fetch'
import { isSmsGatewayPaused } from '@/lib/base/mail-and-sms/gateway-state'
import { verifySmtp } from '@/lib/base/mail-and-sms/smtp'
import { askDatabase } from '@/lib/base/postgres/probe'
import { redis } from '@/lib/base/redis/redis'
import { env } from '@/lib/base/runtime/env'
import { type Check, CheckFault } from '@/lib/base/runtime/monitoring'
import { externalFetch } from '@/lib/openid/server/external-fetch'
import { platformSettings } from '@/lib/site/settings/service'
import { countStuckJobs, proveWritable, selectAddressed } from './queries'

/** Milliseconds for a connection to PostgreSQL and its answer. */
const databasePatience = 3_000

async function database() {
  const refusal = await askDatabase(env().DATABASE_URL, databasePatience)
  if (refusal) throw new CheckFault(refusal)
  // a full disk still answers questions
  await proveWritable()
}

/** A store that is full still answers a PING. */
async function store() {
  await redis().set('monitoring:probe', '1', 'EX', 60)
  if ((await redis().get('monitoring:probe')) !== '1') throw new CheckFault('notKept')
}

/** Without a server mails stay in the outbox. */
const mailServer = async () => (env().SMTP_URL ? verifySmtp() : { connected: false })

/** Connects to the gateway and sends nothing: its address and body are templates of a real message. */
async function gateway(signal: AbortSignal) {
  const { SMS_URL } = env()
  // then SMS stay in the outbox, or aren't sent
  if (!SMS_URL) return { connected: false }
  if (await isSmsGatewayPaused()) throw new CheckFault('refusesMessages')
  const { hostname, port, protocol } = new URL(SMS_URL.replace(/\{\{\w+\}\}/g, 'x'))
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'https:'
  const to = { host, port: Number(port) || (secure ? 443 : 80) }
  await new Promise<void>((resolve, reject) => {
    const socket = secure ? connectTls({ ...to, servername: host }, resolve) : connectPlain(to, resolve)
    const end = () => socket.destroy()
    socket.once('error', reject)
    socket.once('connect', secure ? () => {} : end)
    socket.once('secureConnect', end)
    signal.addEventListener('abort', end)
  })
  return { connected: true }
}

async function jobs() {
  const { monitoringStuckAfter } = await platformSettings()
  return { stuck: await countStuckJobs(monitoringStuckAfter) }
}

/** Any answer below 500 is one: a page may ask people to sign in, or lead elsewhere. */
const addressed = (url: string) => async (signal: AbortSignal) => {
  const answer = await externalFetch(url, { method: 'GET', headers: { accept: '*/*' }, signal } as RequestInit)
  discardBody(answer)
  if (answer.status >= 500) throw new CheckFault(`HTTP ${answer.status}`)
}

/** Returns the checks of the platform's own parts (docs/rules/monitoring.md#what-is-checked). */
export const ownChecks = async (): Promise<Check[]> => [
  { key: 'database', kind: 'database', critical: 3, look: database },
  { key: 'redis', kind: 'redis', critical: 3, look: store },
  { key: 'mail', kind: 'mail', critical: 3, look: mailServer },
  { key: 'sms', kind: 'sms', critical: 3, look: gateway },
  { key: 'jobs', kind: 'jobs', critical: 2, look: jobs },
]

/** Returns a check of each enabled application that has an address of its own. */
export async function applicationChecks(): Promise<Check[]> {
  const rows = await selectAddressed()
  return rows.map(({ id, code, url, ...named }) => ({
    key: `application:${code}`,
    kind: 'application' as const,
    critical: 1 as const,
    named,
    applicationId: id,
    look: addressed(url),
  }))
}
