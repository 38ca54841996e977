import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { invitationRoles, invitations } from '@/db/schema'
import {
  createInvitation,
  listSentInvitations,
  resendInvitation,
  revokeInvitation,
} from '@/lib/joining/sent-invitations/contract'
import { makeManager } from '../../factories/access-requests'
import type { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, newEmail } from '../../factories/companies'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'

/** A contractor that the caller manages, and what somebody could be invited with. */
async function managed(caller: Caller) {
  const company = await createContractor()
  await makeManager(caller, company)
  const role = await createContractorRole()
  const access = [{ organizationId: company.organization.id, roles: [role.id] }]
  return { ...company, role, email: newEmail(), access }
}
type Managed = Awaited<ReturnType<typeof managed>>

const bodyOf = ({ email, contractor, access }: Managed) => ({ email, contractorId: contractor.id, access })
const inviting = (given: Managed, more: object = {}) => ({ body: { ...bodyOf(given), ...more } })

/** The same with an invitation, whose link can be sent again. */
async function invited(caller: Caller) {
  const given = await managed(caller)
  const { id } = await caller.call(createInvitation, { body: bodyOf(given) })
  await aWhileAgo(id)
  return { ...given, id }
}
type Invited = Awaited<ReturnType<typeof invited>>

const aWhileAgo = (id: string) =>
  db()
    .update(invitations)
    .set({ sentAt: new Date(Date.now() - 120_000) })
    .where(eq(invitations.id, id))

const sent = async (caller: Caller, { email }: Managed) =>
  (await caller.call(listSentInvitations, { query: { filter: { search: email } } })).invitations

const closed = async (caller: Caller, { id }: Invited) => {
  await caller.call(revokeInvitation, { params: { id } })
  return { params: { id } }
}

export default [
  proof(listSentInvitations, {
    prepare: invited,
    input: ({ contractor }) => ({ query: { filter: { contractorId: contractor.id, status: ['active' as const] } } }),
    shows: ({ id, email, contractor, organization, role }) => ({
      invitations: [
        {
          id,
          email,
          contractor: { id: contractor.id, name: contractor.name },
          access: [{ organizationId: organization.id, roles: [{ id: role.id, name: role.name }] }],
          status: 'active',
          finishedAt: null,
        },
      ],
      meta: { total: 1 },
    }),
  }),
  proof(createInvitation, {
    makes: ['create invitations'],
    prepare: managed,
    input: (given) => ({ body: bodyOf(given) }),
    look: sent,
    shows: ({ email, contractor }) => [{ email, contractor: { id: contractor.id }, status: 'active' }],
    errors: {
      errorEmail: { field: 'email', input: (_, given) => inviting(given, { email: 'nobody@' }) },
      errorLocale: { field: 'locale', input: (_, given) => inviting(given, { email: newEmail(), locale: 'xx' }) },
      errorOrganization: {
        field: 'access.0.organizationId',
        input: (_, given) =>
          inviting(given, { email: newEmail(), access: [{ organizationId: randomUUID(), roles: [given.role.id] }] }),
      },
      errorRole: {
        field: 'access.0.roles',
        input: (_, given) =>
          inviting(given, {
            email: newEmail(),
            access: [{ organizationId: given.organization.id, roles: [randomUUID()] }],
          }),
      },
      forbiddenRole: {
        input: async (_, given) => {
          const strong = await createContractorRole(['users.write'])
          const access = [{ organizationId: given.organization.id, roles: [strong.id] }]
          return inviting(given, { email: newEmail(), access })
        },
      },
      notFound: { input: (_, given) => inviting(given, { email: newEmail(), contractorId: randomUUID() }) },
      invitationActive: {
        input: async (caller, given) => {
          const email = newEmail()
          await caller.call(createInvitation, { body: { ...bodyOf(given), email } })
          return inviting(given, { email })
        },
      },
      contractorMember: {
        input: async (_, given) => {
          const member = await createUser()
          await join(given, member.id, [])
          return inviting(given, { email: member.email })
        },
      },
      tooManyAttempts: {
        input: async (caller) => {
          const given = await managed(caller)
          for (let n = 0; n < 10; n++) {
            const { id } = await caller.call(createInvitation, { body: bodyOf(given) })
            await caller.call(revokeInvitation, { params: { id } })
          }
          return inviting(given)
        },
      },
    },
  }),
  proof(resendInvitation, {
    makes: ['update invitations'],
    prepare: invited,
    input: ({ id }) => ({ params: { id } }),
    look: async (caller, given) => {
      const [invitation] = await sent(caller, given)
      return { again: invitation !== undefined && invitation.sentAt > invitation.date }
    },
    shows: () => ({ again: true }),
    errors: {
      forbiddenRole: {
        input: async (caller) => {
          const given = await invited(caller)
          const strong = await createContractorRole(['users.write'])
          const role = { invitationId: given.id, organizationId: given.organization.id, roleId: strong.id }
          await db().insert(invitationRoles).values(role)
          return { params: { id: given.id } }
        },
      },
      invitationActive: {
        input: async (caller) => {
          const given = await invited(caller)
          const expiresAt = new Date(Date.now() - 1000)
          await db().update(invitations).set({ expiresAt }).where(eq(invitations.id, given.id))
          await caller.call(createInvitation, { body: bodyOf(given) })
          return { params: { id: given.id } }
        },
      },
      contractorMember: {
        input: async (caller) => {
          const given = await invited(caller)
          const member = await createUser({ email: given.email })
          await join(given, member.id, [])
          return { params: { id: given.id } }
        },
      },
      invitationClosed: { input: async (caller) => closed(caller, await invited(caller)) },
      tooManyAttempts: {
        input: async (caller) => {
          const { id } = await invited(caller)
          for (let n = 1; n < 10; n++) {
            await caller.call(resendInvitation, { params: { id } })
            await aWhileAgo(id)
          }
          return { params: { id } }
        },
      },
    },
  }),
  proof(revokeInvitation, {
    makes: ['update invitations'],
    prepare: invited,
    input: ({ id }) => ({ params: { id } }),
    look: sent,
    shows: () => [{ status: 'deleted' }],
    errors: { invitationClosed: { input: async (caller) => closed(caller, await invited(caller)) } },
  }),
]
