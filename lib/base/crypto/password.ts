import type { Algorithm } from '@node-rs/argon2'
import { fieldError } from '../runtime/errors'
import { hashFormat } from './hash-formats'
import { isUnreadableHash, runHash } from './hash-workers'

/** docs/rules/passwords.md#hashing: argon2id, 19 MiB, t=2, p=1. After a change, passwords are rehashed at sign-in. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// NFKC, so that one password typed on two keyboards is the same password (NIST 800-63B-4, 3.1.1.2)
function normalized(password: string): string {
  // otherwise all halves of surrogate pairs would be hashed as the same replacement character
  if (!password.isWellFormed()) throw fieldError('password', 'errorChars')
  return password.normalize('NFKC')
}

/** Returns an argon2id hash in PHC form. Throws 400 for half of a surrogate pair, 503 when too many wait. */
export const hashPassword = async (password: string): Promise<string> =>
  String(await runHash({ password: normalized(password), cost }))

// a hash of no password, in the form and with the cost of a real one
const parameters = `m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}`
const dummyHash = `$argon2id$v=19$${parameters}$${'A'.repeat(22)}$${'A'.repeat(43)}`
const argon2Format = { kind: 'argon2id' } as const

/**
 * Checks a password. Without a hash (unknown user, directory account), or with one that can't be read or would cost too
 * much, it does the work of one hash and returns false. `rehash` is true when the hash has another form or other
 * parameters than today's. Throws like hashPassword (docs/rules/passwords.md#hashes-of-other-systems).
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
): Promise<{ right: boolean; rehash: boolean }> {
  const format = stored === null ? null : hashFormat(stored)
  const text = normalized(password)
  const task =
    stored === null || format === null
      ? { password: text, stored: dummyHash, format: argon2Format }
      : // other systems hash the password as it was typed
        { password: format.kind === 'argon2id' ? text : password, stored, format }
  const right = await runHash(task).catch((error) => {
    if (isUnreadableHash(error)) return false
    throw error
  })
  const rehash = stored !== null && !stored.includes(`$${parameters}$`)
  return { right: right === true && format !== null, rehash }
}
