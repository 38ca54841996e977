import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { accessRequests, contractors, dynamicFields, history, userContacts, users } from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import {
  allowAccess,
  approveWithContractor,
  createAccessRequests,
  listIncomingRequests,
  markDuplicate,
  refuseAccess,
} from '@/lib/companies/access-requests/contract'
import { changeContactRoles, previewRemoval, removeContact } from '@/lib/companies/colleagues/contract'
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  listOwnInvitations,
} from '@/lib/joining/received-invitations/contract'
import { lastNotices } from '@/lib/news/notifications/contract'
import { asked, emailOf, idOf, mailsTo, manager, membersOf, requestRow } from '../../factories/access-requests'
import { type AnyContract, Caller, callerFor } from '../../factories/caller'
import { createContractorRole, newEmail } from '../../factories/companies'
import { heldFor, managedColleague } from '../../factories/contacts'
import { rowOf, say, signedIn } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { runJobs } from '../../factories/messages'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

async function showEmails(profileVisible: boolean) {
  await db()
    .update(dynamicFields)
    .set({ profileVisible, profileRequired: false })
    .where(and(eq(dynamicFields.type, 'users'), eq(dynamicFields.code, 'email')))
  await invalidate(db(), 'dynamic-fields')
  dropCached('dynamic-fields')
}
afterEach(() => showEmails(true))

describe('the e-mail of who asks for access', () => {
  /** What those who decide read and find of it, and what the mail and the notice say. */
  async function nameIsTold(fio: string, { shown, refused }: { shown: boolean; refused: boolean }) {
    const { company, caller, id } = await asked()
    const someone = await callerFor(createAccessRequests)
    const userId = await idOf(someone)
    const email = `Asks.${randomUUID().slice(0, 8)}@polaris.example`
    const named = { fio, lastName: '', firstName: '', middleName: '', email }
    await db().update(users).set(named).where(eq(users.id, userId))
    if (refused)
      await db()
        .insert(userContacts)
        .values({ userId, kind: 'email', value: email.toLowerCase(), agreement: 'refused' })
    await showEmails(shown)
    const inn = company.contractor.inn ?? ''
    await someone.call(createAccessRequests, { body: { companies: [{ name: 'Вектор', inn, kpp: '770101001' }] } })
    await runJobs()
    const { requests } = await caller.call(listIncomingRequests, { query: {} })
    const countFound = async (search: string) =>
      (await caller.call(listIncomingRequests, { query: { filter: { search } } })).requests.length
    const row = requests.find(({ user }) => user.id === userId)
    const mails = JSON.stringify(await mailsTo(await emailOf(id), 'accessRequested'))
    const { notices } = await caller.call(lastNotices)
    return {
      row: row?.user,
      listed: JSON.stringify(requests).includes(email),
      found: [await countFound(email), await countFound(email.slice(2, 9))],
      mailed: mails.includes(email),
      noticed: JSON.stringify(notices).includes(email),
      email,
    }
  }

  test.each(['Орлова Анна Петровна', ''])('is read by them, and stands for a missing name: «%s»', async (fio) => {
    const { row, found, mailed, noticed, email } = await nameIsTold(fio, { shown: true, refused: false })
    expect(row).toMatchObject({ email, name: fio || email })
    expect(found).toEqual([1, 1])
    expect([mailed, noticed]).toEqual([true, fio === ''])
  })

  test.each([
    ['the profile doesn’t show it', 'Орлова Анна Петровна', { shown: false, refused: false }],
    ['the profile doesn’t show it, and there is no name', '', { shown: false, refused: false }],
    ['its person refused to be contacted there', 'Орлова Анна Петровна', { shown: true, refused: true }],
    ['its person refused it and has no name', '', { shown: true, refused: true }],
  ])('is neither read, found, mailed nor noticed where %s', async (_, fio, about) => {
    const { row, listed, found, mailed, noticed } = await nameIsTold(fio, about)
    expect(row).toMatchObject({ email: null, name: fio })
    expect({ listed, found, mailed, noticed }).toEqual({ listed: false, found: [0, 0], mailed: false, noticed: false })
  })
})

