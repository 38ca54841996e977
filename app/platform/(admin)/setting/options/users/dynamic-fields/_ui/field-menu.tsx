'use client'

import { Power, PowerOff, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { activateDynamicField, deleteDynamicField } from '@/lib/fields/dynamic-fields/contract'
import { isDeletable, isSwitchable, lockedParts } from '@/lib/fields/dynamic-fields/rules'
import { FieldFacts } from './field-facts'
import { EditField } from './field-form'
import type { Field } from './read-fields'
import { CountedValues } from './value-count'

/** The actions for a field; people who may only read, and for a locked field everybody, see its definition. */
export function FieldMenu({ field, name, mayWrite }: { field: Field; name: string; mayWrite: boolean }) {
  const t = useTranslations('dynamic-fields')
  const { id, type, active, updatedAt, systemic } = field
  const locked = lockedParts(field) === 'all'
  const title = t('fieldTitle', { name })
  const view = { kind: 'view', title, body: <FieldFacts field={field} /> } as const
  if (!mayWrite) return <RowActions row={name} actions={[view]} />
  const params = { type, id }
  const unavailableReason = t(systemic ? 'whyShipped' : 'whyLocked')
  return (
    <RowActions
      row={name}
      actions={[
        locked ? view : { kind: 'edit', size: 'L', title, form: (done) => <EditField field={field} onDone={done} /> },
        {
          kind: 'confirm',
          label: t(active ? 'switchOff' : 'switchOn'),
          icon: active ? PowerOff : Power,
          ...(isSwitchable(field, !active) ? {} : { unavailable: unavailableReason }),
          ask: active
            ? { title: t('offTitle', { name }), text: <Consequence of={params} text={t('offText')} />, tone: 'danger' }
            : { title: t('onTitle', { name }), text: t('onText'), tone: 'primary' },
          sends: sends(activateDynamicField, { params, body: { active: !active, updatedAt } }),
        },
        {
          kind: 'confirm',
          label: t('delete'),
          icon: Trash2,
          tone: 'danger',
          ...(isDeletable(field) ? {} : { unavailable: unavailableReason }),
          ask: {
            title: t('deleteTitle', { name }),
            text: <Consequence of={params} text={t('deleteText', { code: field.code })} />,
            tone: 'danger',
          },
          sends: sends(deleteDynamicField, { params }),
        },
      ]}
    />
  )
}

function Consequence({ of, text }: { of: { type: Field['type']; id: string }; text: string }) {
  return (
    <>
      <p>{text}</p>
      <p>
        <CountedValues {...of} />
      </p>
    </>
  )
}
