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

/** The context of a request, with data that only pages need. */
export type Composed = {
  ctx: Ctx
  cookieConsent: boolean
  /** The time zone that is stored on the account of the signed-in person. */
  accountTimeZone: string | null
  /** The time zone that they have chosen; null for the browser's. */
  chosenTimeZone: string | null
}

const shippedTypes = ['desktop', 'mobile', 'tablet']

async function deviceTypeOf(cookies: Cookies, userAgent: string) {
  const chosenType = cookies.get('deviceType')
  if (chosenType && !shippedTypes.includes(chosenType) && (await deviceTypes()).some(({ code }) => code === chosenType))
    return chosenType
  return deviceOf(userAgent).type
}

/**
 * Returns the connection from which the server process read the address; undefined for a request that didn't come
 * through it.
 */
function connectionOf(headers: Headers): Ctx['connection'] {
  const socket = headers.get('x-platform-socket')
  const forwardedFor = headers.get('x-platform-forwarded-for')
  return socket ? { socket, ...(forwardedFor ? { forwardedFor } : {}) } : undefined
}

/**
 * Builds the context of a request. Only the server process writes the private headers; it removes those of clients. A
 * `passive` request doesn't count as activity: an open page sends it automatically.
 */
export async function buildContext(headers: Headers, cookies: Cookies, passive = false): Promise<Composed> {
  const now = () => new Date()
  // people see this text in the list of their devices
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
  const accountZone = timeZoneFrom(current?.timeZone)
  const chosenZone = timeZoneFrom(current?.chosenTimeZone)
  const ctx: Ctx = {
    requestId: headers.get('x-platform-request-id') ?? randomUUID(),
    ip: headers.get('x-platform-ip') ?? '',
    connection: connectionOf(headers),
    userAgent,
    domain,
    locale,
    timeZone: chosenZone ?? timeZoneFrom(cookies.get('timeZone')) ?? accountZone ?? domain.timeZone,
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
    accountTimeZone: accountZone,
    chosenTimeZone: chosenZone,
  }
}
