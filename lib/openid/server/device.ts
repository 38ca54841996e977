import type { IncomingMessage } from 'node:http'
import type Provider from 'oidc-provider'
import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { digest, keyedHash } from '@/lib/base/crypto/encryption'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { returnPoints, type Tier } from '@/lib/base/limits/limits'
import { redis } from '@/lib/base/redis/redis'
import { deviceName } from '@/lib/sign-in/device'
import { usableClient } from '../clients/service'
import { orUnavailable } from '../token-store/unavailable'
import { currentContext, formToken, isUnstored, markUntouched, replaceMember } from './oidc-provider-internals'
import { namesOf, personOf, show } from './pages'
import { addressOf, setRetryAfter, TooManyRequests, takeRequestPoints, takeRequestPointsOf } from './rate-limits'
import { requestOf } from './request'
import type { CodeFault } from './view'

/** Seconds between the requests of a device; delays in the network may let two of them arrive a little sooner. */
const interval = 5
const minDelay = (interval - 1) * 1000

/** Limits of wrong codes from one address: guesses, or typing errors of a company behind one gateway. */
const addressTiers: Tier[] = [
  { points: 20, duration: 600 },
  { points: 100, duration: 86_400 },
]
/** Limit of the entries of one code, which is shown to one person. */
const codeTiers: Tier[] = [{ points: 20, duration: 600 }]

/**
 * Limit of the codes that devices at one address request: enough for a warehouse that switches all its terminals on at
 * once.
 */
const requestTiers: Tier[] = [{ points: 100, duration: 600 }]

const mask = '****-****'
const path = '/device'
const prefilledCodes = new WeakMap<IncomingMessage, string>()

const hash = (text: string) => keyedHash('identifiers', text)

/** Limits how many codes devices get, how often user codes are entered, and how often devices poll. */
export function guardDeviceCodes(provider: Provider) {
  replaceMember(
    provider,
    'DeviceCode#save',
    (save) =>
      async function (...args) {
        const ctx = currentContext()
        if (ctx?.oidc?.route === 'device_authorization')
          await takeRequestPointsOf(ctx, ...addressLimits('device-asked', addressOf(ctx.req), requestTiers))
        return save.apply(this, args)
      },
  )

  replaceMember(provider, 'DeviceCode.findByUserCode', (findByUserCode) => async (userCode, options) => {
    const ctx = currentContext() as KoaContextWithOIDC
    const address = addressLimits('device-address', addressOf(ctx.req), addressTiers)
    const code = { name: 'device-code', key: hash(`user code ${userCode}`), tiers: codeTiers }
    // counted before the lookup, so that parallel entries are counted too
    await takeRequestPoints(...address, code)
    const deviceCode = await findByUserCode(userCode, options)
    if (deviceCode) await returnPoints(...address)
    return deviceCode
  })

  replaceMember(provider, 'DeviceCode.find', (find) => async (code, options) => {
    const deviceCode = await find(code, options)
    const oidc = currentContext()?.oidc
    const isPending = deviceCode && !deviceCode.accountId && !deviceCode.error && !deviceCode.isExpired
    if (oidc?.route !== 'token' || !isPending) return deviceCode
    const key = `oidc:poll:${digest(code)}`
    const inTime = await orUnavailable(() => redis().set(key, '1', 'PX', minDelay, 'NX'))
    if (!inTime) throw new errors.SlowDown()
    return deviceCode
  })

  provider.on('device_authorization.success', (_ctx, body) => Object.assign(body, { interval }))
}

/**
 * Takes the code out of a link and stores it for the form. The person still has to send the form, because a link must
 * not start anything without that.
 */
export function takePrefilledCode(ctx: { method: string; path: string; query: object; req: IncomingMessage }) {
  if (ctx.method !== 'GET' || ctx.path !== path) return
  const { user_code: code } = ctx.query as { user_code?: unknown }
  if (typeof code === 'string') prefilledCodes.set(ctx.req, code.slice(0, 32))
  ctx.query = {}
}

/** Returns whether a request sends a form of the device pages. */
export const sendsDeviceForm = (method: string | undefined, url: string) =>
  method === 'POST' && /^\/oidc\/device(\?|$)/.test(url)

const faults: Record<string, CodeFault> = {
  NoCodeError: 'empty',
  NotFoundError: 'wrong',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
}

function faultOf(error: Error): CodeFault {
  if (error instanceof TooManyRequests) return 'tooMany'
  // not the form that was shown last
  if (error instanceof errors.InvalidRequest || error instanceof errors.SessionNotFound) return 'stale'
  if (error instanceof errors.OIDCProviderError && error.statusCode < 500) return 'failed'
  return faults[error.name] ?? 'unavailable'
}

const formOf = ({ oidc }: KoaContextWithOIDC) => ({
  // a path, so that each domain keeps its own pages
  action: new URL(oidc.urlFor('code_verification')).pathname,
  xsrf: formToken(oidc),
})

const typedCode = ({ oidc }: KoaContextWithOIDC) => String(oidc.params?.user_code ?? '').slice(0, 32)

/**
 * Returns whether the browser has no session of the OpenID Provider yet. If so, marks the new session as untouched,
 * because after an error the OpenID Provider can't store it.
 */
function isFirstVisit({ oidc: { session } }: KoaContextWithOIDC): boolean {
  if (!session || !isUnstored(session)) return false
  markUntouched(session)
  return true
}

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

/** Sign-in on devices without a browser (RFC 8628), with our pages. */
export const deviceFlow: DeviceFlow = {
  enabled: true,
  charset: 'base-20',
  mask,
  deviceInfo: ({ req }) => ({
    ip: addressOf(req),
    userAgent: (req.headers['user-agent'] ?? '').slice(0, 512),
  }),
  async userCodeInputSource(ctx, _form, _out, error) {
    if (error && isFirstVisit(ctx) && faultOf(error) === 'stale') {
      // no form was shown here yet: show one with the typed code
      const query = new URLSearchParams({ user_code: typedCode(ctx) })
      ctx.status = 303
      return ctx.redirect(`${formOf(ctx).action}?${query}`)
    }
    const form = formOf(ctx)
    if (error?.name === 'AbortedError') return show(ctx, { kind: 'refused', again: form.action })
    const fault = error ? faultOf(error) : null
    if (fault && error?.name && error.name in faults) ctx.status = 400
    setRetryAfter(ctx, error)
    const minutes = error instanceof TooManyRequests ? Math.ceil(error.retryAfter / 60) : 1
    const typed = prefilledCodes.get(ctx.req) ?? (error as { userCode?: string } | undefined)?.userCode ?? ''
    return show(ctx, { kind: 'code', ...form, typed: typed.slice(0, 32), fault, minutes })
  },
  async userCodeConfirmSource(ctx, _form, client, info, code) {
    const usable = await usableClient(client.clientId)
    if (!usable) throw new errors.InvalidClient('the client is disabled')
    const { ip = '', userAgent = '' } = info as { ip?: string; userAgent?: string }
    return show(ctx, {
      kind: 'confirm',
      ...formOf(ctx),
      application: namesOf(usable.application),
      code,
      device: deviceName({ userAgent }) || userAgent.slice(0, 80),
      ip,
      person: personOf(await requestOf(ctx.req).ctx()),
    })
  },
  async successSource(ctx) {
    const { client } = ctx.oidc
    const usable = client && (await usableClient(client.clientId))
    if (!usable) throw new errors.InvalidClient('the client is disabled')
    return show(ctx, { kind: 'confirmed', application: namesOf(usable.application) })
  },
}
