import { inArray } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { accessRequestRoles, accessRequests } from '@/db/schema/access-requests'
import { notices } from '@/db/schema/notices'
import { contractors } from '@/db/schema/people'
import { stableId } from '@/lib/base/runtime/stable-id'
import { roleIds } from './applications'
import { demoContractors } from './companies'
import type { DemoPerson } from './people'

type Status = (typeof accessRequests.$inferSelect)['status']

/** Requests to the contractor manager's two companies, in every status. `days`: how long ago, by today's clock. */
const list: { status: Status; at: 0 | 1; days: number; reason?: string }[] = [
  { status: 'considered', at: 0, days: 0.1 },
  { status: 'considered', at: 1, days: 1.3 },
  { status: 'considered', at: 0, days: 3 },
  { status: 'approved', at: 1, days: 6 },
  { status: 'failure', at: 0, days: 9, reason: 'Договор с этим сотрудником ещё не подписан' },
  { status: 'duplicate', at: 1, days: 14 },
  { status: 'remove', at: 0, days: 21 },
]

const day = 86_400_000

/** Access requests for the manager to decide on, with a notice of each that waits. */
export async function seedAccessRequests(tx: Transaction, people: DemoPerson[]) {
  const manager = people.find(({ user }) => user.login === 'manager')?.user
  const places = demoContractors.slice(0, 2)
  const ids = places.map(({ id }) => id)
  const companies = await tx.select().from(contractors).where(inArray(contractors.id, ids))
  // people of other companies, who want to work for one of the manager's too
  const asking = people.filter(
    ({ user, contractorIds }) => user.fio && contractorIds.length > 0 && !contractorIds.some((id) => ids.includes(id)),
  )
  const rows = list.map(({ status, at, days, reason = '' }, n) => {
    const company = companies.find(({ id }) => id === ids[at])
    const user = asking[n * 7]?.user
    if (!manager || !company || !user) throw new Error('the demo has nobody who asks for access')
    const createdAt = new Date(Date.now() - days * day)
    const decided = status !== 'considered'
    return {
      request: {
        id: stableId('demo access request', String(n)),
        userId: user.id,
        status,
        name: company.name,
        inn: company.inn ?? '',
        kpp: company.kpp,
        reason,
        contractorId: status === 'approved' ? company.id : null,
        deciderId: decided && status !== 'remove' ? manager.id : null,
        createdAt,
        finishedAt: decided ? new Date(createdAt.getTime() + 0.4 * day) : null,
      },
      notice: {
        userId: manager.id,
        kind: 'accessRequested',
        values: { person: user.fio ?? '' },
        cause: `demo-access-request-${n}`,
        date: createdAt,
        readAt: decided ? createdAt : null,
      },
    }
  })
  await tx.insert(accessRequests).values(rows.map(({ request }) => request))
  await tx
    .insert(accessRequestRoles)
    .values(rows.map(({ request }) => ({ requestId: request.id, roleId: roleIds.supplier })))
  await tx.insert(notices).values(rows.map(({ notice }) => notice))
}
