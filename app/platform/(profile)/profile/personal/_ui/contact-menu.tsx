'use client'

import { BadgeCheck, SlidersHorizontal, Star, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import type { Contact, ContactKind } from '@/lib/my-account/contact-details/contract'
import { updateProfile } from '@/lib/my-account/personal/contract'
import { ContactDetails } from './contact-details'
import { ProveContact } from './contact-forms'
import { withList } from './contact-lists'

type Props = {
  /** The contact as it is shown. */
  name: string
  kind: ContactKind
  /** How many digits a code has. */
  digits: number
  contact: Contact
  /** All contacts of its kind. */
  contacts: Contact[]
  /** Whether none of them can become the main one. */
  mainFixed: boolean
  updatedAt: string
}

/** The actions on a contact: prove it, make it the main one, edit its details, remove it. */
export function ContactMenu({ name, kind, digits, contact, contacts, mainFixed, updatedAt }: Props) {
  const t = useTranslations('account.contacts')
  const { value, main, verified } = contact
  const proving = (toMain: boolean) => (done: () => void) => (
    <ProveContact kind={kind} value={value} main={toMain} digits={digits} onDone={done} />
  )
  const others = contacts.filter((each) => each !== contact)
  return (
    <RowActions
      row={name}
      actions={[
        !verified && {
          kind: 'dialog',
          label: t('verify'),
          icon: BadgeCheck,
          title: name,
          size: 'S',
          body: proving(false),
        },
        !main &&
          !mainFixed && {
            kind: 'dialog',
            label: t('makeMain'),
            icon: Star,
            title: name,
            text: t('mainText'),
            body: proving(true),
          },
        {
          kind: 'dialog',
          label: t(kind === 'mobile' ? 'details' : 'agreementOnly'),
          icon: SlidersHorizontal,
          title: name,
          body: (done) => (
            <ContactDetails kind={kind} contact={contact} contacts={contacts} updatedAt={updatedAt} onDone={done} />
          ),
        },
        !main && {
          kind: 'confirm',
          label: t('remove'),
          icon: Trash2,
          tone: 'danger',
          ask: { title: t('removeTitle', { value: name }), text: t('removeText') },
          sends: sends(updateProfile, { body: { contacts: withList(kind, others), updatedAt } }),
        },
      ]}
    />
  )
}
