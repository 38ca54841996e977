import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { sessions, users } from '@/db/schema'
import { addBaseMappers } from '@/lib/directory-sync/provider-mappers/contract'
import { createProvider, enableProvider, readProvider } from '@/lib/directory-sync/providers/contract'
import { providerCallbackRoute as callback, providerStartRoute as start } from '@/lib/request/provider-sign-in'
import { domainByHost } from '@/lib/site/domains/service'
import type { Browser } from './browser'
import type { Caller } from './caller'
import type { Claims, OpenidProvider } from './openid-imitation'

/** The body that creates a provider for the imitation. */
export const openidProviderFor = ({ issuer, clientId, secret }: OpenidProvider, more: object = {}) => ({
  type: 'oidc' as const,
  name: `Провайдер ${randomUUID().slice(0, 8)}`,
  url: issuer,
  realm: '',
  clientId,
  clientSecret: secret,
  scopes: ['profile', 'email'],
  ...more,
})

/** Creates an enabled provider with base mappers that the base domain offers. Returns its id. */
export async function connectProvider(caller: Caller, provider: OpenidProvider, more: object = {}): Promise<string> {
  const { id: domainId } = await domainByHost('localhost:3000')
  const body = openidProviderFor(provider, { domains: [domainId], ...more })
  const { id } = await caller.call(createProvider, { body })
  await caller.call(enableProvider, { params: { id }, body: { enabled: true } })
  const { provider: made } = await caller.call(readProvider, { params: { id } })
  await caller.call(addBaseMappers, { params: { syncId: made.sync[0]?.id ?? '' } })
  return id
}

type Handler = (request: Request, args: { params: Promise<{ id: string }> }) => Promise<Response>

/** Visits an address by a handler, as a browser does. Returns where it leads. */
export async function led(
  browser: Browser,
  handler: Handler,
  id: string,
  search: URLSearchParams | Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const request = new Request(`http://${browser.host}/?${new URLSearchParams(search)}`, {
    headers: {
      host: browser.host,
      'user-agent': browser.userAgent,
      'x-platform-ip': browser.ip,
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...headers,
    },
  })
  const response = await handler(request, { params: Promise.resolve({ id }) })
  if (response.status !== 303) throw new Error(`the step answers ${response.status}`)
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const [name = '', value = ''] = pair.split('=')
    if (/Max-Age=0/.test(line)) browser.cookies.delete(name)
    else browser.cookies.set(name, value)
  }
  return response.headers.get('location') ?? ''
}

/** Begins a sign-in by the button. Returns where that leads: to the provider, or back to the sign-in page. */
export const beginAt = (browser: Browser, id: string, search: Record<string, string> = {}, site = 'same-origin') =>
  led(browser, start, id, search, { 'sec-fetch-site': site })

/** Comes back from the provider. Returns where that leads. */
export const comeBack = (browser: Browser, id: string, back: URL | Record<string, string>) =>
  led(browser, callback, id, back instanceof URL ? back.searchParams : back, { 'sec-fetch-site': 'cross-site' })

/** Signs in through a provider as somebody there. Returns where that leads. */
export async function signInAt(browser: Browser, id: string, provider: OpenidProvider, claims: Claims) {
  const asking = await beginAt(browser, id)
  return comeBack(browser, id, provider.agree(asking, claims))
}

/** Claims of somebody new at a provider, with a proven e-mail. */
export const somebody = (more: object = {}) => {
  const sub = randomUUID()
  const name = `p${sub.slice(0, 8)}`
  return {
    sub,
    email: `${name}@outside.example`,
    email_verified: true,
    preferred_username: name,
    given_name: 'Вера',
    family_name: 'Входова',
    ...more,
  }
}

/** The accounts that a provider keeps under an external id. */
export const accountsOf = (providerId: string, sub: string) =>
  db()
    .select()
    .from(users)
    .where(and(eq(users.providerId, providerId), eq(users.externalId, sub)))

/** The sessions that somebody began at a provider. */
export const sessionsOf = (sub: string) =>
  db()
    .select({ id: sessions.id, userId: sessions.userId, sid: sessions.providerSid, providerId: sessions.providerId })
    .from(sessions)
    .where(eq(sessions.providerSubject, sub))

/** Why the sign-in page is shown; another address as it is. */
export function refusedFor(address: string): string | null {
  const { pathname, searchParams } = new URL(address, 'http://localhost:3000')
  return pathname === '/platform/login' ? searchParams.get('refused') : address
}
