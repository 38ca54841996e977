import { formOf } from '@/lib/base/http/client-files'
import type { RouteHandler } from '@/lib/base/http/route'

type Sent = {
  params?: Record<string, string>
  query?: Record<string, string | string[]>
  body?: unknown
  headers?: Record<string, string>
}
export type Answered = { status: number; body: Record<string, unknown>; headers: Headers }

/** A body as the client sends it: JSON, unless it is a file or has files in it. */
export function encoded(body: unknown): { body?: BodyInit; type?: string } {
  if (body === undefined) return {}
  if (body instanceof Blob) return { body, type: body.type }
  const hasFiles = typeof body === 'object' && Object.values(body ?? {}).some((value) => value instanceof Blob)
  if (hasFiles) return { body: formOf(body as object) }
  return { body: typeof body === 'string' ? body : JSON.stringify(body), type: 'application/json' }
}

let addresses = 0

/**
 * A browser without a window: it keeps cookies and calls route handlers as the server does. By default each has another
 * address, so that limits by address don't affect each other.
 */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly ip: string
  constructor(
    readonly host = 'localhost:3000',
    ip?: string,
    readonly userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  ) {
    addresses++
    this.ip = ip ?? `203.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`
  }

  async send(
    handler: RouteHandler,
    method: string,
    { params = {}, query = {}, body, headers = {} }: Sent = {},
  ): Promise<Answered> {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one)
    const sent = encoded(body)
    const request = new Request(`http://${this.host}/?${search}`, {
      method,
      ...(sent.body === undefined ? {} : { body: sent.body }),
      headers: {
        host: this.host,
        'user-agent': this.userAgent,
        'x-platform-ip': this.ip,
        cookie: this.cookie,
        'sec-fetch-site': 'same-origin',
        ...(sent.type ? { 'content-type': sent.type } : {}),
        ...headers,
      },
    })
    const response = await handler(request, { params: Promise.resolve(params) })
    this.keep(response.headers.getSetCookie())
    const file = response.headers.has('content-disposition')
    const answer = file ? { file: await response.text() } : await response.json()
    return { status: response.status, body: answer, headers: response.headers }
  }

  /** Its cookies as it sends them. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Keeps cookies that an answer sets. */
  keep(lines: readonly string[]) {
    for (const line of lines) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }

  /** A copy of the browser with its present cookies, to use beside the first or with another host. */
  copy(host = this.host): Browser {
    const copy = new Browser(host, this.ip, this.userAgent)
    for (const [name, value] of this.cookies) copy.cookies.set(name, value)
    return copy
  }
}
