import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { links } from '@/db/schema/entry'
import { digest } from '@/lib/kernel/crypto/secrets'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, notFound } from '@/lib/kernel/errors'

export type LinkKind = (typeof links.$inferSelect)['kind']
export type Link = typeof links.$inferSelect

/** Makes a link's id and stores its digest; live links of that kind for the user are canceled. `alive` in seconds. */
export async function createLink(tx: Transaction | Database, ctx: Ctx, kind: LinkKind, userId: string, alive: number) {
  const now = ctx.now()
  await tx
    .update(links)
    .set({ canceledAt: now })
    .where(and(eq(links.userId, userId), eq(links.kind, kind), isNull(links.usedAt), isNull(links.canceledAt)))
  const id = randomUUID()
  const expiresAt = new Date(now.getTime() + alive * 1000)
  await tx
    .insert(links)
    .values({ kind, idHash: digest(id), userId, domainId: ctx.domain.id, createdAt: now, expiresAt })
  return id
}

/**
 * A live link by its id; looking never uses it up. Throws as decisions.md section 7 says: 404 unknown,
 * 403 canceledError for a canceled or expired one, 403 accessError when another account is signed in, 400 used.
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

/** Uses a link up in the transaction of what it was for. Throws 409 when another request did so first. */
export async function useLink(tx: Transaction, link: Link, now: Date) {
  const rows = await tx
    .update(links)
    .set({ usedAt: now })
    .where(and(eq(links.id, link.id), isNull(links.usedAt), isNull(links.canceledAt), gt(links.expiresAt, sql`${now}`)))
    .returning({ id: links.id })
  if (rows.length === 0) throw new AppError(409)
}
