import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Asked = { method: string; path: string; query: URLSearchParams; headers: IncomingHttpHeaders; body: string }
type Sent = { items: Record<string, unknown>[]; page: number; last: boolean; run: string | null; type: string }
/** An answer in place of the system's own: a status, a raw answer, or nothing at all. */
type Instead =
  | 'hang up'
  | number
  | { status?: number; headers?: Record<string, string>; body: string | AsyncIterable<string> }
  | undefined

/** Another system on this machine: a source of rows, and a receiver of them. It can be told to fail. */
class OtherSystem {
  /** The rows that it gives, page by page. */
  items: unknown[] = []
  /** Every request. */
  asked: Asked[] = []
  /** The pages that it was sent. */
  sent: Sent[] = []
  /** What it needs to be told, such as `Bearer x`, in this header. */
  needs: { header: string; value: string } | null = null
  /** Rows that it refuses, by id. */
  refuses: Record<string, string> = {}
  instead: (asked: Asked, count: number) => Instead | Promise<Instead> = () => undefined
  private server = createServer((request, response) => void this.answer(request, response))

  async start() {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    // it ends with the process
    this.server.unref()
    return this
  }
  get url() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }
  /** Ends it, as an outage does. */
  stop() {
    this.server.closeAllConnections()
    return new Promise<void>((done) => this.server.close(() => done()))
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    let body = ''
    for await (const chunk of request) body += chunk
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', this.url)
    const asked = { method: request.method ?? '', path, query, headers: request.headers, body }
    this.asked.push(asked)
    const send = (status: number, json: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    const instead = await this.instead(asked, this.asked.length)
    if (instead === 'hang up') return void request.socket.destroy()
    if (typeof instead === 'number') return void send(instead, { error: 'told to' })
    if (instead) {
      response.writeHead(instead.status ?? 200, { 'content-type': 'application/json', ...instead.headers })
      if (typeof instead.body === 'string') return void response.end(instead.body)
      for await (const part of instead.body) {
        if (response.destroyed) return
        if (!response.write(part)) await new Promise((done) => response.once('drain', done))
      }
      return void response.end()
    }
    if (this.needs && request.headers[this.needs.header] !== this.needs.value) return void send(401, { error: 'no' })
    if (asked.method === 'POST') {
      const page = JSON.parse(body) as Sent
      this.sent.push(page)
      const faults = page.items.flatMap(({ id }) =>
        typeof id === 'string' && id in this.refuses ? [{ id, error: this.refuses[id] }] : [],
      )
      return void send(200, faults.length > 0 ? { faults } : {})
    }
    const [after, limit] = [Number(query.get('after') ?? 0), Number(query.get('limit'))]
    const next = after + limit
    send(200, { items: this.items.slice(after, next), next: next < this.items.length ? String(next) : null })
  }
}

/** Starts another system. */
export const startOtherSystem = (): Promise<OtherSystem> => new OtherSystem().start()
