import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { idempotencyKeys } from '@/db/schema/operations'
import { markingCommits } from '@/db/scope'
import type { Ctx } from '../context/ctx'
import { decrypt, digest, encrypt } from '../crypto/encryption'
import { deleteInBatches } from '../postgres/batches'
import { AppError } from '../runtime/errors'
import { log } from '../runtime/log'

export type Answer = { status: number; body: unknown }

const stillRunning = () => new AppError(409, 'idempotencyKeyRunning', {}, 1)

/**
 * Runs `work` once for each caller and key, and returns its answer. Later calls with the same request get the first
 * answer, for 24 hours. Throws 400 for the same key with another request, 409 while the first one runs, also for a run
 * that was so slow that another one took its key, and 409 idempotencyKeyDone if the process died after it had committed
 * something: nothing runs twice. A failed run frees the key, unless it failed by a fault of ours after a commit.
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
      set: { request: stamp, status: null, answer: null, committedAt: null, createdAt: sql`now()` },
      setWhere: sql`${idempotencyKeys.createdAt} < now() - interval '24 hours'
        or (${idempotencyKeys.status} is null and ${idempotencyKeys.committedAt} is null
          and ${idempotencyKeys.createdAt} < now() - interval '1 minute')`,
    })
    .returning({ since: sql<string>`${idempotencyKeys.createdAt}::text` })
  if (!run) {
    const [kept] = await db().select().from(idempotencyKeys).where(ownKey)
    if (kept && kept.request !== stamp) throw new AppError(400, 'idempotencyKeyReused')
    if (kept?.status && kept.answer)
      return { status: kept.status, body: JSON.parse(decrypt('idempotency', kept.answer, bound)) }
    const isOver = kept?.committedAt && kept.createdAt.getTime() < Date.now() - 60_000
    if (isOver) throw new AppError(409, 'idempotencyKeyDone')
    throw stillRunning()
  }
  // a run that took longer than a minute has lost its key to another run: it must not touch it, and commits nothing more
  const ownRun = and(ownKey, sql`${idempotencyKeys.createdAt} = ${run.since}::timestamptz`)
  const note = async (tx: Transaction) => {
    const { rowCount } = await tx.update(idempotencyKeys).set({ committedAt: sql`now()` }).where(ownRun)
    if (rowCount === 0) throw stillRunning()
  }
  const answer = await markingCommits(note, work).catch(async (error) => {
    const isFree =
      error instanceof AppError && error.status < 500 ? ownRun : and(ownRun, isNull(idempotencyKeys.committedAt))
    await db().delete(idempotencyKeys).where(isFree)
    throw error
  })
  // the work is done, even if its answer can not be stored
  await db()
    .update(idempotencyKeys)
    .set({ status: answer.status, answer: encrypt('idempotency', JSON.stringify(answer.body), bound) })
    .where(ownRun)
    .catch((error) => log.error({ err: error, requestId: ctx.requestId }, 'an answer was not kept under its key'))
  return answer
}

/** Deletes answers that have expired. */
export const removeOldKeys = () =>
  deleteInBatches(
    idempotencyKeys,
    idempotencyKeys.createdAt,
    lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`),
  )
