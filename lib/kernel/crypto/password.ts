import type { Algorithm } from '@node-rs/argon2'
import { AppError } from '../errors'
import { runHash } from './hash-workers'

/** decisions.md section 7: argon2id, 19 MiB, t=2, p=1. Raising them rehashes at the next sign-in. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// NFKC, so that one password typed on two keyboards is the same password (NIST 800-63B-4, 3.1.1.2)
const normalized = (password: string) => password.normalize('NFKC')

/** Gives an argon2id hash in PHC form. Throws 503 when too many wait. */
export const hashPassword = async (password: string): Promise<string> =>
  String(await runHash({ password: normalized(password), cost }))

// a hash of nothing in the form and at the cost of a real one
const parameters = `m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}`
const dummy = `$argon2id$v=19$${parameters}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Checks a password. Without a hash (unknown user, directory account) it costs the same and is wrong.
 * `rehash` tells that the hash was made with weaker parameters than today's. Throws 503 when too many wait.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
): Promise<{ right: boolean; rehash: boolean }> {
  const right = await runHash({ password: normalized(password), stored: stored ?? dummy }).catch((error) => {
    if (error instanceof AppError) throw error
    // a stored hash that can't be read is no password's
    return false
  })
  const rehash = stored !== null && !stored.includes(`$${parameters}$`)
  return { right: right === true && stored !== null, rehash }
}
