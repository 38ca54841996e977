import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { duplexPair } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { CustomFetch } from 'openid-client'
import { registerRequest, requestOf } from './request'

type Handle = (req: IncomingMessage, res: ServerResponse) => unknown

/** Headers that an application behind the same proxy as the browser would send. */
const copiedHeaders = ['host', 'x-forwarded-host', 'x-forwarded-proto', 'x-platform-ip']

/**
 * Returns a fetch that sends its requests to the OpenID Provider inside this process, over HTTP without a network. They
 * work like those of an application, whatever lies between it and the platform.
 */
export function fetchInProcess(handle: Handle, outerRequest: IncomingMessage, mount: string): CustomFetch {
  const proxyHeaders = Object.fromEntries(
    copiedHeaders.flatMap((name) => (outerRequest.headers[name] ? [[name, outerRequest.headers[name]]] : [])),
  )
  return async (address, { method, headers, body }) => {
    const { pathname, search } = new URL(address)
    const server = createServer((req, res) => {
      registerRequest(req, requestOf(outerRequest))
      Object.assign(req, { originalUrl: req.url, url: req.url?.slice(mount.length) })
      handle(req, res)
    })
    const [clientEnd, serverEnd] = duplexPair()
    server.emit('connection', serverEnd)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({
        createConnection: () => clientEnd as never,
        method,
        path: `${pathname}${search}`,
        headers: { ...headers, ...proxyHeaders, connection: 'close' },
      })
        .once('response', resolve)
        .once('error', reject)
        .end(body ? String(body) : undefined)
    })
    const content = await buffer(answer)
    clientEnd.destroy()
    const { statusCode: status = 500 } = answer
    const responseHeaders = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) if (value) responseHeaders.set(name, String(value))
    return new Response(status === 204 ? null : new Uint8Array(content), { status, headers: responseHeaders })
  }
}
