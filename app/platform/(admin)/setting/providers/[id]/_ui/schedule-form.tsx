'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormSwitch } from '@/components/form/form-choice'
import { FormSelect } from '@/components/form/form-select'
import { FormNumber } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { Alert } from '@/components/ui/alert'
import { longPeriod, updateProviderSync } from '@/lib/directory-sync/provider-sync/contract'
import { type Provider, type ProviderSync, periodAmounts } from '@/lib/directory-sync/providers/contract'

const seconds = { minutes: 60, hours: 3_600, days: 86_400 }
type Amount = ProviderSync['periodAmount']

type Props = {
  provider: Provider
  sync: ProviderSync
  suggested: { periodUnit: number; periodAmount: Amount }
  onDone: () => void
}

/** Edits whether people are synchronized, how often, and how many a page has. */
export function ScheduleForm({ provider, sync, suggested, onDone }: Props) {
  const fresh = !sync.enabled && sync.details.runId === null && sync.periodUnit === 0
  const form = useContractForm(updateProviderSync, {
    parts: { params: { id: provider.id, syncId: sync.id } },
    defaultValues: {
      enabled: sync.enabled,
      periodUnit: fresh ? suggested.periodUnit : sync.periodUnit,
      periodAmount: fresh ? suggested.periodAmount : sync.periodAmount,
      syncLimit: sync.syncLimit,
      updatedAt: sync.updatedAt,
    },
    onDone,
  })
  const t = useTranslations('provider-sync')
  const field = fieldsOf(form)
  return (
    <GroupForm form={form} onDone={onDone}>
      <FormSwitch
        name={field('enabled')}
        label={t('enabledLabel')}
        hint={t(sync.mappers === 0 ? 'enabledMappers' : provider.enabled ? 'enabledHint' : 'enabledProvider')}
      />
      <FormNumber name={field('periodUnit')} label={t('periodUnit')} hint={t('periodHint')} />
      <FormSelect
        name={field('periodAmount')}
        label={t('periodAmount')}
        options={periodAmounts.map((value) => ({ value, label: t(`amounts.${value}`) }))}
      />
      <Long />
      <FormNumber name={field('syncLimit')} label={t('syncLimit')} hint={t('syncLimitHint')} />
    </GroupForm>
  )
}

/** A period so long that people who left keep their access for days. */
function Long() {
  const t = useTranslations('provider-sync')
  const [unit, amount] = useWatch({ name: ['periodUnit', 'periodAmount'] }) as [unknown, Amount]
  const period = typeof unit === 'number' ? unit * seconds[amount] : 0
  return period >= longPeriod ? <Alert tone="warning">{t('longPeriod')}</Alert> : null
}
