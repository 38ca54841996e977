import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { accessRequests, digestItems, history, subscriptions, userContractorRoles, users } from '@/db/schema'
import { systemicMethods } from '@/lib/base/access/access-methods'
import {
  allowAccess,
  approveWithContractor,
  createAccessRequests,
  listAccessRequests,
  listIncomingRequests,
  markDuplicate,
  refuseAccess,
  revokeAccessRequest,
} from '@/lib/companies/access-requests/contract'
import { changeContactRoles } from '@/lib/companies/colleagues/contract'
import { mergeContractors } from '@/lib/companies/contractors/merge'
import { lastNotices } from '@/lib/news/notifications/contract'
import {
  asked,
  emailOf,
  idOf,
  mailsTo,
  makeManager,
  manager,
  membersOf,
  newInn,
  refreshed,
  requester,
  requestRow,
  rowsOf,
  statusOf,
} from '../../factories/access-requests'
import { thirty } from '../../factories/at-once'
import { type AnyContract, type Caller, callerFor } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { contextOf } from '../../factories/invitations'
import { runJobs } from '../../factories/messages'
import { store } from '../../factories/platform'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const somebody = () => callerFor(createAccessRequests)

describe('deciding', () => {
  test('a newcomer gets the roles at once in an open session, and hears of it', async () => {
    const { caller, company: ownCompany, from } = await asked()
    const role = await createContractorRole(['diagnosticsNotifyAccess'])
    await makeManager(caller, undefined, ['diagnosticsNotifyAccess'])
    const holds = async () => (await contextOf(from.caller.browser)).user?.methods.has('diagnosticsNotifyAccess')
    expect(await holds()).toBe(false)
    const contractorRoles = [{ organizationId: ownCompany.organization.id, rolesIds: [role.id] }]
    const body = { requestIds: [from.requestId], contractorId: ownCompany.contractor.id, contractorRoles }
    expect((await caller.call(approveWithContractor, { body })).results).toEqual([
      { requestId: from.requestId, code: null },
    ])
    expect(await holds()).toBe(true)
    const [mine] = (await from.caller.call(listAccessRequests, { query: {} })).requests
    expect(mine).toMatchObject({ status: 'approved', responseCompanyName: ownCompany.contractor.name })
    expect(mine?.responseDate).not.toBeNull()
    const mails = await mailsTo(await emailOf(from.userId), 'accessApproved')
    expect(mails.map((mail) => mail.text)).toEqual([expect.stringContaining(`• ${role.name}`)])
    const rows = await db().select().from(history).where(eq(history.entityId, from.requestId))
    const changes = Object.fromEntries(
      rows.filter(({ type }) => type === 'update').map(({ field, current }) => [field, current]),
    )
    expect(changes).toEqual({
      status: 'approved',
      contractorId: ownCompany.contractor.id,
      contractorRoles: [{ organizationId: ownCompany.organization.id, roleId: role.id }],
    })
  })

  test('a decision and a new request stand among the notices, and a decision waits for the digest if the person wishes', async () => {
    const { caller, from, inn } = await asked()
    const weekly = await requester(inn)
    await db()
      .insert(subscriptions)
      .values({ userId: weekly.userId, choices: { requestDecided: { period: 'weekly' } } })
    const requestIds = [from.requestId, weekly.requestId]
    await caller.call(refuseAccess, { body: { requestIds, reason: 'нет договора' } })
    await runJobs()
    const noticesOf = async (who: Caller) =>
      (await who.call(lastNotices)).notices.map(({ kind, values }) => ({ kind, ...values }))
    const company = (await requestRow(from.requestId)).name
    expect(await noticesOf(from.caller)).toEqual([{ kind: 'requestDecided', status: 'failure', company }])
    expect(await noticesOf(caller)).toMatchObject([{ kind: 'accessRequested' }, { kind: 'accessRequested' }])
    expect(await mailsTo(await emailOf(from.userId), 'accessRefused')).toHaveLength(1)
    expect(await mailsTo(await emailOf(weekly.userId), 'accessRefused')).toEqual([])
    expect(await db().$count(digestItems, eq(digestItems.userId, weekly.userId))).toBe(1)
  })

  test('each of the four decisions is mailed to its person', async () => {
    const { caller, company: ownCompany, inn } = await asked()
    const decisions = {
      contractor: [approveWithContractor, { contractorId: ownCompany.contractor.id }, 'accessApproved'],
      allow: [allowAccess, {}, 'accessApproved'],
      failure: [refuseAccess, { reason: 'нет договора' }, 'accessRefused'],
      duplicate: [markDuplicate, {}, 'accessDuplicate'],
    } as const
    for (const [name, [decision, more, template]] of Object.entries(decisions)) {
      const { requestId, userId } = await requester(inn)
      expect(await statusOf(caller, decision, { requestIds: [requestId], ...more }), name).toBe(200)
      expect(await mailsTo(await emailOf(userId), template), name).toHaveLength(1)
    }
  })

  test('no mail goes out where the setting says so', async () => {
    await store('sendAccessNotify', false)
    const { caller, from } = await asked()
    expect(await statusOf(caller, refuseAccess, { requestIds: [from.requestId], reason: 'нет' })).toBe(200)
    expect(await mailsTo(await emailOf(from.userId), 'accessRefused')).toEqual([])
    await store('sendAccessNotify', true)
  })

  test('rights by hand go to a member too, and without a company the request is only marked', async () => {
    const { caller, company: ownCompany, from, inn } = await asked()
    await join(ownCompany, from.userId, [])
    const role = await createContractorRole()
    const body = {
      requestIds: [from.requestId],
      contractorId: ownCompany.contractor.id,
      contractorRoles: [{ organizationId: ownCompany.organization.id, rolesIds: [role.id] }],
    }
    expect(await statusOf(caller, approveWithContractor, body)).toBe(409)
    expect(await statusOf(caller, allowAccess, body)).toBe(200)
    const heldRoles = await db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, from.userId))
    expect(heldRoles.map(({ roleId }) => roleId)).toEqual([role.id])
    const plain = await requester(inn)
    expect(await statusOf(caller, allowAccess, { requestIds: [plain.requestId] })).toBe(200)
    expect(await requestRow(plain.requestId)).toMatchObject({ status: 'approved', contractorId: null })
    expect(await membersOf(plain.userId)).toEqual([])
  })

  test('several at once have a result each, in their order, and one failure leaves the others', async () => {
    const { caller, company: ownCompany, from, inn } = await asked()
    const [member, foreign, last] = [await requester(inn), await requester(newInn()), await requester(inn)]
    await join(ownCompany, member.userId, [])
    const requestIds = [
      from.requestId,
      member.requestId,
      foreign.requestId,
      randomUUID(),
      from.requestId,
      last.requestId,
    ]
    const { results } = await caller.call(approveWithContractor, {
      body: { requestIds, contractorId: ownCompany.contractor.id },
    })
    expect(results).toEqual([
      { requestId: from.requestId, code: null },
      { requestId: member.requestId, code: 'contractorExists' },
      { requestId: foreign.requestId, code: 'notFound' },
      { requestId: requestIds[3], code: 'notFound' },
      { requestId: last.requestId, code: null },
    ])
    const rows = await db().select().from(accessRequests).where(inArray(accessRequests.id, requestIds))
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
      [from.requestId]: 'approved',
      [member.requestId]: 'considered',
      [foreign.requestId]: 'considered',
      [last.requestId]: 'approved',
    })
  })

  test('of thirty decisions of two managers at once one counts; the person may revoke meanwhile', async () => {
    const { caller, company: ownCompany, from, inn } = await asked()
    const second = await manager(ownCompany)
    const kinds: [AnyContract, object][] = [
      [approveWithContractor, { contractorId: ownCompany.contractor.id }],
      [refuseAccess, { reason: 'нет' }],
      [markDuplicate, {}],
      [allowAccess, { contractorId: ownCompany.contractor.id }],
    ]
    for (const { requestId, userId, caller: person } of [from, await requester(inn), await requester(inn)]) {
      const statuses = await thirty(async (n) => {
        if (n === 17) return (await person.send(revokeAccessRequest, { params: { requestId } })).status
        const [contract, form] = kinds[n % kinds.length] ?? [markDuplicate, {}]
        return statusOf(n % 2 ? caller : second.caller, contract, { requestIds: [requestId], ...form })
      })
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
      const row = await requestRow(requestId)
      expect(await membersOf(userId)).toHaveLength(row.status === 'approved' ? 1 : 0)
      const written = await db()
        .select()
        .from(history)
        .where(and(eq(history.entityId, requestId), eq(history.field, 'status'), eq(history.type, 'update')))
      expect(written).toHaveLength(1)
    }
  })

  test('a request of a deleted account goes with it, and one that named a merged company names the target', async () => {
    const { caller, company: ownCompany, from } = await asked()
    await caller.call(approveWithContractor, {
      body: { requestIds: [from.requestId], contractorId: ownCompany.contractor.id },
    })
    const target = await createContractor()
    await mergeContractors(await createContext({ methods: [...systemicMethods] }), {
      body: { targetId: target.contractor.id, sourceIds: [ownCompany.contractor.id], take: {}, versions: {} },
    })
    expect(await requestRow(from.requestId)).toMatchObject({ contractorId: target.contractor.id })
    await db().delete(users).where(eq(users.id, from.userId))
    expect(await rowsOf(from.userId)).toEqual([])
  })

  test('nobody revokes a request of somebody else', async () => {
    const { caller, from } = await asked()
    for (const who of [caller, await somebody()])
      expect((await who.send(revokeAccessRequest, { params: { requestId: from.requestId } })).status).toBe(404)
    expect((await requestRow(from.requestId)).status).toBe('considered')
  })
})

