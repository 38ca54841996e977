import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Ctx } from '@/lib/base/context/ctx'
import { usableClient } from '../clients/service'
import { requestOf } from './request'
import { requestedLocale } from './requested-locale'
import { type ApplicationNames, answerWith, type ProviderFailure, type ProviderView } from './view'

/** The policy of every answer of the provider that is no page of ours: it loads nothing but the provider's script. */
export const plainPolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"

/**
 * Answers a request inside oidc-provider with a page of ours, in place of a body. Throws if the data of the person can't
 * be read, without which there is no page.
 */
export async function show(ctx: KoaContextWithOIDC, view: ProviderView): Promise<void> {
  const ours = await requestOf(ctx.req).ctx()
  if (isSignOut((ctx.req as { originalUrl?: string }).originalUrl)) speakAsWished(ctx, ours)
  // the page is drawn when the provider is done; with a body it keeps the status and takes no 404
  ctx.body = view.kind
  ctx.respond = false
  answerWith(ctx.req, ctx.status, view)
}

/**
 * Makes the language that an application wishes for the sign-out that of the page and of this browser, as at a sign-in.
 */
function speakAsWished(ctx: KoaContextWithOIDC, ours: Ctx) {
  const locale = requestedLocale(ctx.oidc?.params ?? {}, ours.domain.locales)
  if (!locale || locale === ours.locale) return
  ours.locale = locale
  ours.cookies.set('locale', locale, { httpOnly: false })
  const { cookieHeaders } = requestOf(ctx.req)
  for (const line of cookieHeaders().filter((one) => one.startsWith('locale='))) ctx.append('set-cookie', line)
  // the page is drawn for the request, and of repeated cookies the first counts
  ctx.req.headers.cookie = [`locale=${locale}`, ctx.req.headers.cookie].filter(Boolean).join('; ')
}

/** Returns whether a path of the provider belongs to sign-out. */
const isSignOut = (url = '') => /^\/oidc\/session\/end(?:[/?]|$)/.test(url)

const isTheirs = (error: unknown) =>
  error instanceof errors.OIDCProviderError && error.statusCode < 500 && error.statusCode !== 429

/** Returns what a failure of the provider means for the person, who is signing in or, at these paths, signing out. */
export function providerFailureOf(error: unknown, url?: string): ProviderFailure {
  if (isSignOut(url)) return isTheirs(error) ? 'signOut' : 'signOutUnavailable'
  if (error instanceof errors.SessionNotFound) return 'expired'
  if (error instanceof errors.InvalidRedirectUri) return 'address'
  if (error instanceof errors.InvalidClient) return 'client'
  return isTheirs(error) ? 'other' : 'unavailable'
}

/** Returns what a page needs of an application, and nothing else. */
export const namesOf = ({ name, nameEn }: ApplicationNames): ApplicationNames => ({ name, nameEn })

/** Returns the application that a request is from; nothing if it is unknown, switched off, or can't be read. */
export async function askingApplication({ oidc }: KoaContextWithOIDC): Promise<ApplicationNames | undefined> {
  const id = oidc?.client?.clientId
  const client = id ? await usableClient(id).catch(() => null) : null
  return client ? namesOf(client.application) : undefined
}

/** Returns the name of the person who is signed in, or their login; nothing without a person. */
export function personOf({ user }: Ctx): string {
  return user ? [user.firstName, user.lastName].filter(Boolean).join(' ') || user.login : ''
}
