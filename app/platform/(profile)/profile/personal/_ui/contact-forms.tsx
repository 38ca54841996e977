'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCheckbox } from '@/components/form/form-choice'
import { FormCode } from '@/components/form/form-code'
import { FormPassword } from '@/components/form/form-password'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { useWriter } from '@/components/form/use-write'
import type { CallInput } from '@/lib/base/contracts/contract'
import { CallError, call } from '@/lib/base/http/client'
import { type ContactKind, requestContactCode, verifyContact } from '@/lib/my-account/contact-details/contract'

type Proving = { kind: ContactKind; value: string; main: boolean; onDone: () => void }

/**
 * The form that proves a contact by its code. It asks for the password when the server requires it because the session
 * is old.
 */
function useProof({ kind, value, main, onDone }: Proving) {
  const [wantsPassword, setWantsPassword] = useState(false)
  const [isSent, setSent] = useState(false)
  const { write, reason } = useWriter()
  const send = async (body: CallInput<typeof verifyContact>['body']) => {
    try {
      return await call(verifyContact, { body })
    } catch (error) {
      if (error instanceof CallError && error.errorList.some(({ field }) => field === 'password'))
        setWantsPassword(true)
      throw error
    }
  }
  const defaultValues = { kind, value, code: '', main, password: '' }
  const form = useContractForm(verifyContact, { defaultValues, send, onDone })
  const request = (address: string) =>
    write(requestContactCode, { body: { kind, value: address } }, { failure: 'inside' })
  return { form, wantsPassword, isSent, noteSent: () => setSent(true), request, reason }
}
type Proof = ReturnType<typeof useProof>

type CodeProps = { proof: Proof; digits: number; to: string; send: () => ReturnType<Proof['request']> }

/** The code, and above it the password if it is required. */
function ProofFields({ proof: { form, wantsPassword, noteSent, reason }, digits, to, send }: CodeProps) {
  const t = useTranslations('account.contacts')
  const field = fieldsOf(form)
  return (
    <>
      {wantsPassword ? (
        <FormPassword name={field('password')} label={t('password')} autoComplete="current-password" />
      ) : null}
      <FormCode
        name={field('code')}
        label={t('code')}
        length={digits}
        to={to}
        reason={reason}
        send={send}
        onSent={noteSent}
        onComplete={() => void form.submit()}
      />
    </>
  )
}

/** Proves a contact of the list by a code, which is sent from here; with `main` it becomes the main one. */
export function ProveContact({ digits, ...contact }: Proving & { digits: number }) {
  const t = useTranslations('account.contacts')
  const proof = useProof(contact)
  const { value } = contact
  return (
    <DialogForm form={proof.form} verb={proof.isSent ? t('confirm') : null}>
      <ProofFields proof={proof} digits={digits} to={value} send={() => proof.request(value)} />
    </DialogForm>
  )
}

type New = {
  kind: ContactKind
  digits: number
  /** Whether it is the first of its kind: then it becomes the main one. */
  first: boolean
  /** Whether it can't become the main one. */
  mainFixed: boolean
  onDone: () => void
}

/** A new contact, which is proven by a code at once. */
export function NewContact({ kind, digits, first, mainFixed, onDone }: New) {
  const t = useTranslations('account.contacts')
  const proof = useProof({ kind, value: '', main: first && !mainFixed, onDone })
  const field = fieldsOf(proof.form)
  const { form: values } = proof.form
  const send = async () => {
    const outcome = await proof.request(values.getValues('value'))
    const fault = outcome?.ok === false ? outcome.error.errorList.find((each) => each.field === 'value') : undefined
    if (fault && outcome?.ok === false) {
      values.setError('value', { type: 'server', message: proof.reason(outcome.error) })
      return undefined
    }
    values.clearErrors('value')
    return outcome
  }
  return (
    <DialogForm form={proof.form} verb={proof.isSent ? t('confirm') : null}>
      <FormText
        name={field('value')}
        label={t(`value.${kind}`)}
        type={kind === 'email' ? 'email' : 'tel'}
        inputMode={kind === 'email' ? 'email' : 'tel'}
        autoComplete={kind === 'email' ? 'email' : 'tel'}
        maxLength={254}
      />
      {first || mainFixed ? null : <FormCheckbox name={field('main')} label={t('newMain')} hint={t('mainText')} />}
      <ProofFields proof={proof} digits={digits} to={values.watch('value')} send={send} />
    </DialogForm>
  )
}
