'use client'

import { Fingerprint } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { ActionButton } from '@/components/form/action-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import { later } from '@/components/ui/later'
import type { OwnPasskeys } from '@/lib/my-account/passkeys/contract'
import type { Needs } from './factor-forms'

// each is loaded when it is first used
const NewPasskey = later(() => import('./passkey-forms').then((part) => part.NewPasskey))
const menu = () => import('./passkey-menu').then((part) => part.PasskeyMenu)

/** The button that adds a passkey. */
export function AddPasskey({ needs, digits }: { needs: Needs; digits: number }) {
  const t = useTranslations('account.passkeys')
  return (
    <ActionButton
      action={{
        kind: 'dialog',
        label: t('add'),
        icon: Fingerprint,
        title: t('addTitle'),
        text: t('addText'),
        size: 'S',
        body: (done) => <NewPasskey needs={needs} digits={digits} onDone={done} />,
      }}
    />
  )
}

/** The menu of a passkey's row. */
export const PasskeyRowMenu = (props: { id: string; name: string }) => (
  <RowMenuLater row={props.name} menu={menu} of={props} />
)

type Signalling = { signalAllAcceptedCredentials?: (signal: OwnPasskeys['signal']) => Promise<void> }

/**
 * Tells the browser which passkeys the account has, so that its password manager offers no removed one (Web
 * Authentication, section 5.1.10).
 */
export function PasskeySignal({ signal }: Pick<OwnPasskeys, 'signal'>) {
  const { rpId, userId, allAcceptedCredentialIds } = signal
  const ids = allAcceptedCredentialIds.join()
  useEffect(() => {
    const { PublicKeyCredential: credentials } = window as { PublicKeyCredential?: Signalling }
    const accepted = { rpId, userId, allAcceptedCredentialIds: ids ? ids.split(',') : [] }
    // a browser that refuses goes on offering it, and the sign-in tells the person
    credentials?.signalAllAcceptedCredentials?.(accepted).catch(() => undefined)
  }, [rpId, userId, ids])
  return null
}
