'use client'

import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import type { Contractor } from '@/lib/companies/contractors/contract'
import { EditContractor } from './contractor-form'
import { useContractorActions } from './use-contractor-actions'

type Props = { contractor: Contractor; name: string; href: string; mayWrite: boolean }

/** The actions on a contractor of the list; its card, to which `href` leads, has further ones. */
export function ContractorMenu({ contractor, name, href, mayWrite }: Props) {
  const t = useTranslations('contractors')
  const { toggle, remove } = useContractorActions(contractor)
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'card', href },
        mayWrite && {
          kind: 'edit',
          title: t('editTitle', { name }),
          text: t('dialogText'),
          form: (done) => <EditContractor contractor={contractor} onDone={done} />,
        },
        mayWrite && toggle,
        mayWrite && remove,
      ]}
    />
  )
}
