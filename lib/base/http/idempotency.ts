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
 * answer, for 24 hours. Throws 400 for the same key with another request. Throws 409 idempotencyKeyRunning while the
 * first call runs, and in a call that was so slow that another one took over its key. Throws 409 idempotencyKeyDone if
 * the process died after it had committed something: nothing runs twice. A failed call frees the key, except after a
 * commit if the error was one of the platform.
 */
export async function runOnce(ctx: Ctx, key: string, request: string, work: () => Promise<Answer>): Promise<Answer> {
  if (key.length > 255) throw new AppError(400, 'idempotencyKeyFormat')
  const caller = ctx.service ? `client ${ctx.service.clientId}` : (ctx.user?.id ?? `address ${ctx.ip}`)
  const ownKey = and(eq(idempotencyKeys.caller, caller), eq(idempotencyKeys.key, key))
  const boundTo = `${caller} ${key}`
  const stamp = digest(request)
  // a key is free a minute after its process died without a commit, any key after a day
  const [ownedKey] = await db()
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
  if (!ownedKey) {
    const [storedKey] = await db().select().from(idempotencyKeys).where(ownKey)
    if (storedKey && storedKey.request !== stamp) throw new AppError(400, 'idempotencyKeyReused')
    if (storedKey?.status && storedKey.answer)
      return { status: storedKey.status, body: JSON.parse(decrypt('idempotency', storedKey.answer, boundTo)) }
    const hasDied = storedKey?.committedAt && storedKey.createdAt.getTime() < Date.now() - 60_000
    if (hasDied) throw new AppError(409, 'idempotencyKeyDone')
    throw stillRunning()
  }
  // after a minute another call may have taken over the key: then this one must not change the row and commits nothing
  const ownRow = and(ownKey, sql`${idempotencyKeys.createdAt} = ${ownedKey.since}::timestamptz`)
  const markCommitted = async (tx: Transaction) => {
    const { rowCount } = await tx.update(idempotencyKeys).set({ committedAt: sql`now()` }).where(ownRow)
    if (rowCount === 0) throw stillRunning()
  }
  const answer = await markingCommits(markCommitted, work).catch(async (error) => {
    const isFree =
      error instanceof AppError && error.status < 500 ? ownRow : and(ownRow, isNull(idempotencyKeys.committedAt))
    await db().delete(idempotencyKeys).where(isFree)
    throw error
  })
  // the work is done, even if its answer can not be stored
  await db()
    .update(idempotencyKeys)
    .set({ status: answer.status, answer: encrypt('idempotency', JSON.stringify(answer.body), boundTo) })
    .where(ownRow)
    .catch((error) => log.error({ err: error, requestId: ctx.requestId }, 'an answer was not kept under its key'))
  return answer
}

/** Deletes answers that have expired. */
export const removeOldIdempotencyKeys = () =>
  deleteInBatches(
    idempotencyKeys,
    idempotencyKeys.createdAt,
    lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`),
  )
