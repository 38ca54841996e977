'use client'

import { Merge } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import { useLater } from '@/components/ui/use-later'
import type { ContractorCard } from '@/lib/companies/contractors/contract'
import type { FieldBlock } from '@/lib/companies/contractors/fields'
import { useContractorActions } from '../../_ui/use-contractor-actions'

/** The actions on a contractor. */
export function ContractorActions({ contractor }: { contractor: ContractorCard }) {
  const t = useTranslations('contractors')
  const { toggle, remove } = useContractorActions(contractor)
  const { name } = contractor
  return (
    <CardActions
      name={name}
      actions={[
        toggle,
        {
          kind: 'dialog',
          label: t('merge'),
          icon: Merge,
          title: t('mergeTitle', { name }),
          text: t('mergeText'),
          size: 'L',
          body: (done) => <MergeLater contractor={contractor} onDone={done} />,
        },
        remove,
      ]}
    />
  )
}

const loadMerge = () => import('./merge-form').then((part) => part.MergeForm)

function MergeLater({ contractor, onDone }: { contractor: ContractorCard; onDone: () => void }) {
  const router = useRouter()
  const { Part, ask } = useLater(loadMerge)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the dialog opens
  useEffect(() => ask(), [])
  if (!Part) return null
  return (
    <Part
      contractor={contractor}
      onDone={() => {
        onDone()
        router.refresh()
      }}
    />
  )
}

const form = () => import('./main-form').then((part) => part.MainForm)

type MainProps = { title: string; contractor: ContractorCard; mayEdit: boolean; children: ReactNode }

/** The requisites, edited in place. */
export function MainGroup({ title, contractor, mayEdit, children }: MainProps) {
  return (
    <EditableGroup title={title} form={form} of={{ contractor }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

const valuesForm = () => import('./values-form').then((part) => part.ValuesForm)

type BlockProps = { contractor: ContractorCard; block: FieldBlock; mayEdit: boolean; children: ReactNode }

/** A block of fields that administrators define, edited in place. */
export function BlockGroup({ contractor, block, mayEdit, children }: BlockProps) {
  return (
    <EditableGroup title={block.title} form={valuesForm} of={{ contractor, block }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}
