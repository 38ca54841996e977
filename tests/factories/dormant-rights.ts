import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { contractors, invitationRoles, organizations, roles, userRoles, users } from '@/db/schema'
import { createContractor, createContractorRole, join, plantInvitation } from './companies'

/** Ways in which somebody has rights that they can't use now, and may be able to use tomorrow. */
export const dormant = {
  'a disabled role': async (userId: string, codes: string[]) => {
    const role = await createContractorRole(codes, 'systemic')
    await db().update(roles).set({ enabled: false }).where(eq(roles.id, role.id))
    await db().insert(userRoles).values({ userId, roleId: role.id })
  },
  'a disabled organization': async (userId: string, codes: string[]) => {
    const company = await createContractor()
    await join(company, userId, [(await createContractorRole(codes)).id])
    await db().update(organizations).set({ enabled: false }).where(eq(organizations.id, company.organization.id))
  },
  'a disabled contractor': async (userId: string, codes: string[]) => {
    const company = await createContractor()
    await join(company, userId, [(await createContractorRole(codes)).id])
    await db().update(contractors).set({ enabled: false }).where(eq(contractors.id, company.contractor.id))
  },
  'an open invitation to them': async (userId: string, codes: string[]) => {
    const { id, organization } = await plantInvitation({ userId })
    const roleId = (await createContractorRole(codes)).id
    await db().insert(invitationRoles).values({ invitationId: id, organizationId: organization.id, roleId })
  },
  'an open invitation to their e-mail': async (userId: string, codes: string[]) => {
    const email = `${randomUUID()}@polaris.example`
    await db().update(users).set({ email, emailVerifiedAt: new Date() }).where(eq(users.id, userId))
    const { id, organization } = await plantInvitation({ email })
    const roleId = (await createContractorRole(codes)).id
    await db().insert(invitationRoles).values({ invitationId: id, organizationId: organization.id, roleId })
  },
} satisfies Record<string, (userId: string, codes: string[]) => Promise<void>>
