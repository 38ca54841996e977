import { createTranslator } from 'next-intl'
import { errors } from 'oidc-provider'
import type { Ctx } from '@/lib/kernel/ctx'
import { textLocales } from '@/lib/kernel/i18n/choose-locale'
import { isTextLocale, loadMessages } from '@/lib/kernel/i18n/messages'
import { pathOfScreen } from '@/lib/kernel/navigation/screens'
import { escaped, standalonePage } from '@/lib/platform/domains/standalone-page'

/** What pages of the provider may load: nothing but their own style; no limit to where a form may lead afterwards. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"

/** The texts in the person's language, or in our first where there are none. */
export async function textsFor(ctx: Ctx) {
  const locale = isTextLocale(ctx.locale) ? ctx.locale : textLocales[0]
  return { locale, messages: await loadMessages(locale) }
}

const wordsFor = async (ctx: Ctx) => createTranslator({ ...(await textsFor(ctx)), namespace: 'oidc' })

export type ApplicationNames = { name: string; nameEn: string | null }

/** An application's name in the person's language. */
export const applicationName = ({ locale }: Ctx, { name, nameEn }: ApplicationNames) =>
  locale === 'ru' ? name : nameEn || name

/** A page of the provider; `actions` is HTML. */
export const draw = (ctx: Ctx, title: string, text: string, actions: string) =>
  standalonePage({ title, text, actions, locale: ctx.locale, theme: ctx.cookies.get('theme'), domain: ctx.domain })

/** A link that looks like a button. */
export const link = (href: string, words: string, kind = '') =>
  `<a href="${escaped(href)}"${kind ? ` class="${kind}"` : ''}>${escaped(words)}</a>`

export type Failure = 'expired' | 'client' | 'address' | 'unavailable' | 'blocked' | 'other'

/** What a failure of the provider means for the person. */
export function failureOf(error: unknown): Failure {
  if (error instanceof errors.SessionNotFound) return 'expired'
  if (error instanceof errors.InvalidRedirectUri) return 'address'
  if (error instanceof errors.InvalidClient) return 'client'
  const theirs = error instanceof errors.OIDCProviderError && error.statusCode < 500 && error.statusCode !== 429
  return theirs ? 'other' : 'unavailable'
}

export async function failurePage(ctx: Ctx, failure: Failure): Promise<string> {
  const t = await wordsFor(ctx)
  return draw(ctx, t(`failure.${failure}.title`), t(`failure.${failure}.text`), link('/platform', t('failure.home')))
}

type Helper = { title: string; text: string; url: string }

/**
 * The application is not open to the person: where access is asked for, or whom to ask while there is no such page.
 * `back` takes them to the application with a refusal.
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
    t('access.title', { application: applicationName(ctx, application) }),
    t(ask ? 'access.requestText' : 'access.text'),
    `<div class="wide">${whom}<div class="actions">${actions}</div></div>`,
  )
}

/** Asks whether to sign out everywhere; the form goes to `action` with what proves that it is ours. */
export async function logoutPage(ctx: Ctx, action: string, xsrf: string): Promise<string> {
  const t = await wordsFor(ctx)
  const form = `<form method="post" action="${escaped(action)}">
<input type="hidden" name="xsrf" value="${escaped(xsrf)}">
<button name="logout" value="yes">${escaped(t('logout.confirm'))}</button>
${link('/platform', t('logout.stay'), 'other')}
</form>`
  return draw(ctx, t('logout.title'), t('logout.text'), form)
}

export async function loggedOutPage(ctx: Ctx): Promise<string> {
  const t = await wordsFor(ctx)
  return draw(ctx, t('loggedOut.title'), t('loggedOut.text'), link('/platform/login', t('loggedOut.signIn')))
}
