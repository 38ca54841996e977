'use client'

import { LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import type { CallInput } from '@/lib/base/contracts/contract'
import type { endApplicationSessions } from '@/lib/openid/application-sessions/contract'

const calls = () => import('@/lib/openid/application-sessions/contract')

type SessionProps = { id: string; clientId: string; name: string; application: string }

/** Ends one session of a person in an application, after a question. */
export function EndSession({ id, clientId, name, application }: SessionProps) {
  const t = useTranslations('application-sessions')
  return (
    <ActionButton
      name={`${t('end')}: ${name}, ${application}`}
      action={{
        kind: 'confirm',
        label: t('end'),
        icon: LogOut,
        ask: { title: t('endTitle', { name, application }), text: t('endText'), tone: 'danger' },
        sends: sends(() => calls().then((contracts) => contracts.endApplicationSession), {
          params: { id },
          query: { clientId },
        }),
      }}
    />
  )
}

type All = {
  found: { count: number; more: 'true' | 'false' }
  /** Whether a filter excludes some. */
  filtered: boolean
  query: CallInput<typeof endApplicationSessions>['query']
}

/** Ends all sessions that the list has found; the question says how many. */
export function EndSessions({ found, filtered, query }: All) {
  const t = useTranslations('application-sessions')
  return (
    <ActionButton
      action={{
        kind: 'confirm',
        label: t(filtered ? 'endFound' : 'endAll'),
        icon: LogOut,
        tone: 'danger',
        ask: { title: t('endAllTitle', found), text: t(filtered ? 'endFoundText' : 'endAllText'), tone: 'danger' },
        verb: t('endAllVerb', found),
        sends: sends(() => calls().then((contracts) => contracts.endApplicationSessions), { query }),
      }}
    />
  )
}
