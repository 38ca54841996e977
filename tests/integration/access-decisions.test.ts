import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { accessRequests, digestItems, history, subscriptions, userContractorRoles, users } from '@/db/schema'
import { systemicMethods } from '@/lib/kernel/access-methods'
import {
  allowAccess,
  approveWithContractor,
  createAccessRequests,
  listAccessRequests,
  markDuplicate,
  refuseAccess,
  revokeAccessRequest,
} from '@/lib/people/access-requests/contract'
import { mergeContractors } from '@/lib/people/contractors/merge'
import { lastNotices } from '@/lib/profile/notices/contract'
import {
  asked,
  emailOf,
  mailsTo,
  makeManager,
  manager,
  membersOf,
  newInn,
  requester,
  requestRow,
  rowsOf,
  statusOf,
} from '../factories/access-requests'
import { thirty } from '../factories/at-once'
import { type AnyContract, type Caller, callerFor } from '../factories/caller'
import { createContractor, createContractorRole, join } from '../factories/companies'
import { createContext } from '../factories/context'
import { contextOf } from '../factories/invitations'
import { runJobs } from '../factories/messages'
import { store } from '../factories/platform'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

const somebody = () => callerFor(createAccessRequests)

describe('deciding', () => {
  test('a newcomer gets the roles at once in an open session, and hears of it', async () => {
    const { caller, company: own, from } = await asked()
    const role = await createContractorRole(['diagnosticsNotifyAccess'])
    await makeManager(caller, undefined, ['diagnosticsNotifyAccess'])
    const holds = async () => (await contextOf(from.caller.browser)).user?.methods.has('diagnosticsNotifyAccess')
    expect(await holds()).toBe(false)
    const contractorRoles = [{ organizationId: own.organization.id, rolesIds: [role.id] }]
    const body = { requestIds: [from.requestId], contractorId: own.contractor.id, contractorRoles }
    expect((await caller.call(approveWithContractor, { body })).results).toEqual([
      { requestId: from.requestId, code: null },
    ])
    expect(await holds()).toBe(true)
    const [mine] = (await from.caller.call(listAccessRequests, { query: {} })).requests
    expect(mine).toMatchObject({ status: 'approved', responseCompanyName: own.contractor.name })
    expect(mine?.responseDate).not.toBeNull()
    const mails = await mailsTo(await emailOf(from.userId), 'accessApproved')
    expect(mails.map((mail) => mail.text)).toEqual([expect.stringContaining(`• ${role.name}`)])
    const rows = await db().select().from(history).where(eq(history.entityId, from.requestId))
    const changes = Object.fromEntries(
      rows.filter(({ type }) => type === 'update').map(({ field, current }) => [field, current]),
    )
    expect(changes).toEqual({
      status: 'approved',
      contractorId: own.contractor.id,
      contractorRoles: [{ organizationId: own.organization.id, roleId: role.id }],
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
    const told = async (who: Caller) =>
      (await who.call(lastNotices)).notices.map(({ kind, values }) => ({ kind, ...values }))
    const company = (await requestRow(from.requestId)).name
    expect(await told(from.caller)).toEqual([{ kind: 'requestDecided', status: 'failure', company }])
    expect(await told(caller)).toMatchObject([{ kind: 'accessRequested' }, { kind: 'accessRequested' }])
    expect(await mailsTo(await emailOf(from.userId), 'accessRefused')).toHaveLength(1)
    expect(await mailsTo(await emailOf(weekly.userId), 'accessRefused')).toEqual([])
    expect(await db().$count(digestItems, eq(digestItems.userId, weekly.userId))).toBe(1)
  })

  test('each of the four decisions is mailed to its person', async () => {
    const { caller, company: own, inn } = await asked()
    const by = {
      contractor: [approveWithContractor, { contractorId: own.contractor.id }, 'accessApproved'],
      allow: [allowAccess, {}, 'accessApproved'],
      failure: [refuseAccess, { reason: 'нет договора' }, 'accessRefused'],
      duplicate: [markDuplicate, {}, 'accessDuplicate'],
    } as const
    for (const [name, [decision, more, template]] of Object.entries(by)) {
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
    const { caller, company: own, from, inn } = await asked()
    await join(own, from.userId, [])
    const role = await createContractorRole()
    const body = {
      requestIds: [from.requestId],
      contractorId: own.contractor.id,
      contractorRoles: [{ organizationId: own.organization.id, rolesIds: [role.id] }],
    }
    expect(await statusOf(caller, approveWithContractor, body)).toBe(409)
    expect(await statusOf(caller, allowAccess, body)).toBe(200)
    const held = await db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, from.userId))
    expect(held.map(({ roleId }) => roleId)).toEqual([role.id])
    const plain = await requester(inn)
    expect(await statusOf(caller, allowAccess, { requestIds: [plain.requestId] })).toBe(200)
    expect(await requestRow(plain.requestId)).toMatchObject({ status: 'approved', contractorId: null })
    expect(await membersOf(plain.userId)).toEqual([])
  })

  test('several at once have a result each, in their order, and one failure leaves the others', async () => {
    const { caller, company: own, from, inn } = await asked()
    const [member, foreign, last] = [await requester(inn), await requester(newInn()), await requester(inn)]
    await join(own, member.userId, [])
    const requestIds = [
      from.requestId,
      member.requestId,
      foreign.requestId,
      randomUUID(),
      from.requestId,
      last.requestId,
    ]
    const { results } = await caller.call(approveWithContractor, {
      body: { requestIds, contractorId: own.contractor.id },
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
    const { caller, company: own, from, inn } = await asked()
    const second = await manager(own)
    const kinds: [AnyContract, object][] = [
      [approveWithContractor, { contractorId: own.contractor.id }],
      [refuseAccess, { reason: 'нет' }],
      [markDuplicate, {}],
      [allowAccess, { contractorId: own.contractor.id }],
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
    const { caller, company: own, from } = await asked()
    await caller.call(approveWithContractor, {
      body: { requestIds: [from.requestId], contractorId: own.contractor.id },
    })
    const target = await createContractor()
    await mergeContractors(await createContext({ methods: [...systemicMethods] }), {
      body: { targetId: target.contractor.id, sourceIds: [own.contractor.id], take: {}, versions: {} },
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
