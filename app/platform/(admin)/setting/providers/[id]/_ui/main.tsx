import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { Alert } from '@/components/ui/alert'
import { CopyButton } from '@/components/ui/copy-button'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { MonoList } from '@/components/ui/mono-list'
import { TextLink } from '@/components/ui/text-link'
import { domainsNamed } from '@/lib/applications/applications/details'
import type { Provider } from '@/lib/directory-sync/providers/contract'
import { CheckStored, ProviderGroup, ProviderSecret } from './card-parts'

/** The first tab: the connection of the directory, its mail domains, and short facts. */
export async function Main({ provider, mayWrite }: { provider: Provider; mayWrite: boolean }) {
  const [t, domains] = await Promise.all([getTranslations('providers'), domainsNamed(provider.domains)])
  const group = { provider, mayEdit: mayWrite }
  return (
    <CardColumns
      side={
        <CardGroup title={t('facts')}>
          <KeyValues>
            <KeyValue label={t('people')}>
              {provider.people > 0 ? (
                <TextLink href={`/platform/setting/users?filter[providerId]=${provider.id}`}>
                  {t('peopleCount', { people: provider.people })}
                </TextLink>
              ) : (
                t('peopleCount', { people: 0 })
              )}
            </KeyValue>
            <KeyValue label={t('linked')}>{t('linkedCount', { linked: provider.linked })}</KeyValue>
            <KeyValue label={t('created')}>
              <DateTime value={provider.createdAt} />
            </KeyValue>
            <KeyValue label={t('changed')}>
              <DateTime value={provider.updatedAt} />
            </KeyValue>
          </KeyValues>
        </CardGroup>
      }
    >
      {provider.vouched ? null : (
        <Alert tone="warning" title={t('unvouchedTitle')}>
          {t('unvouched', { enabled: provider.enabled ? 'yes' : 'no' })}
        </Alert>
      )}
      <ProviderGroup {...group} title={t('whatItIs')} form="NameForm">
        <KeyValues>
          <KeyValue label={t('type')}>
            <span className="grid">
              {t(`types.${provider.type}`)}
              <span className="text-ink-second text-note">{t(`typeHints.${provider.type}`)}</span>
            </span>
          </KeyValue>
          <KeyValue label={t('name')}>{provider.name}</KeyValue>
        </KeyValues>
      </ProviderGroup>
      <ProviderGroup {...group} title={t('connection')} form="ConnectionForm">
        <KeyValues>
          <KeyValue label={t('url')}>
            <span className="wrap-anywhere font-mono text-note">{provider.url}</span>
          </KeyValue>
          {provider.type === 'keycloak' ? (
            <KeyValue label={t('realm')}>
              <Mono>{provider.realm}</Mono>
            </KeyValue>
          ) : null}
          <KeyValue label={t('clientId')}>
            <Mono>{provider.clientId}</Mono>
          </KeyValue>
          <KeyValue label={t('clientSecret')}>
            <ProviderSecret id={provider.id} tail={provider.secretTail} mayRead={mayWrite} />
          </KeyValue>
          {mayWrite ? (
            <KeyValue label={t('checkLabel')} tall>
              <CheckStored provider={provider} />
            </KeyValue>
          ) : null}
        </KeyValues>
      </ProviderGroup>
      <ProviderGroup {...group} title={t('signIn')} note={t('signInNote')} form="SignInForm">
        <KeyValues>
          <KeyValue label={t('domains')}>
            {domains.length > 0 ? domains.map((domain) => domain.comment).join(', ') : t('noDomains')}
          </KeyValue>
          {provider.type === 'oidc' ? (
            <KeyValue label={t('scopes')}>
              {provider.scopes.length > 0 ? <MonoList values={provider.scopes} max={20} /> : t('noScopes')}
            </KeyValue>
          ) : null}
          <KeyValue label={t('redirects')} tall>
            {provider.redirects.length > 0 ? <Redirects values={provider.redirects} /> : t('noRedirects')}
          </KeyValue>
        </KeyValues>
      </ProviderGroup>
      <ProviderGroup {...group} title={t('claims')} note={t('claimsNote')} form="ClaimsForm">
        <KeyValues>
          <KeyValue label={t('emailDomains')}>
            {provider.emailDomains.length > 0 ? <MonoList values={provider.emailDomains} /> : t('noEmailDomains')}
          </KeyValue>
        </KeyValues>
      </ProviderGroup>
    </CardColumns>
  )
}

/** The addresses that its administrators enter at the identity provider. */
async function Redirects({ values }: { values: readonly string[] }) {
  const t = await getTranslations('providers')
  return (
    <span className="grid gap-1">
      {values.map((value) => (
        <span key={value} className="flex min-w-0 items-start gap-1">
          <span className="wrap-anywhere min-w-0 py-1.5 font-mono text-note">{value}</span>
          <CopyButton value={value} what={t('redirect')} />
        </span>
      ))}
      <span className="text-ink-second text-note">{t('redirectsHint')}</span>
    </span>
  )
}
