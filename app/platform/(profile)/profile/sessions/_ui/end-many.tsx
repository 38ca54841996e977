'use client'

import { LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { type Action, sends } from '@/components/form/actions'

const load = () => import('@/lib/sign-in/own-sessions/contract').then((calls) => calls.endSessions)

/** Ends all other sessions, or all including this one, after a confirmation. `others` is the number of the others. */
export function EndMany({ others }: { others: number }) {
  const t = useTranslations('sessions')
  const ending = (current: 'true' | 'false', label: string, ask: { title: string; text: string }): Action => ({
    kind: 'confirm',
    label,
    icon: LogOut,
    tone: 'danger',
    ask,
    sends: sends(
      load,
      { query: { current } },
      {
        leaves: (output) => output.current,
        onDone: (output) => output.current && window.location.assign('/platform/login?ended=endedByUser'),
      },
    ),
  })
  const othersText = t('othersText', { count: others })
  return (
    <>
      <ActionButton size="M" action={ending('false', t('endOthers'), { title: t('othersTitle'), text: othersText })} />
      <ActionButton
        variant="quiet"
        size="M"
        action={ending('true', t('endAll'), { title: t('allTitle'), text: t('allText') })}
      />
    </>
  )
}
