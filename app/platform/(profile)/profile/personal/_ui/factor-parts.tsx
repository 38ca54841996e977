'use client'

import { RefreshCw, Smartphone, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense, useState } from 'react'
import { ActionButton } from '@/components/form/action-button'
import { RowActions } from '@/components/form/row-actions'
import type { Needs } from './factor-forms'

// each is loaded when its dialog opens
const SetUpApp = lazy(() => import('./factor-forms').then((part) => ({ default: part.SetUpApp })))
const RenewCodes = lazy(() => import('./factor-forms').then((part) => ({ default: part.RenewCodes })))
const RemoveApp = lazy(() => import('./factor-forms').then((part) => ({ default: part.RemoveApp })))
const RecoveryCodes = lazy(() => import('./recovery-codes').then((part) => ({ default: part.RecoveryCodes })))

type Props = {
  hasApp: boolean
  login: string
  needs: Needs
  /** How many digits a code of a message has. */
  digits: number
}

/** What a person can do with their authenticator app. New recovery codes are shown when the dialog has closed. */
export function FactorActions({ hasApp, login, needs, digits }: Props) {
  const t = useTranslations('account.factors')
  const [codes, setCodes] = useState<string[] | null>(null)
  const shows = (done: () => void) => (newCodes: string[]) => {
    done()
    setCodes(newCodes)
  }
  return (
    <>
      {hasApp ? (
        <RowActions
          row={t('app')}
          actions={[
            {
              kind: 'dialog',
              label: t('renew'),
              icon: RefreshCw,
              title: t('renew'),
              text: t('renewText'),
              size: 'S',
              body: (done) => (
                <Suspense fallback={null}>
                  <RenewCodes needs={needs} onDone={shows(done)} />
                </Suspense>
              ),
            },
            {
              kind: 'dialog',
              label: t('remove'),
              icon: Trash2,
              tone: 'danger',
              title: t('remove'),
              text: t('removeText'),
              size: 'S',
              body: (done) => (
                <Suspense fallback={null}>
                  <RemoveApp needs={needs} onDone={done} />
                </Suspense>
              ),
            },
          ]}
        />
      ) : (
        <ActionButton
          action={{
            kind: 'dialog',
            label: t('connect'),
            icon: Smartphone,
            title: t('setUp'),
            text: t('setUpText'),
            size: 'S',
            body: (done) => (
              <Suspense fallback={null}>
                <SetUpApp needs={needs} digits={digits} onDone={shows(done)} />
              </Suspense>
            ),
          }}
        />
      )}
      {codes ? (
        <Suspense fallback={null}>
          <RecoveryCodes codes={codes} login={login} onClose={() => setCodes(null)} />
        </Suspense>
      ) : null}
    </>
  )
}
