'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { LiveBatchJob } from '@/components/batch-job/live-run'
import { RowFaults } from '@/components/batch-job/run-log'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import { SecretField } from '@/components/form/secret-field'
import { Alert } from '@/components/ui/alert'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import type { checkIntegrationSync, IntegrationSync, readIntegrationRun } from '@/lib/exchanges/exchanges/contract'
import { TrialButton } from '../../../../_ui/trial-button'
import { useSyncActions } from '../../_ui/use-sync-actions'

const load = () => import('@/lib/exchanges/exchanges/contract')
const runCalls = () =>
  load().then((contracts) => ({ stop: contracts.stopIntegrationRun, resume: contracts.resumeIntegrationRun }))

/** The actions on an exchange. */
export function SyncActions({ sync, name }: { sync: IntegrationSync; name: string }) {
  const { start, toggle } = useSyncActions(sync, name)
  // without an address both would say the same: that it has none
  return <CardActions name={name} actions={[sync.url !== '' && start, toggle]} />
}

type GroupProps = {
  sync: IntegrationSync
  title: string
  mayEdit: boolean
  form: 'ConnectionForm' | 'ScheduleForm'
  children: ReactNode
}

/** A group of the exchange that is edited in place by one of the forms. */
export function SyncGroup({ sync, title, mayEdit, form, children }: GroupProps) {
  const loadForm = () => import('./group-forms').then((part) => part[form])
  return (
    <EditableGroup title={title} form={loadForm} of={{ sync }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

/** Its secret, which is replaced and never shown. */
export function SyncSecret({ tail }: { tail: string }) {
  const t = useTranslations('integration')
  return <SecretField key={tail} what={t('secret')} tail={tail} />
}

/** A batch job that the page follows while it works. */
export function LiveExchange({ run, mayWrite }: { run: CallOutput<typeof readIntegrationRun>; mayWrite: boolean }) {
  const t = useTranslations('integration')
  return (
    <LiveBatchJob
      id={run.run.id}
      first={run}
      path="/setting/integration-synchronization/runs"
      calls={mayWrite ? runCalls : null}
      title={t('run')}
      counts={({ done, failed }) =>
        [t('runCounts', { done }), failed > 0 ? t('runErrors', { failed }) : null].filter(Boolean).join(', ')
      }
    />
  )
}

/** Tries the stored exchange, and shows the result. */
export function CheckSync({ id }: { id: string }) {
  const t = useTranslations('integration')
  return (
    <TrialButton
      label={t('check')}
      run={async () => call((await load()).checkIntegrationSync, { params: { id } })}
      told={(outcome) => ('ok' in outcome ? <Result {...outcome.ok} /> : <Alert tone="danger">{outcome.why}</Alert>)}
    />
  )
}

function Result({ rows, faults }: CallOutput<typeof checkIntegrationSync>) {
  const t = useTranslations('integration')
  const text = rows === null ? t('checkExport') : t('checkImport', { rows })
  if (faults.length === 0) return <Alert tone="ok">{text}</Alert>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Alert tone="warning">
        {text} {t('checkFaults')}
      </Alert>
      <RowFaults faults={faults.map((fault, index) => ({ ...fault, row: index + 1 }))} />
    </div>
  )
}
