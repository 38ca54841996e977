'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWrite } from '@/components/form/use-write'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { endSessions } from '@/lib/entry/user-sessions/contract'

/** Ends all other sessions, or all with this one, after asking; `others` is how many others there are. */
export function EndMany({ others }: { others: number }) {
  const t = useTranslations('sessions')
  const [asking, setAsking] = useState<'others' | 'all' | null>(null)
  const { write, reason } = useWrite(endSessions, { failure: 'inside' })
  const end = async (current: 'true' | 'false') => {
    const outcome = await write({ query: { current } })
    if (outcome?.ok && outcome.output.current) window.location.assign('/platform/login?ended=endedByUser')
    return outcome?.ok === false ? reason(outcome.error) : undefined
  }
  const close = () => setAsking(null)
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking('others')}>
        {t('endOthers')}
      </Button>
      <Button variant="quiet" onClick={() => setAsking('all')}>
        {t('endAll')}
      </Button>
      <ConfirmDialog
        open={asking === 'others'}
        onOpenChange={close}
        title={t('othersTitle')}
        text={t('othersText', { count: others })}
        confirm={t('endOthers')}
        onConfirm={() => end('false')}
      />
      <ConfirmDialog
        open={asking === 'all'}
        onOpenChange={close}
        title={t('allTitle')}
        text={t('allText')}
        confirm={t('endAll')}
        onConfirm={() => end('true')}
      />
    </>
  )
}