describe('a decision that can’t be', () => {
  test('the second one is told who decided and when, alone and among several; the person only when', async () => {
    const { caller, company: ownCompany, from, inn } = await asked()
    const second = await manager(ownCompany)
    const other = await requester(inn)
    await caller.call(refuseAccess, { body: { requestIds: [from.requestId], reason: 'нет' } })
    await other.caller.call(revokeAccessRequest, { params: { requestId: other.requestId } })
    const nameOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]?.fio
    const at = (await requestRow(from.requestId)).finishedAt?.toISOString()
    const late = await second.caller.send(markDuplicate, { body: { requestIds: [from.requestId] } })
    const managerId = await idOf(caller)
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'requestDecided', data: { decided: { at, by: { name: await nameOf(managerId), you: false } } } },
    })
    const again = await caller.send(allowAccess, { body: { requestIds: [from.requestId] } })
    expect(again.body.data).toMatchObject({ decided: { by: { you: true } } })
    const { results } = await second.caller.call(markDuplicate, {
      body: { requestIds: [from.requestId, other.requestId] },
    })
    expect(results).toMatchObject([
      { code: 'requestDecided', decided: { at, by: { name: await nameOf(managerId) } } },
      { code: 'requestDecided', decided: { by: { name: await nameOf(other.userId) } } },
    ])
    const revoked = await from.caller.send(revokeAccessRequest, { params: { requestId: from.requestId } })
    expect(revoked).toMatchObject({ status: 409, body: { data: { decided: { at, by: null } } } })
  })

  test('a form that names another decision than its call changes nothing', async () => {
    const { caller, company: ownCompany, from } = await asked()
    const forms: [AnyContract, string, object][] = [
      [approveWithContractor, 'contractor', { contractorId: ownCompany.contractor.id }],
      [allowAccess, 'allow', {}],
      [markDuplicate, 'duplicate', {}],
      [refuseAccess, 'deny', { reason: 'нет' }],
    ]
    for (const [contract, right, form] of forms)
      for (const responseStatus of ['contractor', 'allow', 'duplicate', 'deny'].filter((each) => each !== right)) {
        const body = { requestIds: [from.requestId], responseStatus, ...form }
        expect(await caller.send(contract, { body }), `${contract.name} ${responseStatus}`).toMatchObject({
          status: 400,
          body: { data: { errorList: [{ field: 'responseStatus', code: 'errorResponseStatus' }] } },
        })
      }
    expect((await requestRow(from.requestId)).status).toBe('considered')
    for (const [contract, responseStatus, form] of forms) {
      const { requestId } = await requester(ownCompany.contractor.inn ?? '')
      expect(await statusOf(caller, contract, { requestIds: [requestId], responseStatus, ...form })).toBe(200)
    }
  })

  test('a disabled person’s request says so, and can only be denied', async () => {
    const { caller, company: ownCompany, from } = await asked()
    const enabled = async () =>
      (await caller.call(listIncomingRequests, { query: {} })).requests.map(({ user }) => user.enabled)
    expect(await enabled()).toEqual([true])
    await db().update(users).set({ enabled: false }).where(eq(users.id, from.userId))
    expect(await enabled()).toEqual([false])
    for (const [contract, form] of [
      [approveWithContractor, { contractorId: ownCompany.contractor.id }],
      [allowAccess, { contractorId: ownCompany.contractor.id }],
      [allowAccess, {}],
    ] as [AnyContract, object][]) {
      const answer = await caller.send(contract, { body: { requestIds: [from.requestId], ...form } })
      expect(answer).toMatchObject({ status: 409, body: { code: 'requesterDisabled' } })
    }
    expect(await membersOf(from.userId)).toEqual([])
    expect(await statusOf(caller, refuseAccess, { requestIds: [from.requestId], reason: 'нет' })).toBe(200)
  })

  test('who manages two companies lets people of one into the other, with what they may give there and no more', async () => {
    const { caller, company: ownCompany, from, inn, role: managing } = await asked()
    const first = await createContractor()
    // the right is the manager's in the first company alone
    const strong = await createContractorRole(['users.read'])
    await join(first, await idOf(caller), [managing.id, strong.id])
    await refreshed(await idOf(caller))
    await join(first, from.userId, [strong.id])
    const body = (requestId: string) => ({ requestIds: [requestId], contractorId: ownCompany.contractor.id })
    expect(await statusOf(caller, approveWithContractor, body(from.requestId))).toBe(200)
    // nor does it count what somebody holds in a company that the manager doesn't know, or a right that the manager lacks
    const stranger = await requester(inn)
    await join(await createContractor(), stranger.userId, [strong.id])
    expect(await statusOf(caller, approveWithContractor, body(stranger.requestId))).toBe(200)
    const more = await requester(inn)
    await join(first, more.userId, [(await createContractorRole(['users.write'])).id])
    expect(await statusOf(caller, allowAccess, body(more.requestId))).toBe(200)
    // but roles of a contact are changed by who holds as much
    const access = [{ organizationId: ownCompany.organization.id, roles: [] }]
    const change = (userId: string) =>
      statusOf(caller, changeContactRoles, { userId, contractorId: ownCompany.contractor.id, access })
    expect([await change(from.userId), await change(more.userId)]).toEqual([200, 403])
  })
})
