'use client'

import { KeyRound, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { ActionButton } from '@/components/form/action-button'
import type { PasswordRules } from '@/lib/sign-in/passwords/rules'

const OwnPassword = lazy(() => import('./own-password').then((part) => ({ default: part.OwnPassword })))
const DeleteAccount = lazy(() => import('./delete-account').then((part) => ({ default: part.DeleteAccount })))

type Props = { rules: PasswordRules; digits: number; byCode: boolean }

/** The button that changes the password, or sets the first one by a code. */
export function ChangePassword({ byCode, ...props }: Props) {
  const t = useTranslations('account.access')
  const label = t(byCode ? 'set' : 'change')
  return (
    <ActionButton
      action={{
        kind: 'dialog',
        label,
        icon: KeyRound,
        title: label,
        text: t('text'),
        body: (done) => (
          <Suspense fallback={null}>
            <OwnPassword {...props} byCode={byCode} onDone={done} />
          </Suspense>
        ),
      }}
    />
  )
}

/** The button that deletes the account, after the person has typed a confirmation. */
export function DeleteAccountButton(props: { login: string; digits: number; hasPassword: boolean }) {
  const t = useTranslations('account.deletion')
  return (
    <ActionButton
      action={{
        kind: 'dialog',
        label: t('open'),
        icon: Trash2,
        tone: 'danger',
        title: t('dialogTitle'),
        text: t('dialogText'),
        body: () => (
          <Suspense fallback={null}>
            <DeleteAccount {...props} />
          </Suspense>
        ),
      }}
    />
  )
}
