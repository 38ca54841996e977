import type { useTranslations } from 'next-intl'
import type { ApplicationNames, ProviderView } from '@/lib/openid/server/view'

type Translator = ReturnType<typeof useTranslations<never>>

/** Returns the heading and title of a page of the OpenID Provider. */
export function titleOf(view: ProviderView, t: Translator, nameOf: (names: ApplicationNames) => string): string {
  switch (view.kind) {
    case 'failure':
      return t(`oidc.failure.${view.failure}.title`)
    case 'noAccess':
      return t('oidc.access.title', { application: nameOf(view.application) })
    case 'consent':
      return t(view.more ? 'consent.more' : 'consent.title', { application: nameOf(view.application) })
    case 'account':
      return t('oidc.account.title')
    case 'signOut':
      return t('oidc.logout.title')
    case 'signedOut':
      return t('oidc.loggedOut.title')
    case 'code':
      return t('device-flow.enter.title')
    case 'confirm':
      return t('device-flow.confirm.title', { application: nameOf(view.application) })
    case 'confirmed':
      return t('device-flow.done.title')
    case 'refused':
      return t('device-flow.refused.title')
  }
}
