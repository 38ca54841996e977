'use client'

import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import { shownCount } from '@/components/ui/shown-count'
import type { Organization } from '@/lib/companies/organizations/contract'

const calls = () => import('@/lib/companies/organizations/contract')

type ActionTarget = Pick<Organization, 'id' | 'enabled' | 'people' | 'contractors' | 'invitations' | 'updatedAt'>

/** Actions on an organization that the list and its card share: to enable or disable, and to delete it. */
export function useOrganizationActions(organization: ActionTarget, name: string): Record<'toggle' | 'remove', Action> {
  const t = useTranslations('organizations')
  const { id, enabled, people, contractors, invitations, updatedAt } = organization
  const holders = people.count > 0 ? t('holders', shownCount(people)) : t('noHolders')
  const question = (title: string, text: string) => ({ title, text: `${holders} ${text}` })
  const users = [
    ...(people.count > 0 ? [t('usedBy.people', { amount: t('amount', shownCount(people)) })] : []),
    ...(contractors.count > 0 ? [t('usedBy.contractors', { amount: t('amount', shownCount(contractors)) })] : []),
    ...(invitations.count > 0 ? [t('usedBy.invitations', { amount: t('amount', shownCount(invitations)) })] : []),
  ]
  return {
    toggle: {
      kind: 'toggle',
      contract: () => calls().then(({ enableOrganization }) => enableOrganization),
      id,
      enabled,
      updatedAt,
      ask: {
        on: question(t('enableTitle', { name }), t(people.count > 0 ? 'enableText' : 'enableEmpty')),
        off: question(t('disableTitle', { name }), t(people.count > 0 ? 'disableText' : 'disableEmpty')),
      },
    },
    remove: {
      kind: 'remove',
      contract: () => calls().then(({ deleteOrganization }) => deleteOrganization),
      id,
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      blocked:
        users.length > 0
          ? { title: t('keepTitle', { name }), text: t('keepText', { users: users.join(', ') }) }
          : undefined,
    },
  }
}
