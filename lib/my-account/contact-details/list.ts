import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'
import type { Contact, ContactKind, ContactsInfo, Messenger } from './contract'
import type { ContactRow } from './queries'

/** The list of each kind of contact. */
export const listOf = { email: 'emails', mobile: 'mobiles' } as const

/**
 * A number that was typed with its calling code but without the plus sign: at least 11 digits that don't begin with a
 * zero.
 */
const withoutPlus = /^[1-79]\d{10,14}$/

/**
 * Returns a contact in its stored form: lower case, or E.164. Adds a missing plus sign. Throws 400 for the field of the
 * kind.
 */
export function normalized(kind: ContactKind, value: string): string {
  if (kind === 'email') return normalizeIdentifier('email', value)
  const bare = value.replace(/[\s()-]/g, '')
  return normalizeIdentifier('mobile', withoutPlus.test(bare) ? `+${bare}` : value)
}

/**
 * Returns a stored contact in its normalized form; a directory's contact may be invalid by our rules and stays in lower
 * case.
 */
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
  const ofKind = rows.filter((row) => row.kind === kind)
  const contact = (row: ContactRow): Contact => ({
    id: row.id,
    value: row.value,
    main: false,
    additional: true,
    messengers: row.messengers as Messenger[],
    verified: row.verifiedAt !== null,
    agreement: row.agreement,
  })
  const additional = ofKind.filter((row) => row.value !== value).map(contact)
  if (!value) return additional
  const mainRow = ofKind.find((row) => row.value === value)
  const verified = (kind === 'email' ? main.emailVerifiedAt : main.mobileVerifiedAt) !== null
  const mainContact: Contact = {
    ...(mainRow ? contact(mainRow) : { id: null, value, messengers: [], agreement: 'notReceived' as const }),
    main: true,
    additional: false,
    verified,
  }
  return [mainContact, ...additional]
}

/** Returns the lists of a person's contacts, from their account and the rows with details. */
export const contactsOf = (main: Main, rows: readonly ContactRow[]): ContactsInfo => ({
  emails: contactsOfKind('email', main, rows),
  mobiles: contactsOfKind('mobile', main, rows),
})
