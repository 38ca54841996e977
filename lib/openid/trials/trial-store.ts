import { z } from 'zod'
import { decrypt, digest, encrypt, randomToken } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'

/** Seconds that a trial has, and for which its outcome is kept (docs/rules/openid-provider.md#trial-sign-in). */
const lifetime = 300

/** Whose trial it is: a person, in one session of theirs. */
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
  /** The claims of the ID token and of userinfo; null if it didn't get so far. */
  idToken: z.record(z.string(), z.unknown()).nullable(),
  userinfo: z.record(z.string(), z.unknown()).nullable(),
  /** What the provider answered in place of them. */
  error: z.object({ code: z.string(), description: z.string() }).nullable(),
})
export type Outcome = z.output<typeof Outcome>

// a person's claims and the proof of the request are sealed, and open for their holder alone
const boundTo = (what: string, id: string, { userId, sessionId }: Holder) =>
  `${what} ${digest(id)} ${userId} ${sessionId}`
const trialKey = (state: string) => `client-trial:${digest(state)}`
const askedKey = (state: string) => `client-trial-asked:${digest(state)}`
const outcomeKey = (id: string) => `client-trial-outcome:${digest(id)}`

function opened<T>(schema: z.ZodType<T>, sealed: string | null, bound: string): T | null {
  if (!sealed) return null
  try {
    return schema.parse(JSON.parse(decrypt('codes', sealed, bound)))
  } catch {
    return null
  }
}

/** Keeps a trial under its state. Throws without Redis. */
export const keepTrial = (state: string, holder: Holder, trial: Trial) =>
  redis().set(trialKey(state), encrypt('codes', JSON.stringify(trial), boundTo('trial', state, holder)), 'EX', lifetime)

/** Returns the trial of a state; null if there is none, it is over, or it is somebody else's. Throws without Redis. */
export const readTrial = async (state: string, holder: Holder): Promise<Trial | null> =>
  opened(Trial, await redis().get(trialKey(state)), boundTo('trial', state, holder))

/**
 * Returns whether this is the request of a trial, for the first time: of its holder, letter by letter. Of parallel
 * requests one is. Throws without Redis.
 */
export async function asksForTrial(state: string, holder: Holder, query: string): Promise<boolean> {
  const trial = await readTrial(state, holder)
  if (trial?.query !== query) return false
  return (await redis().set(askedKey(state), '1', 'EX', lifetime, 'NX')) === 'OK'
}

/** Takes the trial of a state, once: of parallel answers one gets it. Null as for `readTrial`. Throws without Redis. */
export async function takeTrial(state: string, holder: Holder): Promise<Trial | null> {
  // what isn't theirs nobody uses up
  if (!(await readTrial(state, holder))) return null
  return opened(Trial, await redis().getdel(trialKey(state)), boundTo('trial', state, holder))
}

/** Keeps the outcome of a trial for its holder. Returns the id that finds it. Throws without Redis. */
export async function keepOutcome(holder: Holder, outcome: Outcome): Promise<string> {
  const id = randomToken()
  const sealed = encrypt('codes', JSON.stringify(outcome), boundTo('outcome', id, holder))
  await redis().set(outcomeKey(id), sealed, 'EX', lifetime)
  return id
}

/** Returns the outcome of a trial; null if there is none, it is over, or it is somebody else's. Throws without Redis. */
export const readOutcome = async (id: string, holder: Holder): Promise<Outcome | null> =>
  opened(Outcome, await redis().get(outcomeKey(id)), boundTo('outcome', id, holder))
