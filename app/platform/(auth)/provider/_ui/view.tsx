import { useTranslations } from 'next-intl'
import { TextLink } from '@/components/ui/text-link'
import type { ProviderView } from '@/lib/openid/server/view'
import { Consent } from './consent'
import { Code, Confirm, Confirmed, Refused } from './device'
import { Actions, ButtonLink, Page, PostForm, Submit, useNameOf, type ViewOf } from './parts'

function Failure({ view }: { view: ViewOf<'failure'> }) {
  const t = useTranslations('oidc.failure')
  return (
    <Page view={view} application={view.application} text={t(`${view.failure}.text`)}>
      <Actions>
        <ButtonLink href="/platform">{t('home')}</ButtonLink>
      </Actions>
    </Page>
  )
}

/** For a person without access to the application: where to request it, or whom to ask if there is no such page. */
function NoAccess({ view }: { view: ViewOf<'noAccess'> }) {
  const t = useTranslations('oidc.access')
  const { application, request, helpers, back } = view
  return (
    <Page view={view} application={application} text={t(request ? 'requestText' : 'text')}>
      {request || helpers.length === 0 ? null : (
        <section className="grid gap-2">
          <h2 className="font-semibold">{t('helpers')}</h2>
          <ul className="divide-y divide-line rounded-card border border-line bg-surface">
            {helpers.map(({ title, text, url }) => (
              <li key={`${title} ${url}`} className="grid gap-0.5 px-4 py-3">
                <span className="text-note text-ink-second">{title}</span>
                <span className="wrap-anywhere">
                  <TextLink href={url}>{text || title || url}</TextLink>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Actions>
        {request ? <ButtonLink href={request}>{t('request')}</ButtonLink> : null}
        <ButtonLink href="/platform/apps" variant={request ? 'secondary' : 'primary'}>
          {t('services')}
        </ButtonLink>
        <ButtonLink href={back} variant="secondary">
          {t('back')}
        </ButtonLink>
      </Actions>
    </Page>
  )
}

/** Asks a signed-in person which account to use. */
function Account({ view }: { view: ViewOf<'account'> }) {
  const t = useTranslations('oidc.account')
  const { application, person, action } = view
  const name = useNameOf()(application)
  return (
    <Page view={view} application={application} text={t('text', { application: name, person })}>
      <PostForm action={action}>
        <Actions>
          <Submit name="account" value="same">
            {t('same')}
          </Submit>
          <Submit name="account" value="other" variant="secondary">
            {t('other')}
          </Submit>
        </Actions>
      </PostForm>
    </Page>
  )
}

/** Asks whether to sign out everywhere. */
function SignOut({ view }: { view: ViewOf<'signOut'> }) {
  const t = useTranslations('oidc.logout')
  return (
    <Page view={view} application={view.application} text={t('text')}>
      <PostForm action={view.action} xsrf={view.xsrf}>
        <Actions>
          <Submit name="logout" value="yes">
            {t('confirm')}
          </Submit>
          <ButtonLink href={view.stay} variant="secondary">
            {t('stay')}
          </ButtonLink>
        </Actions>
      </PostForm>
    </Page>
  )
}

function SignedOut({ view }: { view: ViewOf<'signedOut'> }) {
  const t = useTranslations('oidc.loggedOut')
  return (
    <Page view={view} text={t('text')}>
      <Actions>
        <ButtonLink href="/platform/login">{t('signIn')}</ButtonLink>
      </Actions>
    </Page>
  )
}

/** Renders a page of the OpenID Provider. It needs no script: every form and link works without one. */
export function View({ view }: { view: ProviderView }) {
  switch (view.kind) {
    case 'failure':
      return <Failure view={view} />
    case 'noAccess':
      return <NoAccess view={view} />
    case 'consent':
      return <Consent view={view} />
    case 'account':
      return <Account view={view} />
    case 'signOut':
      return <SignOut view={view} />
    case 'signedOut':
      return <SignedOut view={view} />
    case 'code':
      return <Code view={view} />
    case 'confirm':
      return <Confirm view={view} />
    case 'confirmed':
      return <Confirmed view={view} />
    case 'refused':
      return <Refused view={view} />
  }
}
