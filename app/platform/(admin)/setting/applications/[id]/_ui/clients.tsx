import Link from 'next/link'
import { getLocale, getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { Alert } from '@/components/ui/alert'
import { cn } from '@/components/ui/cn'
import { CopyButton } from '@/components/ui/copy-button'
import { DateTime } from '@/components/ui/date-time'
import { EmptyState } from '@/components/ui/empty-state'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { durationText } from '@/lib/base/i18n/duration-text'
import { localName } from '@/lib/base/i18n/local-name'
import type { ApplicationCard } from '@/lib/openid/applications/contract'
import { redirectOrigins } from '@/lib/openid/clients/origins'
import { snippetsOf } from '@/lib/openid/clients/snippets'
import { issuer } from '@/lib/openid/issuer'
import { trialPage } from '@/lib/openid/trials/service'
import { asDuration } from '@/lib/site/settings/duration'
import { ClientActions, ClientGroup, ClientSecret, CreateClient } from './client-parts'
import { Developer } from './developer'
import { olderSecret } from './older-secret'
import { SecretLife } from './secret-life'

type Props = {
  application: ApplicationCard
  /** The id of the client that the address names. */
  chosen: string | undefined
  /** The address of the tab. */
  path: string
  mayWrite: boolean

  /** Whether the caller may try clients, also those of an application that is fixed. */
  mayTry: boolean
}

type Client = ApplicationCard['clients'][number]

/** The clients of an application: their list, the details of one, and what its developer needs. */
export async function Clients({ application, chosen, path, mayWrite, mayTry }: Props) {
  const t = await getTranslations('clients')
  const { clients } = application
  const client = clients.find(({ clientId }) => clientId === chosen) ?? clients[0]
  const create = mayWrite ? <CreateClient application={application} path={path} /> : null
  if (!client) return <EmptyState title={t('emptyTitle')} text={t('emptyText')} action={create} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 @min-[52rem]:grid-cols-[12rem_minmax(0,1fr)]">
      <nav aria-label={t('list')} className="grid content-start gap-1">
        {clients.map(({ clientId, name, enabled, grantTypes }) => (
          <Link
            key={clientId}
            href={`${path}&client=${encodeURIComponent(clientId)}`}
            prefetch={false}
            scroll={false}
            aria-current={clientId === client.clientId ? 'true' : undefined}
            className={cn(
              'grid rounded-control px-3 py-2 hover:bg-sunken',
              clientId === client.clientId && 'bg-sunken font-medium dark:ring-1 dark:ring-line-strong',
            )}
          >
            <span className="wrap-anywhere">{name}</span>
            <span className="font-normal text-ink-second text-note">{enabled ? t(kindOf(grantTypes)) : t('off')}</span>
          </Link>
        ))}
        {create ? <div className="pt-2">{create}</div> : null}
      </nav>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-7 @min-[68rem]:grid-cols-[minmax(0,1fr)_21rem]">
        <ClientDetails client={client} path={path} mayWrite={mayWrite} />
        <Developer
          key={client.clientId}
          clientId={client.clientId}
          issuer={issuer()}
          snippets={snippetsOf({ ...client, issuer: issuer(), redirect: client.redirectUris[0] })}
          trial={
            mayTry && client.grantTypes.includes('authorization_code')
              ? trialPage(application.id, client.clientId)
              : null
          }
        />
      </div>
    </div>
  )
}

/** The purpose of a client, by its grants. */
const kindOf = (grants: readonly string[]) =>
  grants.includes('authorization_code')
    ? 'kinds.people'
    : grants.includes('client_credentials')
      ? 'kinds.machine'
      : 'kinds.device'

type WholeProps = Pick<Props, 'path' | 'mayWrite'> & { client: Client }