describe('ids in capitals', () => {
  test('don’t let a manager change what they hold themselves, or take themselves out', async () => {
    const { company, caller, id, role } = await managedColleague()
    const before = await heldFor(company)
    const contractorId = company.contractor.id
    const access = [{ organizationId: company.organization.id, roles: [role.id] }]
    for (const userId of [id, id.toUpperCase()])
      for (const [contract, input] of [
        [changeContactRoles, { body: { userId, contractorId, access } }],
        [changeContactRoles, { body: { userId, contractorId: contractorId.toUpperCase(), access: [] } }],
        [removeContact, { query: { userId, contractorId } }],
        [previewRemoval, { params: { userId, contractorId } }],
      ] as [AnyContract, object][])
        expect([contract.name, (await caller.send(contract, input)).status]).toEqual([contract.name, 404])
    expect(await heldFor(company)).toEqual(before)
  })

  test('name the same role, place, person and request as in small letters', async () => {
    const { company, caller, from } = await asked()
    const role = await createContractorRole()
    const up = (id: string) => id.toUpperCase()
    const contractorRoles = [{ organizationId: up(company.organization.id), rolesIds: [role.id, up(role.id)] }]
    const requestIds = [from.requestId, up(from.requestId), from.requestId]
    const body = { requestIds, contractorId: up(company.contractor.id), contractorRoles }
    const { status, body: answer } = await caller.send(approveWithContractor, { body })
    expect([status, answer.results]).toEqual([200, [{ requestId: from.requestId, code: null }]])
    expect(await heldFor(company)).toContain(`${from.userId} ${company.organization.id} ${role.id}`)
    const rows = await db().select().from(history).where(eq(history.entityId, from.requestId))
    expect(rows.filter(({ field }) => field === 'status')).toHaveLength(2)
  })
})

describe('a decision', () => {
  const decisions: [
    string,
    AnyContract,
    (ids: { contractorId: string; organizationId: string; role: string }) => object,
  ][] = [
    [
      'contractor',
      approveWithContractor,
      ({ contractorId, organizationId, role }) => ({
        contractorId,
        contractorRoles: [{ organizationId, rolesIds: [role] }],
      }),
    ],
    ['allow', allowAccess, () => ({ contractorRoles: [] })],
    ['failure', refuseAccess, () => ({ reason: 'Нет договора' })],
    ['duplicate', markDuplicate, () => ({})],
  ]

  test.each(decisions)('%s stays, whatever is decided after it', async (_, first, form) => {
    const { company, caller, from } = await asked()
    const role = (await createContractorRole()).id
    const ids = { contractorId: company.contractor.id, organizationId: company.organization.id, role }
    const requestIds = [from.requestId]
    expect((await caller.send(first, { body: { requestIds, ...form(ids) } })).status).toBe(200)
    const [before, members] = [await requestRow(from.requestId), await membersOf(from.userId)]
    const rolesBefore = await heldFor(company)
    await runJobs()
    const heard = (await from.caller.call(lastNotices)).notices.length
    for (const [name, contract, again] of decisions) {
      const { status, body } = await caller.send(contract, { body: { requestIds, ...again(ids) } })
      // who is a member already is told so first
      expect({ name, status, isRefused: ['requestDecided', 'contractorExists'].includes(String(body.code)) }).toEqual({
        name,
        status: 409,
        isRefused: true,
      })
    }
    await runJobs()
    expect(await requestRow(from.requestId)).toEqual(before)
    expect(await membersOf(from.userId)).toEqual(members)
    expect(await heldFor(company)).toEqual(rolesBefore)
    expect((await from.caller.call(lastNotices)).notices).toHaveLength(heard)
  })

  test('of a manager who decides on their own request, alone or among others, is none', async () => {
    const { company, caller, id, from } = await asked()
    const inn = company.contractor.inn ?? ''
    const { requests } = await caller.call(createAccessRequests, {
      body: { companies: [{ name: 'Своя', inn, kpp: '770101001' }] },
    })
    const requestId = requests[0]?.requestId ?? ''
    const role = (await createContractorRole()).id
    const ids = { contractorId: company.contractor.id, organizationId: company.organization.id, role }
    for (const [name, contract, form] of decisions)
      for (const one of [requestId, requestId.toUpperCase()])
        expect([name, (await caller.send(contract, { body: { requestIds: [one], ...form(ids) } })).status]).toEqual([
          name,
          404,
        ])
    const { body } = await caller.send(refuseAccess, {
      body: { requestIds: [requestId, from.requestId], reason: 'Нет' },
    })
    expect(body.results).toEqual([
      { requestId, code: 'notFound' },
      { requestId: from.requestId, code: null },
    ])
    const remaining = await db().select().from(accessRequests).where(eq(accessRequests.userId, id))
    expect(remaining).toMatchObject([{ status: 'considered' }])
  })
})

