'use client'

import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import type { Domain, DomainRow } from '@/lib/site/domains/contract'

const calls = () => import('@/lib/site/domains/contract')

type Of = Pick<Domain | DomainRow, 'id' | 'type' | 'base' | 'enabled' | 'aliases' | 'updatedAt'>

/**
 * Actions on a domain that the list and its page share: to switch it on or off, and to delete it. `own` is whether the
 * person works on it now.
 */
export function useDomainActions(domain: Of, name: string, own: boolean): Record<'toggle' | 'remove', Action> {
  const t = useTranslations('domains')
  const tErrors = useTranslations('errors')
  const { id, base, type, enabled, aliases, updatedAt } = domain
  const count = aliases.length
  const kept = base ? tErrors('domainBase') : own ? tErrors('domainOwn') : undefined
  const serving = type === 'other' && enabled
  return {
    toggle: {
      kind: 'toggle',
      contract: () => calls().then((part) => part.enableDomain),
      id,
      enabled,
      updatedAt,
      ...(kept && enabled ? { unavailable: kept } : {}),
      ask: {
        on: {
          title: t('onTitle', { name }),
          text: t(type === 'draft' ? 'onDraft' : 'onText', { count }),
          tone: 'primary',
        },
        off: { title: t('offTitle', { name }), text: t(serving ? 'offText' : 'offDraft', { count }), tone: 'danger' },
      },
    },
    remove: {
      kind: 'remove',
      contract: () => calls().then((part) => part.deleteDomain),
      id,
      title: t('deleteTitle', { name }),
      text: t(serving && count > 0 ? 'deleteText' : 'deleteQuiet', { count }),
      kept: kept ? { title: t('keepTitle', { name }), text: kept } : undefined,
    },
  }
}
