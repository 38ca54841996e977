'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWrite } from '@/components/form/use-write'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { withdrawUserApplication } from '@/lib/oidc/consents/contract'

/** Withdraws an application's access after asking; `own`: it comes back without a question. */
export function Withdraw({ id, application, own }: { id: string; application: string; own: boolean }) {
  const t = useTranslations('user-applications')
  const [open, setOpen] = useState(false)
  const { write, reason } = useWrite(withdrawUserApplication, { failure: 'inside' })
  const withdraw = async () => {
    const outcome = await write({ params: { applicationId: id } })
    return outcome?.ok === false ? reason(outcome.error) : undefined
  }
  return (
    <>
      <Button
        variant="secondary"
        size="S"
        aria-label={t('withdrawNamed', { application })}
        onClick={() => setOpen(true)}
      >
        {t('withdraw')}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={t('withdrawTitle', { application })}
        text={t(own ? 'withdrawOwnText' : 'withdrawText')}
        confirm={t('withdraw')}
        onConfirm={withdraw}
      />
    </>
  )
}