describe('an invitation', () => {
  /** Accounts that come close to the invited address without having it as their proven main e-mail. */
  const near: Record<string, (email: string) => Promise<Awaited<ReturnType<typeof signedIn>>>> = {
    'has it as a proven additional contact': async (email) => {
      const who = await signedIn({ email: newEmail(), emailVerifiedAt: new Date() })
      await db()
        .insert(userContacts)
        .values({ userId: who.user.id, kind: 'email', value: email, verifiedAt: new Date() })
      return who
    },
    'has it as a login': async (email) => signedIn({ login: email, email: newEmail(), emailVerifiedAt: new Date() }),
    'has the address with a suffix': async (email) => signedIn({ email: `${email}.com`, emailVerifiedAt: new Date() }),
    'has the address with a tag': async (email) =>
      signedIn({ email: email.replace('@', '+x@'), emailVerifiedAt: new Date() }),
    'has the letters of another script': async (email) =>
      signedIn({ email: email.replace('o', 'о'), emailVerifiedAt: new Date() }),
  }

  test.each(Object.entries(near))('isn’t of an account that %s', async (_, sign) => {
    const { id, guid, email } = await invite({ email: newEmail() })
    const { user, browser } = await sign(email)
    const caller = new Caller(browser)
    expect((await caller.call(listOwnInvitations, { query: {} })).invitations).toEqual([])
    for (const params of [{ id }, { id: id.toUpperCase() }]) {
      expect((await caller.send(acceptOwnInvitation, { params, body: {} })).status).toBe(404)
      expect((await caller.send(declineOwnInvitation, { params })).status).toBe(404)
    }
    // nor by its link, while they are signed in
    expect(await say(browser, { hash: guid })).toMatchObject({ status: 400, body: { code: 'active' } })
    expect(await membersOf(user.id)).toEqual([])
    expect((await rowOf({ id })).status).toBe('active')
  })
})

test('who manages a company doesn’t decide for another one of the same number', async () => {
  const { company, caller, from } = await asked()
  // a branch: the same inn, another kpp
  const [branch] = await db()
    .insert(contractors)
    .values({ name: 'Филиал', inn: company.contractor.inn, kpp: '770201001' })
    .returning()
  const role = (await createContractorRole()).id
  const given = [{ organizationId: company.organization.id, rolesIds: [role] }]
  for (const contract of [approveWithContractor, allowAccess])
    expect(
      (
        await caller.send(contract, {
          body: { requestIds: [from.requestId], contractorId: branch?.id, contractorRoles: given },
        })
      ).status,
    ).toBe(404)
  expect(await membersOf(from.userId)).toEqual([])
  expect((await requestRow(from.requestId)).status).toBe('considered')
  const other = await manager(company)
  expect((await other.caller.send(markDuplicate, { body: { requestIds: [from.requestId] } })).status).toBe(200)
})
