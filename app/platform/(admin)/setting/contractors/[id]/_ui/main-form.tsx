'use client'

import { GroupForm } from '@/components/card/group-form'
import type { ContractorCard } from '@/lib/companies/contractors/contract'
import { ContractorFields, useContractorForm } from '../../_ui/contractor-form'

type Props = { contractor: ContractorCard; onDone: () => void }

/** Changes a contractor on its card. */
export function MainForm({ contractor, onDone }: Props) {
  const { values: _, roles: __, createdAt: ___, ...row } = contractor
  const form = useContractorForm({ contractor: row, onDone })
  return (
    <GroupForm form={form} onDone={onDone}>
      <ContractorFields form={form} contractor={contractor} />
    </GroupForm>
  )
}
