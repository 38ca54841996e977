import { eq, inArray, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { sessions } from '@/db/schema/entry'
import { history } from '@/db/schema/operations'
import {
  organizations,
  roles,
  userAgreements,
  userContractorRoles,
  userContractors,
  userRoles,
  userSettings,
  users,
} from '@/db/schema/people'
import { domains } from '@/db/schema/platform'
import { storeUsers } from '@/lib/accounts/users/create'
import { invalidate } from '@/lib/base/cache/cache'
import { hashPassword } from '@/lib/base/crypto/password'
import { seedAccessRequests } from './demo/access-requests'
import { demoPassword } from './demo/accounts'
import { seedApplications } from './demo/applications'
import { seedCompanies } from './demo/companies'
import { documentId, seedDomains } from './demo/domains'
import { seedDemoFields } from './demo/fields'
import { demoHistory, demoSessions } from './demo/history'
import { seedIntegration } from './demo/integration'
import { inviteSomebody, seedInvitations } from './demo/invitations'
import { seedNetwork } from './demo/network'
import { seedOidcClients } from './demo/oidc-clients'
import { type DemoPerson, demoPeople } from './demo/people'
import { seedProviders } from './demo/providers'
import { daysAgo } from './demo/random'

const usersCount = 500
const historyCount = 2_000
/** A statement takes 65 535 parameters at most. */
const chunkSize = 1_000

async function inChunks<Row>(rows: Row[], insert: (chunk: Row[]) => Promise<unknown>) {
  for (let at = 0; at < rows.length; at += chunkSize) await insert(rows.slice(at, at + chunkSize))
}

async function seedPeople(tx: Transaction, people: DemoPerson[]) {
  await inChunks(people, (chunk) =>
    storeUsers(
      tx,
      chunk.map(({ user }) => user),
    ),
  )
  const codes = [...new Set(people.flatMap(({ systemic }) => systemic))]
  const shipped = await tx.select({ id: roles.id, code: roles.code }).from(roles).where(inArray(roles.code, codes))
  const roleRows = people.flatMap(({ user, systemic, roles: otherRoles }) => [
    ...shipped
      .filter(({ code }) => code !== null && systemic.includes(code))
      .map(({ id }) => ({ userId: user.id, roleId: id, organizationId: null })),
    ...otherRoles.map((role) => ({ userId: user.id, ...role })),
  ])
  await inChunks(roleRows, (chunk) => tx.insert(userRoles).values(chunk))
  const links = people.flatMap(({ user, contractorIds }) =>
    contractorIds.map((contractorId) => ({ userId: user.id, contractorId, createdAt: user.createdAt })),
  )
  await inChunks(links, (chunk) => tx.insert(userContractors).values(chunk))
  const contractorRoles = people.flatMap(({ user, contractorRoles: list }) =>
    list.map((role) => ({ userId: user.id, ...role })),
  )
  await inChunks(contractorRoles, (chunk) => tx.insert(userContractorRoles).values(chunk))
  // a few have not agreed yet
  const agreed = people.filter((_, at) => at % 12 !== 11)
  await inChunks(agreed, (chunk) =>
    tx.insert(userAgreements).values(
      chunk.map(({ user }) => ({
        userId: user.id,
        documentId: documentId('personal-data'),
        version: 1,
        agreedAt: user.createdAt ?? daysAgo(1),
        ip: '192.0.2.10',
      })),
    ),
  )
  const withSettings = people.filter((_, at) => at % 40 === 39)
  await tx
    .insert(userSettings)
    .values(withSettings.map(({ user }) => ({ userId: user.id, navMini: true, pagination: 50, cookie: true })))
}

/**
 * Returns whether the database is in use: it has people or earlier demo data. The temporary administrator doesn't
 * count.
 */
async function isInUse(tx: Transaction) {
  const [organization] = await tx.select({ id: organizations.id }).from(organizations).limit(1)
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.temporary, false)).limit(1)
  return Boolean(organization ?? user)
}

/**
 * Loads the demo data into an unused database, all or nothing; the data is always the same. Returns whether it did: if
 * there are organizations or people already, it changes nothing.
 */
export async function seedDemo(): Promise<boolean> {
  const people = demoPeople(usersCount, await hashPassword(demoPassword))
  const loaded = await db().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('demo data'))`)
    if (await isInUse(tx)) return false
    await seedCompanies(tx)
    await seedDomains(tx)
    await seedApplications(tx)
    await seedOidcClients(tx)
    await seedDemoFields(tx)
    await seedNetwork(tx)
    await seedProviders(tx)
    await seedIntegration(tx)
    await seedPeople(tx, people)
    await seedInvitations(tx, people)
    await seedAccessRequests(tx, people)
    const rows = demoHistory(historyCount, people)
    await inChunks(rows, (chunk) => tx.insert(history).values(chunk))
    const [base] = await tx.select({ id: domains.id }).from(domains).where(eq(domains.base, true))
    if (!base) throw new Error('there is no base domain')
    await inChunks(demoSessions(rows, base.id), (chunk) => tx.insert(sessions).values(chunk))
    for (const name of [
      'domains',
      'project-info',
      'applications',
      'authentication-schemas',
      'network-aliases',
      'dynamic-fields',
    ])
      await invalidate(tx, name)
    return true
  })
  if (loaded) await inviteSomebody(people)
  return loaded
}
