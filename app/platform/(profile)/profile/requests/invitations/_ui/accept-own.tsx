'use client'

import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { ActionButton } from '@/components/form/action-button'
import { DialogBody } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import type { OwnInvitation } from '@/lib/entry/own-invitations/contract'
import type { TermsRequired } from '@/lib/kernel/errors'

const AcceptForm = lazy(() => import('./accept-form').then((part) => ({ default: part.AcceptForm })))

/** The button that accepts an invitation, after it has shown what it gives. */
export function AcceptOwn({ invitation, terms }: { invitation: OwnInvitation; terms: TermsRequired[] }) {
  const t = useTranslations('invitations')
  const { company, inviter } = invitation
  return (
    <ActionButton
      variant="primary"
      name={t('acceptNamed', { company })}
      action={{
        kind: 'dialog',
        label: t('accept'),
        icon: Check,
        size: 'S',
        title: t('acceptTitle', { company }),
        ...(inviter ? { text: t('acceptText', { inviter }) } : {}),
        body: (done) => (
          <Suspense
            fallback={
              <DialogBody>
                <Skeleton className="h-24" />
              </DialogBody>
            }
          >
            <AcceptForm invitation={invitation} terms={terms} onDone={done} />
          </Suspense>
        ),
      }}
    />
  )
}
