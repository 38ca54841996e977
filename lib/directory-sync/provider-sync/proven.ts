import type { ContactKind } from '@/lib/accounts/users/own'
import { loginOf } from '@/lib/base/text/email'
import { mobileFrom } from '@/lib/base/text/mobile'

type Contacts = Record<ContactKind, string | null> & Record<'emailVerifiedAt' | 'mobileVerifiedAt', Date | null>
type ProvenValues = { proven: readonly ContactKind[]; values: Readonly<Record<string, unknown>> }

/** Whether the stored contact is the one that the provider sent. */
function isSame(kind: ContactKind, stored: string, sent: unknown): boolean {
  if (typeof sent !== 'string') return false
  return kind === 'email' ? loginOf(stored) === loginOf(sent) : stored === mobileFrom(sent)
}

/**
 * Returns the contacts of an account that a provider has proven and that aren't proven here yet. A contact counts only
 * if the account has the same value as the provider.
 */
export const newlyProven = (account: Contacts, { proven, values }: ProvenValues): ContactKind[] =>
  proven.filter((kind) => {
    const stored = account[kind]
    return stored !== null && account[`${kind}VerifiedAt`] === null && isSame(kind, stored, values[kind])
  })
