import { useTranslations } from 'next-intl'
import { type NamedScope, namedScopes } from '@/lib/openid/consents/scopes'
import { Actions, Page, PostForm, Submit, type ViewOf } from './parts'

function Scopes({ title, scopes }: { title: string; scopes: NamedScope[] }) {
  const t = useTranslations('consent.scopes')
  if (scopes.length === 0) return null
  return (
    <section className="grid gap-2">
      <h2 className="font-semibold">{title}</h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface [&_b]:font-medium">
        {scopes.map((scope) => (
          <li key={scope} className="grid gap-0.5 px-4 py-3">
            <b>{t(`${scope}.name`)}</b>
            <span className="text-note text-ink-second">{t(`${scope}.text`)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Asks for consent to an external application (docs/adr/0018-consent.md). */
export function Consent({ view }: { view: ViewOf<'consent'> }) {
  const t = useTranslations('consent')
  const section = useTranslations('shell.screens')('UserProfileApplications')
  const { application, address, returnTo, person, more, action } = view
  const scopes = namedScopes(view.scopes)
  const stays = scopes.filter((scope) => scope === 'offline_access')
  return (
    <Page view={view} application={application} note={address} text={t('who', { person })}>
      <Scopes title={t(more ? 'asksMore' : 'asks')} scopes={scopes.filter((scope) => scope !== 'offline_access')} />
      <Scopes title={t('stays')} scopes={stays} />
      <PostForm action={action}>
        <Actions>
          <Submit name="decision" value="allow">
            {t('allow')}
          </Submit>
          <Submit name="decision" value="refuse" variant="secondary">
            {t('refuse')}
          </Submit>
        </Actions>
      </PostForm>
      <p className="wrap-anywhere text-note text-ink-second">
        {returnTo ? `${t('back', { address: returnTo })} ` : null}
        {t('later', { section })}
      </p>
    </Page>
  )
}
