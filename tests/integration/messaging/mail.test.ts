import { createServer, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { eq, sql } from 'drizzle-orm'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '@/bin/embedded/process'
import { db } from '@/db/client'
import { history, messages } from '@/db/schema'
import { tidyMessages } from '@/lib/base/mail-and-sms/housekeeping'
import { addMessageMetrics } from '@/lib/base/mail-and-sms/metrics'
import { messageContent, sendQueuedMessage } from '@/lib/base/mail-and-sms/send-message'
import { createSmtp } from '@/lib/base/mail-and-sms/smtp'
import { metrics } from '@/lib/base/runtime/metrics'
import { retryMessage } from '@/lib/messaging/sender/dead-letters'
import { sendMail } from '@/lib/messaging/sender/service'
import { FailedMessageQuery } from '@/lib/operations/failed-work/contract'
import { listFailedMessages } from '@/lib/operations/failed-work/service'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import { certificate } from '../../factories/certificate'
import { createContext } from '../../factories/context'
import { runJobs } from '../../factories/messages'
import { handlerOf } from '../../factories/routes'
import { begin, prove } from '../../factories/sign-in'
import { createRole, createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const code = handlerOf(authCode)

// must run before the configuration is read for the first time
const port = await freePort()
process.env.SMTP_URL = `smtp://127.0.0.1:${port}`
process.env.MAIL_FROM = 'id@polaris.example'
useTestDatabase()

type Received = { to: string[]; text: string; secure: boolean }
type Refusal = { at: 'RCPT' | 'DATA'; code: number; said?: string }
let server: SMTPServer | undefined
let received: Received[] = []

const drain = (stream: Readable) =>
  new Promise<string>((resolve) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })

/** A mail server that accepts everything, or refuses each mail. */
async function startServer(refuse?: Refusal, options: SMTPServerOptions = {}, on = port) {
  received = []
  const fault = ({ code, said = 'not now' }: Refusal) => Object.assign(new Error(said), { responseCode: code })
  const made = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_, __, done) => done(refuse?.at === 'RCPT' ? fault(refuse) : null),
    onData(stream, session, done) {
      void drain(stream).then((text) => {
        if (refuse?.at === 'DATA') return done(fault(refuse))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, text, secure: session.secure })
        done()
      })
    },
    ...options,
  })
  made.on('error', () => {})
  await new Promise<void>((resolve) => made.listen(on, '127.0.0.1', resolve))
  server = made
}

const stopServer = () =>
  new Promise<void>((resolve) => {
    if (!server) return resolve()
    server.close(() => resolve())
    server = undefined
  })
afterEach(stopServer)

/** Makes the failed job of the message due, runs it and returns the message. */
async function statusLater(row: () => Promise<{ status: string } | undefined>) {
  await db().execute(sql`update graphile_worker._private_jobs set run_at = now(), locked_at = null, locked_by = null`)
  await runJobs()
  return (await row())?.status
}
const headerOf = (mail: Received | undefined, name: string) =>
  // a long header goes on in further lines
  new RegExp(`^${name}: (.+)$`, 'mi').exec(mail?.text.replace(/\r?\n[ \t]+/g, ' ') ?? '')?.[1]

