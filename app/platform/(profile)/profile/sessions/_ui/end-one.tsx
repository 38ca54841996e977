'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWrite } from '@/components/form/use-write'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { endSession } from '@/lib/entry/user-sessions/contract'

/** Ends one session after asking; `device` is what it is known by. */
export function EndOne({ id, device }: { id: string; device: string }) {
  const t = useTranslations('sessions')
  const [open, setOpen] = useState(false)
  const { write, reason } = useWrite(endSession, { failure: 'inside' })
  const end = async () => {
    const outcome = await write({ params: { sessionId: id } })
    return outcome?.ok === false ? reason(outcome.error) : undefined
  }
  return (
    <>
      <Button variant="secondary" size="S" aria-label={t('endNamed', { device })} onClick={() => setOpen(true)}>
        {t('end')}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={t('endTitle', { device })}
        text={t('endText')}
        confirm={t('end')}
        onConfirm={end}
      />
    </>
  )
}
