'use client'

import { SquareArrowOutUpRight } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { type Contractor, deleteContractor, enableContractor } from '@/lib/people/contractors/contract'
import { EditContractor } from './contractor-form'

type Props = { contractor: Contractor; mayWrite: boolean }

/** What can be done with a contractor of the list: its card has the rest. */
export function ContractorMenu({ contractor, mayWrite }: Props) {
  const t = useTranslations('contractors')
  const { id, name, enabled, updatedAt, people } = contractor
  const ask = useToggleQuestions(contractor)
  const open = {
    kind: 'link',
    label: t('open'),
    icon: SquareArrowOutUpRight,
    href: `/platform/setting/contractors/${id}`,
  } as const
  if (!mayWrite) return <RowActions row={name} actions={[open]} />
  return (
    <RowActions
      row={name}
      actions={[
        open,
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          text: t('dialogText'),
          form: (done) => <EditContractor contractor={contractor} onDone={done} />,
        },
        { kind: 'toggle', contract: enableContractor, id, enabled, updatedAt, ask },
        {
          kind: 'remove',
          contract: deleteContractor,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          kept:
            people > 0
              ? { title: t('keepTitle', { name }), text: t('keepText', { what: t('keepPeople', { count: people }) }) }
              : undefined,
        },
      ]}
    />
  )
}

/** What enabling and disabling a contractor asks first: what it does to how many people. */
function useToggleQuestions({ name, people }: Pick<Contractor, 'name' | 'people'>) {
  const t = useTranslations('contractors')
  return {
    on: people > 0 ? { title: t('onTitle', { name }), text: t('onText', { people }) } : null,
    off: { title: t('offTitle', { name }), text: t('offText', { people }), tone: 'danger' as const },
  }
}
