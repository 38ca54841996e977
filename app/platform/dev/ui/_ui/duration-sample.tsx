'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DurationBox } from '@/components/form/duration-box'
import { Field } from '@/components/form/field'

type Unit = 'minutes' | 'hours' | 'days'

function Sample({ label, first, error }: { label: string; first: number | string; error?: string }) {
  const t = useTranslations('gallery.duration')
  const [value, setValue] = useState<{ value: number | string; unit: string }>({ value: first, unit: 'minutes' })
  const count = typeof value.value === 'number' ? value.value : 5
  const units = (['minutes', 'hours', 'days'] as const).map((unit: Unit) => ({
    unit,
    text: t(`units.${unit}`, { count }),
  }))
  return (
    <Field label={label} {...(error ? { error } : {})}>
      {(bound) => (
        <DurationBox {...bound} value={value} onChange={setValue} units={units} unitLabel={t('unit')} label={label} />
      )}
    </Field>
  )
}

/** A number and its unit of time, valid and wrong. */
export function DurationSample() {
  const t = useTranslations('gallery.duration')
  return (
    <div className="grid gap-6 @min-[40rem]:grid-cols-2">
      <Sample label={t('label')} first={15} />
      <Sample label={t('wrongLabel')} first="0" error={t('error')} />
    </div>
  )
}
