import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { type Database, db, prepared, type Transaction } from '@/db/client'
import { invitedRoleFault, inviterFault } from '@/db/open-invitation'
import { rowsById } from '@/db/rows'
import { invitationRoles, invitations } from '@/db/schema/entry'
import { contractors, organizations, roles, userAgreements, users } from '@/db/schema/people'
import { deleteInBatches } from '@/lib/base/postgres/batches'

type Executor = Database | Transaction
export type Invitation = typeof invitations.$inferSelect

export async function selectInvitationByHash(idHash: string): Promise<Invitation | null> {
  const [row] = await db().select().from(invitations).where(eq(invitations.idHash, idHash))
  return row ?? null
}

/** Only one of parallel answers to a locked invitation counts. */
export const invitationRows = rowsById(invitations)

/** Locks the pair of an e-mail and a contractor until the transaction ends. */
export const lockPair = (tx: Transaction, email: string, contractorId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invitation ${email} ${contractorId}`}, 0))`)

type Pair = { email: string; contractorId: string }
const pairsOf = (pairs: readonly Pair[]) => sql`unnest(${sql.param(pairs.map(({ email }) => email))}::text[],
  ${sql.param(pairs.map(({ contractorId }) => contractorId))}::uuid[]) pair (email, contractor_id)`

/** Locks several pairs of an e-mail and a contractor, always in the same order. */
export const lockPairs = (tx: Transaction, pairs: readonly Pair[]) =>
  tx.execute(sql`select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended('invitation ' || pair.email || ' ' || pair.contractor_id, 0) as key
    from ${pairsOf(pairs)} order by key) locks`)

/** Locks the open invitations of these pairs and returns them. */
export const lockOpenInvitationsOf = (tx: Transaction, pairs: readonly Pair[]) =>
  tx
    .select()
    .from(invitations)
    .where(
      and(
        sql`(${invitations.email}, ${invitations.contractorId}) in (select pair.email, pair.contractor_id from ${pairsOf(pairs)})`,
        eq(invitations.status, 'active'),
      ),
    )
    .orderBy(invitations.id)
    .for('update')

