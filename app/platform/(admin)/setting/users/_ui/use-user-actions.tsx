'use client'

import { KeyRound, LogOut, Mail, Power, PowerOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type Action, sends } from '@/components/form/actions'
import { later } from '@/components/ui/later'
import type { User } from '@/lib/accounts/administration/contract'

const DisableUser = later(() => import('./disable-user').then((part) => part.DisableUser))
const sessionCalls = () => import('@/lib/sign-in/sessions-of-users/contract')

type ActionTarget = Pick<User, 'id' | 'enabled' | 'email' | 'provider' | 'updatedAt' | 'hasPassword'>

/** Actions on an account that the list and its card share. */
export function useUserActions(user: ActionTarget, name: string): Record<'toggle' | 'reset' | 'end' | 'link', Action> {
  const t = useTranslations('users')
  const { id, enabled, email, provider, updatedAt, hasPassword } = user
  const params = { id }
  const noReset = provider ? t('ofDirectory') : !enabled ? t('whileDisabled') : !email ? t('withoutEmail') : undefined
  const noLink = noReset ?? (hasPassword ? t('withPassword') : undefined)
  return {
    link: {
      kind: 'confirm',
      label: t('sendEntryLink'),
      icon: Mail,
      ...(noLink ? { unavailable: noLink } : {}),
      ask: { title: t('entryLinkTitle', { name }), text: t('entryLinkText', { email: email ?? '' }), tone: 'primary' },
      verb: t('sendEntryLinkVerb'),
      sends: sends(
        () => import('@/lib/account-administration/accounts/contract').then(({ sendEntryLink }) => sendEntryLink),
        {
          params,
        },
      ),
    },
    reset: {
      kind: 'confirm',
      label: t('reset'),
      icon: KeyRound,
      ...(noReset ? { unavailable: noReset } : {}),
      ask: { title: t('resetTitle', { name }), text: t('resetText', { email: email ?? '' }), tone: 'danger' },
      sends: sends(
        () => import('@/lib/sign-in/passwords/contract').then(({ resetUserPassword }) => resetUserPassword),
        {
          params,
        },
      ),
    },
    end: {
      kind: 'confirm',
      label: t('end'),
      icon: LogOut,
      ask: { title: t('endTitle', { name }), text: t('endText'), tone: 'danger' },
      sends: sends(() => sessionCalls().then(({ endUserSessions }) => endUserSessions), { params, query: {} }),
    },
    toggle: enabled
      ? {
          kind: 'dialog',
          label: t('disable'),
          icon: PowerOff,
          tone: 'danger',
          size: 'S',
          title: t('disableTitle', { name }),
          text: t('disableText'),
          body: (done) => <DisableUser id={id} updatedAt={updatedAt} onDone={done} />,
        }
      : {
          kind: 'confirm',
          label: t('enable'),
          icon: Power,
          ask: { title: t('enableTitle', { name }), text: t('enableText'), tone: 'primary' },
          sends: sends(
            () => import('@/lib/accounts/administration/contract').then(({ enableUser }) => enableUser),
            { params, body: { enabled: true, updatedAt } },
            { params: { enabled: 'true' } },
          ),
        },
  }
}
