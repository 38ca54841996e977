import { randomUUID } from 'node:crypto'
import type { Cookies, Ctx } from '@/lib/base/context/ctx'
import { chooseLocale } from '@/lib/base/i18n/choose-locale'
import { timeZoneFrom } from '@/lib/base/text/time-zone'
import { requiredAgreements } from '@/lib/sign-in/agreements/asked'
import { deviceOf } from '@/lib/sign-in/device'
import { currentSession } from '@/lib/sign-in/sessions/service'
import { deviceTypes } from '@/lib/site/device-types/service'
import { domainByHost } from '@/lib/site/domains/service'
import { compose } from '@/lib/wiring/compose'

compose()

/** A request's context, and what only pages need besides. */
export type Composed = {
  ctx: Ctx
  cookieConsent: boolean
  /** The zone that is stored on the account of the signed-in person. */
  accountTimeZone: string | null
  /** The zone that they have chosen; null for that of the browser. */
  chosenTimeZone: string | null
}

const shippedTypes = ['desktop', 'mobile', 'tablet']

async function deviceTypeOf(cookies: Cookies, userAgent: string) {
  const managed = cookies.get('deviceType')
  if (managed && !shippedTypes.includes(managed) && (await deviceTypes()).some(({ code }) => code === managed))
    return managed
  return deviceOf(userAgent).type
}

/**
 * Returns what the server process read the address from; undefined for a request that did not come through that
 * process.
 */
function connectionOf(headers: Headers): Ctx['connection'] {
  const socket = headers.get('x-platform-socket')
  const forwardedFor = headers.get('x-platform-forwarded-for')
  return socket ? { socket, ...(forwardedFor ? { forwardedFor } : {}) } : undefined
}

/**
 * Composes the context of one request. Only the server process writes the private headers; it drops them when a client
 * sends them. With `passive` the request does not count as an access: a page sends it by itself.
 */
export async function buildContext(headers: Headers, cookies: Cookies, passive = false): Promise<Composed> {
  const now = () => new Date()
  // people see this in the list of their devices
  const userAgent = (headers.get('user-agent') ?? '').replace(/\p{Cc}/gu, '')
  const [domain, current, deviceType] = await Promise.all([
    domainByHost(headers.get('host') ?? ''),
    currentSession(cookies, now(), passive),
    deviceTypeOf(cookies, userAgent),
  ])
  const locale = chooseLocale({
    cookie: cookies.get('locale'),
    chosen: current?.lang ?? null,
    acceptLanguage: headers.get('accept-language'),
    enabled: domain.locales,
  })
  const terms = current ? await requiredAgreements({ domain, locale }, current.user.id, current.agreed) : []
  const ofAccount = timeZoneFrom(current?.timeZone)
  const chosen = timeZoneFrom(current?.chosenTimeZone)
  const ctx: Ctx = {
    requestId: headers.get('x-platform-request-id') ?? randomUUID(),
    ip: headers.get('x-platform-ip') ?? '',
    connection: connectionOf(headers),
    userAgent,
    domain,
    locale,
    timeZone: chosen ?? timeZoneFrom(cookies.get('timeZone')) ?? ofAccount ?? domain.timeZone,
    deviceType,
    session: current?.session ?? null,
    user: current?.user ?? null,
    ...(terms.length > 0 ? { terms } : {}),
    service: null,
    cookies,
    now,
  }
  return {
    ctx,
    cookieConsent: current?.cookieConsent === true || cookies.get('cookieConsent') === '1',
    accountTimeZone: ofAccount,
    chosenTimeZone: chosen,
  }
}
