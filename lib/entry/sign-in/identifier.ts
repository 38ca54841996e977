import { z } from 'zod'
import { oneLine } from '@/lib/kernel/characters'
import { fieldError } from '@/lib/kernel/errors'
import { mobileFrom } from '@/lib/kernel/mobile'
import type { IdAttribute } from './contract'

const Email = z.email().max(254)

/**
 * Returns an identifier in the form in which it is stored: lower case, mobiles as E.164 (Russian by default). Refuses
 * quoted local parts, lists of addresses, look-alike and invisible characters. Throws 400 for the field.
 */
export function normalizeIdentifier(kind: IdAttribute, value: string | undefined): string {
  const text = (value ?? '').trim()
  if (!text) throw fieldError(kind, 'errorEmpty')
  if (!oneLine.test(text)) throw fieldError(kind, 'errorChars')
  if (kind === 'login') return text.toLowerCase()
  if (kind === 'email') {
    // only ASCII: a mail system may read a full-width @ or an ideographic comma as the ordinary one
    if (!/^[\x21-\x7e]+$/.test(text) || !Email.safeParse(text).success) throw fieldError(kind, 'errorEmail')
    return text.toLowerCase()
  }
  const mobile = mobileFrom(text)
  if (!mobile) throw fieldError(kind, 'errorMobile')
  return mobile
}
