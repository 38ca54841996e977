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
import { CallError, call } from '@/lib/kernel/http/client'
import type { CallInput } from '@/lib/kernel/http/contract'
import { type ContactKind, requestContactCode, verifyContact } from '@/lib/profile/contacts/contract'

type Proving = { kind: ContactKind; value: string; main: boolean; digits: number; onDone: () => void }

/** Sends a code with its contact, and learns whether the server wants the password too, because the session is old. */
function usePasswordDemand() {
  const [asked, setAsked] = useState(false)
  const send = async (body: CallInput<typeof verifyContact>['body']) => {
    try {
      return await call(verifyContact, { body })
    } catch (error) {
      if (error instanceof CallError && error.errorList.some((fault) => fault.field === 'password')) setAsked(true)
      throw error
    }
  }
  return { asked, send }
}

/** Proves a contact of the list by a code, which is sent from here; with `main` it becomes the main one. */
export function ProveContact({ kind, value, main, digits, onDone }: Proving) {
  const t = useTranslations('account.contacts')
  const { asked, send } = usePasswordDemand()
  const defaultValues = { kind, value, code: '', main, password: '' }
  const form = useContractForm(verifyContact, { defaultValues, send, onDone })
  const field = fieldsOf(form)
  const { write, reason } = useWriter()
  const [sent, setSent] = useState(false)
  return (
    <DialogForm form={form} verb={sent ? t('confirm') : null}>
      {asked ? <FormPassword name={field('password')} label={t('password')} autoComplete="current-password" /> : null}
      <FormCode
        name={field('code')}
        label={t('code')}
        length={digits}
        to={value}
        reason={reason}
        send={() => write(requestContactCode, { body: { kind, value } }, { failure: 'inside' })}
        onSent={() => setSent(true)}
        onComplete={() => void form.submit()}
      />
    </DialogForm>
  )
}

/** A new contact, which is proven by a code at once. */
export function NewContact({
  kind,
  digits,
  first,
  mainFixed,
  onDone,
}: {
  kind: ContactKind
  digits: number
  /** Whether it is the first of its kind: then it becomes the main one. */
  first: boolean
  /** Whether it can't become the main one. */
  mainFixed: boolean
  onDone: () => void
}) {
  const t = useTranslations('account.contacts')
  const main = first && !mainFixed
  const demand = usePasswordDemand()
  const defaultValues = { kind, value: '', code: '', main, password: '' }
  const form = useContractForm(verifyContact, { defaultValues, send: demand.send, onDone })
  const field = fieldsOf(form)
  const { write, reason } = useWriter()
  const [sent, setSent] = useState(false)
  const { form: values } = form
  const send = async () => {
    const { value } = values.getValues()
    const outcome = await write(requestContactCode, { body: { kind, value } }, { failure: 'inside' })
    const fault = outcome?.ok === false ? outcome.error.errorList.find((each) => each.field === 'value') : undefined
    if (fault && outcome?.ok === false) {
      values.setError('value', { type: 'server', message: reason(outcome.error) })
      return undefined
    }
    values.clearErrors('value')
    return outcome
  }
  return (
    <DialogForm form={form} verb={sent ? t('confirm') : null}>
      <FormText
        name={field('value')}
        label={t(`value.${kind}`)}
        type={kind === 'email' ? 'email' : 'tel'}
        inputMode={kind === 'email' ? 'email' : 'tel'}
        autoComplete={kind === 'email' ? 'email' : 'tel'}
        maxLength={254}
      />
      {first || mainFixed ? null : <FormCheckbox name={field('main')} label={t('newMain')} hint={t('mainText')} />}
      {demand.asked ? (
        <FormPassword name={field('password')} label={t('password')} autoComplete="current-password" />
      ) : null}
      <FormCode
        name={field('code')}
        label={t('code')}
        length={digits}
        to={values.watch('value')}
        reason={reason}
        send={send}
        onSent={() => setSent(true)}
        onComplete={() => void form.submit()}
      />
    </DialogForm>
  )
}
