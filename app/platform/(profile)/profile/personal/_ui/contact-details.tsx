'use client'

import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf, ownField } from '@/components/form/field-name'
import { FormCheckbox } from '@/components/form/form-choice'
import { FormSelect } from '@/components/form/form-select'
import { useContractForm } from '@/components/form/use-contract-form'
import type { CallInput } from '@/lib/base/contracts/contract'
import { CallError, call } from '@/lib/base/http/client'
import {
  type Agreement,
  agreements,
  type Contact,
  type ContactKind,
  messengers,
} from '@/lib/my-account/contact-details/contract'
import { readProfileDetails, updateProfile } from '@/lib/my-account/personal/contract'
import { listOf, withList } from './contact-lists'

type Marks = { agreement: Agreement } & { [M in (typeof messengers)[number]]: boolean }

/** The consent and the messengers of a contact, as the form has them. */
function marksOf({ agreement, messengers: connected }: Contact): Marks {
  const has = (each: (typeof messengers)[number]) => connected.includes(each)
  return { agreement, telegram: has('telegram'), whatsapp: has('whatsapp'), viber: has('viber'), max: has('max') }
}

/** The contacts of a kind with the version of the account that has them. */
type StoredContacts = { contacts: Contact[]; updatedAt: string }

async function readContacts(kind: ContactKind): Promise<StoredContacts> {
  const { contactsInfo, updatedInfo } = await call(readProfileDetails)
  return { contacts: contactsInfo[listOf(kind)], updatedAt: updatedInfo.updatedAt }
}

type Props = { kind: ContactKind; contact: Contact; contacts: Contact[]; updatedAt: string; onDone: () => void }

/**
 * The messengers in which a number is reached, and whether the person allows contact there. The whole list is sent, so
 * after a change elsewhere it is read again: changes of the other contacts stay, and only another change of this
 * contact is a conflict.
 */
export function ContactDetails({ kind, contact, contacts, updatedAt, onDone }: Props) {
  const t = useTranslations('account.contacts')
  const latest = useRef<StoredContacts>({ contacts, updatedAt })
  const bodyOf = ({ agreement, ...marks }: Marks): CallInput<typeof updateProfile>['body'] => {
    const entered = { agreement, messengers: messengers.filter((each) => marks[each]) }
    const list = latest.current.contacts.map((each) => (each.value === contact.value ? { ...each, ...entered } : each))
    return { contacts: withList(kind, list), updatedAt: latest.current.updatedAt }
  }
  const submitted = useRef(marksOf(contact))
  /** The stored state of this contact when the form opened or last met a conflict. */
  const lastStored = useRef(marksOf(contact))
  const send = async (body: CallInput<typeof updateProfile>['body']) => {
    try {
      return await call(updateProfile, { body })
    } catch (error) {
      const conflict = error instanceof CallError ? error.data.conflict : undefined
      if (!(error instanceof CallError && conflict)) throw error
      latest.current = await readContacts(kind)
      const storedContact = latest.current.contacts.find(({ value }) => value === contact.value)
      // removed elsewhere
      if (!storedContact) throw new CallError(404, 'notFound', {}, undefined, undefined)
      const stored = marksOf(storedContact)
      if (JSON.stringify(stored) === JSON.stringify(lastStored.current))
        return call(updateProfile, { body: bodyOf(submitted.current) })
      lastStored.current = stored
      const markConflict = { ...conflict, values: stored, updatedAt: latest.current.updatedAt }
      throw new CallError(error.status, error.code, { ...error.data, conflict: markConflict }, undefined, undefined)
    }
  }
  const form = useContractForm<typeof updateProfile, Marks>(updateProfile, {
    defaultValues: marksOf(contact),
    toBody: (values) => {
      submitted.current = values
      return bodyOf(values)
    },
    send,
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
