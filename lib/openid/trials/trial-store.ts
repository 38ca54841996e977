import { z } from 'zod'
import { decrypt, digest, encrypt, randomToken } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'

/** Seconds for which a trial, and then its outcome, is stored (docs/rules/openid-provider.md#trial-sign-in). */
const lifetime = 300

/** The person of a trial, in one of their sessions. */
export type Holder = { userId: string; sessionId: string }

export const Trial = z.object({
  applicationId: z.string(),
  clientId: z.string(),
  scope: z.string(),
  /** The authorization request, letter by letter. */
  query: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** When it began, in ISO 8601. */
  at: z.string(),
})
export type Trial = z.output<typeof Trial>

export const Outcome = z.object({
  applicationId: z.string(),
  clientId: z.string(),
  scope: z.string(),
  at: z.string(),
  /** The claims of the ID token and of userinfo; null if the trial failed before. */
  idToken: z.record(z.string(), z.unknown()).nullable(),
  userinfo: z.record(z.string(), z.unknown()).nullable(),
  /** What the OpenID Provider answered in place of them. */
  error: z.object({ code: z.string(), description: z.string() }).nullable(),
})
export type Outcome = z.output<typeof Outcome>

// a person's claims and the proof of the request are encrypted, so that only their holder can decrypt them
const boundTo = (what: string, id: string, { userId, sessionId }: Holder) =>
  `${what} ${digest(id)} ${userId} ${sessionId}`
const trialKey = (state: string) => `client-trial:${digest(state)}`
const startedKey = (state: string) => `client-trial-asked:${digest(state)}`
const outcomeKey = (id: string) => `client-trial-outcome:${digest(id)}`

function decrypted<T>(schema: z.ZodType<T>, encrypted: string | null, encryptionContext: string): T | null {
  if (!encrypted) return null
  try {
    return schema.parse(JSON.parse(decrypt('codes', encrypted, encryptionContext)))
  } catch {
    return null
  }
}

/** Stores a trial under its state. Throws without Redis. */
export const storeTrial = (state: string, holder: Holder, trial: Trial) =>
  redis().set(trialKey(state), encrypt('codes', JSON.stringify(trial), boundTo('trial', state, holder)), 'EX', lifetime)

/** Returns the trial of a state; null if there is none, it is over, or it is somebody else's. Throws without Redis. */
export const readTrial = async (state: string, holder: Holder): Promise<Trial | null> =>
  decrypted(Trial, await redis().get(trialKey(state)), boundTo('trial', state, holder))

/**
 * Returns whether this is the first request of a holder's trial, with exactly its query. Of parallel requests only one
 * is the first. Throws without Redis.
 */
export async function asksForTrial(state: string, holder: Holder, query: string): Promise<boolean> {
  const trial = await readTrial(state, holder)
  if (trial?.query !== query) return false
  return (await redis().set(startedKey(state), '1', 'EX', lifetime, 'NX')) === 'OK'
}

/**
 * Removes and returns the trial of a state: of parallel answers only one gets it. Null as for `readTrial`. Throws
 * without Redis.
 */
export async function takeTrial(state: string, holder: Holder): Promise<Trial | null> {
  // nobody may remove the trial of another holder
  if (!(await readTrial(state, holder))) return null
  return decrypted(Trial, await redis().getdel(trialKey(state)), boundTo('trial', state, holder))
}

/** Stores the outcome of a trial for its holder. Returns the id that finds it. Throws without Redis. */
export async function storeOutcome(holder: Holder, outcome: Outcome): Promise<string> {
  const id = randomToken()
  const encrypted = encrypt('codes', JSON.stringify(outcome), boundTo('outcome', id, holder))
  await redis().set(outcomeKey(id), encrypted, 'EX', lifetime)
  return id
}

/** Returns the outcome of a trial; null if there is none, it is over, or it is somebody else's. Throws without Redis. */
export const readOutcome = async (id: string, holder: Holder): Promise<Outcome | null> =>
  decrypted(Outcome, await redis().get(outcomeKey(id)), boundTo('outcome', id, holder))
