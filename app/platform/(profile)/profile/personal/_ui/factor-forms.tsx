'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormPassword } from '@/components/form/form-password'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { CopyButton } from '@/components/ui/copy-button'
import { Mono } from '@/components/ui/mono'
import { QrPicture } from '@/components/ui/qr-picture'
import type { CallError } from '@/lib/base/http/client'
import {
  confirmAuthenticatorApp,
  type NewAuthenticator,
  removeAuthenticatorApp,
  renewRecoveryCodes,
  startAuthenticatorApp,
} from '@/lib/my-account/factors/contract'

/** Whether the server asks for the password because the session is old, and what notes its answer. */
function usePasswordNeed() {
  const [wantsPassword, setWantsPassword] = useState(false)
  const onRefused = (error: CallError) => {
    if (error.errorList.some(({ field }) => field === 'password')) setWantsPassword(true)
  }
  return { wantsPassword, onRefused }
}

type Done = { onDone: (recoveryCodes: string[]) => void }

/** Sets up an authenticator app: its key, then its first code. */
export function SetUpApp({ onDone }: Done) {
  const [app, setApp] = useState<NewAuthenticator | null>(null)
  return app ? <ConfirmApp app={app} onDone={onDone} /> : <StartApp onDone={setApp} />
}

function StartApp({ onDone }: { onDone: (app: NewAuthenticator) => void }) {
  const t = useTranslations('account.factors')
  const { wantsPassword, onRefused } = usePasswordNeed()
  const form = useContractForm(startAuthenticatorApp, {
    defaultValues: { password: '' },
    quiet: true,
    onRefused,
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('next')}>
      {wantsPassword ? (
        <FormPassword name={fieldsOf(form)('password')} label={t('password')} autoComplete="current-password" />
      ) : null}
    </DialogForm>
  )
}

function ConfirmApp({ app, onDone }: Done & { app: NewAuthenticator }) {
  const t = useTranslations('account.factors')
  const form = useContractForm(confirmAuthenticatorApp, {
    defaultValues: { proof: app.proof, code: '' },
    needed: ['code'],
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <DialogForm form={form} verb={t('confirm')}>
      <div className="grid justify-items-start gap-3">
        <p>{t('scan')}</p>
        <QrPicture qr={app.qr} label={t('qr')} />
        <div className="grid gap-1">
          <p className="text-ink-second text-note">{t('key')}</p>
          <p className="flex items-center gap-1">
            <Mono>{app.key}</Mono>
            <CopyButton value={app.key} what={t('key')} />
          </p>
        </div>
      </div>
      <FormText
        name={fieldsOf(form)('code')}
        label={t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={16}
      />
    </DialogForm>
  )
}

/** Replaces the recovery codes. */
export function RenewCodes({ onDone }: Done) {
  const t = useTranslations('account.factors')
  const { wantsPassword, onRefused } = usePasswordNeed()
  const form = useContractForm(renewRecoveryCodes, {
    defaultValues: { password: '' },
    onRefused,
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <DialogForm form={form} verb={t('renewConfirm')}>
      {wantsPassword ? (
        <FormPassword name={fieldsOf(form)('password')} label={t('password')} autoComplete="current-password" />
      ) : null}
    </DialogForm>
  )
}

/** Removes the authenticator app. */
export function RemoveApp({ onDone }: { onDone: () => void }) {
  const t = useTranslations('account.factors')
  const { wantsPassword, onRefused } = usePasswordNeed()
  const form = useContractForm(removeAuthenticatorApp, { defaultValues: { password: '' }, onRefused, onDone })
  return (
    <DialogForm form={form} verb={t('removeConfirm')} danger>
      {wantsPassword ? (
        <FormPassword name={fieldsOf(form)('password')} label={t('password')} autoComplete="current-password" />
      ) : null}
    </DialogForm>
  )
}
