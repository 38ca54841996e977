'use client'

import { startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { CallError, call } from '@/lib/base/http/client'
import {
  addPasskey,
  type PasskeyStart,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '@/lib/my-account/passkeys/contract'
import { type Needs, OwnProofs, useNeeds, withPasskey } from './factor-forms'

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Lets the browser make a passkey. Throws a CallError whose code says why there is none. */
async function made({ options }: PasskeyStart) {
  try {
    return await startRegistration({ optionsJSON: options as unknown as CreationOptions })
  } catch (error) {
    const { code } = error instanceof WebAuthnError ? error : { code: '' }
    const isUnsupported =
      code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID' || !window.PublicKeyCredential
    const exists = code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    const reason = exists ? 'passkeyExists' : isUnsupported ? 'passkeyUnsupported' : 'passkeyCanceled'
    throw new CallError(400, reason, {}, undefined, undefined)
  }
}

type NewProps = { needs: Needs; digits: number; onDone: () => void }

/** Makes a passkey on this device, after the proofs that the server asks for. */
export function NewPasskey({ needs: before, digits, onDone }: NewProps) {
  const t = useTranslations('account.passkeys')
  const asked = useNeeds(before)
  const [isSent, setSent] = useState(false)
  // the proofs are used up: who cancels at the device tries again without them
  const start = useRef<PasskeyStart | null>(null)
  const [isProven, setProven] = useState(false)
  const needs = isProven ? [] : asked.needs
  const form = useContractForm(startPasskey, {
    defaultValues: { password: '', code: '', appCode: '' },
    needed: isProven ? [] : asked.fields,
    onRefused: asked.onRefused,
    send: async (body: BodyOf<typeof startPasskey>) => {
      start.current ??= await call(startPasskey, { body: await withPasskey(body, needs) })
      setProven(true)
      const { proof } = start.current
      const passkey = await made(start.current)
      // what was sent counts once: after a failure the person begins anew
      await call(addPasskey, { body: { proof, passkey } }).catch((error) => {
        start.current = null
        setProven(false)
        throw error
      })
      return start.current
    },
    onDone,
  })
  return (
    <DialogForm form={form} verb={needs.includes('code') && !isSent ? null : t('create')}>
      <OwnProofs form={form} needs={needs} digits={digits} onSent={() => setSent(true)} />
      {needs.length === 0 ? <p className="text-ink-second">{t('waiting')}</p> : null}
    </DialogForm>
  )
}

/** Names a passkey. */
export function RenamePasskey({ id, name, onDone }: { id: string; name: string; onDone: () => void }) {
  const t = useTranslations('account.passkeys')
  const form = useContractForm(renamePasskey, { parts: { params: { id } }, defaultValues: { name }, onDone })
  return (
    <DialogForm form={form} verb={t('save')}>
      <FormText name={fieldsOf(form)('name')} label={t('name')} maxLength={100} />
    </DialogForm>
  )
}

/** Removes a passkey, after the proofs that the server asks for. */
export function RemovePasskey({ id, needs: before, digits, onDone }: NewProps & { id: string }) {
  const t = useTranslations('account.passkeys')
  const { needs, fields, onRefused } = useNeeds(before)
  const [isSent, setSent] = useState(false)
  const form = useContractForm(removePasskey, {
    parts: { params: { id } },
    defaultValues: { password: '', code: '', appCode: '' },
    needed: fields,
    onRefused,
    send: async (body: BodyOf<typeof removePasskey>) =>
      call(removePasskey, { params: { id }, body: await withPasskey(body, needs) }),
    onDone,
  })
  return (
    <DialogForm form={form} verb={needs.includes('code') && !isSent ? null : t('removeConfirm')} danger>
      <OwnProofs form={form} needs={needs} digits={digits} onSent={() => setSent(true)} />
    </DialogForm>
  )
}
