'use client'

import { BellRing } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { LiveBatchJob } from '@/components/batch-job/live-run'
import { CardGroup } from '@/components/card/group'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Progress } from '@/components/ui/progress'
import type { Campaign as Read } from '@/lib/documents/document-campaigns/contract'

const load = () => import('@/lib/documents/document-campaigns/contract')
const runCalls = () => load().then((calls) => ({ stop: calls.stopReminderRun, resume: calls.resumeReminderRun }))
const runs = '/setting/documents/reminders'

type Props = { id: string; campaign: Read; enabled: boolean; mayWrite: boolean }

/** How many people have accepted the current version of an agreement, and the reminders to the others. */
export function Campaign({ id, campaign, enabled, mayWrite }: Props) {
  const t = useTranslations('document-campaigns')
  const [run, setRun] = useState(campaign.run)
  const { version, since, domains, concerned, agreed, refused, left, unreachable, reminded, remindedAt } = campaign
  const fresh = left - reminded
  const remind = (count: number, repeat: boolean) => (
    <ActionButton
      variant={repeat ? 'secondary' : 'primary'}
      action={{
        kind: 'confirm',
        label: repeat ? t('repeat') : t('remind', { count }),
        verb: t('remind', { count }),
        icon: BellRing,
        ask: {
          title: repeat ? t('repeatTitle', { count }) : t('remindTitle', { count }),
          text: unreachable > 0 ? t('remindSome', { count: unreachable }) : t('remindText'),
          tone: 'primary',
        },
        sends: sends(
          () => load().then((calls) => calls.startReminders),
          { params: { id }, body: { version, repeat } },
          { onDone: (started) => setRun(started.id) },
        ),
      }}
    />
  )
  return (
    <CardGroup title={t('campaign', { version })} note={<DateTime value={since} />}>
      {domains.length === 0 ? (
        <Alert tone="info" title={t('nobodyTitle')}>
          <p>{t(enabled ? 'nobodyText' : 'hiddenText')}</p>
        </Alert>
      ) : (
        <Card className="grid gap-4">
          <Progress label={t('agreedOf', { agreed, concerned })} done={agreed} total={concerned} />
          <p className="text-ink-second text-note">
            {t('whom', { domains: domains.map(({ host }) => host).join(', ') })}
          </p>
          {mayWrite && left > 0 ? (
            <div className="flex flex-wrap gap-2">
              {fresh > 0 ? remind(fresh, false) : null}
              {reminded > 0 ? remind(left, true) : null}
            </div>
          ) : null}
        </Card>
      )}
      <KeyValues>
        <KeyValue label={t('left')}>{t('people', { count: left })}</KeyValue>
        <KeyValue label={t('reminded')}>
          {t('people', { count: reminded })}
          {remindedAt ? (
            <span className="text-ink-second text-note">
              {t.rich('lastReminded', { date: () => <DateTime value={remindedAt} /> })}
            </span>
          ) : null}
        </KeyValue>
        <KeyValue label={t('refused')}>{t('people', { count: refused })}</KeyValue>
        <KeyValue label={t('unreachable')}>{t('people', { count: unreachable })}</KeyValue>
      </KeyValues>
      {run && mayWrite ? (
        <LiveBatchJob
          id={run}
          path={runs}
          calls={runCalls}
          title={t('runTitle')}
          counts={({ done, failed }) =>
            [t('runCounts', { done }), failed > 0 ? t('runErrors', { failed }) : null].filter(Boolean).join(', ')
          }
        />
      ) : null}
    </CardGroup>
  )
}
