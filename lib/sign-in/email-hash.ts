import { keyedHash } from '@/lib/base/crypto/encryption'

/** Returns the hash by which a mailbox is remembered beside what was proven or mailed there, with a permanent key. */
export const emailHashOf = (email: string): string => keyedHash('identifiers', `mailbox ${email.trim().toLowerCase()}`)
