import { randomUUID } from 'node:crypto'
import { and, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { links } from '@/db/schema/entry'
import type { Ctx } from '@/lib/base/context/ctx'
import { digest } from '@/lib/base/crypto/encryption'
import { deleteInBatches } from '@/lib/base/postgres/batches'
import { AppError, notFound } from '@/lib/base/runtime/errors'

export type LinkKind = (typeof links.$inferSelect)['kind']
export type Link = typeof links.$inferSelect
/** The part of a context that createLink needs; a worker has no more. */
export type LinkCtx = Pick<Ctx, 'domain' | 'now'>

/** The receiver of a link: an account, or an e-mail without an account; and the data that the link stores. */
type Receiver = { userId: string; data?: Record<string, unknown> } | { email: string; data: Record<string, unknown> }

const belongsTo = (receiver: { userId: string } | { email: string }) =>
  'userId' in receiver ? eq(links.userId, receiver.userId) : eq(links.email, receiver.email)

/**
 * Returns whether a link of this kind was created for the receiver since `since`. A job that is repeated because its
 * process died may have sent its mail already, and a second link would cancel the first.
 */
export async function hasLinkSince(
  tx: Transaction,
  kind: LinkKind,
  receiver: { userId: string } | { email: string },
  since: Date,
): Promise<boolean> {
  const rows = await tx
    .select({ id: links.id })
    .from(links)
    .where(and(belongsTo(receiver), eq(links.kind, kind), gte(links.createdAt, since)))
    .limit(1)
  return rows.length > 0
}

/**
 * Stores a link that lives `alive` seconds, and returns its id. Cancels the receiver's other live links of this kind.
 */
export async function createLink(
  tx: Transaction | Database,
  ctx: LinkCtx,
  kind: LinkKind,
  receiver: Receiver,
  alive: number,
): Promise<string> {
  await tx
    .update(links)
    .set({ canceledAt: ctx.now() })
    .where(and(belongsTo(receiver), eq(links.kind, kind), isNull(links.usedAt), isNull(links.canceledAt)))
  return addLink(tx, ctx, kind, receiver, alive)
}

/** Stores a link like `createLink`, without canceling the receiver's other links of this kind. */
export async function addLink(
  tx: Transaction | Database,
  ctx: LinkCtx,
  kind: LinkKind,
  receiver: Receiver,
  alive: number,
): Promise<string> {
  const now = ctx.now()
  const id = randomUUID()
  const expiresAt = new Date(now.getTime() + alive * 1000)
  await tx
    .insert(links)
    .values({ kind, idHash: digest(id), ...receiver, domainId: ctx.domain.id, createdAt: now, expiresAt })
  return id
}

/**
 * Stores a link for each of these accounts, which must have no other link of this kind. Returns the ids of the links by
 * account.
 */
export async function addLinks(
  tx: Transaction,
  ctx: LinkCtx,
  kind: LinkKind,
  userIds: readonly string[],
  alive: number,
): Promise<Map<string, string>> {
  const createdAt = ctx.now()
  const expiresAt = new Date(createdAt.getTime() + alive * 1000)
  const newLinks = userIds.map((userId) => ({ userId, id: randomUUID() }))
  const rows = newLinks.map(({ userId, id }) => ({ kind, idHash: digest(id), userId, domainId: ctx.domain.id }))
  if (rows.length > 0) await tx.insert(links).values(rows.map((row) => ({ ...row, createdAt, expiresAt })))
  return new Map(newLinks.map(({ userId, id }) => [userId, id]))
}

/**
 * Returns a live link by its id, without using it up. Throws by docs/rules/links.md#states: 404 for an unknown link,
 * 403 canceledError for a canceled or expired one, 403 accessError if another account is signed in, 400 linkUsed.
 */
export async function liveLink(ctx: Ctx, kind: LinkKind, id: string): Promise<Link> {
  const [link] = await db()
    .select()
    .from(links)
    .where(and(eq(links.idHash, digest(id.toLowerCase())), eq(links.kind, kind)))
  if (!link) throw notFound()
  if (link.usedAt) throw new AppError(400, 'linkUsed')
  const expired = link.expiresAt <= ctx.now()
  if (link.canceledAt || expired) throw new AppError(403, 'canceledError', { expired: expired && !link.canceledAt })
  if (ctx.user && ctx.user.id !== link.userId) throw new AppError(403, 'accessError')
  return link
}

/** Returns how many links of a kind were created for an account since `since`. */
export const countLinksSince = (tx: Transaction, kind: LinkKind, userId: string, since: Date) =>
  tx.$count(links, and(eq(links.userId, userId), eq(links.kind, kind), gte(links.createdAt, since)))

/**
 * Uses a link up. Takes the transaction of the change that the link allows. Throws 409 if another request has used the
 * link first.
 */
export async function useLink(tx: Transaction, link: Link, now: Date) {
  const rows = await tx
    .update(links)
    .set({ usedAt: now })
    .where(and(eq(links.id, link.id), isNull(links.usedAt), isNull(links.canceledAt), gt(links.expiresAt, sql`${now}`)))
    .returning({ id: links.id })
  if (rows.length === 0) throw new AppError(409)
}

/** Cancels the live links of these kinds of an account. */
export const cancelLinks = (tx: Transaction, userId: string, kinds: LinkKind[], now: Date) =>
  tx
    .update(links)
    .set({ canceledAt: now })
    .where(and(eq(links.userId, userId), inArray(links.kind, kinds), isNull(links.usedAt), isNull(links.canceledAt)))

/** Stores a proven mobile at a link, in place of the previous one. */
export const storeProvenMobile = (link: Link, mobile: string, now: Date) =>
  db().update(links).set({ mobile, mobileVerifiedAt: now }).where(eq(links.id, link.id))

export type DeadLinkKind = 'linkUsed' | 'expired' | 'canceledError' | 'accessError' | 'notFound'

/**
 * Returns the state of a link for a page: `live` with the result of `load`, or the state that `load` throws for a dead
 * link.
 */
export async function linkState<T extends object>(
  load: () => Promise<T>,
): Promise<({ kind: 'live' } & T) | { kind: DeadLinkKind }> {
  try {
    return { kind: 'live', ...(await load()) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, data } = error
    if (code === 'canceledError') return { kind: data.expired ? 'expired' : 'canceledError' }
    if (code === 'linkUsed' || code === 'accessError' || code === 'notFound') return { kind: code }
    throw error
  }
}

/**
 * Deletes links that expired before `before`. Until they are deleted, a person who opens one sees why the link is dead.
 */
export const removeOldLinks = (before: Date) => deleteInBatches(links, links.expiresAt, lt(links.expiresAt, before))