/** Sends a message directly to the server, without the queue. */
const letter = {
  id: '5f0c5a0e-7c55-4d0f-9a3e-2d1b6c8f4a77',
  to: 'anna@polaris.example',
  project: 'Полярис, «ID»',
  host: 'id.polaris.example',
  unsubscribe: 'https://id.polaris.example/platform/profile/subscribes',
  subject: 'Тема',
  text: 'Текст',
  html: '<p>Текст</p>',
}

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
  test('down while a code is requested: the request succeeds, and the mail is sent later', async () => {
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

  test('accepts a mail without confirming it: it is sent again with the same Message-ID', async () => {
    const { row } = await askForCode()
    await startServer()
    await runJobs()
    const message = await row()
    const first = headerOf(received[0], 'Message-ID')
    expect(first).toBe(`<${message?.id}@localhost>`)
    await db().update(messages).set({ status: 'queued' })
    await sendQueuedMessage(message?.id ?? '', { lastTry: false })
    expect(received.map((mail) => headerOf(mail, 'Message-ID'))).toEqual([first, first])
  })

  test('refuses temporarily: the mail is tried again, and finally marked as failed with the answer', async () => {
    const { row } = await askForCode()
    await startServer({ at: 'DATA', code: 451 })
    await runJobs()
    const message = await row()
    expect(message).toMatchObject({ status: 'queued', error: expect.stringContaining('not now') })
    expect(await sendQueuedMessage(message?.id ?? '', { lastTry: true })).toBe('failed')
    expect(await row()).toMatchObject({ status: 'failed', attempts: 2, finishedAt: expect.any(Date) })
  })

  test.each(['RCPT', 'DATA'] as const)(
    'refuses permanently at %s: the mail is given up at once, and its address isn’t stored',
    async (at) => {
      const { user, row } = await askForCode()
      await startServer({
        at,
        code: 550,
        said: `<${user.email}>: no such user, see https://mx.example/550?who=${user.email}`,
      })
      await runJobs()
      const message = await row()
      expect(message).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringContaining('no such user') })
      expect(message?.error).not.toMatch(/person|polaris|mx\.example/)
      await stopServer()
      await startServer()
      expect(await statusLater(row)).toBe('failed')
      expect(received).toEqual([])
    },
  )

  test('is slow, silent or sends garbage: the try ends in time, and is repeated', async () => {
    const sockets: Socket[] = []
    for (const greeting of ['', 'HTTP/1.1 400 Bad Request\r\n\r\n', '554 not you\r\n']) {
      const slow = createServer((socket) => {
        sockets.push(socket)
        socket.on('error', () => {})
        if (greeting) socket.write(greeting)
      })
      const at = await new Promise<number>((resolve) =>
        slow.listen(0, '127.0.0.1', () => resolve((slow.address() as { port: number }).port)),
      )
      const smtp = createSmtp(`smtp://127.0.0.1:${at}?greetingTimeout=200&connectionTimeout=200`, 'id@polaris.example')
      await expect(smtp.send(letter)).rejects.toMatchObject({ name: 'DeliveryError', permanent: false })
      smtp.close()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => slow.close(resolve))
    }
  })

  test('recovers too late: an expired code is never sent', async () => {
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

describe('TLS', () => {
  const { key, cert } = certificate
  const certificates = getCACertificates()
  afterEach(() => setDefaultCACertificates(certificates))

  async function sendBy(scheme: string, query: string, options: SMTPServerOptions) {
    const at = await freePort()
    await startServer(undefined, { key, cert, ...options }, at)
    const smtp = createSmtp(`${scheme}://localhost:${at}${query}`, 'Portal <id@polaris.example>')
    try {
      await smtp.send(letter)
      return received[0]
    } finally {
      smtp.close()
      await stopServer()
    }
  }

  test('is used from the start, or once the server offers it, and only with a valid certificate', async () => {
    setDefaultCACertificates([...certificates, cert])
    const mail = await sendBy('smtps', '', { secure: true })
    expect(mail?.secure).toBe(true)
    expect(headerOf(mail, 'Message-ID')).toBe(`<${letter.id}@id.polaris.example>`)
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated')
    expect(headerOf(mail, 'X-Auto-Response-Suppress')).toBe('All')
    expect(headerOf(mail, 'List-Unsubscribe')).toBe(`<${letter.unsubscribe}>`)
    expect(headerOf(mail, 'From')).toMatch(/^=\?UTF-8\?.+ <id@polaris\.example>$/)
    expect((await sendBy('smtp', '', { disabledCommands: [] }))?.secure).toBe(true)
    expect((await sendBy('smtp', '', {}))?.secure).toBe(false)
    await expect(sendBy('smtp', '?requireTLS=true', {})).rejects.toMatchObject({ permanent: false })

    setDefaultCACertificates(certificates)
    await expect(sendBy('smtps', '', { secure: true })).rejects.toThrow(/self-signed certificate/)
    await expect(sendBy('smtp', '', { disabledCommands: [] })).rejects.toThrow(/self-signed certificate/)
    expect((await sendBy('smtps', '?tls.rejectUnauthorized=false', { secure: true }))?.secure).toBe(true)
  })
})

describe('a mail', () => {
  test('goes to the ASCII spelling of an international domain, and comes from one', async () => {
    const at = await freePort()
    await startServer(undefined, {}, at)
    const smtp = createSmtp(`smtp://127.0.0.1:${at}`, 'Портал <id@почта.рф>')
    await smtp.send({ ...letter, host: '', to: 'anna@почта.рф' })
    smtp.close()
    // the server of the test decodes what it hears
    expect(received[0]?.to).toEqual(['anna@почта.рф'])
    expect(headerOf(received[0], 'To')).toBe('anna@xn--80a1acny.xn--p1ai')
    expect(headerOf(received[0], 'From')).toMatch(/<id@xn--80a1acny\.xn--p1ai>$/)
    expect(headerOf(received[0], 'Message-ID')).toBe(`<${letter.id}@xn--80a1acny.xn--p1ai>`)
  })

  test('is rendered once, and has list headers only if people can unsubscribe', async () => {
    const { row } = await askForCode()
    await runJobs()
    const waiting = await row()
    const drawn = waiting && messageContent(waiting)
    expect(drawn).toMatchObject({ html: expect.stringMatching(/^<!DOCTYPE html.*<html lang="ru"/s) })
    await startServer()
    await expect.poll(() => statusLater(row)).toBe('sent')
    const sent = await row()
    expect(sent && messageContent(sent)).toEqual(drawn)
    const [mail] = received
    expect(mail?.text).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(mail?.text).toMatch(/^Content-Type: text\/plain; charset=utf-8/m)
    expect(headerOf(mail, 'List-Unsubscribe')).toBeUndefined()
  })

  test('with hostile values adds nothing to the headers', async () => {
    await startServer()
    const evil = 'Анна\r\nBcc: all@evil.example\r\n\r\n<script>'
    const to = `evil-${Date.now()}@polaris.example`
    await db().transaction(async (tx) =>
      sendMail(tx, await createContext(), {
        template: 'invitationDeclined',
        to,
        userId: null,
        values: { name: evil, email: evil, company: evil },
      }),
    )
    await runJobs()
    const mail = received.find((one) => one.to.includes(to))
    const head = mail?.text.split('\r\n\r\n')[0] ?? ''
    expect(head).toMatch(/^Subject: /m)
    expect(head).not.toMatch(/^Bcc:|all@evil/m)
    expect(mail?.to).toEqual([to])
  })
})

describe('a dead letter', () => {
  test('is found, put back once with a record, and sent with its old Message-ID', async () => {
    const to = `dead-${Date.now()}@polaris.example`
    const plain = await createContext()
    const holder = await createContext({ methods: ['monitoring.read', 'monitoring.write'] })
    await startServer({ at: 'RCPT', code: 550 })
    const id = await db().transaction((tx) =>
      sendMail(tx, plain, {
        template: 'accountDeleted',
        to,
        userId: null,
        values: { name: '', login: 'x', date: new Date() },
      }),
    )
    await runJobs()
    await stopServer()
    const failed = (by: typeof holder) => listFailedMessages(by, { query: FailedMessageQuery.parse({}) })
    const { messages: letters } = await failed(holder)
    expect(letters.find((letter) => letter.id === id)).toMatchObject({ recipient: to, attempts: 1, sendable: true })
    await expect(failed(plain)).rejects.toMatchObject({ status: 401 })
    await expect(retryMessage(plain, { id })).rejects.toMatchObject({ status: 401 })
    const reader = await createContext({ methods: ['monitoring.read'] })
    await expect(retryMessage(reader, { id })).rejects.toMatchObject({ status: 403 })

    const both = await Promise.allSettled([retryMessage(holder, { id }), retryMessage(holder, { id })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409, code: 'conflict' },
    })
    await startServer()
    await runJobs()
    expect(received).toHaveLength(1)
    expect(headerOf(received[0], 'Message-ID')).toBe(`<${id}@localhost>`)
    expect((await db().select().from(messages).where(eq(messages.id, id)))[0]).toMatchObject({
      status: 'sent',
      attempts: 2,
    })
    expect(await db().select().from(history).where(eq(history.entityId, id))).toMatchObject([
      { type: 'update', entity: 'messages', field: 'status', previous: 'failed', current: 'queued' },
    ])
    await expect(retryMessage(holder, { id: letter.id })).rejects.toMatchObject({ status: 404 })
  })

  test('that was a code, has expired or is empty stays dead', async () => {
    const holder = await createContext({ methods: ['monitoring.write'] })
    const { row } = await askForCode()
    await startServer({ at: 'RCPT', code: 550 })
    await runJobs()
    const { id = '' } = (await row()) ?? {}
    for (const change of [{}, { template: 'news', expiresAt: new Date(0) }, { expiresAt: null, content: '' }]) {
      if (Object.keys(change).length > 0) await db().update(messages).set(change).where(eq(messages.id, id))
      await expect(retryMessage(holder, { id })).rejects.toMatchObject({ status: 409, code: 'messageTooOld' })
    }
  })

  test('is counted, and its text is deleted before its record', async () => {
    await db().delete(messages)
    const make = (days: number, status: 'sent' | 'failed' | 'queued') =>
      db()
        .insert(messages)
        .values({
          kind: 'email',
          template: 'news',
          recipient: `${status}-${days}`,
          locale: 'ru',
          content: 'sealed',
          status,
          createdAt: new Date(Date.now() - days * 86_400_000),
        })
    for (const status of ['sent', 'failed', 'queued'] as const)
      for (const days of [0, 31, 366]) await make(days, status)
    addMessageMetrics()
    const text = await metrics().registry.getSingleMetricAsString('platform_messages')
    expect(text).toContain('platform_messages{kind="email",status="failed"} 3')
    expect(text).toContain('platform_messages{kind="email",status="sent"} 1')
    await tidyMessages()
    const remaining = await db().select().from(messages)
    expect(remaining.map(({ recipient, content }) => `${recipient} ${content}`.trim()).sort()).toEqual([
      'failed-0 sealed',
      'failed-31',
      'queued-0 sealed',
      'queued-31',
      'sent-0 sealed',
      'sent-31',
    ])
    // its job disappeared with the process that ran it last: it is a dead letter, which can be found
    expect(remaining.find(({ recipient }) => recipient === 'queued-31')).toMatchObject({
      status: 'failed',
      error: 'lost',
    })
    expect(remaining.find(({ recipient }) => recipient === 'queued-0')).toMatchObject({ status: 'queued' })
  })

  test('is removed by housekeeping, however many there are', async () => {
    await db().delete(messages)
    await db().execute(sql`
      insert into messages (kind, template, recipient, locale, content, status, created_at)
      select 'email', 'news', 'many', 'ru', 'sealed', 'sent', now() - (30 + n % 2 * 350) * interval '1 day' - interval '1 hour'
      from generate_series(1, 8100) n`)
    await tidyMessages()
    const remaining = await db().select({ content: messages.content }).from(messages)
    expect(remaining).toHaveLength(4050)
    expect(remaining.every(({ content }) => content === '')).toBe(true)
    await db().delete(messages)
  })
})
