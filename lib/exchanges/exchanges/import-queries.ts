import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { contractorOrganizations, contractors, organizations, users } from '@/db/schema/people'
import { emailOf, loginOf } from '@/lib/base/text/email'

/** Locks an object of another system by its name, so that its writes run one after another. */
export const lockExternalObject = (tx: Transaction, name: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`integration ${name}`}, 0))`)

/** Returns a contractor by its external code; undefined if there is none. */
export async function selectByCode(tx: Transaction, externalCode: string) {
  const [row] = await tx.select().from(contractors).where(eq(contractors.externalCode, externalCode))
  return row
}

/** Returns a contractor with this inn and kpp that has no external code yet; undefined if there is none. */
export async function selectWithoutCode(tx: Transaction, inn: string, kpp: string) {
  const [row] = await tx
    .select()
    .from(contractors)
    .where(
      and(eq(contractors.inn, inn), sql`coalesce(${contractors.kpp}, '') = ${kpp}`, isNull(contractors.externalCode)),
    )
  return row
}

/** Returns the ids of the organizations in which people of a contractor may hold roles. */
export const selectContractorOrganizations = async (tx: Transaction, contractorId: string): Promise<string[]> =>
  (
    await tx
      .select({ id: contractorOrganizations.organizationId })
      .from(contractorOrganizations)
      .where(eq(contractorOrganizations.contractorId, contractorId))
  ).map(({ id }) => id)

/** Returns the ids of organizations under their codes. */
export const selectOrganizationIds = async (tx: Transaction, codes: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    codes.length === 0
      ? []
      : (
          await tx
            .select({ id: organizations.id, code: organizations.code })
            .from(organizations)
            .where(inArray(organizations.code, [...codes]))
        ).map(({ id, code }) => [code ?? '', id]),
  )

type Person = { login?: string | undefined; email?: string | undefined; externalId?: string | undefined }

/** Returns the ids of up to two accounts with this login, e-mail or external id. */
export const selectPeople = async (tx: Transaction, { login, email, externalId }: Person): Promise<string[]> => {
  const condition = login
    ? eq(users.login, loginOf(login))
    : email
      ? eq(sql`lower(${users.email})`, emailOf(email) ?? email.toLowerCase())
      : eq(users.externalId, externalId ?? '')
  return (await tx.select({ id: users.id }).from(users).where(condition).limit(2)).map(({ id }) => id)
}
