'use client'

import { UserMinus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type Action, sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { removeHolder } from '@/lib/accounts/role-holders/contract'

type HeldPlace = { text: string; organizationId: string | undefined; contractorId: string | undefined }
type Props = { roleId: string; role: string; userId: string; person: string; places: HeldPlace[] }

/** The actions on a holder: taking the role away in one place. */
export function HolderMenu({ roleId, role, userId, person, places }: Props) {
  const t = useTranslations('roles')
  const taking = ({ text, organizationId, contractorId }: HeldPlace): Action => ({
    kind: 'confirm',
    label: places.length > 1 ? `${t('take')}: ${text}` : t('take'),
    icon: UserMinus,
    tone: 'danger',
    ask: { title: t('takeTitle', { role, name: person }), text: t('takeText', { place: text }), tone: 'danger' },
    verb: t('take'),
    sends: sends(removeHolder, {
      params: { id: roleId },
      query: { userId, ...(organizationId ? { organizationId } : {}), ...(contractorId ? { contractorId } : {}) },
    }),
  })
  return <RowActions row={person} actions={places.map(taking)} />
}
