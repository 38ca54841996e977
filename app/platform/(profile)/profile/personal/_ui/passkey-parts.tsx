'use client'

import { Fingerprint } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, useEffect } from 'react'
import { ActionButton } from '@/components/form/action-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import { later } from '@/components/ui/later'
import type { OwnPasskeys } from '@/lib/my-account/passkeys/contract'
import type { Needs } from './factor-forms'
import type { PasskeyMenu } from './passkey-menu'

// each is loaded when it is first used
const NewPasskey = later(() => import('./passkey-forms').then((part) => part.NewPasskey))
const menu = () => import('./passkey-menu').then((part) => part.PasskeyMenu)

type AddProps = {
  needs: Needs
  digits: number
  /** Whether it is the main action of its page. */
  isOffer?: boolean
  onDone?: () => void
}

/** The button that adds a passkey. */
export function AddPasskey({ needs, digits, isOffer = false, onDone }: AddProps) {
  const t = useTranslations('account.passkeys')
  return (
    <ActionButton
      {...(isOffer ? { variant: 'primary', size: 'M' } : {})}
      action={{
        kind: 'dialog',
        label: t(isOffer ? 'create' : 'add'),
        icon: Fingerprint,
        title: t('addTitle'),
        text: t('addText'),
        size: 'S',
        body: (done) => (
          <NewPasskey
            needs={needs}
            digits={digits}
            onDone={() => {
              done()
              onDone?.()
            }}
          />
        ),
      }}
    />
  )
}

/** The menu of a passkey's row. */
export const PasskeyRowMenu = (props: ComponentProps<typeof PasskeyMenu>) => (
  <RowMenuLater row={props.name} menu={menu} of={props} />
)

type Signalling = { signalAllAcceptedCredentials?: (signal: OwnPasskeys['signal']) => Promise<void> }

/**
 * Tells the browser which passkeys the account has, so that its password manager offers no removed one (WebAuthn, section 5.1.10).
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
