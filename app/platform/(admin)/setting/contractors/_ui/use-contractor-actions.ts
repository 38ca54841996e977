'use client'

import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import type { Contractor } from '@/lib/companies/contractors/contract'

type ActionTarget = Pick<Contractor, 'id' | 'name' | 'enabled' | 'people' | 'invitations' | 'updatedAt'>

/** Actions on a contractor that the list and its card share: to enable or disable, and to delete it. */
export function useContractorActions(contractor: ActionTarget): Record<'toggle' | 'remove', Action> {
  const t = useTranslations('contractors')
  const { id, name, enabled, people, invitations, updatedAt } = contractor
  const users = [
    ...(people > 0 ? [t('keepPeople', { count: people })] : []),
    ...(invitations > 0 ? [t('keepInvitations', { count: invitations })] : []),
  ]
  return {
    toggle: {
      kind: 'toggle',
      contract: () => import('@/lib/companies/contractors/contract').then(({ enableContractor }) => enableContractor),
      id,
      enabled,
      updatedAt,
      ask: {
        on: people > 0 ? { title: t('onTitle', { name }), text: t('onText', { people }) } : null,
        off: { title: t('offTitle', { name }), text: t('offText', { people }), tone: 'danger' },
      },
    },
    remove: {
      kind: 'remove',
      contract: () => import('@/lib/companies/contractors/contract').then(({ deleteContractor }) => deleteContractor),
      id,
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      blocked:
        users.length > 0
          ? { title: t('keepTitle', { name }), text: t('keepText', { what: users.join(', ') }) }
          : undefined,
    },
  }
}
