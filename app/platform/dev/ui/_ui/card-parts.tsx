'use client'

import { Copy, FileSearch, KeyRound, LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import { sends } from '@/components/form/actions'

const contract = () => import('./sample-contracts').then(({ sampleRowCall }) => sampleRowCall)
const form = () => import('./card-form').then(({ CardForm }) => CardForm)
const well = { send: async () => ({}) }

/** Two buttons, and the rest in a menu. */
export function SampleActions({ name }: { name: string }) {
  const t = useTranslations('gallery.card')
  const call = (label: string, icon: typeof Copy) =>
    ({ kind: 'call', label, icon, sends: sends(contract, {}, well) }) as const
  return (
    <CardActions
      name={name}
      actions={[
        call(t('reset'), KeyRound),
        call(t('copy'), Copy),
        { kind: 'link', label: t('compare'), icon: FileSearch, href: '/platform/dev/ui/list' },
        {
          kind: 'confirm',
          label: t('end'),
          icon: LogOut,
          tone: 'danger',
          ask: { title: t('endTitle'), text: t('endText') },
          sends: sends(contract, {}, well),
        },
      ]}
    />
  )
}

type GroupProps = { name: string; inn: string; mayEdit: boolean; children: ReactNode }

/** A group that is edited in place. */
export function SampleGroup({ name, inn, mayEdit, children }: GroupProps) {
  const t = useTranslations('gallery.card')
  return (
    <EditableGroup title={t('requisites')} note={t('groupNote')} form={form} of={{ name, inn }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}
