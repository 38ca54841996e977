import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { logoutTokens } from '../logout-token.ts'
import { needed } from '../needed.ts'
import { authOptions, clientId, endSession, issuer, liveSession, metadata } from './options.ts'

// a stand-in for Next, so that this runs without a build: in an application of Next these are four small route files
const { default: NextAuth, getServerSession } = createRequire(import.meta.url)('next-auth/next')
const origin = needed(process.env.NEXTAUTH_URL, 'NEXTAUTH_URL')
const readLogoutToken = logoutTokens(issuer, metadata.jwks, clientId)

/** Gives request and answer what Next gives them. */
async function dress(req: IncomingMessage, res: ServerResponse) {
  const { pathname, searchParams } = new URL(req.url ?? '', origin)
  const pairs = (req.headers.cookie ?? '').split('; ').map((pair) => pair.split('='))
  const nextauth = pathname.startsWith('/api/auth/') ? pathname.split('/').slice(3) : undefined
  return {
    pathname,
    request: Object.assign(req, {
      query: { ...Object.fromEntries(searchParams), nextauth },
      cookies: Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value ?? '')])),
      body: Object.fromEntries(new URLSearchParams(await text(req))) as Record<string, string>,
    }),
    answer: Object.assign(res, {
      status: (code: number) => Object.assign(res, { statusCode: code }),
      json: (value: unknown) => res.setHeader('content-type', 'application/json').end(JSON.stringify(value)),
      send: (value: unknown) => res.end(typeof value === 'object' ? JSON.stringify(value) : value),
    }),
  }
}

const page = (title: string, more: string) => `<!doctype html><html lang="en"><title>Procurement</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><h1>${title}</h1>${more}`
const escaped = (value: string) => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, request, answer } = await dress(req, res)
  if (pathname.startsWith('/api/auth/')) return NextAuth(request, answer, authOptions)

  if (pathname === '/backchannel-logout' && req.method === 'POST') {
    const sid = await readLogoutToken(request.body.logout_token ?? '').catch(() => undefined)
    if (sid) endSession(sid)
    res.writeHead(sid ? 200 : 400, { 'cache-control': 'no-store' }).end()
    return
  }

  const { sid } = (await getServerSession(request, answer, authOptions)) ?? {}
  const session = sid && (await liveSession(sid))
  if (pathname === '/sign-out' && req.method === 'POST') {
    const end = new URL(metadata.endSession)
    end.searchParams.set('post_logout_redirect_uri', `${origin}/`)
    end.searchParams.set('client_id', clientId)
    if (session) end.searchParams.set('id_token_hint', session.id_token)
    if (sid) endSession(sid)
    res.writeHead(303, { location: end.href }).end()
    return
  }
  if (pathname !== '/') {
    res.writeHead(404).end()
    return
  }
  res.setHeader('content-type', 'text/html; charset=utf-8')
  const headers = { authorization: `Bearer ${session?.access_token}` }
  const told = session && (await fetch(metadata.userinfo, { headers }))
  // tokens are refused as soon as a session is over, which may be before the back channel says so
  if (told?.status === 401) endSession(sid)
  if (!told?.ok) {
    res.end(page('Nobody is signed in', '<a href="/api/auth/signin">Sign in</a>'))
    return
  }
  const person = await told.json()
  const about = `<p>${escaped((person.methods ?? []).join(', '))}</p><p>Tokens renewed: ${session.renewals}</p>`
  res.end(page(escaped(person.name), `${about}<form method="post" action="/sign-out"><button>Sign out</button></form>`))
}

createServer((req, res) => {
  handle(req, res).catch((error) => {
    console.error(error)
    res.writeHead(500).end()
  })
}).listen(Number(new URL(origin).port), 'localhost')
