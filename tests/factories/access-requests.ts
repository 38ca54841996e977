import { randomInt } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { accessRequests, messages, userContractorRoles, userContractors, userRoles, users } from '@/db/schema'
import { messageContent } from '@/lib/base/mail-and-sms/content'
import { createAccessRequests } from '@/lib/companies/access-requests/contract'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { type AnyContract, type Caller, callerFor } from './caller'
import { type Company, createContractor, createContractorRole, join } from './companies'
import { runJobs } from './messages'
import { first } from './platform'

/** The kpp of every company in tests: one whose inn has ten digits needs it. */
export const someKpp = '770101001'

/** A number of ten digits that no contractor has. */
export const newInn = () => `99${String(randomInt(100_000_000)).padStart(8, '0')}`

export const idOf = (caller: Caller) => caller.serve(async ({ user }) => user?.id ?? '')

/** Makes open sessions of a person read anew what they may do. */
export async function refreshed(userId: string) {
  const done = await invalidateSessions(db(), userId, new Date())
  await done()
}

/** Makes the caller a manager: of this contractor, or of all. */
export async function makeManager(caller: Caller, company?: Company, more: string[] = []) {
  const userId = await idOf(caller)
  const role = await createContractorRole(['masterAccountAccess', ...more], company ? 'contractor' : 'systemic')
  if (company) await join(company, userId, [role.id])
  else await db().insert(userRoles).values({ userId, roleId: role.id })
  await refreshed(userId)
  return role
}

/** Somebody who manages one contractor or all, and only that. */
export async function manager(company?: Company) {
  const caller = await callerFor(createAccessRequests)
  const role = await makeManager(caller, company)
  return { caller, id: await idOf(caller), role }
}

/** Somebody new who asks for access to companies with these numbers. */
export async function requester(...inns: string[]) {
  const caller = await callerFor(createAccessRequests)
  const companies = inns.map((inn, n) => ({ name: `Компания ${inn} ${n}`, inn, kpp: someKpp, roles: [] }))
  const { requests } = await caller.call(createAccessRequests, { body: { companies } })
  const ids = requests.map(({ requestId }) => requestId)
  return { caller, userId: await idOf(caller), requestId: first(ids), ids }
}

export const requestRow = async (id: string) =>
  first(await db().select().from(accessRequests).where(eq(accessRequests.id, id)))

/** A contractor with its manager, and somebody who asks for access to it. */
export async function asked() {
  const company = await createContractor()
  return {
    company,
    inn: company.contractor.inn ?? '',
    ...(await manager(company)),
    from: await requester(company.contractor.inn ?? ''),
  }
}

export const rowsOf = (userId: string) => db().select().from(accessRequests).where(eq(accessRequests.userId, userId))
export const membersOf = (userId: string) =>
  db().select().from(userContractors).where(eq(userContractors.userId, userId))
/** What somebody holds, as it is stored. */
export const userRolesOf = async (userId: string) => [
  await db().select().from(userRoles).where(eq(userRoles.userId, userId)),
  await db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, userId)),
]
export const emailOf = async (id: string) => first(await db().select().from(users).where(eq(users.id, id))).email ?? ''

export const statusOf = async (caller: Caller, contract: AnyContract, body: object) =>
  (await caller.send(contract, { body })).status

/** The mails of a kind to somebody, as they are read. */
export async function mailsTo(recipient: string, template: string) {
  await runJobs()
  const rows = await db()
    .select()
    .from(messages)
    .where(and(eq(messages.recipient, recipient), eq(messages.template, template)))
  return rows.map(messageContent)
}