/** Reserves the acceptance of an invitation until the transaction ends. Returns false while another request has it. */
export async function tryLockInvitation(tx: Transaction, id: string): Promise<boolean> {
  const { rows } = await tx.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`invitation ${id}`}, 0)) as taken`,
  )
  return rows[0]?.taken === true
}

export async function insertInvitation(tx: Transaction, values: typeof invitations.$inferInsert) {
  const [row] = await tx.insert(invitations).values(values).returning()
  if (!row) throw new Error('no invitation was made')
  return row
}

/** Stores several invitations and returns them in the same order. */
export async function insertInvitations(
  tx: Transaction,
  list: (typeof invitations.$inferInsert)[],
): Promise<Invitation[]> {
  if (list.length === 0) return []
  const rows = await tx.insert(invitations).values(list).returning()
  const byHash = new Map(rows.map((row) => [row.idHash, row]))
  return list.map(({ idHash }) => {
    const row = byHash.get(idHash)
    if (!row) throw new Error('no invitation was made')
    return row
  })
}

export const insertRolesOfInvitations = async (
  tx: Transaction,
  rows: { invitationId: string; organizationId: string; roleId: string }[],
) => {
  if (rows.length > 0) await tx.insert(invitationRoles).values(rows)
}

export const insertInvitationRoles = (
  tx: Transaction,
  invitationId: string,
  list: { organizationId: string; roleId: string }[],
) => tx.insert(invitationRoles).values(list.map((role) => ({ invitationId, ...role })))

/** Adds roles to those of an invitation. */
export const addInvitationRoles = async (
  tx: Transaction,
  invitationId: string,
  list: { organizationId: string; roleId: string }[],
) => {
  if (list.length === 0) return
  await tx
    .insert(invitationRoles)
    .values(list.map((role) => ({ invitationId, ...role })))
    .onConflictDoNothing()
}

/** Locks all invitations to these contractors, in the order of their ids, and returns them. */
export const lockInvitationsTo = (tx: Transaction, contractorIds: string[]): Promise<Invitation[]> =>
  tx
    .select()
    .from(invitations)
    .where(inArray(invitations.contractorId, contractorIds))
    .orderBy(invitations.id)
    .for('update')

/**
 * Returns the statement that accepts an open invitation for an account. The statement returns no row if the invitation
 * is no longer open.
 */
export const claimAccepted = (id: string, userId: string, now: Date): SQL =>
  sql`update ${invitations} set status = 'success', user_id = ${userId}::uuid, finished_at = ${now}
    where id = ${id} and status = 'active' returning id`

/**
 * Stores the mobile to which a code was sent, for the page that asks for the code. Another one takes the place of a
 * proven mobile.
 */
export const storeAskedMobile = (id: string, mobile: string) =>
  db()
    .update(invitations)
    .set({ mobile, mobileVerifiedAt: null })
    .where(and(eq(invitations.id, id), sql`${invitations.mobile} is distinct from ${mobile}`))

/** Stores a proven mobile at an open invitation. Returns false if the invitation is no longer open. */
export async function storeProvenMobile(id: string, mobile: string, now: Date): Promise<boolean> {
  const rows = await db()
    .update(invitations)
    .set({ mobile, mobileVerifiedAt: now })
    .where(and(eq(invitations.id, id), eq(invitations.status, 'active')))
    .returning({ id: invitations.id })
  return rows.length > 0
}

/**
 * Returns the roles that an invitation still gives: contractor and organization are enabled and belong to each other,
 * and the inviter may still give the role (docs/rules/invitations.md#what-the-inviter-may-give).
 */
export const selectOpenRoles = (invitationId: string, database?: Executor) =>
  openRoles(database).execute({ invitationId })
const openRoles = prepared('open-invitation-roles', (database) =>
  database
    .select({
      organizationId: organizations.id,
      organization: organizations.name,
      organizationEn: organizations.nameEn,
      roleId: roles.id,
      role: roles.name,
      roleEn: roles.nameEn,
    })
    .from(invitationRoles)
    .innerJoin(invitations, eq(invitations.id, invitationRoles.invitationId))
    .innerJoin(organizations, eq(organizations.id, invitationRoles.organizationId))
    .innerJoin(roles, eq(roles.id, invitationRoles.roleId))
    .where(and(eq(invitationRoles.invitationId, sql.placeholder('invitationId')), sql`${invitedRoleFault} is null`))
    .orderBy(organizations.name, roles.name),
)

/** Returns the roles that were chosen for an invitation, also those that it can no longer give. */
export const selectInvitedRoles = (invitationId: string, database: Executor = db()) =>
  database
    .select({ organizationId: invitationRoles.organizationId, roleId: invitationRoles.roleId })
    .from(invitationRoles)
    .where(eq(invitationRoles.invitationId, invitationId))

/** Returns the roles of an invitation that its inviter may give now. It checks nothing else of the invitation. */
export const selectGivableRoles = (invitationId: string, tx: Transaction) =>
  tx
    .select({ organizationId: invitationRoles.organizationId, roleId: invitationRoles.roleId })
    .from(invitationRoles)
    .innerJoin(invitations, eq(invitations.id, invitationRoles.invitationId))
    .where(and(eq(invitationRoles.invitationId, invitationId), sql`${inviterFault} is null`))

export async function selectContractorName(contractorId: string, database: Executor = db()): Promise<string> {
  const [row] = await database
    .select({ name: contractors.name })
    .from(contractors)
    .where(eq(contractors.id, contractorId))
  return row?.name ?? ''
}

/** Returns an inviter's name, e-mail and language. Returns null if the account has been deleted. */
export async function selectInviter(inviterId: string | null, database: Executor = db()) {
  if (!inviterId) return null
  const [row] = await database
    .select({
      id: users.id,
      enabled: users.enabled,
      fio: users.fio,
      firstName: users.firstName,
      email: users.email,
      lang: sql<
        string | null
      >`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`,
    })
    .from(users)
    .where(eq(users.id, inviterId))
  return row ?? null
}

/**
 * Returns the fields of an account that an invitation needs, with its agreements. Returns null if the account has been
 * deleted.
 */
export async function selectInvitee(userId: string, database: Executor = db()) {
  const [row] = await database
    .select({
      id: users.id,
      enabled: users.enabled,
      email: sql<string>`lower(coalesce(${users.email}, ''))`,
      /**
       * Whether the person has proven the e-mail, and the account has no preparer
       * (docs/rules/access.md#prepared-accounts).
       */
      emailProven: sql<boolean>`${users.emailVerifiedAt} is not null and ${users.preparedBy} is null`,
      login: users.login,
      fio: users.fio,
      lastName: users.lastName,
      firstName: users.firstName,
      middleName: users.middleName,
      mobile: users.mobile,
      mobileVerifiedAt: users.mobileVerifiedAt,
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!row) return null
  const agreed = await database
    .select({ documentId: userAgreements.documentId, version: userAgreements.version })
    .from(userAgreements)
    .where(eq(userAgreements.userId, userId))
  return { ...row, agreed }
}
export type Invitee = NonNullable<Awaited<ReturnType<typeof selectInvitee>>>

/** Locks the open invitations of an e-mail and returns them. */
export const lockOpenInvitations = (tx: Transaction, email: string) =>
  tx
    .select()
    .from(invitations)
    .where(and(eq(invitations.email, email), eq(invitations.status, 'active')))
    .orderBy(invitations.id)
    .for('update')

/** Locks the open invitations of an e-mail to one contractor and returns them. */
export const lockOpenInvitationsTo = (tx: Transaction, email: string, contractorId: string) =>
  tx
    .select()
    .from(invitations)
    .where(
      and(eq(invitations.email, email), eq(invitations.contractorId, contractorId), eq(invitations.status, 'active')),
    )
    .orderBy(invitations.id)
    .for('update')

/** Locks some expired invitations that no other transaction has locked, and returns their ids. */
export async function lockExpiredInvitations(tx: Transaction, now: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.status, 'active'), lte(invitations.expiresAt, now)))
    .limit(limit)
    .for('update', { skipLocked: true })
  return rows.map(({ id }) => id)
}

const endedAt = sql`coalesce(${invitations.finishedAt}, ${invitations.expiresAt})`

/** Deletes invitations that ended before `before`. */
export const deleteOldInvitations = (before: Date) =>
  deleteInBatches(invitations, endedAt, sql`${invitations.status} <> 'active' and ${endedAt} < ${before}`)

/** Closes invitations that have expired. */
export const deactivateInvitations = (tx: Transaction, ids: string[]) =>
  tx.update(invitations).set({ status: 'deactivated' }).where(inArray(invitations.id, ids))

/** Moves invitations to another contractor. */
export const moveInvitations = (tx: Transaction, ids: string[], contractorId: string) =>
  tx.update(invitations).set({ contractorId }).where(inArray(invitations.id, ids))
