'use client'

import { Merge } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import { useLater } from '@/components/ui/use-later'
import type { ContractorCard } from '@/lib/people/contractors/contract'
import type { FieldBlock } from '@/lib/people/contractors/fields'
import { OfferedOrganizations, type OrganizationOption } from '../../_ui/offered'

const calls = () => import('@/lib/people/contractors/contract')

/** What can be done with a contractor. */
export function ContractorActions({ contractor }: { contractor: ContractorCard }) {
  const t = useTranslations('contractors')
  const { id, name, enabled, updatedAt, people, invitations } = contractor
  const what = [
    people > 0 && t('keepPeople', { count: people }),
    invitations > 0 && t('keepInvitations', { count: invitations }),
  ].filter(Boolean)
  return (
    <CardActions
      name={name}
      actions={[
        {
          kind: 'dialog',
          label: t('merge'),
          icon: Merge,
          title: t('mergeTitle', { name }),
          text: t('mergeText'),
          size: 'L',
          body: (done) => <MergeLater contractor={contractor} onDone={done} />,
        },
        {
          kind: 'toggle',
          contract: () => calls().then((part) => part.enableContractor),
          id,
          enabled,
          updatedAt,
          ask: {
            on: people > 0 ? { title: t('onTitle', { name }), text: t('onText', { people }) } : null,
            off: { title: t('offTitle', { name }), text: t('offText', { people }), tone: 'danger' },
          },
        },
        {
          kind: 'remove',
          contract: () => calls().then((part) => part.deleteContractor),
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          kept:
            what.length > 0
              ? { title: t('keepTitle', { name }), text: t('keepText', { what: what.join(', ') }) }
              : undefined,
        },
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

type MainProps = {
  title: string
  contractor: ContractorCard
  organizations: OrganizationOption[]
  children: ReactNode
}

/** The requisites, edited in place. */
export function EditableMain({ title, contractor, organizations, children }: MainProps) {
  return (
    <OfferedOrganizations organizations={organizations}>
      <EditableGroup title={title} form={form} of={{ contractor }}>
        {children}
      </EditableGroup>
    </OfferedOrganizations>
  )
}

const valuesForm = () => import('./values-form').then((part) => part.ValuesForm)

type BlockProps = { contractor: ContractorCard; block: FieldBlock; children: ReactNode }

/** A block of fields that administrators define, edited in place. */
export function EditableBlock({ contractor, block, children }: BlockProps) {
  return (
    <EditableGroup title={block.title} form={valuesForm} of={{ contractor, block }}>
      {children}
    </EditableGroup>
  )
}
