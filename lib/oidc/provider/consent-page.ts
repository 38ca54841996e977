import { createTranslator } from 'next-intl'
import type { Ctx } from '@/lib/kernel/ctx'
import { localName } from '@/lib/kernel/i18n/local-name'
import { type NamedScope, namedScopes } from '@/lib/oidc/consents/scopes'
import { escaped } from '@/lib/platform/domains/standalone-page'
import { type ApplicationNames, draw, textsFor } from './pages'

type Question = {
  application: ApplicationNames & { url: string | null }
  /** Where the person goes after the answer; null when they stay here. */
  returnTo: string | null
  /** The requested scopes. */
  scopes: readonly string[]
  /** Whether the person has consented to other scopes before. */
  more: boolean
  /** The address that the form is sent to. */
  action: string
}

/** Returns where an address leads in a readable form: a host, or the scheme of a program. */
function hostOf(address: string | null): string | null {
  const url = address ? URL.parse(address) : null
  return url && (url.host || url.protocol.slice(0, -1))
}

/** Returns the page that asks for consent to an external application. */
export async function consentPage(ctx: Ctx, { application, returnTo, scopes, more, action }: Question) {
  const { locale, messages } = await textsFor(ctx)
  const t = createTranslator({ locale, messages, namespace: 'consent' })
  const section = createTranslator({ locale, messages, namespace: 'shell.screens' })('UserProfileApplications')
  const name = localName(application, ctx.locale)
  const [address, back] = [hostOf(application.url), hostOf(returnTo)]
  const { firstName = '', lastName = '', login = '' } = ctx.user ?? {}
  const person = [firstName, lastName].filter(Boolean).join(' ') || login
  const asked = namedScopes(scopes)
  const list = (title: string, some: NamedScope[]) =>
    some.length === 0
      ? ''
      : `<section><h2>${escaped(title)}</h2><ul>${some
          .map(
            (scope) =>
              `<li><b>${escaped(t(`scopes.${scope}.name`))}</b><span>${escaped(t(`scopes.${scope}.text`))}</span></li>`,
          )
          .join('')}</ul></section>`
  const data = asked.filter((scope) => scope !== 'offline_access')
  const notes = [...(back && back !== address ? [t('back', { address: back })] : []), t('later', { section })]
  const actions = `<div class="wide">
${list(t(more ? 'asksMore' : 'asks'), data)}
${list(t('stays'), asked.includes('offline_access') ? ['offline_access'] : [])}
<form method="post" action="${escaped(action)}">
<button name="decision" value="allow">${escaped(t('allow'))}</button>
<button name="decision" value="refuse" class="other">${escaped(t('refuse'))}</button>
</form>
<p class="note">${notes.map(escaped).join(' ')}</p>
</div>`
  const text = address ? t('who', { address, person }) : t('whoPlain', { person })
  return draw(ctx, t(more ? 'more' : 'title', { application: name }), text, actions)
}
