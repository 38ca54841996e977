'use client'

import { Smartphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ActionButton } from '@/components/form/action-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import { later } from '@/components/ui/later'
import type { Needs } from './factor-forms'

// each is loaded when it is first used
const SetUpApp = later(() => import('./factor-forms').then((part) => part.SetUpApp))
const RecoveryCodes = later(() => import('./recovery-codes').then((part) => part.RecoveryCodes))
const menu = () => import('./factor-menu').then((part) => part.FactorMenu)

type Props = {
  hasApp: boolean
  login: string
  needs: Needs
  /** How many digits a code of a message has. */
  digits: number
}

/** What a person can do with their authenticator app. */
export function FactorActions({ hasApp, login, needs, digits }: Props) {
  const t = useTranslations('account.factors')
  const [codes, setCodes] = useState<string[] | null>(null)
  return (
    <>
      {hasApp ? (
        <RowMenuLater row={t('app')} menu={menu} of={{ needs, onCodes: setCodes }} />
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
              <SetUpApp
                needs={needs}
                digits={digits}
                onDone={(newCodes) => {
                  done()
                  setCodes(newCodes)
                }}
              />
            ),
          }}
        />
      )}
      {codes ? <RecoveryCodes codes={codes} login={login} onClose={() => setCodes(null)} /> : null}
    </>
  )
}
