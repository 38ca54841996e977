'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { FieldName } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormSelect } from '@/components/form/form-select'
import { AskDialog } from '@/components/ui/ask-dialog'
import { retyped } from '@/lib/fields/dynamic-fields/rules'
import { type FieldType, fieldTypes } from '@/lib/fields/values/definition'
import { useKnownFields } from './known'
import type { Field } from './read-fields'
import { type OwnerCount, ValueCount } from './value-count'
import type { Values } from './values'

type Props = { name: FieldName<FieldType>; stored: Field | undefined; count: OwnerCount; locked: boolean }

/** The type of a field. Another type clears what was required; if the field has values, it asks first. */
export function TypeField({ name, stored, count, locked }: Props) {
  const t = useTranslations('dynamic-fields')
  const { type } = useKnownFields()
  const { getValues, setValue } = useFormMethods<Values>()
  const currentType = useWatch<Values, 'fieldType'>({ name: 'fieldType' })
  const [asking, setAsking] = useState<FieldType | null>(null)
  const labelOf = (each: FieldType) => t(`fieldTypes.${each}`)
  const put = (next: FieldType) => {
    const { unique = false, multiple = false } = getValues()
    for (const [part, value] of Object.entries(retyped({ unique, multiple }, next, stored)))
      setValue(part as 'fieldType', value as FieldType, { shouldDirty: true })
  }
  const choose = (value: string | null) => {
    const next = fieldTypes.find((each) => each === value)
    if (!next || next === currentType) return
    if (stored && next !== stored.fieldType && count !== 0) setAsking(next)
    else put(next)
  }
  const changed = stored !== undefined && stored.fieldType !== currentType
  return (
    <>
      <FormSelect
        name={name}
        label={t('fieldType')}
        hint={t(locked ? 'lockedPart' : changed ? 'typeChanged' : stored ? 'typeHintStored' : 'typeHint')}
        options={fieldTypes.map((value) => ({ value, label: labelOf(value) }))}
        disabled={locked}
        onChoose={choose}
      />
      <AskDialog
        open={asking !== null}
        onOpenChange={(open) => {
          if (!open) setAsking(null)
        }}
        title={t('typeTitle', { type: labelOf(asking ?? currentType) })}
        text={
          <>
            <p>
              <ValueCount type={type} count={count} />
            </p>
            <p>{t('typeText')}</p>
          </>
        }
        cancel={t('typeKeep')}
        confirm={t('typeChange')}
        tone="primary"
        onConfirm={() => {
          if (asking) put(asking)
          setAsking(null)
        }}
      />
    </>
  )
}
