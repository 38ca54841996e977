import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'
import type { Contact, ContactKind, ContactsInfo, Messenger } from './contract'
import type { ContactRow } from './queries'

/** The lists in which contacts of a kind stand. */
export const listOf = { email: 'emails', mobile: 'mobiles' } as const

/** A number that was typed with its calling code but without the plus sign: 11 digits or more that begin with no zero. */
const withoutPlus = /^[1-79]\d{10,14}$/

/**
 * Returns a contact as it is stored: lower case, or E.164. A number without its plus sign gets it. Throws 400 for the
 * field of the kind.
 */
export function normalized(kind: ContactKind, value: string): string {
  if (kind === 'email') return normalizeIdentifier('email', value)
  const bare = value.replace(/[\s()-]/g, '')
  return normalizeIdentifier('mobile', withoutPlus.test(bare) ? `+${bare}` : value)
}

/** Returns a contact that is stored as it is compared and shown; one that others stored may be no contact by our rules. */
export function stored(kind: ContactKind, value: string): string {
  try {
    return normalized(kind, value)
  } catch {
    return value.trim().toLowerCase()
  }
}

type Main = { email: string | null; emailVerifiedAt: Date | null; mobile: string | null; mobileVerifiedAt: Date | null }

function contactsOfKind(kind: ContactKind, main: Main, rows: readonly ContactRow[]): Contact[] {
  const value = main[kind] && stored(kind, main[kind])
  const own = rows.filter((row) => row.kind === kind)
  const contact = (row: ContactRow): Contact => ({
    id: row.id,
    value: row.value,
    main: false,
    additional: true,
    messengers: row.messengers as Messenger[],
    verified: row.verifiedAt !== null,
    agreement: row.agreement,
  })
  const others = own.filter((row) => row.value !== value).map(contact)
  if (!value) return others
  const about = own.find((row) => row.value === value)
  const verified = (kind === 'email' ? main.emailVerifiedAt : main.mobileVerifiedAt) !== null
  const first: Contact = {
    ...(about ? contact(about) : { id: null, value, messengers: [], agreement: 'notReceived' as const }),
    main: true,
    additional: false,
    verified,
  }
  return [first, ...others]
}

/** Makes the lists of a person's contacts of their account and the rows that describe them. */
export const contactsOf = (main: Main, rows: readonly ContactRow[]): ContactsInfo => ({
  emails: contactsOfKind('email', main, rows),
  mobiles: contactsOfKind('mobile', main, rows),
})
