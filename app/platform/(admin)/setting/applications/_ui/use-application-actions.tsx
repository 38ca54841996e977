'use client'

import { Eye, EyeOff, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type Action, sends } from '@/components/form/actions'
import { later } from '@/components/ui/later'
import type { ApplicationRow } from '@/lib/applications/applications/contract'

const DeleteApplication = later(() => import('./delete-application').then((part) => part.DeleteApplication))
const calls = () => import('@/lib/applications/applications/contract')

type Used = Pick<
  ApplicationRow,
  | 'id'
  | 'type'
  | 'code'
  | 'url'
  | 'enabled'
  | 'menuVisible'
  | 'immutable'
  | 'actionsAccess'
  | 'clientCount'
  | 'updatedAt'
>

/**
 * Actions on an application that the list and its card share. `barred` says why the caller may do none of them;
 * `sessions` is how many grants end with it, where that is known.
 */
export function useApplicationActions(
  application: Used,
  name: string,
  { barred, sessions }: { barred?: string | undefined; sessions?: number } = {},
): Record<'menu' | 'toggle' | 'remove', Action> {
  const t = useTranslations('applications')
  const { id, type, url, enabled, menuVisible, immutable, actionsAccess, clientCount, updatedAt } = application
  const fixed = barred ?? (actionsAccess >= 2 ? t('fixedPlatform') : undefined)
  const why = fixed ? { unavailable: fixed } : {}
  const noMenu =
    type === 'draft'
      ? t('noMenuDraft')
      : type === 'external'
        ? t('noMenuExternal')
        : url
          ? undefined
          : t('noMenuAddress')
  const kept = fixed ?? (immutable || type === 'internal' ? t('keepShipped') : undefined)
  const loses = { clients: clientCount, sessions: sessions ?? 0, known: sessions === undefined ? 'false' : 'true' }
  const switched = sends(() => calls().then(({ showApplication }) => showApplication), {
    params: { id },
    body: { menuVisible: !menuVisible, updatedAt },
  })
  const hides = fixed ?? (menuVisible ? undefined : noMenu)
  return {
    menu: {
      kind: 'call',
      label: t(menuVisible ? 'hide' : 'show'),
      icon: menuVisible ? EyeOff : Eye,
      ...(hides ? { unavailable: hides } : {}),
      sends: switched,
    },
    toggle: {
      kind: 'toggle',
      contract: () => calls().then(({ enableApplication }) => enableApplication),
      id,
      enabled,
      updatedAt,
      ...why,
      ask: {
        on: { title: t('onTitle', { name }), text: t('onText', { clients: clientCount }), tone: 'primary' },
        off: { title: t('offTitle', { name }), text: t('offText', loses), tone: 'danger' },
      },
    },
    remove: {
      kind: 'dialog',
      label: t('delete'),
      icon: Trash2,
      tone: 'danger',
      size: 'S',
      ...(kept ? { unavailable: kept } : {}),
      title: t('deleteTitle', { name }),
      text: t('deleteText', loses),
      body: (done) => <DeleteApplication id={id} code={application.code} onDone={done} />,
    },
  }
}
