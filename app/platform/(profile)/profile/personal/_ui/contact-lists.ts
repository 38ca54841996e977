import type { Contact, ContactKind } from '@/lib/my-account/contact-details/contract'

type Kept = Pick<Contact, 'value' | 'main' | 'messengers' | 'agreement'>

/** The name of the list that has the contacts of a kind. */
export const listOf = (kind: ContactKind) => (kind === 'email' ? 'emails' : 'mobiles')

/** Returns the contacts of a kind as the call that saves them takes them. */
export const withList = (kind: ContactKind, contacts: readonly Kept[]) => ({
  [listOf(kind)]: contacts.map(({ value, main, messengers, agreement }) => ({
    value,
    main,
    messengers: [...messengers],
    agreement,
  })),
})
