'use client'

import { Columns2, Copy } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import { shownCount } from '@/components/ui/shown-count'
import type { ListedRole, Usage } from '@/lib/access/roles/contract'

const CopyRole = dynamic(() => import('./role-form').then((part) => part.CopyRole))
const RoleCompare = dynamic(() => import('./role-compare').then((part) => part.RoleCompare))

const calls = () => import('@/lib/access/roles/contract')

type Role = Pick<ListedRole, 'id' | 'enabled' | 'immutable' | 'updatedAt' | 'holders'> & { usedIn?: readonly Usage[] }

/** Actions on a role that the list and its page share: to copy, compare, enable or disable, and delete it. */
export function useRoleActions(role: Role, name: string): Record<'copy' | 'compare' | 'toggle' | 'remove', Action> {
  const t = useTranslations('roles')
  const router = useRouter()
  const { id, enabled, immutable, updatedAt, holders, usedIn = [] } = role
  const people = t('people', shownCount(holders))
  const places = usedIn.map(({ place, count }) => t(`usage.${place}`, { count })).join(', ')
  const keepReason = immutable
    ? t('keepShipped')
    : holders.count > 0
      ? t('keepHeld', { people })
      : places && t('keepUsed', { places })
  return {
    copy: {
      kind: 'dialog',
      label: t('copy'),
      icon: Copy,
      title: t('copyTitle', { name }),
      text: t('dialogText'),
      body: (done) => (
        <CopyRole
          id={id}
          onDone={(created) => {
            done()
            if (created?.id) router.push(`/platform/setting/roles/${created.id}`)
          }}
        />
      ),
    },
    compare: {
      kind: 'dialog',
      label: t('compare'),
      icon: Columns2,
      size: 'L',
      title: t('compareTitle'),
      text: t('compareText'),
      body: () => <RoleCompare id={id} />,
    },
    toggle: {
      kind: 'toggle',
      contract: () => calls().then((contracts) => contracts.enableRole),
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
      contract: () => calls().then((contracts) => contracts.deleteRole),
      id,
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      blocked: keepReason ? { title: t(immutable ? 'editTitle' : 'keepTitle', { name }), text: keepReason } : undefined,
    },
  }
}
