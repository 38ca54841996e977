import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { invitations, users } from '@/db/schema'
import * as calls from '@/lib/joining/received-invitations/contract'
import { emailOf, idOf } from '../../factories/access-requests'
import { Caller } from '../../factories/caller'
import { createAgreement, createDomain } from '../../factories/domains'
import { signedIn } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { proof } from '../../factories/proofs'
import { administrator, shutOutBy } from '../../factories/ways-in'

/** An open invitation to the caller. */
async function invited(caller: Caller) {
  const id = await idOf(caller)
  await db().update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, id))
  return invite({ email: (await emailOf(id)).toLowerCase() })
}
type Invited = Awaited<ReturnType<typeof invited>>

const input = ({ id }: Invited) => ({ params: { id }, body: {} })
const look = async (caller: Caller, { id }: Invited) => {
  const { invitations: list } = await caller.call(calls.listOwnInvitations, { query: {} })
  return list.find((each) => each.id === id)
}
/** An invitation that has ended in this way. */
const ended = (values: Partial<typeof invitations.$inferInsert>) => ({
  input: async (caller: Caller) => {
    const given = await invited(caller)
    await db().update(invitations).set(values).where(eq(invitations.id, given.id))
    return input(given)
  },
})
const closed = {
  expired: ended({ expiresAt: new Date(0) }),
  used: ended({ status: 'refusal', finishedAt: new Date() }),
  canceled: ended({ status: 'deleted', finishedAt: new Date() }),
}

/** Somebody on a domain whose terms they haven't agreed to. */
let signatory: Caller | undefined
/** An administrator who is invited. */
let invitee: Caller | undefined

export default [
  proof(calls.listOwnInvitations, {
    prepare: invited,
    input: ({ contractor }) => ({ query: { filter: { status: ['active' as const], search: contractor.name } } }),
    shows: ({ id, contractor, organization, role }) => ({
      invitations: [
        {
          id,
          company: contractor.name,
          access: [{ organizationId: organization.id, roles: [{ id: role.id, name: role.name }] }],
          status: 'active',
          acceptable: true,
          inviter: 'Северный Юрий Львович',
        },
      ],
    }),
  }),
  proof(calls.acceptOwnInvitation, {
    makes: ['update invitations', 'update users'],
    prepare: invited,
    input,
    look,
    shows: () => ({ status: 'success', acceptable: false }),
    errors: {
      ...closed,
      lastAdministrator: {
        by: async () => {
          invitee = await administrator()
          return invitee
        },
        input: async (caller) => {
          const given = await invited(invitee ?? caller)
          await shutOutBy(await idOf(invitee ?? caller), given.role.id, given.master.user.id)
          return input(given)
        },
      },
      termsRequired: {
        by: async () => {
          const { browser } = await signedIn()
          const host = await createDomain({ agreement: await createAgreement() })
          signatory = new Caller(browser.copy(host))
          return signatory
        },
        input: async (caller) => input(await invited(signatory ?? caller)),
      },
    },
  }),
  proof(calls.declineOwnInvitation, {
    makes: ['update invitations'],
    prepare: invited,
    input: ({ id }) => ({ params: { id } }),
    look,
    shows: () => ({ status: 'refusal', acceptable: false }),
    errors: closed,
  }),
]
