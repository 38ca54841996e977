import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { AddressText } from '@/components/ui/address-text'
import { Alert } from '@/components/ui/alert'
import { CopyButton } from '@/components/ui/copy-button'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { TextLink } from '@/components/ui/text-link'
import { replayDays, type TypeChoice, type Webhook } from '@/lib/applications/webhooks/contract'
import type { Ctx } from '@/lib/base/context/ctx'
import { SecretLife } from '../../../_ui/secret-life'
import { amountOf, heardBy, objectWords } from '../../../_ui/webhook-words'
import { Last } from '../../../_ui/webhooks'
import { SecretActions, WebhookGroup, WebhookSecret } from './card-parts'

type Props = {
  ctx: Ctx
  applicationId: string
  webhook: Webhook
  types: readonly TypeChoice[]
  /** The address of the tab on which the methods of the application's service account are given. */
  access: string
  /** The address of its log. */
  log: string
  mayWrite: boolean
}

/** The first tab: the address and events, the secrets, and the state of the deliveries. */
export async function Main({ ctx, applicationId, webhook, types, access, log, mayWrite }: Props) {
  const t = await getTranslations('webhooks')
  const { name, url, waiting, failingSince } = webhook
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Warnings webhook={webhook} access={access} log={log} />
      <CardColumns
        side={
          <CardGroup title={t('sending')}>
            <KeyValues>
              <KeyValue label={t('last')} tall>
                <Last webhook={{ ...webhook, waiting: 0 }} locale={ctx.locale} />
              </KeyValue>
              {failingSince ? (
                <KeyValue label={t('failingSince')}>
                  <DateTime value={failingSince} />
                </KeyValue>
              ) : null}
              <KeyValue label={t('waiting')}>{t('waitingAmount', amountOf(waiting))}</KeyValue>
              <KeyValue label={t('changed')}>
                <DateTime value={webhook.updatedAt} />
              </KeyValue>
            </KeyValues>
          </CardGroup>
        }
      >
        <WebhookGroup
          webhook={webhook}
          applicationId={applicationId}
          types={types}
          access={access}
          title={t('what')}
          mayEdit={mayWrite}
        >
          <KeyValues>
            <KeyValue label={t('name')}>{name}</KeyValue>
            <KeyValue label={t('url')} action={<CopyButton value={url} what={t('url')} />}>
              <span className="wrap-anywhere min-w-0 font-mono text-note">
                <AddressText>{url}</AddressText>
              </span>
            </KeyValue>
            <KeyValue label={t('types')} tall>
              <Types webhook={webhook} />
            </KeyValue>
          </KeyValues>
        </WebhookGroup>
        <CardGroup
          title={t('secrets')}
          note={t('secretsNote')}
          action={mayWrite ? <SecretActions webhook={webhook} applicationId={applicationId} /> : null}
        >
          <Secrets webhook={webhook} />
        </CardGroup>
      </CardColumns>
    </div>
  )
}

/** The warnings: it was disabled, nothing arrives, or it receives events that the application may not receive. */
async function Warnings({ webhook, access, log }: Pick<Props, 'webhook' | 'access' | 'log'>) {
  const t = await getTranslations('webhooks')
  const { enabled, disabledReason, failingSince, forbiddenTypes } = webhook
  return (
    <>
      {!enabled ? (
        <Alert
          tone={disabledReason ? 'danger' : 'info'}
          title={t(disabledReason ? `stopped.${disabledReason}` : 'stopped.person')}
        >
          <p>{t(disabledReason ? 'stoppedText' : 'offNow', { days: replayDays })}</p>
        </Alert>
      ) : failingSince ? (
        <Alert tone="warning" title={t('failingTitle')}>
          <p>{t.rich('failingText', { link: (chunks) => <TextLink href={log}>{chunks}</TextLink> })}</p>
        </Alert>
      ) : null}
      {forbiddenTypes.length > 0 ? (
        <Alert tone="warning" title={t('forbiddenTitle')}>
          <p>{t.rich('forbiddenText', { link: (chunks) => <TextLink href={access}>{chunks}</TextLink> })}</p>
        </Alert>
      ) : null}
    </>
  )
}

/** The events that it receives, by their objects. */
async function Types({ webhook: { types, forbiddenTypes } }: { webhook: Webhook }) {
  const t = await getTranslations('webhooks')
  return (
    <ul className="grid gap-1">
      {heardBy({ types }).map(({ name, method, types: eventTypes }) => (
        <li key={name} className="wrap-anywhere">
          {objectWords(t)(name, eventTypes)}
          {eventTypes.some((type) => forbiddenTypes.includes(type)) ? (
            <span className="block text-danger text-note">
              {t.rich('notHeard', { method, code: (chunks) => <Mono>{chunks}</Mono> })}
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** The secrets that sign messages now. */
async function Secrets({ webhook: { secrets } }: { webhook: Webhook }) {
  const t = await getTranslations('webhooks')
  return (
    <KeyValues>
      {secrets.map(({ tail, since, until }, index) => {
        const secretName = t(index === 0 ? 'secret' : 'previousSecret')
        return (
          <KeyValue key={since} label={secretName}>
            <SecretLife of="webhooks" since={since} until={until}>
              <WebhookSecret what={secretName} tail={tail} />
            </SecretLife>
          </KeyValue>
        )
      })}
    </KeyValues>
  )
}
