import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const { default: NextAuth, getServerSession } = createRequire(import.meta.url)('next-auth/next')

/** Gives request and answer what Next gives them. */
async function dress(req: IncomingMessage, res: ServerResponse, { pathname, searchParams }: URL) {
  const pairs = (req.headers.cookie ?? '').split('; ').map((pair) => pair.split('='))
  const request = Object.assign(req, {
    query: { ...Object.fromEntries(searchParams), nextauth: pathname.split('/').slice(3) },
    cookies: Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value ?? '')])),
    body: Object.fromEntries(new URLSearchParams(await text(req))),
  })
  const answer = Object.assign(res, {
    status: (code: number) => Object.assign(res, { statusCode: code }),
    json: (value: unknown) => res.setHeader('content-type', 'application/json').end(JSON.stringify(value)),
    send: (value: unknown) => res.end(typeof value === 'object' ? JSON.stringify(value) : value),
  })
  return { request, answer }
}

/** What an application of Next sets: the options of next-auth as a module, and the client’s secret. */
type Configured = { module: string; secret: string }

/**
 * Serves an application with next-auth alone on this machine; its page says who is signed in. `configure` gives it what
 * its developer copied, once its address is known.
 */
export async function startNextAuth() {
  let options: object | undefined
  const answerTo = async (req: IncomingMessage, res: ServerResponse) => {
    const url = new URL(req.url ?? '', 'http://localhost')
    const { request, answer } = await dress(req, res, url)
    if (url.pathname.startsWith('/api/auth/')) return NextAuth(request, answer, options)
    const session = await getServerSession(request, answer, options)
    res.setHeader('content-type', 'text/html; charset=utf-8')
    res.end(
      `<!doctype html><title>App</title><link rel="icon" href="data:,"><h1>${session?.user?.email ?? 'nobody'}</h1>`,
    )
  }
  const server = createServer((req, res) => {
    answerTo(req, res).catch((error) => res.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://localhost:${(server.address() as AddressInfo).port}`
  const before = { ...process.env }
  return {
    address,
    async configure({ module, secret }: Configured) {
      Object.assign(process.env, {
        NEXTAUTH_URL: address,
        NEXTAUTH_SECRET: 'a secret of the application alone',
        CLIENT_SECRET: secret,
      })
      options = (await import(`data:text/javascript,${encodeURIComponent(module)}`)).authOptions
    },
    stop() {
      process.env = before
      server.closeAllConnections()
      server.close()
    },
  }
}
