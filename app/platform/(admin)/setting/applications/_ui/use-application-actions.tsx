'use client'

import { Eye, EyeOff, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type Action, sends } from '@/components/form/actions'
import { later } from '@/components/ui/later'
import type { ApplicationRow } from '@/lib/applications/applications/contract'

const DeleteApplication = later(() => import('./delete-application').then((part) => part.DeleteApplication))
const calls = () => import('@/lib/applications/applications/contract')

type ActionTarget = Pick<
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
 * Actions on an application that the list and its card share. `barred` is the reason why the caller may do none of
 * them; `sessions` is how many grants end with it, if that is known.
 */
export function useApplicationActions(
  application: ActionTarget,
  name: string,
  { barred, sessions }: { barred?: string | undefined; sessions?: number } = {},
): Record<'menu' | 'toggle' | 'remove', Action> {
  const t = useTranslations('applications')
  const { id, type, url, enabled, menuVisible, immutable, actionsAccess, clientCount, updatedAt } = application
  const fixed = barred ?? (actionsAccess >= 2 ? t('fixedPlatform') : undefined)
  const unavailable = fixed ? { unavailable: fixed } : {}
  const noMenu =
    type === 'draft'
      ? t('noMenuDraft')
      : type === 'external'
        ? t('noMenuExternal')
        : url
          ? undefined
          : t('noMenuAddress')
  const keepReason = fixed ?? (immutable || type === 'internal' ? t('keepShipped') : undefined)
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
      ...unavailable,
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
      ...(keepReason ? { unavailable: keepReason } : {}),
      title: t('deleteTitle', { name }),
      text: t('deleteText', loses),
      body: (done) => <DeleteApplication id={id} code={application.code} onDone={done} />,
    },
  }
}
