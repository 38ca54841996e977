import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Ctx } from '@/lib/base/context/ctx'
import { usableClient } from '../clients/service'
import { requestOf } from './request'
import { requestedLocale } from './requested-locale'
import { type ApplicationNames, answerWith, type ProviderFailure, type ProviderView } from './view'

/**
 * The content security policy of every answer of the OpenID Provider that is no page of ours: only the script of the
 * OpenID Provider may load.
 */
export const plainPolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"

/**
 * Answers a request inside oidc-provider with a page of ours, in place of a body. Throws if the data of the person can't
 * be read, without which there is no page.
 */
export async function show(ctx: KoaContextWithOIDC, view: ProviderView): Promise<void> {
  const platformCtx = await requestOf(ctx.req).ctx()
  if (isSignOut((ctx.req as { originalUrl?: string }).originalUrl)) applyRequestedLocale(ctx, platformCtx)
  // the page is drawn when oidc-provider is done; with a body it keeps the status, without one it would answer 404
  ctx.body = view.kind
  ctx.respond = false
  answerWith(ctx.req, ctx.status, view)
}

/**
 * Sets the language that an application requests for the sign-out, on the page and in this browser, as at a sign-in.
 */
function applyRequestedLocale(ctx: KoaContextWithOIDC, platformCtx: Ctx) {
  const locale = requestedLocale(ctx.oidc?.params ?? {}, platformCtx.domain.locales)
  if (!locale || locale === platformCtx.locale) return
  platformCtx.locale = locale
  platformCtx.cookies.set('locale', locale, { httpOnly: false })
  const { cookieHeaders } = requestOf(ctx.req)
  for (const line of cookieHeaders().filter((header) => header.startsWith('locale='))) ctx.append('set-cookie', line)
  // the page is drawn for the request, and of repeated cookies the first counts
  ctx.req.headers.cookie = [`locale=${locale}`, ctx.req.headers.cookie].filter(Boolean).join('; ')
}

/** Returns whether a path of the OpenID Provider belongs to sign-out. */
const isSignOut = (url = '') => /^\/oidc\/session\/end(?:[/?]|$)/.test(url)

const isRequestError = (error: unknown) =>
  error instanceof errors.OIDCProviderError && error.statusCode < 500 && error.statusCode !== 429

/**
 * Returns the failure that a page shows for an error of the OpenID Provider: at a sign-in or, at the paths of sign-out,
 * at a sign-out.
 */
export function providerFailureOf(error: unknown, url?: string): ProviderFailure {
  if (isSignOut(url)) return isRequestError(error) ? 'signOut' : 'signOutUnavailable'
  if (error instanceof errors.SessionNotFound) return 'expired'
  if (error instanceof errors.InvalidRedirectUri) return 'address'
  if (error instanceof errors.InvalidClient) return 'client'
  return isRequestError(error) ? 'other' : 'unavailable'
}

/** Returns only the names of an application, for a page. */
export const namesOf = ({ name, nameEn }: ApplicationNames): ApplicationNames => ({ name, nameEn })

/** Returns the application that sent a request; undefined if it is unknown, switched off, or can't be read. */
export async function requestingApplication({ oidc }: KoaContextWithOIDC): Promise<ApplicationNames | undefined> {
  const id = oidc?.client?.clientId
  const client = id ? await usableClient(id).catch(() => null) : null
  return client ? namesOf(client.application) : undefined
}

/** Returns the name of the signed-in person, or their login; an empty text without a person. */
export function personOf({ user }: Ctx): string {
  return user ? [user.firstName, user.lastName].filter(Boolean).join(' ') || user.login : ''
}
