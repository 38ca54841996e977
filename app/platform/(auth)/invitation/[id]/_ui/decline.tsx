'use client'

import { useTranslations } from 'next-intl'
import { lazy, Suspense, useState } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { Button } from '@/components/ui/button'
import { CallError, call } from '@/lib/base/http/client'
import type { declineInvitation } from '@/lib/joining/invitations/contract'
import { invitationPaths } from '@/lib/joining/invitations/paths'
import { unlessEnded } from './answer'

const fetchDialog = () => import('@/components/ui/confirm-dialog')
const ConfirmDialog = lazy(async () => ({ default: (await fetchDialog()).ConfirmDialog }))

export type Offer = { id: string; inviter: string; company: string }

/** Asks for a confirmation, declines and refreshes the page (docs/rules/invitations.md#declining). */
export function Decline({ id, inviter, company }: Offer) {
  const tInvitation = useTranslations('invitation')
  const t = useTranslations('invitation.decline')
  const errorText = useErrorText()
  const [open, setOpen] = useState<boolean>()
  const decline = async () => {
    try {
      if (await unlessEnded(() => call<typeof declineInvitation>(invitationPaths.decline, { params: { id } })))
        window.location.reload()
      // the dialog is removed with the page
      return await new Promise<undefined>(() => {})
    } catch (error) {
      return errorText(error instanceof CallError ? error.code : 'errorUnknown')
    }
  }
  return (
    <>
      <Button
        variant="secondary"
        size="L"
        onPointerEnter={() => void fetchDialog().catch(() => undefined)}
        onClick={() => setOpen(true)}
      >
        {t('action')}
      </Button>
      {open === undefined ? null : (
        <Suspense>
          <ConfirmDialog
            open={open}
            onOpenChange={setOpen}
            title={t('title', { company })}
            text={t('text', { inviter: inviter || tInvitation('somebody') })}
            confirm={t('confirm')}
            onConfirm={decline}
          />
        </Suspense>
      )}
    </>
  )
}
