'use client'

import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import { toldCount } from '@/components/ui/told-count'
import type { Organization } from '@/lib/people/organizations/contract'

const calls = () => import('@/lib/people/organizations/contract')

type Used = Pick<Organization, 'id' | 'enabled' | 'people' | 'contractors' | 'updatedAt'> & {
  /** Known on the card alone. */
  invitations?: Organization['people']
}

/** Returns the actions of a row and of a card that switch an organization on or off and delete it. */
export function useOrganizationActions({ name, ...organization }: Used & { name: string }): Action[] {
  const t = useTranslations('organizations')
  const { id, enabled, people, contractors, invitations, updatedAt } = organization
  const holders = people.count > 0 ? t('holders', toldCount(people)) : t('noHolders')
  const question = (title: string, text: string) => ({ title, text: `${holders} ${text}` })
  const users = [
    ...(people.count > 0 ? [t('usedBy.people', { amount: t('amount', toldCount(people)) })] : []),
    ...(contractors.count > 0 ? [t('usedBy.contractors', { amount: t('amount', toldCount(contractors)) })] : []),
    ...(invitations && invitations.count > 0
      ? [t('usedBy.invitations', { amount: t('amount', toldCount(invitations)) })]
      : []),
  ]
  return [
    {
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
    {
      kind: 'remove',
      contract: () => calls().then(({ deleteOrganization }) => deleteOrganization),
      id,
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      kept:
        users.length > 0
          ? { title: t('keepTitle', { name }), text: t('keepText', { users: users.join(', ') }) }
          : undefined,
    },
  ]
}
