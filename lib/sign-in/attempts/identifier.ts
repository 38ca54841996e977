import { fieldError } from '@/lib/base/runtime/errors'
import { oneLine } from '@/lib/base/text/characters'
import { emailOf, loginOf } from '@/lib/base/text/email'
import { mobileFrom } from '@/lib/base/text/mobile'
import type { IdAttribute } from './contract'

/**
 * Returns an identifier in the form in which it is stored: in lower case, an international domain in its canonical
 * spelling, a mobile as E.164 (Russian by default). Refuses quoted local parts, lists of addresses, look-alike and
 * invisible characters. Throws 400 for the field.
 */
export function normalizeIdentifier(kind: IdAttribute, value: string | undefined): string {
  const text = (value ?? '').trim()
  if (!text) throw fieldError(kind, 'errorEmpty')
  if (!oneLine.test(text)) throw fieldError(kind, 'errorChars')
  if (kind === 'login') return loginOf(text)
  if (kind === 'email') {
    const email = emailOf(text)
    if (email === null) throw fieldError(kind, 'errorEmail')
    return email
  }
  const mobile = mobileFrom(text)
  if (!mobile) throw fieldError(kind, 'errorMobile')
  return mobile
}
