import { and, eq, lt, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { idempotencyKeys } from '@/db/schema/operations'
import { digest, seal, unseal } from '../crypto/secrets'
import type { Ctx } from '../ctx'
import { AppError } from '../errors'
import { log } from '../log'

export type Answer = { status: number; body: unknown }

/**
 * Runs `work` once for each caller and key, and returns its answer. Later calls with the same request get the first
 * answer, for 24 hours. Throws 400 for the same key with another request, and 409 while the first one runs. A failed
 * run frees the key.
 */
export async function once(ctx: Ctx, key: string, request: string, work: () => Promise<Answer>): Promise<Answer> {
  if (key.length > 255) throw new AppError(400, 'idempotencyKeyFormat')
  const caller = ctx.service ? `client ${ctx.service.clientId}` : (ctx.user?.id ?? `address ${ctx.ip}`)
  const ownKey = and(eq(idempotencyKeys.caller, caller), eq(idempotencyKeys.key, key))
  const bound = `${caller} ${key}`
  const stamp = digest(request)
  // a key whose run died with its process is free after a minute, any key after a day
  const [run] = await db()
    .insert(idempotencyKeys)
    .values({ caller, key, request: stamp })
    .onConflictDoUpdate({
      target: [idempotencyKeys.caller, idempotencyKeys.key],
      set: { request: stamp, status: null, answer: null, createdAt: sql`now()` },
      setWhere: sql`${idempotencyKeys.createdAt} < now() - interval '24 hours'
        or (${idempotencyKeys.status} is null and ${idempotencyKeys.createdAt} < now() - interval '1 minute')`,
    })
    .returning({ since: sql<string>`${idempotencyKeys.createdAt}::text` })
  if (!run) {
    const [kept] = await db().select().from(idempotencyKeys).where(ownKey)
    if (kept && kept.request !== stamp) throw new AppError(400, 'idempotencyKeyReused')
    if (kept?.status && kept.answer)
      return { status: kept.status, body: JSON.parse(unseal('idempotency', kept.answer, bound)) }
    throw new AppError(409, 'idempotencyKeyRunning', {}, 1)
  }
  // a run that took longer than a minute has lost its key to another run, and must not touch it
  const ownRun = and(ownKey, sql`${idempotencyKeys.createdAt} = ${run.since}::timestamptz`)
  const answer = await work().catch(async (error) => {
    await db().delete(idempotencyKeys).where(ownRun)
    throw error
  })
  // the work is done, even if its answer can not be stored
  await db()
    .update(idempotencyKeys)
    .set({ status: answer.status, answer: seal('idempotency', JSON.stringify(answer.body), bound) })
    .where(ownRun)
    .catch((error) => log.error({ err: error, requestId: ctx.requestId }, 'an answer was not kept under its key'))
  return answer
}

/** Deletes answers that have expired. */
export const removeOldKeys = () =>
  db().delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`))
