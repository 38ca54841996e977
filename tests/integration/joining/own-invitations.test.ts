import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { userContractorRoles, userContractors, users } from '@/db/schema'
import { acceptByRegistration } from '@/lib/joining/invitations/auto-success'
import { resendInvitation } from '@/lib/joining/invitations/manage'
import * as calls from '@/lib/joining/received-invitations/contract'
import { lastNotices } from '@/lib/news/notifications/contract'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { newEmail, plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { mailsTo, past, refuse, rowOf, say, setInvitation, signedIn } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { caseNumbers } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** A signed-in person with a proven e-mail. */
async function invitee(email = newEmail()) {
  const { user, browser } = await signedIn({ email, emailVerifiedAt: new Date() })
  return { user, browser, caller: new Caller(browser) }
}
type Invitee = Awaited<ReturnType<typeof invitee>>

const list = async ({ caller }: Pick<Invitee, 'caller'>, query = {}) =>
  (await caller.call(calls.listOwnInvitations, { query })).invitations
const accept = ({ caller }: Pick<Invitee, 'caller'>, id: string) =>
  caller.send(calls.acceptOwnInvitation, { params: { id }, body: {} })
const decline = ({ caller }: Pick<Invitee, 'caller'>, id: string) =>
  caller.send(calls.declineOwnInvitation, { params: { id } })
const memberships = (userId: string) => db().$count(userContractors, eq(userContractors.userId, userId))

describe('accepting where the person is signed in', () => {
  test('gives the company and the roles, tells the inviter, and its link is used up', async () => {
    const who = await invitee()
    const { id, guid, contractor, role, master } = await invite({ email: who.user.email })
    const [notice] = (await who.caller.call(lastNotices)).notices
    expect(notice).toMatchObject({ kind: 'invitation', link: '/platform/profile/requests/invitations?tab=incoming' })
    expect(await accept(who, id)).toMatchObject({ status: 200 })
    expect(
      await db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, who.user.id)),
    ).toMatchObject([{ contractorId: contractor.id, roleId: role.id }])
    expect(await mailsTo(master.user.email, 'invitationAccepted')).toBe(1)
    expect(await rowOf({ id })).toMatchObject({ status: 'success', userId: who.user.id })
    expect((await say(who.browser, { hash: guid })).body.code).toBe('used')
    expect((await accept(who, id)).body.code).toBe('used')
    expect((await decline(who, id)).body.code).toBe('used')
  })

  test('happens once: of thirty answers at once, by link, by list and as refusals, one counts', async () => {
    const who = await invitee()
    const { id, guid } = await invite({ email: who.user.email })
    const answers = await thirty(async (n) => {
      if (n % 3 === 0) return accept(who, id)
      return n % 3 === 1 ? say(who.browser, { hash: guid }) : refuse(new Browser(), guid)
    })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    const { status } = await rowOf({ id })
    expect(await memberships(who.user.id)).toBe(status === 'success' ? 1 : 0)
  })

  test('gives nothing that the inviter may not give any more, and says so before', async () => {
    const who = await invitee()
    const { id, master } = await invite({ email: who.user.email })
    await db().delete(userContractorRoles).where(eq(userContractorRoles.userId, master.user.id))
    expect(await list(who)).toMatchObject([{ id, status: 'active', acceptable: false, access: [] }])
    expect((await accept(who, id)).body.code).toBe('canceled')
    expect(await memberships(who.user.id)).toBe(0)
    expect((await decline(who, id)).status).toBe(200)
  })

  test('works after the invitation was sent again with another link', async () => {
    const who = await invitee()
    const { id, master } = await invite({ email: who.user.email })
    await setInvitation(id, { sentAt: new Date(Date.now() - 120_000) })
    await resendInvitation(master.ctx, { id })
    expect((await accept(who, id)).status).toBe(200)
  })
})

describe('an invitation to somebody else', () => {
  test.each(['an e-mail that the person has not proven', 'no e-mail'])('is not theirs with %s', async (which) => {
    const email = newEmail()
    const { id } = await invite({ email })
    const wishes = which === 'no e-mail' ? { email: null } : { email, emailVerifiedAt: null }
    const { user, browser } = await signedIn(wishes)
    const thief = { caller: new Caller(browser) }
    expect(await thief.caller.call(calls.listOwnInvitations, { query: {} })).toMatchObject({
      invitations: [],
      email: null,
    })
    expect((await accept(thief, id)).status).toBe(404)
    expect((await decline(thief, id)).status).toBe(404)
    expect(await memberships(user.id)).toBe(0)
    expect((await rowOf({ id })).status).toBe('active')
  })

  const byRegistration = async ({ user: { id: userId, email } }: Invitee) => {
    const ctx = await createContext()
    await db().transaction((tx) => acceptByRegistration(tx, ctx, { userId, email }))
  }
  test.each([
    ['success', accept],
    ['autoSuccess', byRegistration],
  ] as const)('is not seen by the next owner of its e-mail once somebody has accepted it (%s)', async (status, by) => {
    const first = await invitee()
    const { id } = await invite({ email: first.user.email })
    await by(first, id)
    expect(await list(first)).toMatchObject([{ id, status }])
    await db().delete(users).where(eq(users.id, first.user.id))
    const next = await invitee(first.user.email)
    expect(await list(next)).toEqual([])
    expect((await decline(next, id)).status).toBe(404)
  })

  test('is never listed, whatever the states, the spelling and the filters', async () => {
    const below = caseNumbers(19)
    const people = await Promise.all([invitee(), invitee(newEmail().toUpperCase()), invitee()])
    const states = ['active', 'deactivated', 'refusal', 'deleted'] as const
    const mine = new Map<string, string[]>(people.map(({ user }) => [user.id, []]))
    for (let n = 0; n < 24; n++) {
      const who = people[below(people.length)] as Invitee
      const status = states[below(states.length)] ?? 'active'
      const expiresAt = below(3) === 0 ? past() : new Date(Date.now() + 60_000)
      const { id } = await plantInvitation({ email: who.user.email.toLowerCase(), status, expiresAt })
      mine.get(who.user.id)?.push(id)
    }
    for (const who of people) {
      const ownIds = mine.get(who.user.id)?.toSorted()
      expect((await list(who)).map(({ id }) => id).toSorted()).toEqual(ownIds)
      const byStatus = await Promise.all(states.map((status) => list(who, { filter: { status: [status] } })))
      expect(
        byStatus
          .flat()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(ownIds)
      for (const each of people.filter((other) => other !== who))
        for (const id of mine.get(each.user.id) ?? []) expect((await accept(who, id)).status).toBe(404)
    }
  })
})

test('the list is found by company, INN and day, the newest first', async () => {
  const who = await invitee()
  const [early, late] = [
    await plantInvitation({ email: who.user.email, createdAt: new Date('2026-03-01T12:00:00Z') }),
    await plantInvitation({ email: who.user.email, createdAt: new Date('2026-05-01T12:00:00Z') }),
  ]
  const ids = async (filter: object) => (await list(who, { filter })).map(({ id }) => id)
  expect(await ids({})).toEqual([late.id, early.id])
  expect(await ids({ search: early.contractor.name })).toEqual([early.id])
  expect(await ids({ search: late.contractor.inn ?? '' })).toEqual([late.id])
  expect(await ids({ search: '%' })).toEqual([])
  expect(await ids({ dateFrom: '2026-03-02' })).toEqual([late.id])
  expect(await ids({ dateFrom: '2026-03-01', dateTo: '2026-03-01' })).toEqual([early.id])
  expect((await list(who, { sortBy: 'expiresAt', sort: 'desc' })).length).toBe(2)
})
