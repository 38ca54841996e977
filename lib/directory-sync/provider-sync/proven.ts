import type { ContactKind } from '@/lib/accounts/users/own'
import { loginOf } from '@/lib/base/text/email'
import { mobileFrom } from '@/lib/base/text/mobile'

type Contacts = Record<ContactKind, string | null> & Record<'emailVerifiedAt' | 'mobileVerifiedAt', Date | null>
type Given = { proven: readonly ContactKind[]; values: Readonly<Record<string, unknown>> }

/** Whether a contact of an account is the one that a provider sends. */
function isSame(kind: ContactKind, stored: string, sent: unknown): boolean {
  if (typeof sent !== 'string') return false
  return kind === 'email' ? loginOf(stored) === loginOf(sent) : stored === mobileFrom(sent)
}

/**
 * Returns those of the contacts of an account that a provider has proven and that aren't proven here yet: an e-mail that
 * the account has in place of the provider's isn't.
 */
export const provenNow = (account: Contacts, { proven, values }: Given): ContactKind[] =>
  proven.filter((kind) => {
    const stored = account[kind]
    return stored !== null && account[`${kind}VerifiedAt`] === null && isSame(kind, stored, values[kind])
  })
