import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SpanStatusCode } from '@opentelemetry/api'
import next from 'next'
import { closeDatabase } from '@/db/client'
import { closeCache } from '@/lib/base/cache/cache'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { addDeliveryMetrics } from '@/lib/base/events/delivery/metrics'
import { toAppError } from '@/lib/base/http/failure'
import { addHousekeepingMetrics } from '@/lib/base/jobs/housekeeping-metrics'
import { addMessageMetrics } from '@/lib/base/mail-and-sms/metrics'
import { screenAt } from '@/lib/base/navigation/screens'
import { closeRedis } from '@/lib/base/redis/redis'
import type { Env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { metrics } from '@/lib/base/runtime/metrics'
import { withRequestId } from '@/lib/base/runtime/request-id'
import { isTracing, startSpan, withSpan } from '@/lib/base/runtime/tracing'
import { addOperationGauges } from '@/lib/operations/metrics/gauges'
import { answerForm } from '@/lib/request/forms/answer'
import { plainHeader } from '@/lib/request/page-headers'
import { answerRest } from '@/lib/request/rest'
import { routePattern } from '@/lib/request/route-pattern'
import { during } from '../last-words'
import { noteSealing } from '../secrets/registry'
import { createAdmission } from './admission'
import { createDrain } from './drain'
import { createDrawing } from './draw-view'
import { createHealth } from './health'
import {
  cleanse,
  isHealth,
  loggable,
  nearest,
  pathOf,
  type RouteClass,
  refusalOf,
  routeClass,
  withoutLastSlash,
} from './inbound'
import { handleOidc } from './oidc'
import { answerUnavailable, outagesAs503 } from './outage'
import { createPageCache } from './page-cache'
import { giveFormToken } from './page-forms'
import { giveStatus } from './page-status'
import { refuseAddress } from './refuse-address'
import { refuseRequest, refuseTunnel } from './refuse-request'
import { compress, createAnswering } from './rest'
import { newNonce, securityHeaders } from './security-headers'
import { leadToWholePage, leaveClientOut } from './without-client'

type Options = {
  dev: boolean
  /** Whether this port answers `/metrics`, and not a port of its own. */
  ownMetrics: boolean
  /** Whether it listens; otherwise it gets its connections from the primary. */
  listens: boolean
}
export type Serving = { port: number; take(socket: Socket): void; stop(): Promise<void> }

/** Adds headers when the answer starts, so that stricter headers of a handler win. */
function onHeaders(res: ServerResponse, defaults: Record<string, string>) {
  const writeHead = res.writeHead
  res.writeHead = ((...args: Parameters<typeof writeHead>) => {
    for (const [name, value] of Object.entries(defaults)) if (!res.hasHeader(name)) res.setHeader(name, value)
    return writeHead.apply(res, args)
  }) as typeof writeHead
}

/** Milliseconds for a client to read an answer that was sent before its body was read. */
const lingering = 1_000

/** Closes a connection whose request was answered before its body was read. */
function endUnread(req: IncomingMessage, res: ServerResponse) {
  res.once('finish', () => {
    if (req.complete) return
    req.resume()
    setTimeout(() => void (req.complete || req.socket.destroy()), lingering).unref()
  })
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** A client may send any word as a method. */
const methodLabel = (method: string) => (knownMethods.has(method) ? method : 'other')

/** The status of what a form did: its answer leads on, whatever happened. */
const formStatuses = new WeakMap<ServerResponse, number>()
const statusOf = (res: ServerResponse) => formStatuses.get(res) ?? res.statusCode

/** Counts and logs the request after its answer was sent. */
function observe(req: IncomingMessage, res: ServerResponse, kind: RouteClass, requestId: string) {
  const route = routePattern(pathOf(req.url ?? ''), kind)
  const startedAt = performance.now()
  const { method = '', url = '' } = req
  res.once('close', () => {
    const ms = performance.now() - startedAt
    const status = statusOf(res)
    metrics().requests.observe({ route, method: methodLabel(method), status }, ms / 1000)
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

/**
 * Runs the handler of a request as the first span of a trace, which ends with the answer. Traces that a client names are
 * not continued: anybody could fill the collector with them.
 */
function traced<T>(req: IncomingMessage, res: ServerResponse, requestId: string, work: () => T): T {
  const path = pathOf(req.url ?? '')
  const kind = routeClass(path)
  if (!isTracing() || kind === 'asset' || kind === 'service') return work()
  const [method, route] = [methodLabel(req.method ?? ''), routePattern(path, kind)]
  const attributes = { 'http.request.method': method, 'http.route': route, 'platform.request_id': requestId }
  const span = startSpan(`${method} ${route}`, { kind: 'server', attributes, parent: 'none' })
  res.once('close', () => {
    span.setAttribute('http.response.status_code', statusOf(res))
    if (statusOf(res) >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
  return withSpan(span, work)
}

/**
 * Reads the keys that limits and simulated answers need. A process that starts while the database is unavailable reads
 * them later; until then it answers 503, because it has read no address lists either.
 */
async function readLastingKeys(): Promise<void> {
  try {
    await loadPermanentKeys()
  } catch (error) {
    if (toAppError(error).status !== 503) throw error
    log.warn({ err: error }, 'the stored keys are read once the database is back')
    const unreadable = (fault: unknown) => log.fatal({ err: fault }, 'the stored keys can not be read')
    setTimeout(() => void readLastingKeys().catch(unreadable), 1_000).unref()
  }
}

/** Runs the HTTP server of this process: everything that must happen before Next sees a request. */
export async function serve(config: Env, { dev, ownMetrics, listens }: Options): Promise<Serving> {
  addMessageMetrics()
  addDeliveryMetrics()
  addHousekeepingMetrics()
  addOperationGauges()
  await readLastingKeys()
  const forgetSealing = noteSealing()
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: config.REQUEST_TIMEOUT * 1_000,
    // by default Node checks every 30 seconds, so that a limit of 10 seconds took up to 40
    connectionsCheckingInterval: 1_000,
    // longer than that of load balancers, so that they close idle connections first
    keepAliveTimeout: 65_000,
    // an upgraded connection would bypass all checks here; only reloading in development needs it
    shouldUpgradeCallback: () => dev,
  })
  const app = next({ dev, dir: process.cwd(), hostname: 'localhost', port: config.PORT, httpServer: server })
  await app.prepare()
  const handleByNext = app.getRequestHandler()
  const https = config.PUBLIC_URL.startsWith('https:')
  const security = securityHeaders({ https, dev })
  const answerFromCache = createPageCache(handleByNext, security)
  const base = `${https ? 'https' : 'http'}://localhost:${config.PORT}`
  const answerApi = createAnswering(base, answerRest)
  const answerForms = createAnswering(base, (request, res) =>
    answerForm(request, (status) => void formStatuses.set(res, status)),
  )
  const drain = createDrain(server)
  const admission = createAdmission(drain.streams)
  const health = createHealth(config.DATABASE_URL, drain.isDraining)

  async function handle(req: IncomingMessage, res: ServerResponse, requestId: string) {
    const refusal = refusalOf(req, dev)
    const path = pathOf(req.url ?? '')
    const kind = refusal ? 'refused' : routeClass(path)
    drain.follow(res)
    observe(req, res, kind, requestId)
    endUnread(req, res)

    const forwardedFor = cleanse(req.headers)
    const socket = req.socket.remoteAddress ?? ''
    // health checks must be answered even if all stores are unavailable
    const open = !refusal && isHealth(path)
    const { ip, verdict } = open
      ? ({ ip: socket, verdict: 'allowed' } as const)
      : await admission.look(socket, forwardedFor)
    req.headers['x-platform-ip'] = ip
    req.headers['x-platform-socket'] = socket
    if (forwardedFor) req.headers['x-platform-forwarded-for'] = nearest(forwardedFor)
    req.headers['x-platform-request-id'] = requestId
    req.headers['x-forwarded-for'] = ip
    req.headers['x-forwarded-proto'] = https ? 'https' : 'http'
    const admitted = verdict === 'allowed'
    const nonce = newNonce()
    const policy = security.policy(nonce)
    req.headers['content-security-policy'] = policy
    onHeaders(res, { ...security.constant, 'content-security-policy': policy, 'x-request-id': requestId })

    if (!admitted) {
      if (verdict === 'denied') admission.note(ip, requestId)
      return refuseAddress(req, res, { kind: routeClass(path), reason: verdict, requestId, ip })
    }
    if (refusal) return refuseRequest(req, res, refusal, requestId)
    if (kind === 'service') {
      if (path !== '/metrics') return health(path, res)
      const text = ownMetrics ? await metrics().registry.metrics() : ''
      res.writeHead(ownMetrics ? 200 : 404, { 'content-type': metrics().registry.contentType })
      res.end(text)
      return
    }
    const byNext = (isOfForms = false) => {
      compress(req as never, res as never, () => {})
      if (isOfForms && !dev) leaveClientOut(res)
      const printed = outagesAs503(req, res, requestId)
      return during({ requestId, printed }, () => handleByNext(req, res))
    }
    if (kind === 'oidc')
      return handleOidc(
        req,
        res,
        createDrawing(security, () => byNext(true)),
      )
    if (kind === 'api' && !dev) return answerApi(req, res)
    if (kind === 'page' && req.method === 'POST') return answerForms(req, res)
    const screen = kind === 'page' ? screenAt(path) : undefined
    if (!screen) return byNext()
    if (screen.public && req.headers.rsc !== undefined) return leadToWholePage(req, res)
    const token = giveFormToken(req, res, req.url ?? '')
    if (!screen.public) return byNext()
    req.headers[plainHeader] = '1'
    if (!dev && (await answerFromCache(req, res, { nonce, token }, requestId))) return
    giveStatus(path, res)
    await byNext(true)
  }

  server.on('connect', refuseTunnel)
  server.on('request', (req, res) => {
    const requestId = randomUUID()
    req.url = withoutLastSlash(req.url ?? '')
    withRequestId(requestId, () => traced(req, res, requestId, () => handle(req, res, requestId))).catch((error) => {
      log.error({ err: error, path: loggable(req.url ?? '') }, 'request failed')
      if (!res.headersSent && toAppError(error).status === 503) return answerUnavailable(req, res, requestId)
      if (!res.headersSent) res.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      res.end()
    })
  })

  if (listens)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.PORT, config.HOST, resolve)
    })
  // Node tracks connections, and closes slow and idle ones, only if the server listens
  else server.emit('listening')
  return {
    port: listens ? (server.address() as AddressInfo).port : config.PORT,
    take(socket) {
      // a listening server does the same with its connections
      socket.setNoDelay(true)
      socket.allowHalfOpen = true
      server.emit('connection', socket)
      socket.resume()
    },
    async stop() {
      await drain.start()
      forgetSealing()
      await admission.close()
      await app.close().catch((error) => log.warn({ err: error }, 'Next did not close cleanly'))
      await closeCache()
      await Promise.all([closeDatabase(), closeRedis()])
    },
  }
}
