import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { freePort } from '@/bin/embedded/process'
import { type ServerProcess, startServer, startWorker } from './server-process'
import { expect, test } from './turn'

// servers and workers start
test.setTimeout(180_000)

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attribute[]
  status: { code?: number; message?: string }
}
type Export = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[]
}

/** A collector of traces: takes OTLP in JSON and keeps what it received. */
async function startCollector() {
  const bodies: string[] = []
  const server: Server = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => {
      bodies.push(`${req.url} ${body}`)
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const spans = () =>
    bodies.flatMap((body) =>
      (JSON.parse(body.slice(body.indexOf('{'))) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) => {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue
        return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })))
      }),
    )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans,
    close: () => void server.close(),
  }
}

const at = (url: string | undefined, database: string) =>
  Object.assign(new URL(url ?? ''), { pathname: `/${database}` }).href

/** Runs the work with a server and a worker of their own on an empty database, and a mail server. */
async function withPlatform(
  env: Record<string, string>,
  work: (platform: { server: ServerProcess; mails: string[]; stop(): Promise<void> }) => Promise<void>,
) {
  const name = `traces_${randomBytes(6).toString('hex')}`
  const owner = new pg.Client(at(process.env.DATABASE_OWNER_URL, 'postgres'))
  await owner.connect()
  await owner.query(`create database ${name}`)
  const mails: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let mail = ''
      stream.on('data', (chunk) => {
        mail += chunk
      })
      stream.on('end', () => {
        mails.push(mail)
        done()
      })
    },
  })
  const port = await freePort()
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve))
  const all = {
    DATABASE_URL: at(process.env.DATABASE_URL, name),
    DATABASE_OWNER_URL: at(process.env.DATABASE_OWNER_URL, name),
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'portal@example.com',
    ADMIN_LOGIN: 'traced-admin',
    ADMIN_EMAIL: 'traced-person@example.com',
    ADMIN_PASSWORD: 'Traced-Horse-2026',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    ...env,
  }
  const migrated = spawnSync(process.execPath, ['dist/migrate.js'], { env: { ...process.env, ...all } })
  expect(migrated.status, String(migrated.stderr)).toBe(0)
  const server = await startServer(all)
  const worker = await startWorker(all)
  const stop = async () => {
    for (const each of [server, worker]) each.child.kill('SIGTERM')
    expect([await server.ended, await worker.ended]).toEqual([0, 0])
  }
  try {
    await work({ server, mails, stop })
  } finally {
    for (const each of [server, worker]) each.child.kill('SIGKILL')
    await Promise.all([server.ended, worker.ended])
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
    await owner.query(`drop database ${name} with (force)`)
    await owner.end()
  }
}

const recovery = (server: ServerProcess, headers: Record<string, string> = {}) =>
  fetch(`${server.address}/api/v1/platform/password/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: process.env.PUBLIC_URL ?? '', ...headers },
    body: JSON.stringify({ email: 'traced-person@example.com' }),
  })

test('one trace leads from a call through the database and the jobs to the mail, and says nothing of a person', {
  tag: '@full',
}, async () => {
  const collector = await startCollector()
  await withPlatform({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, async ({ server, mails, stop }) => {
    // a client can't have its own trace continued
    const foreign = 'f'.repeat(32)
    const asked = await recovery(server, { traceparent: `00-${foreign}-${'e'.repeat(16)}-01` })
    expect(asked.status).toBe(200)
    const requestId = asked.headers.get('x-request-id')
    await expect.poll(() => mails.length).toBe(1)
    const secret = /\/platform\/[\w/-]*?([0-9a-f-]{36})/.exec(mails[0]?.replace(/=\r?\n/g, '') ?? '')?.[0] ?? ''
    expect(secret).not.toBe('')
    // pages whose address is a secret are traced by Next too
    expect((await fetch(server.address + secret)).status).toBe(200)
    // what is collected is sent at the end
    await stop()

    const spans = collector.spans()
    const value = (span: Span, name: string) => span.attributes.find(({ key }) => key === name)?.value
    const root = spans.find((span) => value(span, 'platform.request_id')?.stringValue === requestId)
    expect(root).toMatchObject({ name: 'POST /api/v1/platform/password/link', kind: 2, service: 'platform' })
    expect(root?.parentSpanId).toBeFalsy()
    expect(root?.traceId).not.toBe(foreign)
    const trace = spans.filter(({ traceId }) => traceId === root?.traceId)
    const services = (name: string) => trace.filter((span) => span.name === name).map(({ service }) => service)
    expect(services('recoveryLinks')).toEqual(['platform-worker'])
    expect(services('message')).toEqual(['platform-worker'])
    expect(services('send email')).toEqual(['platform-worker'])
    expect(trace.filter((span) => span.service === 'platform' && value(span, 'db.system.name')).length).toBeGreaterThan(
      0,
    )
    expect(trace.filter((span) => span.name === 'INSERT messages').map(({ service }) => service)).toEqual([
      'platform-worker',
    ])
    // each span but the first hangs below another one of the trace
    const ids = new Set(trace.map(({ spanId }) => spanId))
    expect(trace.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? '')).map(({ name }) => name)).toEqual([
      root?.name,
    ])

    const link = secret.split('/').at(-1) ?? ''
    const text = collector.bodies.join('\n')
    for (const secret of ['traced-person', 'traced-admin', 'Traced-Horse', link]) expect(text).not.toContain(secret)
    expect(collector.bodies.every((body) => body.startsWith('/v1/traces '))).toBe(true)
  })
  collector.close()
})

test('a collector that is away, or takes everything and never answers, delays and breaks nothing', {
  tag: '@full',
}, async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  for (const port of [await freePort(), (silent.address() as AddressInfo).port])
    await withPlatform({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }, async ({ server, mails, stop }) => {
      expect((await recovery(server)).status).toBe(200)
      await expect.poll(() => mails.length).toBe(1)
      await stop()
    })
  silent.closeAllConnections()
  silent.close()
})
