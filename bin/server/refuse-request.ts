import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '@/lib/base/runtime/errors'
import { pathOf, type Refusal, routeClass } from './inbound'

const words = { 400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed' } as const

/** Answers a refused request: below /api in the format of every failed call, otherwise as text. */
export function refuseRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { status, allow }: Refusal,
  requestId: string,
) {
  const { code, message } = new AppError(status)
  const json = routeClass(pathOf(req.url ?? '')) === 'api'
  if (allow) res.setHeader('allow', allow)
  res.writeHead(status, {
    'content-type': `${json ? 'application/json' : 'text/plain'}; charset=utf-8`,
    'cache-control': 'no-store',
    // the body is not read
    connection: 'close',
  })
  res.end(json ? JSON.stringify({ code, message, requestId, data: {} }) : words[status])
}

/** Answers CONNECT, which Node hands over apart from all other methods. */
export const refuseTunnel = (_req: IncomingMessage, socket: Duplex) =>
  socket.end(`HTTP/1.1 405 ${words[405]}\r\nAllow: GET, HEAD\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
