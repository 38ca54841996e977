'use client'

import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import type { ListedRole, Usage } from '@/lib/people/roles/contract'

const calls = () => import('@/lib/people/roles/contract')

type Role = Pick<ListedRole, 'id' | 'enabled' | 'immutable' | 'updatedAt' | 'holders'> & { usedIn?: readonly Usage[] }

/** Actions on a role that the list and its page share: to switch it on or off, and to delete it. */
export function useRoleActions(role: Role, name: string): { toggle: Action; remove: Action } {
  const t = useTranslations('roles')
  const { id, enabled, immutable, updatedAt, holders, usedIn = [] } = role
  const people = holders.more ? t('peopleMore', { count: holders.count }) : t('people', { count: holders.count })
  const places = usedIn.map(({ place, count }) => t(`usage.${place}`, { count })).join(', ')
  const kept = immutable
    ? t('keepShipped')
    : holders.count > 0
      ? t('keepHeld', { people })
      : places && t('keepUsed', { places })
  return {
    toggle: {
      kind: 'toggle',
      contract: () => calls().then((all) => all.enableRole),
      id,
      enabled,
      updatedAt,
      ask: {
        on: holders.count > 0 ? { title: t('onTitle', { name }), text: t('onText') } : null,
        off: {
          title: t('offTitle', { name }),
          text: holders.count > 0 ? t('offText', { people }) : t('offNobody'),
        },
      },
    },
    remove: {
      kind: 'remove',
      contract: () => calls().then((all) => all.deleteRole),
      id,
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      kept: kept ? { title: t(immutable ? 'editTitle' : 'keepTitle', { name }), text: kept } : undefined,
    },
  }
}
