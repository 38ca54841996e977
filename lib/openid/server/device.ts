import type { IncomingMessage } from 'node:http'
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { digest, keyedHash } from '@/lib/base/crypto/encryption'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { returnPoints, type Tier } from '@/lib/base/limits/limits'
import { redis } from '@/lib/base/redis/redis'
import { deviceName } from '@/lib/sign-in/device'
import { usableClient } from '../clients/service'
import { orUnavailable } from '../token-store/unavailable'
import { namesOf, personOf, show } from './pages'
import { addressOf, setRetryAfter, TooManyRequests, takeRequestPoints, takeRequestPointsOf } from './rate-limits'
import { requestOf } from './request'
import type { CodeFault } from './view'

/** Seconds between the requests of a device; delays in the network may let two of them arrive a little sooner. */
const interval = 5
const shortest = (interval - 1) * 1000

/** Wrong codes from one address: guesses, or typing errors of a company behind one gateway. */
const addressTiers: Tier[] = [
  { points: 20, duration: 600 },
  { points: 100, duration: 86_400 },
]
/** How often one code may be entered: it is shown to one person. */
const codeTiers: Tier[] = [{ points: 20, duration: 600 }]

/** Codes that devices at one address may request: enough for a warehouse that switches all its terminals on at once. */
const askedTiers: Tier[] = [{ points: 100, duration: 600 }]

const mask = '****-****'
const path = '/device'
const prefilled = new WeakMap<IncomingMessage, string>()

const hash = (text: string) => keyedHash('identifiers', text)

type Finding = typeof Provider.prototype.DeviceCode.find

/** Limits how many codes devices get, how often user codes are entered, and how often devices poll. */
export function guardDeviceCodes(provider: Provider) {
  const { DeviceCode } = provider
  const [find, findByUserCode] = [DeviceCode.find as Finding, DeviceCode.findByUserCode]
  const { save } = DeviceCode.prototype

  DeviceCode.prototype.save = async function (
    this: InstanceType<typeof DeviceCode>,
    ...given: Parameters<typeof save>
  ) {
    const ctx = Provider.ctx as KoaContextWithOIDC | undefined
    if (ctx?.oidc?.route === 'device_authorization')
      await takeRequestPointsOf(ctx, ...addressLimits('device-asked', addressOf(ctx.req), askedTiers))
    return save.apply(this, given)
  }

  DeviceCode.findByUserCode = async function (this: typeof DeviceCode, userCode, options) {
    const ctx = Provider.ctx as KoaContextWithOIDC
    const address = addressLimits('device-address', addressOf(ctx.req), addressTiers)
    const code = { name: 'device-code', key: hash(`user code ${userCode}`), tiers: codeTiers }
    // counted before the lookup, so that parallel guesses are counted too
    await takeRequestPoints(...address, code)
    const found = await findByUserCode.call(this, userCode, options)
    if (found) await returnPoints(...address)
    return found
  }

  DeviceCode.find = async function (this: typeof DeviceCode, ...given: Parameters<Finding>) {
    const found = (await find.apply(this, given)) as InstanceType<typeof DeviceCode> | undefined
    const { oidc } = (Provider.ctx ?? {}) as Partial<KoaContextWithOIDC>
    const waiting = found && !found.accountId && !found.error && !found.isExpired
    if (oidc?.route !== 'token' || !waiting) return found
    const key = `oidc:poll:${digest(given[0])}`
    const inTime = await orUnavailable(() => redis().set(key, '1', 'PX', shortest, 'NX'))
    if (!inTime) throw new errors.SlowDown()
    return found
  } as Finding

  provider.on('device_authorization.success', (_ctx, body) => Object.assign(body, { interval }))
}

/**
 * Takes the code out of a link and stores it for the form. The person still has to send the form, because a link alone
 * must not start anything.
 */
export function takePrefilledCode(ctx: { method: string; path: string; query: object; req: IncomingMessage }) {
  if (ctx.method !== 'GET' || ctx.path !== path) return
  const { user_code: code } = ctx.query as { user_code?: unknown }
  if (typeof code === 'string') prefilled.set(ctx.req, code.slice(0, 32))
  ctx.query = {}
}

/** Returns whether a request sends one of the forms here. */
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
  xsrf: (oidc.session as { state?: { secret?: string } } | undefined)?.state?.secret ?? '',
})

const typedCode = ({ oidc }: KoaContextWithOIDC) => String(oidc.params?.user_code ?? '').slice(0, 32)

/**
 * Returns whether the browser has no session of the provider yet, and then prevents one: after an error the provider
 * could not store the one that it has begun.
 */
function isFirst({ oidc }: KoaContextWithOIDC): boolean {
  const session = oidc.session as { exp?: number; touched?: boolean } | undefined
  if (!session || session.exp !== undefined) return false
  session.touched = false
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
    if (error && isFirst(ctx) && faultOf(error) === 'stale') {
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
    const typed = prefilled.get(ctx.req) ?? (error as { userCode?: string } | undefined)?.userCode ?? ''
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
