import type { RouteHandler } from '@/lib/kernel/http/route'

type Sent = {
  params?: Record<string, string>
  query?: Record<string, string | string[]>
  body?: unknown
  headers?: Record<string, string>
}
export type Answered = { status: number; body: Record<string, unknown>; headers: Headers }

let addresses = 0

/**
 * A browser without a window: keeps cookies and calls route handlers as the server would. Each has an address
 * of its own unless told, so that limits by address don't meet.
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
    const request = new Request(`http://${this.host}/?${search}`, {
      method,
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        host: this.host,
        'user-agent': this.userAgent,
        'x-platform-ip': this.ip,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const response = await handler(request, { params: Promise.resolve(params) })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return { status: response.status, body: await response.json(), headers: response.headers }
  }

  /** The same browser at this moment, to be used beside the first, or its cookies carried to another host. */
  copy(host = this.host): Browser {
    const copy = new Browser(host, this.ip, this.userAgent)
    for (const [name, value] of this.cookies) copy.cookies.set(name, value)
    return copy
  }
}
