'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf, ownField } from '@/components/form/field-name'
import { FormCheckbox } from '@/components/form/form-choice'
import { FormCode } from '@/components/form/form-code'
import { FormPassword } from '@/components/form/form-password'
import { FormSelect } from '@/components/form/form-select'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { useWriter } from '@/components/form/use-write'
import { CallError, call } from '@/lib/kernel/http/client'
import type { CallInput } from '@/lib/kernel/http/contract'
import {
  type Agreement,
  agreements,
  type Contact,
  type ContactKind,
  messengers,
  requestContactCode,
  verifyContact,
} from '@/lib/profile/contacts/contract'
import { updateProfile } from '@/lib/profile/personal/contract'
import { withList } from './contact-lists'

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
  return (
    <DialogForm form={form} verb={t('confirm')}>
      {asked ? <FormPassword name={field('password')} label={t('password')} autoComplete="current-password" /> : null}
      <FormCode
        name={field('code')}
        label={t('code')}
        length={digits}
        to={value}
        reason={reason}
        send={() => write(requestContactCode, { body: { kind, value } }, { failure: 'inside' })}
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
    <DialogForm form={form} verb={t('confirm')}>
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
        onComplete={() => void form.submit()}
      />
    </DialogForm>
  )
}

type Marks = { updatedAt: string; agreement: Agreement } & { [M in (typeof messengers)[number]]: boolean }
type Details = { kind: ContactKind; contact: Contact; contacts: Contact[]; updatedAt: string; onDone: () => void }

const marksOf = ({ agreement, messengers: reached }: Contact) => [agreement, ...[...reached].sort()].join()

/**
 * In which messengers a number is reached, and whether the person allows to be contacted there. The list is sent as the
 * page has it now, so that a contact that another tab added meanwhile stays.
 */
export function ContactDetails({ kind, contact, contacts, updatedAt, onDone }: Details) {
  const t = useTranslations('account.contacts')
  const router = useRouter()
  const [opened] = useState({ marks: marksOf(contact), updatedAt })
  const has = (each: (typeof messengers)[number]) => contact.messengers.includes(each)
  const form = useContractForm<typeof updateProfile, Marks>(updateProfile, {
    defaultValues: {
      updatedAt,
      agreement: contact.agreement,
      telegram: has('telegram'),
      whatsapp: has('whatsapp'),
      viber: has('viber'),
      max: has('max'),
    },
    toBody: ({ updatedAt: known, agreement, ...marks }) => {
      const kept = { ...contact, agreement, messengers: messengers.filter((each) => marks[each]) }
      // what somebody else said of this contact is met as a conflict once; any other change of the account isn't one
      const unseen = marksOf(contact) !== opened.marks && known === opened.updatedAt
      return {
        contacts: withList(
          kind,
          contacts.map((each) => (each === contact ? kept : each)),
        ),
        updatedAt: unseen ? known : updatedAt,
      }
    },
    send: (body) =>
      call(updateProfile, { body }).catch((error) => {
        // the next try needs the list as it is now
        if (error instanceof CallError && error.status === 409) router.refresh()
        throw error
      }),
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={t('save')}>
      <FormSelect
        name={ownField('agreement')}
        label={t('agreement')}
        options={agreements.map((value) => ({ value, label: t(`choices.${value}`) }))}
      />
      {kind === 'mobile' ? (
        <fieldset className="grid gap-2.5">
          <legend className="mb-2.5 font-medium text-table">{t('messengers')}</legend>
          {messengers.map((each) => (
            <FormCheckbox key={each} name={field(each)} label={t(`messengerNames.${each}`)} />
          ))}
        </fieldset>
      ) : null}
    </DialogForm>
  )
}
