import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { RowLink } from '@/components/list/columns'
import { List } from '@/components/list/list'
import { Cell, Header, MenuCell, MenuHeader, Row, Table, TitleCell } from '@/components/list/table'
import { AddressText } from '@/components/ui/address-text'
import { Alert } from '@/components/ui/alert'
import { DateTime } from '@/components/ui/date-time'
import { EmptyState } from '@/components/ui/empty-state'
import { Pill } from '@/components/ui/pill'
import { TextLink } from '@/components/ui/text-link'
import type { Webhook } from '@/lib/applications/webhooks/contract'
import { listWebhooks } from '@/lib/applications/webhooks/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { errorWords } from '@/lib/base/i18n/error-words'
import { cardPath } from '@/lib/base/navigation/screens'
import { CreateWebhook, WebhookRowMenu } from './webhook-parts'
import { amountOf, deliveryTones, heardBy, objectWords, stateOf } from './webhook-words'

type Props = {
  ctx: Ctx
  applicationId: string
  mayWrite: boolean
}

/** The webhooks of an application: the address, the events, and the result of the last message. */
export async function Webhooks({ ctx, applicationId, mayWrite }: Props) {
  const [t, { webhooks, types }] = await Promise.all([
    getTranslations('webhooks'),
    listWebhooks(ctx, { params: { id: applicationId } }),
  ])
  const access = `${cardPath('PlatformApplication', applicationId)}?tab=access`
  const deaf = types.every(({ allowed }) => !allowed)
  return (
    <CardGroup
      title={t('title')}
      note={t('note')}
      action={mayWrite && !deaf ? <CreateWebhook applicationId={applicationId} types={types} access={access} /> : null}
    >
      {deaf ? (
        <Alert tone="info" title={t('deafTitle')}>
          <p>{t.rich('deafText', { link: (chunks) => <TextLink href={access}>{chunks}</TextLink> })}</p>
        </Alert>
      ) : null}
      {webhooks.length === 0 ? (
        <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
      ) : (
        <Rows webhooks={webhooks} ctx={ctx} applicationId={applicationId} mayWrite={mayWrite} />
      )}
    </CardGroup>
  )
}

async function Rows({ ctx, webhooks, applicationId, mayWrite }: Props & { webhooks: readonly Webhook[] }) {
  const t = await getTranslations('webhooks')
  const events = (webhook: Webhook) => {
    const objects = heardBy(webhook)
    const more = objects.slice(2).flatMap(({ types }) => types).length
    return (
      <span className="grid">
        {objects.slice(0, 2).map(({ name, types }) => (
          <span key={name}>{objectWords(t)(name, types)}</span>
        ))}
        {more > 0 ? <span className="text-ink-second text-note">{t('moreTypes', { count: more })}</span> : null}
      </span>
    )
  }
  return (
    <List>
      <Table
        caption={t('caption')}
        head={
          <>
            <Header>{t('name')}</Header>
            <Header>{t('state')}</Header>
            <Header priority={2}>{t('types')}</Header>
            <Header>{t('last')}</Header>
            <MenuHeader />
          </>
        }
      >
        {webhooks.map((webhook) => {
          const href = cardPath('PlatformApplicationWebhook', applicationId, webhook.id)
          const [tone, state] = stateOf(webhook)
          return (
            <Row key={webhook.id}>
              <TitleCell facts={[{ label: t('types'), value: events(webhook), priority: 2 }]}>
                <RowLink href={href}>{webhook.name}</RowLink>
                <span className="wrap-anywhere line-clamp-2 font-mono font-normal text-ink-second text-note">
                  <AddressText>{webhook.url}</AddressText>
                </span>
              </TitleCell>
              <Cell label={t('state')} whole>
                <Pill tone={tone}>{t(`states.${state}`)}</Pill>
              </Cell>
              <Cell label={t('types')} priority={2} whole>
                {events(webhook)}
              </Cell>
              <Cell label={t('last')} whole>
                <Last webhook={webhook} locale={ctx.locale} />
              </Cell>
              <MenuCell>
                <WebhookRowMenu
                  webhook={webhook}
                  name={webhook.name}
                  applicationId={applicationId}
                  href={href}
                  mayWrite={mayWrite}
                />
              </MenuCell>
            </Row>
          )
        })}
      </Table>
    </List>
  )
}

/** The result of the newest message. */
export async function Last({ webhook: { last, waiting }, locale }: { webhook: Webhook; locale: string }) {
  const [t, words] = await Promise.all([getTranslations('webhooks'), errorWords(locale, 'webhooks')])
  if (!last) return <span className="text-ink-second">{t('nothingSent')}</span>
  return (
    <span className="grid justify-items-start gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Pill tone={deliveryTones[last.status]}>{t(`statuses.${last.status}`)}</Pill>
        <DateTime value={last.at} />
      </span>
      {last.fault ? <span className="text-ink-second text-note">{words(last.fault, {})}</span> : null}
      {waiting > 0 ? <span className="text-ink-second text-note">{t('waitingCount', amountOf(waiting))}</span> : null}
    </span>
  )
}
