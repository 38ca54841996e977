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
import { checkWritable, countStuckJobs, selectApplicationsWithAddress } from './queries'

/** The timeout of a connection to PostgreSQL and its answer, in milliseconds. */
const databaseTimeout = 3_000

async function checkDatabase() {
  const refusal = await askDatabase(env().DATABASE_URL, databaseTimeout)
  if (refusal) throw new CheckFault(refusal)
  // a database on a full disk still answers queries
  await checkWritable()
}

/** Writes and reads a key: a Redis that is full still answers PING. */
async function checkRedis() {
  await redis().set('monitoring:probe', '1', 'EX', 60)
  if ((await redis().get('monitoring:probe')) !== '1') throw new CheckFault('notKept')
}

/** Checks the mail server. Without one, mails stay in the outbox. */
const checkMailServer = async () => (env().SMTP_URL ? verifySmtp() : { connected: false })

/** Connects to the SMS gateway and sends nothing: its address and body are templates of a real message. */
async function checkSmsGateway(signal: AbortSignal) {
  const { SMS_URL } = env()
  // without a gateway, SMS stay in the outbox or aren't sent
  if (!SMS_URL) return { connected: false }
  if (await isSmsGatewayPaused()) throw new CheckFault('refusesMessages')
  const { hostname, port, protocol } = new URL(SMS_URL.replace(/\{\{\w+\}\}/g, 'x'))
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'https:'
  const target = { host, port: Number(port) || (secure ? 443 : 80) }
  await new Promise<void>((resolve, reject) => {
    const socket = secure ? connectTls({ ...target, servername: host }, resolve) : connectPlain(target, resolve)
    const close = () => socket.destroy()
    socket.once('error', reject)
    socket.once('connect', secure ? () => {} : close)
    socket.once('secureConnect', close)
    signal.addEventListener('abort', close)
  })
  return { connected: true }
}

async function checkJobs() {
  const { monitoringStuckAfter } = await platformSettings()
  return { stuck: await countStuckJobs(monitoringStuckAfter) }
}

/** Returns a check of an address. Any status below 500 is a success: the page may require a sign-in or redirect. */
const addressCheck = (url: string) => async (signal: AbortSignal) => {
  const answer = await externalFetch(url, { method: 'GET', headers: { accept: '*/*' }, signal } as RequestInit)
  discardBody(answer)
  if (answer.status >= 500) throw new CheckFault(`HTTP ${answer.status}`)
}

/** Returns the checks of the platform's own parts (docs/rules/monitoring.md#what-is-checked). */
export const ownChecks = async (): Promise<Check[]> => [
  { key: 'database', kind: 'database', critical: 3, look: checkDatabase },
  { key: 'redis', kind: 'redis', critical: 3, look: checkRedis },
  { key: 'mail', kind: 'mail', critical: 3, look: checkMailServer },
  { key: 'sms', kind: 'sms', critical: 3, look: checkSmsGateway },
  { key: 'jobs', kind: 'jobs', critical: 2, look: checkJobs },
]

/** Returns a check of each enabled application that has its own address. */
export async function applicationChecks(): Promise<Check[]> {
  const rows = await selectApplicationsWithAddress()
  return rows.map(({ id, code, url, ...names }) => ({
    key: `application:${code}`,
    kind: 'application' as const,
    critical: 1 as const,
    named: names,
    applicationId: id,
    look: addressCheck(url),
  }))
}
