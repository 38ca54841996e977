import type { IncomingMessage, ServerResponse } from 'node:http'
import compression from 'compression'
import { log } from '@/lib/base/runtime/log'

/**
 * Returns the body of a request. Nobody who stops reading destroys the request: that would cut off the answer.
 */
function bodyOf(req: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const read = (chunk: Uint8Array) => {
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) req.pause()
        }
        req.on('data', read)
        req.once('end', () => controller.close())
        req.once('close', () => {
          if (!req.readableEnded) controller.error(new Error('the body broke off'))
        })
        req.pause()
      },
      pull() {
        req.resume()
      },
    },
    { highWaterMark: 0 },
  )
}

const withoutBody = new Set(['GET', 'HEAD'])

/**
 * Returns a request of the Fetch API. Only a stream has a signal, which costs as much as the rest of the request: it is
 * aborted if the connection closes before the answer has ended.
 */
function requestFrom(req: IncomingMessage, res: ServerResponse, base: string): Request {
  const { method = 'GET' } = req
  const init: RequestInit = { method, headers: req.headers as Record<string, string> }
  if (!withoutBody.has(method)) Object.assign(init, { body: bodyOf(req), duplex: 'half' })
  if (req.headers.accept?.includes('text/event-stream')) {
    const aborting = new AbortController()
    res.once('close', () => {
      if (!res.writableFinished) aborting.abort()
    })
    init.signal = aborting.signal
  }
  return new Request(`${base}${req.url}`, init)
}

/** Compresses what is sent afterwards, if the client takes it. */
export const compress = compression()

/** Writes a stream as fast as the client reads it. The stream is cancelled when the connection closes. */
async function pump(body: ReadableStream<Uint8Array>, res: ServerResponse) {
  const reader = body.getReader()
  let goOn = () => {}
  // one listener for all waits: compression forgets to remove those of `once`
  res.on('drain', () => goOn())
  res.once('close', () => {
    reader.cancel().catch(() => {})
    goOn()
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || res.destroyed) break
      if (res.write(value) || res.destroyed) continue
      // a source that nobody reads gives up: then the connection must not stay either
      await Promise.race([new Promise<void>((resolve) => (goOn = resolve)), reader.closed])
    }
    res.end()
  } catch (error) {
    res.destroy()
    throw error
  }
}

/** Sends an answer of the Fetch API. One that breaks off also breaks the connection. */
async function send(req: IncomingMessage, res: ServerResponse, response: Response) {
  const { status, headers, body } = response
  res.statusCode = status
  for (const [name, value] of headers) if (name !== 'set-cookie') res.setHeader(name, value)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('set-cookie', cookies)
  const isJson = headers.get('content-type')?.startsWith('application/json')
  const text = isJson && body ? await response.text() : undefined
  // answers of less than 1 KB stay as they are
  if (text !== undefined) res.setHeader('content-length', Buffer.byteLength(text))
  compress(req as never, res as never, () => {})
  if (text !== undefined || !body) return void res.end(text)
  await pump(body, res)
}

/**
 * Returns a function that answers requests in this process, without Next, by `answer`, which also gets what the answer
 * is written to. `base` is the beginning of a request's address in the form that Next gives it: stored idempotency keys
 * contain it.
 */
export const createAnswering =
  (base: string, answer: (request: Request, res: ServerResponse) => Promise<Response>) =>
  async (req: IncomingMessage, res: ServerResponse) => {
    const response = await answer(requestFrom(req, res, base), res)
    await send(req, res, response).catch((error) => log.debug({ err: error }, 'an answer was cut off'))
  }
