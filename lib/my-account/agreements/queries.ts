import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { userAgreementRefusals, userAgreements, users } from '@/db/schema/people'
import { documentLocales, documents, domainAgreements, locales } from '@/db/schema/platform'

type Executor = Database | Transaction

/**
 * Returns the enabled agreements that a domain shows in the profile or that a person has answered, with the answers, in
 * the order of the domain.
 */
export const selectOwnTerms = (run: Executor, userId: string, domainId: string) =>
  run
    .select({
      id: documents.id,
      code: documents.code,
      version: documents.version,
      loginRequired: sql<boolean>`coalesce(${domainAgreements.loginRequired}, false)`,
      refusedAt: userAgreementRefusals.refusedAt,
      agreed: sql<{
        version: number
        at: string
      } | null>`(select jsonb_build_object('version', own.version, 'at', own.agreed_at)
        from ${userAgreements} own where own.user_id = ${userId} and own.document_id = ${documents.id}
        order by own.version desc limit 1)`,
    })
    .from(documents)
    .leftJoin(
      domainAgreements,
      and(eq(domainAgreements.documentId, documents.id), eq(domainAgreements.domainId, domainId)),
    )
    .leftJoin(
      userAgreementRefusals,
      and(eq(userAgreementRefusals.documentId, documents.id), eq(userAgreementRefusals.userId, userId)),
    )
    .where(
      and(
        documents.enabled,
        eq(documents.type, 'agreement'),
        sql`(coalesce(${domainAgreements.profileVisible}, false) or ${userAgreementRefusals.userId} is not null
          or exists (select from ${userAgreements} own where own.user_id = ${userId} and own.document_id = ${documents.id}))`,
      ),
    )
    .orderBy(sql`${domainAgreements.order} nulls last`, documents.code)

/** Returns the titles of the current versions of documents, in each language. */
export const selectTitles = (ids: string[]) =>
  db()
    .select({ id: documents.id, locale: locales.code, title: documentLocales.name })
    .from(documents)
    .innerJoin(
      documentLocales,
      and(eq(documentLocales.documentId, documents.id), eq(documentLocales.version, documents.version)),
    )
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(inArray(documents.id, ids))

/**
 * Locks the account, so that answers wait for one another. Returns the version that the person has agreed to; null if
 * none; undefined if the account doesn't exist or is disabled.
 */
export async function lockAgreed(
  tx: Transaction,
  userId: string,
  documentId: string,
): Promise<number | null | undefined> {
  const enabledAccount = and(eq(users.id, userId), users.enabled)
  const [account] = await tx.select({ id: users.id }).from(users).where(enabledAccount).for('no key update')
  if (!account) return undefined
  const [row] = await tx
    .select({ version: userAgreements.version })
    .from(userAgreements)
    .where(and(eq(userAgreements.userId, userId), eq(userAgreements.documentId, documentId)))
    .orderBy(desc(userAgreements.version))
    .limit(1)
  return row?.version ?? null
}

/** Deletes all consents of a person to a document, and stores the refusal. */
export async function storeRefusal(tx: Transaction, userId: string, documentId: string, refusedAt: Date) {
  await tx
    .delete(userAgreements)
    .where(and(eq(userAgreements.userId, userId), eq(userAgreements.documentId, documentId)))
  await tx
    .insert(userAgreementRefusals)
    .values({ userId, documentId, refusedAt })
    .onConflictDoUpdate({
      target: [userAgreementRefusals.userId, userAgreementRefusals.documentId],
      set: { refusedAt },
    })
}