/** One client: its keys, and how it signs people in. */
async function ClientDetails({ client, path, mayWrite }: WholeProps) {
  const t = await getTranslations('clients')
  const locale = await getLocale()
  const lifespan = (value: number | null) =>
    value === null ? t('bySettings') : durationText(asDuration(value), locale)
  const lines = (values: readonly string[]) =>
    values.length > 0 ? (
      <span className="grid gap-1">
        {values.map((value) => (
          <span key={value} className="wrap-anywhere font-mono text-note">
            {value}
          </span>
        ))}
      </span>
    ) : null
  const older = olderSecret(client.secrets)
  /** The origins of the redirect addresses are allowed without being listed. */
  const origins = ({ allowedOrigins, redirectUris }: Client) => {
    const implied = redirectOrigins(redirectUris).filter((origin) => !allowedOrigins.includes(origin))
    if (allowedOrigins.length + implied.length === 0) return null
    return (
      <span className="grid gap-1">
        {lines(allowedOrigins)}
        {implied.map((origin) => (
          <span key={origin} className="wrap-anywhere text-note">
            <span className="font-mono">{origin}</span> <span className="text-ink-second">{t('redirectOrigin')}</span>
          </span>
        ))}
      </span>
    )
  }
  const keys = client.jwksUri ?? (client.jwks ? t('keysByValue') : null)
  return (
    // narrower than the card: the actions move under the title by the width of this element
    <div className="@container grid min-w-0 grid-cols-[minmax(0,1fr)] gap-7">
      <CardGroup
        title={t('keys')}
        note={client.enabled ? client.name : `${client.name}, ${t('off')}`}
        action={<ClientActions client={client} path={path} mayWrite={mayWrite} />}
      >
        <KeyValues>
          <KeyValue label={t('clientId')}>
            <Mono>{client.clientId}</Mono>
            <CopyButton value={client.clientId} what={t('clientId')} />
          </KeyValue>
          <KeyValue label={t('authMethod')}>{t(`authMethods.${client.authMethod}`)}</KeyValue>
          {client.secrets.map(({ tail, since, until }, index) => {
            const secretName = t(index === 0 ? 'secret' : 'previousSecret')
            return (
              <KeyValue key={tail} label={secretName}>
                <SecretLife of="clients" since={since} until={until}>
                  <ClientSecret
                    clientId={client.clientId}
                    what={secretName}
                    tail={tail}
                    current={index === 0 && mayWrite}
                  />
                </SecretLife>
              </KeyValue>
            )
          })}
          {client.authMethod === 'private_key_jwt' ? <KeyValue label={t('keys')}>{keys}</KeyValue> : null}
        </KeyValues>
        {older ? (
          <Alert tone="warning">
            {older.is === 'current' ? (
              t('secretBeforeRights')
            ) : (
              <p>{t.rich('previousBeforeRights', { until: () => <DateTime value={older.until} /> })}</p>
            )}
          </Alert>
        ) : null}
      </CardGroup>
      <ClientGroup client={client} title={t('addresses')} note={t('addressesNote')} mayEdit={mayWrite}>
        <KeyValues>
          <KeyValue label={t('redirectUris')}>{lines(client.redirectUris)}</KeyValue>
          <KeyValue label={t('postLogoutRedirectUris')}>{lines(client.postLogoutRedirectUris)}</KeyValue>
          <KeyValue label={t('backchannelLogoutUri')}>
            {client.backchannelLogoutUri ? lines([client.backchannelLogoutUri]) : null}
          </KeyValue>
          {client.givenUpNotices ? (
            <KeyValue label={t('givenUpNotices')}>
              <span className="grid gap-1">
                <span className="text-danger">
                  {t('givenUpNoticesCount', { count: client.givenUpNotices.count })}{' '}
                  <DateTime value={client.givenUpNotices.at} />
                </span>
                {client.givenUpNotices.error ? (
                  <span className="wrap-anywhere text-ink-second text-note">{client.givenUpNotices.error}</span>
                ) : null}
              </span>
            </KeyValue>
          ) : null}
          <KeyValue label={t('allowedOrigins')}>{origins(client)}</KeyValue>
          <KeyValue label={t('grantTypes')}>
            <span className="grid">
              {client.grantTypes.map((grant) => (
                <span key={grant}>{t(`grants.${grantKey(grant)}`)}</span>
              ))}
            </span>
          </KeyValue>
          {client.methods.length > 0 ? (
            <KeyValue label={t('methods')}>
              {client.methods.map((method) => localName(method, locale)).join(', ')}
            </KeyValue>
          ) : null}
          <KeyValue label={t('applicationType')}>{t(`applicationTypes.${client.applicationType}`)}</KeyValue>
          <KeyValue label={t('pkce')}>{t(client.pkceRequired ? 'pkceOn' : 'pkceOff')}</KeyValue>
          <KeyValue label={t('accessTokenLifespan')}>{lifespan(client.accessTokenLifespan)}</KeyValue>
          <KeyValue label={t('refreshTokenLifespan')}>{lifespan(client.refreshTokenLifespan)}</KeyValue>
          <KeyValue label={t('idTokenAlg')}>{client.idTokenAlg}</KeyValue>
        </KeyValues>
      </ClientGroup>
    </div>
  )
}

/** The key of a grant's text: the grant of a device is a URN. */
function grantKey(grant: string) {
  if (grant === 'authorization_code' || grant === 'refresh_token' || grant === 'client_credentials') return grant
  return 'device'
}
