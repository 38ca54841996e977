import { createTranslator } from 'next-intl'
import { errors } from 'oidc-provider'
import type { Ctx } from '@/lib/kernel/ctx'
import { textLocales } from '@/lib/kernel/i18n/choose-locale'
import { localName } from '@/lib/kernel/i18n/local-name'
import { isTextLocale, loadMessages } from '@/lib/kernel/i18n/messages'
import { pathOfScreen } from '@/lib/kernel/navigation/screens'
import { escaped, standalonePage } from '@/lib/platform/domains/standalone-page'

/**
 * The policy of the pages of the provider: they load nothing but their own style and script. It does not limit where a
 * form may lead.
 */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"

/** Returns the texts in the person's language, or in the default one. */
export async function textsFor(ctx: Ctx) {
  const locale = isTextLocale(ctx.locale) ? ctx.locale : textLocales[0]
  return { locale, messages: await loadMessages(locale) }
}

const wordsFor = async (ctx: Ctx) => createTranslator({ ...(await textsFor(ctx)), namespace: 'oidc' })

export type ApplicationNames = { name: string; nameEn: string | null }

/** Returns a page of the provider; `actions` is HTML. */
export const draw = (ctx: Ctx, title: string, text: string, actions: string) =>
  standalonePage({ title, text, actions, locale: ctx.locale, theme: ctx.cookies.get('theme'), domain: ctx.domain })

/** Returns a link that looks like a button. */
export const link = (href: string, words: string, kind = '') =>
  `<a href="${escaped(href)}"${kind ? ` class="${kind}"` : ''}>${escaped(words)}</a>`

export type ProviderFailure =
  | 'expired'
  | 'client'
  | 'address'
  | 'unavailable'
  | 'other'
  | 'signOut'
  | 'signOutUnavailable'

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

export async function failurePage(ctx: Ctx, failure: ProviderFailure): Promise<string> {
  const t = await wordsFor(ctx)
  return draw(ctx, t(`failure.${failure}.title`), t(`failure.${failure}.text`), link('/platform', t('failure.home')))
}

type Helper = { title: string; text: string; url: string }

/**
 * Returns the page for a person without access to the application: with a link to request it, or with contacts while
 * there is no such page. `back` returns to the application with a refusal.
 */
export async function noAccessPage(
  ctx: Ctx,
  application: ApplicationNames & { code: string },
  { back, helpers }: { back: string; helpers: readonly Helper[] },
) {
  const t = await wordsFor(ctx)
  const requests = pathOfScreen('UserProfileAccessRequests')
  const ask = requests && `${requests}?${new URLSearchParams({ application: application.code })}`
  const services = link('/platform/apps', t('access.services'), ask ? 'other' : '')
  const actions = `${ask ? link(ask, t('access.request')) : ''}${services}${link(back, t('access.back'), 'other')}`
  const named = helpers.map(
    ({ title, text, url }) =>
      `<li><span>${escaped(title)}</span><a class="plain" href="${escaped(url)}">${escaped(text || title || url)}</a></li>`,
  )
  const whom =
    ask || named.length === 0
      ? ''
      : `<section><h2>${escaped(t('access.helpers'))}</h2><ul>${named.join('')}</ul></section>`
  return draw(
    ctx,
    t('access.title', { application: localName(application, ctx.locale) }),
    t(ask ? 'access.requestText' : 'access.text'),
    `<div class="wide">${whom}<div class="actions">${actions}</div></div>`,
  )
}

type SigningOut = {
  /** The address that the form is sent to. */
  action: string
  /** The token that proves that the form is ours. */
  xsrf: string
  /** Where a person goes who stays signed in. */
  stay: string
}

/** Returns the page that asks whether to sign out everywhere. */
export async function logoutPage(ctx: Ctx, { action, xsrf, stay }: SigningOut): Promise<string> {
  const t = await wordsFor(ctx)
  const form = `<form method="post" action="${escaped(action)}">
<input type="hidden" name="xsrf" value="${escaped(xsrf)}">
<button name="logout" value="yes">${escaped(t('logout.confirm'))}</button>
${link(stay, t('logout.stay'), 'other')}
</form>`
  return draw(ctx, t('logout.title'), t('logout.text'), form)
}

/** Returns the page that asks a signed-in person which account to use; the answer goes to `action`. */
export async function accountPage(
  ctx: Ctx,
  { action, application }: { action: string; application: ApplicationNames },
) {
  const t = await wordsFor(ctx)
  const { firstName = '', lastName = '', login = '' } = ctx.user ?? {}
  const name = [firstName, lastName].filter(Boolean).join(' ')
  const person = name ? `${name} (${login})` : login
  const form = `<form method="post" action="${escaped(action)}">
<button name="account" value="same">${escaped(t('account.same'))}</button>
<button name="account" value="other" class="other">${escaped(t('account.other'))}</button>
</form>`
  return draw(
    ctx,
    t('account.title'),
    t('account.text', { application: localName(application, ctx.locale), person }),
    form,
  )
}

export async function loggedOutPage(ctx: Ctx): Promise<string> {
  const t = await wordsFor(ctx)
  return draw(ctx, t('loggedOut.title'), t('loggedOut.text'), link('/platform/login', t('loggedOut.signIn')))
}
