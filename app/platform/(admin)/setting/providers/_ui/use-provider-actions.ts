'use client'

import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import type { Provider } from '@/lib/directory-sync/providers/contract'

const calls = () => import('@/lib/directory-sync/providers/contract')

/** Actions on a directory that the list and its card share. */
export function useProviderActions(provider: Provider): Record<'toggle' | 'remove', Action> {
  const t = useTranslations('providers')
  const { id, name, enabled, people, updatedAt } = provider
  return {
    toggle: {
      kind: 'toggle',
      contract: () => calls().then(({ enableProvider }) => enableProvider),
      id,
      enabled,
      updatedAt,
      ask: {
        on: { title: t('onTitle', { name }), text: t('onText'), tone: 'primary' },
        off: { title: t('offTitle', { name }), text: t('offText', { people }), tone: 'danger' },
      },
    },
    remove: {
      kind: 'remove',
      contract: () => calls().then(({ deleteProvider }) => deleteProvider),
      id,
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      ...(people > 0 ? { blocked: { title: t('keepTitle', { name }), text: t('keepText', { people }) } } : {}),
    },
  }
}
