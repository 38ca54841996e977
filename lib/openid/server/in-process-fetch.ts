import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { duplexPair } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { CustomFetch } from 'openid-client'
import { remember, requestOf } from './request'

type Handle = (req: IncomingMessage, res: ServerResponse) => unknown

/** What an application behind the same proxy as the browser would send. */
const copied = ['host', 'x-forwarded-host', 'x-forwarded-proto', 'x-platform-ip']

/**
 * Returns a fetch that makes its requests to the provider inside this process, over HTTP without a network: what an
 * application does, whatever lies between it and the platform.
 */
export function fetchInProcess(handle: Handle, outer: IncomingMessage, mount: string): CustomFetch {
  const known = Object.fromEntries(copied.flatMap((name) => (outer.headers[name] ? [[name, outer.headers[name]]] : [])))
  return async (address, { method, headers, body }) => {
    const { pathname, search } = new URL(address)
    const server = createServer((req, res) => {
      remember(req, requestOf(outer))
      Object.assign(req, { originalUrl: req.url, url: req.url?.slice(mount.length) })
      handle(req, res)
    })
    const [near, far] = duplexPair()
    server.emit('connection', far)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({
        createConnection: () => near as never,
        method,
        path: `${pathname}${search}`,
        headers: { ...headers, ...known, connection: 'close' },
      })
        .once('response', resolve)
        .once('error', reject)
        .end(body ? String(body) : undefined)
    })
    const content = await buffer(answer)
    near.destroy()
    const { statusCode: status = 500 } = answer
    const sent = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) if (value) sent.set(name, String(value))
    return new Response(status === 204 ? null : new Uint8Array(content), { status, headers: sent })
  }
}
