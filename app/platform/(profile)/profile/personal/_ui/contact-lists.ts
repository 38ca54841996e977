import type { Contact, ContactKind } from '@/lib/profile/contacts/contract'

type Kept = Pick<Contact, 'value' | 'main' | 'messengers' | 'agreement'>

/** The contacts of a kind as a save takes them. */
export const withList = (kind: ContactKind, contacts: readonly Kept[]) => ({
  [kind === 'email' ? 'emails' : 'mobiles']: contacts.map(({ value, main, messengers, agreement }) => ({
    value,
    main,
    messengers: [...messengers],
    agreement,
  })),
})
