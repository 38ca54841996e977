import { randomUUID } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import {
  applications,
  contractorOrganizations,
  contractors,
  invitationRoles,
  invitations,
  methods,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
  userRoles,
} from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { digest } from '@/lib/base/crypto/encryption'
import { first } from './platform'
import { createUser } from './users'

let made = Math.floor(Math.random() * 1_000_000)

/** Creates a contractor role with these systemic methods. */
export async function createContractorRole(codes: string[] = [], roleType: 'contractor' | 'systemic' = 'contractor') {
  made++
  const role = first(
    await db()
      .insert(roles)
      .values({ name: `Роль ${made}`, nameEn: `Role ${made}`, roleType })
      .returning(),
  )
  const carried = codes.length > 0 ? await db().select().from(methods).where(inArray(methods.code, codes)) : []
  if (carried.length > 0)
    await db()
      .insert(roleMethods)
      .values(carried.map(({ id }) => ({ roleId: role.id, methodId: id })))
  return role
}

/** Creates a contractor with so many available organizations. */
export async function createContractor(organizationCount = 1) {
  made++
  const contractor = first(
    await db()
      .insert(contractors)
      .values({ name: `ООО «Компания ${made}»`, inn: `77${String(made).padStart(8, '0')}` })
      .returning(),
  )
  const available = await db()
    .insert(organizations)
    .values(
      Array.from({ length: organizationCount }, (_, at) => ({
        name: `АО «Организация ${made}.${at}»`,
        nameEn: `Organization ${made}.${at}`,
      })),
    )
    .returning()
  await db()
    .insert(contractorOrganizations)
    .values(available.map(({ id }) => ({ contractorId: contractor.id, organizationId: id })))
  return { contractor, organizations: available, organization: first(available) }
}
export type Company = Awaited<ReturnType<typeof createContractor>>

/** Adds a user to a company with these roles in its first organization. */
export async function join({ contractor, organization }: Company, userId: string, roleIds: string[]) {
  await db().insert(userContractors).values({ userId, contractorId: contractor.id })
  if (roleIds.length > 0)
    await db()
      .insert(userContractorRoles)
      .values(
        roleIds.map((roleId) => ({ userId, contractorId: contractor.id, organizationId: organization.id, roleId })),
      )
}

/** Creates a service that is open to whoever holds the role. Returns its title. */
export async function openService(roleId: string) {
  const title = `Сервис ${++made}`
  const application = first(
    await db()
      .insert(applications)
      .values({ type: 'internal', code: randomUUID(), name: title, url: 'https://service.example', menuVisible: true })
      .returning(),
  )
  const method = first(
    await db()
      .insert(methods)
      .values({ code: 'open', name: 'Вход', kind: 'application', applicationId: application.id })
      .returning(),
  )
  await db().insert(roleMethods).values({ roleId, methodId: method.id })
  await invalidate(db(), 'applications')
  dropCached('applications')
  return title
}

export const newEmail = () => `invited.${++made}@polaris.example`

/** Creates an open invitation from a new manager of contractors, without its mail. Returns it with the link's GUID. */
export async function plantInvitation(values: Partial<typeof invitations.$inferInsert> = {}) {
  const company = await createContractor()
  const role = await createContractorRole()
  const inviter = await createUser({ fio: 'Северный Юрий Львович' })
  const manager = await createContractorRole(['masterAccountAccess'], 'systemic')
  await db().insert(userRoles).values({ userId: inviter.id, roleId: manager.id })
  const guid = randomUUID()
  const invitation = first(
    await db()
      .insert(invitations)
      .values({
        idHash: digest(guid),
        email: newEmail(),
        contractorId: company.contractor.id,
        inviterId: inviter.id,
        expiresAt: new Date(Date.now() + 7 * 24 * 3_600_000),
        ...values,
      })
      .returning(),
  )
  await db()
    .insert(invitationRoles)
    .values({ invitationId: invitation.id, organizationId: company.organization.id, roleId: role.id })
  return { ...company, role, inviter, guid, id: invitation.id, email: invitation.email }
}
