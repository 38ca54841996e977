import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { decrypt, digest, encrypt, isKeyedHash, keyedHash } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'
import { log } from '@/lib/base/runtime/log'
import { tokenLifetime } from './token'

/** The answer to a form: where the browser goes, the cookies that it gets, and the status of what the form did. */
export const Answered = z.looseObject({ to: z.string(), cookies: z.array(z.string()), status: z.number() })
export type Answered = z.output<typeof Answered>

/** Milliseconds for which a second click gets the answer of the first, and for which it waits for it. */
const answerLifetime = 30_000
const longestWait = 15_000

/** What was sent while Redis was away, the oldest first, and the most that is remembered. */
const meanwhile = new Map<string, string>()
const mostMeanwhile = 100_000

/** Stores a mark unless there is one. Returns the earlier one, or null. */
async function earlierMark(key: string, mark: string): Promise<string | null> {
  const remembered = meanwhile.get(key)
  if (remembered) return remembered
  try {
    if ((await redis().set(key, mark, 'PX', tokenLifetime, 'NX')) === 'OK') return null
    return await redis().get(key)
  } catch (error) {
    log.debug({ err: error }, 'a form token is remembered by this process only')
    const [oldest] = meanwhile.keys()
    if (oldest && meanwhile.size >= mostMeanwhile) meanwhile.delete(oldest)
    meanwhile.set(key, mark)
    return null
  }
}

/**
 * Remembers that a form was sent. `once` names its page and token, `content` what was typed. Returns null if that is the
 * first time; otherwise when it was sent, in milliseconds since the epoch, and whether with the same content.
 */
export async function sentBefore(once: string, content: string, now: number) {
  const earlier = await earlierMark(`form:${digest(once)}`, `${now} ${keyedHash('forms', content)}`)
  if (!earlier) return null
  const [at = '', hash = ''] = earlier.split(' ')
  return { at: Number(at), isSame: isKeyedHash('forms', content, hash) }
}

const answerKey = (once: string) => `form-answer:${digest(once)}`

/** Stores the answer to a form for those who sent it again meanwhile. */
export async function storeAnswer(once: string, answer: Answered): Promise<void> {
  const sealed = encrypt('forms', JSON.stringify(answer), once)
  await redis()
    .set(answerKey(once), sealed, 'PX', answerLifetime)
    .catch((error) => log.debug({ err: error }, 'a second click gets no answer'))
}

/** Returns the answer to a form that was sent at `sentAt`, as soon as there is one; null if none comes. */
export async function answerOf(once: string, sentAt: number): Promise<Answered | null> {
  try {
    do {
      const sealed = await redis().get(answerKey(once))
      if (sealed) return Answered.parse(JSON.parse(decrypt('forms', sealed, once)))
      await wait(100)
    } while (Date.now() < sentAt + longestWait)
  } catch (error) {
    log.debug({ err: error }, 'a second click gets no answer')
  }
  return null
}
