'use client'

import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import type { Domain, DomainRow } from '@/lib/site/domains/contract'

const calls = () => import('@/lib/site/domains/contract')

type ActionTarget = Pick<Domain | DomainRow, 'id' | 'type' | 'base' | 'enabled' | 'aliases' | 'updatedAt'>

/**
 * Actions on a domain that the list and its page share: to enable, disable and delete it. `isCurrent` is whether the
 * person is using it now.
 */
export function useDomainActions(
  domain: ActionTarget,
  name: string,
  isCurrent: boolean,
): Record<'toggle' | 'remove', Action> {
  const t = useTranslations('domains')
  const tErrors = useTranslations('errors')
  const { id, base, type, enabled, aliases, updatedAt } = domain
  const count = aliases.length
  const keepReason = base ? tErrors('domainBase') : isCurrent ? tErrors('domainOwn') : undefined
  const serving = type === 'other' && enabled
  return {
    toggle: {
      kind: 'toggle',
      contract: () => calls().then((part) => part.enableDomain),
      id,
      enabled,
      updatedAt,
      ...(keepReason && enabled ? { unavailable: keepReason } : {}),
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
      blocked: keepReason ? { title: t('keepTitle', { name }), text: keepReason } : undefined,
    },
  }
}
