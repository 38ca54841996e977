import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { invitationRoles, invitations } from '@/db/schema/entry'
import { digest } from '@/lib/base/crypto/encryption'
import { env } from '@/lib/base/runtime/env'
import { stableId } from '@/lib/base/runtime/stable-id'
import { inviteInNameOf } from '@/lib/joining/invitations/manage'
import { domainByHost } from '@/lib/site/domains/service'
import { roleIds } from './applications'
import { demoContractors, organizationIds } from './companies'
import type { DemoPerson } from './people'
import { daysAgo } from './random'

type Status = (typeof invitations.$inferSelect)['status']

/** One of each outcome, and a few that still wait. `at`: which of the manager's two contractors. */
const list: { name: string; status: Status; at: 0 | 1; days: number }[] = [
  { name: 'kuznetsova', status: 'active', at: 0, days: 0 },
  { name: 'orlov', status: 'active', at: 1, days: 2 },
  { name: 'tikhonova', status: 'deactivated', at: 0, days: 12 },
  { name: 'belov', status: 'refusal', at: 1, days: 20 },
  { name: 'yegorov', status: 'success', at: 0, days: 34 },
  { name: 'zhdanova', status: 'autoSuccess', at: 1, days: 41 },
  { name: 'panin', status: 'deleted', at: 0, days: 55 },
]

const week = 7 * 86_400_000
const later = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds)
const managerOf = (people: DemoPerson[]) => {
  const manager = people.find(({ user }) => user.login === 'manager')
  if (!manager) throw new Error('the demo has no contractor manager')
  return manager.user.id
}

/** Invitations of the contractor manager's two companies, in every status. Nobody knows their links. */
export async function seedInvitations(tx: Transaction, people: DemoPerson[]) {
  const inviterId = managerOf(people)
  const rows = list.map(({ name, status, at, days }) => {
    const contractor = demoContractors[at]
    if (!contractor) throw new Error('the manager has two contractors')
    const open = status === 'active'
    // those that wait do so by today's clock, or none would be left a week after the data were written
    const createdAt = open ? later(new Date(), -days * 86_400_000 - 1_000) : daysAgo(days)
    const came = status === 'success' || status === 'autoSuccess'
    const person = people.find(
      ({ contractorIds, user }) => contractorIds.includes(contractor.id) && user.id !== inviterId,
    )
    return {
      id: stableId('demo invitation', name),
      status,
      idHash: digest(randomUUID()),
      email: came && person?.user.email ? person.user.email : `${name}@${contractor.slug}.example`,
      contractorId: contractor.id,
      inviterId,
      userId: came ? (person?.user.id ?? null) : null,
      createdAt,
      sentAt: createdAt,
      expiresAt: later(createdAt, week),
      finishedAt: open || status === 'deactivated' ? null : later(createdAt, 86_400_000),
    }
  })
  await tx.insert(invitations).values(rows)
  await tx
    .insert(invitationRoles)
    .values(
      rows.map(({ id }) => ({ invitationId: id, organizationId: organizationIds.polaris, roleId: roleIds.supplier })),
    )
}

/** One more whose mail is in the outbox, so that its link can be opened. */
export async function inviteSomebody(people: DemoPerson[]) {
  const [contractor] = demoContractors
  if (!contractor) throw new Error('the demo has no contractor')
  const now = () => new Date()
  const domain = await domainByHost(new URL(env().PUBLIC_URL).host)
  const ctx = { ip: '', user: null, requestId: randomUUID(), domain, locale: 'ru', now }
  await inviteInNameOf(ctx, managerOf(people), {
    email: `novikova@${contractor.slug}.example`,
    contractorId: contractor.id,
    access: [{ organizationId: organizationIds.polaris, roles: [roleIds.supplier] }],
  })
}
