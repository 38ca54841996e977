/** The format of a password hash, with the parameters for computing it again. */
export type HashFormat =
  | { kind: 'argon2id' | 'bcrypt' }
  | { kind: 'pbkdf2'; digest: 'sha1' | 'sha256' | 'sha512'; iterations: number; salt: Buffer; hash: Buffer }

/**
 * The most expensive hashes that are accepted: comparing one takes a core about a second and 128 MiB. With more
 * expensive ones an imported file could stop the sign-in of everybody
 * (docs/rules/passwords.md#hashes-of-other-systems).
 */
const maxCost = { argon2: { memory: 131_072, passes: 10, lanes: 16, work: 1_048_576 }, bcrypt: 14, pbkdf2: 2_000_000 }

const argon2id = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]{11,86})\$([\w+/]{16,172})$/
const bcrypt = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/
/** As passlib and Keycloak’s exports write it, with either alphabet of base64. */
const modular =
  /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,8})\$([\w./+-]{1,128}={0,2})\$([\w./+-]{16,128}={0,2})$/
/** As Django writes it: the salt is a text. */
const django = /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,8})\$([\w.+/=-]{1,128})\$([A-Za-z0-9+/]{16,128}={0,2})$/

/**
 * Lengths in bytes of PBKDF2 hashes: a shorter one can be guessed, a longer one costs more than its iterations say.
 */
const lengths = { sha1: [16, 20], sha256: [16, 32], sha512: [16, 64] } as const

function pbkdf2Of(digest: string, times: string, salt: Buffer, hash: Buffer): HashFormat | null {
  const iterations = Number(times)
  const [minLength, maxLength] = lengths[digest as 'sha1']
  if (iterations < 1 || iterations > maxCost.pbkdf2 || hash.length < minLength || hash.length > maxLength) return null
  return { kind: 'pbkdf2', digest: digest as 'sha1', iterations, salt, hash }
}

const fromBase64 = (text: string) => Buffer.from(text.replaceAll('.', '+'), 'base64')

/**
 * Returns the format of a password hash of this or of another system; null for an unknown format, and for a hash that
 * would cost too much (docs/rules/passwords.md#hashes-of-other-systems).
 */
export function hashFormat(stored: string): HashFormat | null {
  if (stored.length > 512) return null
  const [, memory, passes, lanes] = argon2id.exec(stored) ?? []
  if (memory !== undefined) {
    const [m, t, p] = [Number(memory), Number(passes), Number(lanes)]
    const most = maxCost.argon2
    const fits = m <= most.memory && t <= most.passes && p <= most.lanes && m * t <= most.work
    return fits && m >= 8 * p && t > 0 && p > 0 ? { kind: 'argon2id' } : null
  }
  const [, cost] = bcrypt.exec(stored) ?? []
  if (cost !== undefined) return Number(cost) >= 4 && Number(cost) <= maxCost.bcrypt ? { kind: 'bcrypt' } : null
  const [, digest = 'sha1', times, salt = '', hash = ''] = modular.exec(stored) ?? []
  if (times !== undefined) return pbkdf2Of(digest, times, fromBase64(salt), fromBase64(hash))
  const [, digestName = 'sha1', rounds, text = '', value = ''] = django.exec(stored) ?? []
  return rounds === undefined ? null : pbkdf2Of(digestName, rounds, Buffer.from(text), Buffer.from(value, 'base64'))
}
