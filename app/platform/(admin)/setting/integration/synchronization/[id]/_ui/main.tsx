import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { AddressText } from '@/components/ui/address-text'
import { Alert } from '@/components/ui/alert'
import { DateTime } from '@/components/ui/date-time'
import { EmptyState } from '@/components/ui/empty-state'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { TextLink } from '@/components/ui/text-link'
import type { Ctx } from '@/lib/base/context/ctx'
import type { IntegrationSync } from '@/lib/exchanges/exchanges/contract'
import { readIntegrationRun } from '@/lib/exchanges/exchanges/runs'
import { CheckSync, LiveExchange, SyncGroup, SyncSecret } from './card-parts'

const journal = '/platform/setting/integration/monitoring'

/** The first tab: the current or last batch job, and beside it the connection and the schedule. */
export async function Main({ ctx, sync, mayWrite }: { ctx: Ctx; sync: IntegrationSync; mayWrite: boolean }) {
  const { details, auth } = sync
  const [t, run] = await Promise.all([
    getTranslations('integration'),
    details.runId ? readIntegrationRun(ctx, { params: { id: details.runId } }) : null,
  ])
  const empty = sync.url === '' ? 'noRunUnset' : sync.enabled ? 'noRunReady' : 'noRunOff'
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('facts')}>
            <KeyValues>
              <KeyValue label={t('direction')}>{t(`about.${sync.key}`)}</KeyValue>
              <KeyValue label={t('changed')}>
                <DateTime value={sync.updatedAt} />
              </KeyValue>
            </KeyValues>
          </CardGroup>
          <SyncGroup sync={sync} title={t('schedule')} form="ScheduleForm" mayEdit={mayWrite && sync.url !== ''}>
            <KeyValues>
              <KeyValue label={t('period')}>
                {sync.periodUnit === 0 ? t('noPeriod') : t(`every.${sync.periodAmount}`, { count: sync.periodUnit })}
              </KeyValue>
              <KeyValue label={t('pageSize')}>{sync.pageSize}</KeyValue>
              <KeyValue label={t('next')}>
                {details.held ? (
                  t('nextHeld')
                ) : details.nextAt ? (
                  details.status === 'await' ? (
                    t('nextSoon')
                  ) : (
                    <DateTime value={details.nextAt} />
                  )
                ) : (
                  t('noNext')
                )}
              </KeyValue>
            </KeyValues>
          </SyncGroup>
        </>
      }
    >
      {sync.vouched ? null : (
        <Alert tone="warning" title={t('unvouchedTitle')}>
          {t('unvouched')}
        </Alert>
      )}
      <SyncGroup sync={sync} title={t('connection')} form="ConnectionForm" mayEdit={mayWrite}>
        <KeyValues>
          <KeyValue label={t('url')}>
            {sync.url ? (
              <span className="wrap-anywhere font-mono text-note">
                <AddressText>{sync.url}</AddressText>
              </span>
            ) : (
              t('noUrl')
            )}
          </KeyValue>
          <KeyValue label={t('auth')}>{t(`auths.${auth}`)}</KeyValue>
          {sync.authName ? (
            <KeyValue label={t(auth === 'header' ? 'headerName' : 'userName')}>
              <Mono>{sync.authName}</Mono>
            </KeyValue>
          ) : null}
          {auth === 'none' ? null : (
            <KeyValue label={t('secret')}>
              <SyncSecret tail={sync.secretTail} />
            </KeyValue>
          )}
          {mayWrite && sync.url ? (
            <KeyValue label={t('checkLabel')} tall>
              <CheckSync id={sync.id} />
            </KeyValue>
          ) : null}
        </KeyValues>
      </SyncGroup>
      {run ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <LiveExchange key={run.run.id} run={run} mayWrite={mayWrite} />
          <p className="text-note">
            <TextLink href={`${journal}?filter[runId]=${run.run.id}`}>{t('runJournal')}</TextLink>
          </p>
        </div>
      ) : (
        <EmptyState title={t('noRunTitle')} text={t(empty)} />
      )}
    </CardColumns>
  )
}
