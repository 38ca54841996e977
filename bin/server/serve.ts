import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import next from 'next'
import { closeDatabase } from '@/db/client'
import { closeCache } from '@/lib/kernel/cache'
import { clientIp } from '@/lib/kernel/client-ip'
import type { Env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { countMessages } from '@/lib/kernel/messages/metrics'
import { metrics } from '@/lib/kernel/metrics'
import { closeRedis } from '@/lib/kernel/redis'
import { trustedProxies } from '@/lib/platform/network-aliases/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { createDrain } from './drain'
import { createHealth } from './health'
import { cleanse, isKeyed, loggable, pathOf, type RouteClass, refusalOf, routeClass } from './inbound'
import { handleOidc } from './oidc'
import { securityHeaders } from './security-headers'

type Options = {
  dev: boolean
  /** Whether `/metrics` is answered here rather than on a port of its own. */
  ownMetrics: boolean
  /** Whether it listens itself; else it takes the connections that it is given. */
  listens: boolean
}
export type Serving = { port: number; take(socket: Socket): void; stop(): Promise<void> }

/** The last list that the database gave: a restart of it mustn't turn every client into the proxy. */
let proxies: string[] = []

async function currentProxies(): Promise<string[]> {
  try {
    const list = await trustedProxies()
    // the same array for the same list, which clientIp has compiled already
    if (list.join() !== proxies.join()) proxies = list
  } catch (error) {
    log.warn({ err: error }, 'the trusted proxies are not readable; the last known ones hold')
  }
  return proxies
}

/** The analytics counter that pages may load; none while the settings can't be read. */
const currentCounter = (): Promise<string | null> =>
  platformSettings().then(
    ({ metricsScript }) => metricsScript,
    () => null,
  )

/** Fills in headers when the answer begins, so that a handler's own, stricter ones stand. */
function onHeaders(res: ServerResponse, defaults: Record<string, string>) {
  const writeHead = res.writeHead
  res.writeHead = ((...args: Parameters<typeof writeHead>) => {
    for (const [name, value] of Object.entries(defaults)) if (!res.hasHeader(name)) res.setHeader(name, value)
    return writeHead.apply(res, args)
  }) as typeof writeHead
}

/** Counts and logs the request when its answer is out. */
function observe(req: IncomingMessage, res: ServerResponse, kind: RouteClass, requestId: string) {
  const startedAt = performance.now()
  const { method = '', url = '' } = req
  res.once('close', () => {
    const ms = performance.now() - startedAt
    const status = res.statusCode
    metrics().requests.observe({ route: kind, method, status }, ms / 1000)
    const line = {
      requestId,
      method,
      path: loggable(url),
      status,
      ms: Math.round(ms),
      ip: req.headers['x-platform-ip'],
      ...(res.writableFinished ? {} : { aborted: true }),
    }
    if (kind === 'asset' || kind === 'service') log.debug(line, 'request')
    else log.info(line, 'request')
  })
}

/** Runs the HTTP server of this process: everything that must happen before Next sees a request. */
export async function serve(config: Env, { dev, ownMetrics, listens }: Options): Promise<Serving> {
  countMessages()
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    // longer than a load balancer's, so that it is the one to end an idle connection
    keepAliveTimeout: 65_000,
  })
  const app = next({ dev, dir: process.cwd(), hostname: 'localhost', port: config.PORT, httpServer: server })
  await app.prepare()
  const handleByNext = app.getRequestHandler()
  const https = config.PUBLIC_URL.startsWith('https:')
  const security = securityHeaders({ https, dev })
  const drain = createDrain(server)
  const health = createHealth(config.DATABASE_URL, drain.isDraining)

  async function handle(req: IncomingMessage, res: ServerResponse) {
    const requestId = randomUUID()
    const refusal = refusalOf(req, dev)
    const path = pathOf(req.url ?? '')
    const kind = refusal ? 'refused' : routeClass(path)
    drain.follow(res)
    observe(req, res, kind, requestId)

    const forwardedFor = cleanse(req.headers)
    const trusted = forwardedFor && kind !== 'service' ? await currentProxies() : []
    const ip = clientIp(req.socket.remoteAddress, forwardedFor, trusted)
    req.headers['x-platform-ip'] = ip
    req.headers['x-platform-request-id'] = requestId
    req.headers['x-forwarded-for'] = ip
    req.headers['x-forwarded-proto'] = https ? 'https' : 'http'
    const policy = security.policy(kind === 'page' && !isKeyed(req.url ?? '') ? await currentCounter() : null)
    req.headers['content-security-policy'] = policy
    onHeaders(res, { ...security.constant, 'content-security-policy': policy, 'x-request-id': requestId })

    if (refusal) {
      if (refusal.allow) res.setHeader('allow', refusal.allow)
      res.writeHead(refusal.status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      res.end(refusal.status === 405 ? 'Method Not Allowed' : 'Bad Request')
      return
    }
    if (kind === 'service') {
      if (path !== '/metrics') return health(path, res)
      const text = ownMetrics ? await metrics().registry.metrics() : ''
      res.writeHead(ownMetrics ? 200 : 404, { 'content-type': metrics().registry.contentType })
      res.end(text)
      return
    }
    if (kind === 'oidc') return handleOidc(req, res)
    await handleByNext(req, res)
  }

  server.on('request', (req, res) => {
    handle(req, res).catch((error) => {
      log.error({ err: error, path: loggable(req.url ?? '') }, 'request failed')
      if (!res.headersSent) res.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      res.end()
    })
  })

  if (listens)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.PORT, config.HOST, resolve)
    })
  return {
    port: listens ? (server.address() as AddressInfo).port : config.PORT,
    take(socket) {
      // as the server does with connections of its own
      socket.setNoDelay(true)
      socket.allowHalfOpen = true
      server.emit('connection', socket)
      socket.resume()
    },
    async stop() {
      await drain.start()
      await app.close().catch((error) => log.warn({ err: error }, 'Next did not close cleanly'))
      await closeCache()
      await Promise.all([closeDatabase(), closeRedis()])
    },
  }
}
