import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { Alert } from '@/components/ui/alert'
import { DateTime } from '@/components/ui/date-time'
import { EmptyState } from '@/components/ui/empty-state'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/base/context/ctx'
import { readNewestTrial, readProviderRun, suggestedPeriod } from '@/lib/directory-sync/provider-sync/service'
import type { Provider } from '@/lib/directory-sync/providers/contract'
import { StartSync } from './card-parts'
import { DryRun, LiveSync, ScheduleGroup } from './sync-parts'

type Props = { ctx: Ctx; provider: Provider; mayWrite: boolean }

/** The second tab: the current or last batch job, its failures, and beside it the schedule and a dry run. */
export async function Synchronization({ ctx, provider, mayWrite }: Props) {
  const t = await getTranslations('provider-sync')
  const [sync] = provider.sync
  if (!sync) return null
  const { details } = sync
  const [trial, suggested, run] = await Promise.all([
    readNewestTrial(ctx, sync.id),
    suggestedPeriod(),
    details.runId ? readProviderRun(ctx, { params: { id: details.runId } }) : null,
  ])
  return (
    <CardColumns
      side={
        <>
          <ScheduleGroup provider={provider} sync={sync} suggested={suggested} mayEdit={mayWrite}>
            <KeyValues>
              <KeyValue label={t('enabled')}>{t(sync.enabled ? 'on' : 'off')}</KeyValue>
              <KeyValue label={t('period')}>
                {sync.periodUnit === 0 ? t('noPeriod') : t(`every.${sync.periodAmount}`, { count: sync.periodUnit })}
              </KeyValue>
              <KeyValue label={t('syncLimit')}>{t('perPage', { count: sync.syncLimit })}</KeyValue>
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
              <KeyValue label={t('dropGuard')}>{t('dropGuardValue')}</KeyValue>
            </KeyValues>
          </ScheduleGroup>
          <CardGroup title={t('trial')}>
            <DryRun
              providerId={provider.id}
              last={trial && { run: trial, faults: [] }}
              mayWrite={mayWrite}
              mappers={sync.mappers}
            />
          </CardGroup>
        </>
      }
    >
      {mayWrite && details.runId ? <StartSync provider={provider} /> : null}
      {details.held && details.fault !== 'syncDropGuard' ? <Alert tone="warning">{t('held')}</Alert> : null}
      {details.runId ? (
        <LiveSync
          key={details.runId}
          id={details.runId}
          first={run}
          mayWrite={mayWrite}
          path={`/platform/setting/providers/${provider.id}`}
        />
      ) : (
        <EmptyState
          title={t('noRunTitle')}
          text={t(sync.mappers === 0 ? 'noRunMappers' : sync.enabled ? 'noRunSoon' : 'noRunOff')}
          action={mayWrite ? <StartSync provider={provider} /> : null}
        />
      )}
    </CardColumns>
  )
}
