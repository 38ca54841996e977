import { createServer } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { POST as code } from '@/app/api/v1/platform/auth/code/[idAttribute]/route'
import { db } from '@/db/client'
import { messages } from '@/db/schema'
import { deliverMessage, messageContent } from '@/lib/kernel/messages/deliver'
import { Browser } from '../factories/browser'
import { runJobs } from '../factories/messages'
import { begin, prove } from '../factories/sign-in'
import { createRole, createUser } from '../factories/users'
import { useTestDatabase } from '../setup/database'

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

// before the configuration is read for the first time
const port = await freePort()
process.env.SMTP_URL = `smtp://127.0.0.1:${port}`
process.env.MAIL_FROM = 'id@polaris.example'
useTestDatabase()

type Received = { to: string[]; text: string }
let server: SMTPServer | undefined
let received: Received[] = []

/** A mail server that takes everything, or answers each mail with this code. */
async function startServer(refuse?: number) {
  received = []
  const made = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refuse) return done(Object.assign(new Error('not now'), { responseCode: refuse }))
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  made.on('error', () => {})
  await new Promise<void>((resolve) => made.listen(port, '127.0.0.1', resolve))
  server = made
}

const stopServer = () =>
  new Promise<void>((resolve) => {
    if (!server) return resolve()
    server.close(() => resolve())
    server = undefined
  })
afterEach(stopServer)

/** What became of the message once its failed job was due again, as time would make it. */
async function statusLater(row: () => Promise<{ status: string } | undefined>) {
  await db().execute(sql`update graphile_worker._private_jobs set run_at = now(), locked_at = null, locked_by = null`)
  await runJobs()
  return (await row())?.status
}
const headerOf = (mail: Received | undefined, name: string) =>
  new RegExp(`^${name}: (.+)$`, 'mi').exec(mail?.text ?? '')?.[1]

async function askForCode() {
  const role = await createRole({ firstFactor: ['email_code'] })
  const user = await createUser({ roles: [role] })
  const browser = new Browser()
  await begin(browser, user.login)
  const body = { flow: 'email_code', login: user.login }
  const asked = await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body })
  const row = async () => (await db().select().from(messages).where(eq(messages.recipient, user.email)))[0]
  return { user, browser, asked, row }
}

describe('the mail server', () => {
  test('down while a code is asked for: the request succeeds, and the mail goes once it is back', async () => {
    const { user, browser, asked, row } = await askForCode()
    expect(asked.status).toBe(200)
    await runJobs()
    expect(await row()).toMatchObject({ status: 'queued', attempts: 1, error: expect.stringContaining('ECONNREFUSED') })

    await startServer()
    await expect.poll(() => statusLater(row)).toBe('sent')
    expect(await row()).toMatchObject({ attempts: 2, error: null })
    expect(received.map(({ to }) => to)).toEqual([[user.email]])
    const message = await row()
    const digits = message && /\d{4}/.exec(messageContent(message).text)?.[0]
    expect((await prove(browser, user.login, { flow: 'email_code', code: digits })).status).toBe(200)
  })

  test('taking a mail and failing to say so: sent again under the same Message-ID', async () => {
    const { row } = await askForCode()
    await startServer()
    await runJobs()
    const message = await row()
    const first = headerOf(received[0], 'Message-ID')
    expect(first).toBe(`<${message?.id}@localhost>`)
    await db().update(messages).set({ status: 'queued' })
    await deliverMessage(message?.id ?? '', { lastTry: false })
    expect(received.map((mail) => headerOf(mail, 'Message-ID'))).toEqual([first, first])
  })

  test('refusing: tried again, and in the end marked as failed with what it said', async () => {
    const { row } = await askForCode()
    await startServer(451)
    await runJobs()
    const message = await row()
    expect(message).toMatchObject({ status: 'queued', error: expect.stringContaining('not now') })
    await expect(deliverMessage(message?.id ?? '', { lastTry: true })).rejects.toThrow('not now')
    expect(await row()).toMatchObject({ status: 'failed', finishedAt: expect.any(Date) })
  })

  test('back too late: an expired code is never sent', async () => {
    const { row } = await askForCode()
    await runJobs()
    await db()
      .update(messages)
      .set({ expiresAt: new Date(Date.now() - 1000) })
    await startServer()
    await expect.poll(() => statusLater(row)).toBe('dropped')
    expect(received).toEqual([])
  })
})
