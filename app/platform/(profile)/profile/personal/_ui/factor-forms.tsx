'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormCode } from '@/components/form/form-code'
import { FormPassword } from '@/components/form/form-password'
import { FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { useWriter } from '@/components/form/use-write'
import { CopyButton } from '@/components/ui/copy-button'
import { AppKey, QrPicture } from '@/components/ui/qr-picture'
import { CallError, call } from '@/lib/base/http/client'
import {
  confirmAuthenticatorApp,
  type NewAuthenticator,
  type OwnFactors,
  removeAuthenticatorApp,
  renewRecoveryCodes,
  requestFactorsCode,
  startAuthenticatorApp,
} from '@/lib/my-account/factors/contract'
import { passkeyOptions } from '@/lib/sign-in/attempts/contract'
import type { PasskeySignature } from '@/lib/sign-in/factors/passkey/credential'

export type Needs = NonNullable<OwnFactors['needs']>

/** The fields in which a person proves who they are, by what is asked for. */
const proofFields = { password: 'password', code: 'code', app: 'appCode' } as const
const proofs = ['password', 'code', 'app'] as const

/** What the server asks for: what the page knew, and what an answer has named since; and the fields for it. */
export function useNeeds(before: Needs) {
  const [asked, setAsked] = useState<Needs>(before)
  const onRefused = ({ errorList }: CallError) => {
    const named = errorList.map(({ field }) => field)
    setAsked((needs) => {
      // a passkey is enough
      if (needs.includes('passkey') || named.includes('passkey')) return ['passkey']
      return proofs.filter((need) => needs.includes(need) || named.includes(proofFields[need]))
    })
  }
  const fields = asked.flatMap((need) => (need === 'passkey' ? [] : [proofFields[need]]))
  return { needs: asked, fields, onRefused }
}

/**
 * Returns what a call sends for the proofs: with the signature of a passkey, if it is asked for. Throws a CallError if the
 * person cancels.
 */
export async function withPasskey<B extends object>(
  body: B,
  needs: Needs,
): Promise<B & { passkey?: PasskeySignature }> {
  if (!needs.includes('passkey')) return body
  const [options, { startAuthentication }] = await Promise.all([
    call(passkeyOptions),
    import('@simplewebauthn/browser'),
  ])
  const passkey = await startAuthentication({ optionsJSON: options }).catch(() => {
    throw new CallError(400, 'passkeyUnused', {}, undefined, undefined)
  })
  const { clientExtensionResults: _, ...signature } = passkey
  return { ...body, passkey: signature }
}

type ProofForm = FormOf<{ password?: string | undefined; code?: string | undefined; appCode?: string | undefined }>
type ProofProps = { form: ProofForm; needs: Needs; digits: number; onSent: () => void }

/** Asks for the proofs that the server wants: the password, a code that is sent on request, a code of the app. */
export function OwnProofs({ form, needs, digits, onSent }: ProofProps) {
  const t = useTranslations('account.factors')
  const { write, reason } = useWriter()
  if (needs.length === 0) return null
  const field = fieldsOf(form)
  return (
    <>
      <p className="text-ink-second">{t(needs.includes('passkey') ? 'proofByPasskey' : 'proofText')}</p>
      {needs.includes('password') ? <Password form={form} /> : null}
      {needs.includes('app') ? (
        <FormText name={field('appCode')} label={t('appCode')} autoComplete="one-time-code" maxLength={32} />
      ) : null}
      {needs.includes('code') ? (
        <FormCode
          name={field('code')}
          label={t('ownCode')}
          length={digits}
          reason={reason}
          send={() => write(requestFactorsCode, {}, { failure: 'inside' })}
          onSent={onSent}
        />
      ) : null}
    </>
  )
}

type Done = { onDone: (recoveryCodes: string[]) => void }

type SetUpProps = Done & { needs: Needs; digits: number }

/** Sets up an authenticator app: who the person is, the key of the app, then its first code. */
export function SetUpApp({ needs, digits, onDone }: SetUpProps) {
  const [app, setApp] = useState<NewAuthenticator | null>(null)
  return app ? <ConfirmApp app={app} onDone={onDone} /> : <StartApp needs={needs} digits={digits} onDone={setApp} />
}

type StartProps = { needs: Needs; digits: number; onDone: (app: NewAuthenticator) => void }

function StartApp({ needs: before, digits, onDone }: StartProps) {
  const t = useTranslations('account.factors')
  const { needs, fields, onRefused } = useNeeds(before)
  const [isSent, setSent] = useState(false)
  const form = useContractForm(startAuthenticatorApp, {
    defaultValues: { password: '', code: '' },
    needed: fields.filter((field) => field !== 'appCode'),
    quiet: true,
    onRefused,
    send: async (body: BodyOf<typeof startAuthenticatorApp>) =>
      call(startAuthenticatorApp, { body: await withPasskey(body, needs) }),
    onDone,
  })
  return (
    <DialogForm form={form} verb={needs.includes('code') && !isSent ? null : t('next')}>
      <OwnProofs form={form} needs={needs} digits={digits} onSent={() => setSent(true)} />
    </DialogForm>
  )
}

function Password({ form }: { form: FormOf<{ password?: string | undefined }> }) {
  const t = useTranslations('account.factors')
  return <FormPassword name={fieldsOf(form)('password')} label={t('password')} autoComplete="current-password" />
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
            <AppKey>{app.key}</AppKey>
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

/** The code of the app or a recovery code, with which a change is confirmed. */
function AppCode({ form }: { form: FormOf<{ code: string }> }) {
  const t = useTranslations('account.factors')
  return <FormText name={fieldsOf(form)('code')} label={t('appCode')} autoComplete="one-time-code" maxLength={32} />
}

/** Replaces the recovery codes. */
export function RenewCodes({ needs: before, onDone }: Done & { needs: Needs }) {
  const t = useTranslations('account.factors')
  const { needs, onRefused } = useNeeds(before)
  const form = useContractForm(renewRecoveryCodes, {
    defaultValues: { password: '', code: '' },
    needed: ['code'],
    onRefused,
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <DialogForm form={form} verb={t('renewConfirm')}>
      {needs.includes('password') ? <Password form={form} /> : null}
      <AppCode form={form} />
    </DialogForm>
  )
}

/** Removes the authenticator app. */
export function RemoveApp({ needs: before, onDone }: { needs: Needs; onDone: () => void }) {
  const t = useTranslations('account.factors')
  const { needs, onRefused } = useNeeds(before)
  const form = useContractForm(removeAuthenticatorApp, {
    defaultValues: { password: '', code: '' },
    needed: ['code'],
    onRefused,
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('removeConfirm')} danger>
      {needs.includes('password') ? <Password form={form} /> : null}
      <AppCode form={form} />
    </DialogForm>
  )
}
