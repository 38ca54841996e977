import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, users } from '@/db/schema'
import { getMenu } from '@/lib/applications/menu/service'
import {
  allowAccess,
  approveWithContractor,
  createAccessRequests,
  listAccessRequests,
  listGrantableRoles,
  listIncomingRequests,
  listManagedContractors,
  markDuplicate,
  refuseAccess,
  revokeAccessRequest,
} from '@/lib/companies/access-requests/contract'
import { changeContactRoles } from '@/lib/companies/colleagues/contract'
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
  requester,
  requestRow,
  rowsOf,
  someKpp,
  statusOf,
  userRolesOf,
} from '../../factories/access-requests'
import { thirty } from '../../factories/at-once'
import { type AnyContract, type Caller, callerFor } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { createCompanyRequests } from '../../factories/company-requests'
import { store } from '../../factories/platform'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
afterEach(() => store('accessRequestsNotifyRecipients', { users: [], emails: [] }))

const somebody = () => callerFor(createAccessRequests)
const ask = (caller: Caller, ...companies: object[]) => caller.send(createAccessRequests, { body: { companies } })
const company = (inn: string, more: object = {}) => ({ name: 'ООО «Вектор»', inn, kpp: someKpp, ...more })

describe('asking', () => {
  test('rows after the first that are empty are left out, and faults name the rows as they were sent', async () => {
    const caller = await somebody()
    const [one, two] = [newInn(), newInn()]
    const answer = await ask(caller, company(one), { name: '' }, {}, company(two))
    expect(answer).toMatchObject({ status: 200 })
    expect((await rowsOf(await idOf(caller))).map(({ inn }) => inn).toSorted()).toEqual([one, two].toSorted())
    const faulty = await ask(caller, company(newInn()), {}, company('', { name: 'А', kpp: '' }))
    expect(faulty).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'companies.2.inn', code: 'errorEmpty' }] } },
    })
    expect((await ask(caller, {}, company(newInn()))).status).toBe(400)
    expect(await rowsOf(await idOf(caller))).toHaveLength(2)
  })

  test('is all or nothing: one company that waits already stops the others', async () => {
    const caller = await somebody()
    const waiting = newInn()
    await ask(caller, company(waiting))
    const answer = await ask(caller, company(newInn()), company(waiting))
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'requestConsidered',
        data: { errorList: [{ field: 'companies.1.inn', code: 'requestConsidered' }] },
      },
    })
    expect(await rowsOf(await idOf(caller))).toHaveLength(1)
    // another branch of the same company, and another person, are something else
    expect((await ask(caller, company(waiting, { kpp: '770201001' }))).status).toBe(200)
    expect((await ask(await somebody(), company(waiting))).status).toBe(200)
  })

  test('a company waits once, however it is written, and however it was asked for before a kpp was needed', async () => {
    const caller = await somebody()
    const inn = newInn()
    const spelled = ` ${inn.slice(0, 2)} ${inn.slice(2)} `
    expect((await ask(caller, company(inn, { kpp: '77010A001' }))).status).toBe(200)
    for (const more of [{ kpp: '77010a001' }, { kpp: '7701 0A 001' }, { inn: spelled, kpp: ' 77010a001' }])
      expect(await ask(caller, company(inn, more))).toMatchObject({ status: 409, body: { code: 'requestConsidered' } })
    expect(await ask(caller, company(inn, { kpp: '' }))).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'companies.0.kpp', code: 'errorEmpty' }] } },
    })
    const twice = newInn()
    expect(
      (await ask(caller, company(twice, { kpp: '77010b001' }), company(twice, { kpp: '77010B001' }))).body.data,
    ).toEqual({
      errorList: [{ field: 'companies.1.inn', code: 'errorRepeated' }],
    })
    expect(await rowsOf(await idOf(caller))).toMatchObject([{ inn, kpp: '77010A001' }])
    const old = newInn()
    await createCompanyRequests(await idOf(caller), [{ name: 'Прежняя', inn: old }])
    expect((await ask(caller, company(old))).status).toBe(409)
  })

  test('thirty times at once for one company stores one request', async () => {
    const caller = await somebody()
    const inn = newInn()
    const answers = await thirty(() => ask(caller, company(inn)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(await rowsOf(await idOf(caller))).toHaveLength(1)
  })

  test('ends at thirty a day, and a refused form costs nothing', async () => {
    const caller = await somebody()
    for (let n = 0; n < 5; n++) expect((await ask(caller, company('1'))).status).toBe(400)
    for (let n = 0; n < 30; n++) expect((await ask(caller, company(newInn()))).status).toBe(200)
    expect((await ask(caller, company(newInn()))).status).toBe(429)
  })

  test('only contractor roles can be asked for, and enabled ones', async () => {
    const caller = await somebody()
    const systemic = await createContractorRole(['users.write'], 'systemic')
    expect((await ask(caller, company(newInn(), { roles: [systemic.id] }))).status).toBe(400)
  })

  test('those who decide get one mail each, with the companies that concern them', async () => {
    const [one, two] = [await createContractor(), await createContractor()]
    const both = await manager(one)
    await makeManager(both.caller, two)
    const blocked = await manager(one)
    await db().update(users).set({ enabled: false }).where(eq(users.id, blocked.id))
    const named = await createUser()
    await store('accessRequestsNotifyRecipients', { users: [named.id], emails: ['Duty@polaris.example'] })
    const other = await manager(two)
    await ask(
      await somebody(),
      company(one.contractor.inn ?? '', { name: 'Первая' }),
      company(two.contractor.inn ?? '', { name: 'Вторая' }),
    )
    const companiesTold = async (to: string) => {
      const mails = await mailsTo(to, 'accessRequested')
      expect(mails).toHaveLength(1)
      return ['Первая', 'Вторая'].filter((name) => mails[0]?.text.includes(name))
    }
    expect(await companiesTold(await emailOf(both.id))).toEqual(['Первая', 'Вторая'])
    expect(await companiesTold(await emailOf(other.id))).toEqual(['Вторая'])
    expect(await companiesTold(named.email ?? '')).toEqual(['Первая', 'Вторая'])
    expect(await companiesTold('Duty@polaris.example')).toEqual(['Первая', 'Вторая'])
    expect(await mailsTo(await emailOf(blocked.id), 'accessRequested')).toEqual([])
  })
})

describe('somebody who asks again and again', () => {
  test('is mailed about to each manager five times a day, by whatever kpp, and stays in the list with every request', async () => {
    const [firstCompany, second] = [await createContractor(), await createContractor()]
    const { caller, id } = await manager(firstCompany)
    await makeManager(caller, second)
    await store('accessRequestsNotifyRecipients', { users: [], emails: ['desk@polaris.example'] })
    const heard = async () => [
      (await mailsTo(await emailOf(id), 'accessRequested')).length,
      (await mailsTo('desk@polaris.example', 'accessRequested')).length,
      (await caller.call(lastNotices)).unread,
    ]
    const asking = await somebody()
    const kpp = (n: number) => `7701010${String(n).padStart(2, '0')}`
    for (let n = 0; n < 9; n++) {
      const { inn } = (n % 2 ? firstCompany : second).contractor
      const sent = [company(inn ?? '', { kpp: kpp(n) }), company(inn ?? '', { kpp: kpp(n + 50) })]
      expect((await ask(asking, ...sent)).status).toBe(200)
    }
    expect(await heard()).toEqual([5, 5, 5])
    const { meta } = await caller.call(listIncomingRequests, { query: {} })
    expect(meta.total).toBe(18)
    // another person, and another manager, are counted for themselves
    await ask(await somebody(), company(firstCompany.contractor.inn ?? ''))
    expect(await heard()).toEqual([6, 6, 6])
    const other = await manager(firstCompany)
    await ask(asking, company(firstCompany.contractor.inn ?? '', { kpp: kpp(30) }))
    expect(await heard()).toEqual([6, 6, 6])
    expect(await mailsTo(await emailOf(other.id), 'accessRequested')).toHaveLength(1)
  })

  test('thirty times at once is heard of no more often', async () => {
    const { inn, id } = await asked()
    const asking = await somebody()
    await thirty((n) => ask(asking, company(inn, { kpp: `7701010${10 + n}` })))
    expect(await rowsOf(await idOf(asking))).toHaveLength(30)
    expect(await mailsTo(await emailOf(id), 'accessRequested')).toHaveLength(1 + 5)
  })

  test('who is named in the settings hears of a request, however many managers a company has', async () => {
    const managedCompany = await createContractor()
    const role = await createContractorRole(['masterAccountAccess'])
    const ids = Array.from({ length: 60 }, () => randomUUID())
    await db()
      .insert(users)
      .values(ids.map((id) => ({ id, login: id, email: `${id}@polaris.example` })))
    for (const id of ids) await join(managedCompany, id, [role.id])
    // the setting names whose id is the last one
    const named = await createUser({ id: 'ffffffff-ffff-4fff-bfff-ffffffffffff' })
    const second = await asked()
    await store('accessRequestsNotifyRecipients', { users: [named.id], emails: [] })
    await ask(await somebody(), company(managedCompany.contractor.inn ?? ''), company(second.inn))
    expect(await mailsTo(named.email ?? '', 'accessRequested')).toHaveLength(1)
    expect(await mailsTo(await emailOf(second.id), 'accessRequested')).toHaveLength(2)
    const mails = await Promise.all(ids.map((id) => mailsTo(`${id}@polaris.example`, 'accessRequested')))
    expect(mails.flat()).toHaveLength(50)
  })
})

describe('who decides', () => {
  test('a manager sees requests that name a company of theirs, of others alone; who manages all sees all', async () => {
    const { caller, inn, from, company: ownCompany } = await asked()
    const foreign = await requester(newInn())
    await ask(caller, company(inn))
    const seen = async (who: Caller) =>
      (await who.call(listIncomingRequests, { query: { meta: { perPage: 100 } } })).requests.map(
        ({ requestId }) => requestId,
      )
    expect(await seen(caller)).toEqual([from.requestId])
    const all = await seen((await manager()).caller)
    expect(all).toEqual(expect.arrayContaining([from.requestId, foreign.requestId]))
    // who manages another company still may call, whenever the rights are read anew
    await makeManager(caller, await createContractor())
    await db().update(contractors).set({ enabled: false }).where(eq(contractors.id, ownCompany.contractor.id))
    expect(await seen(caller)).toEqual([])
  })

  test('lists filter by status, search by company, number and person, and sort', async () => {
    const { caller, inn, from } = await asked()
    const later = await requester(inn)
    await db().update(users).set({ fio: 'Ягодкина Фаина' }).where(eq(users.id, later.userId))
    await caller.call(refuseAccess, { body: { requestIds: [from.requestId], reason: 'нет' } })
    const seen = async (query: object) =>
      (await caller.call(listIncomingRequests, { query })).requests.map(({ requestId }) => requestId)
    expect(await seen({})).toEqual([later.requestId, from.requestId])
    expect(await seen({ sortBy: 'requestDate', sort: 'asc' })).toEqual([from.requestId, later.requestId])
    expect(await seen({ filter: { status: ['considered'] } })).toEqual([later.requestId])
    expect(await seen({ filter: { status: ['failure', 'approved'] } })).toEqual([from.requestId])
    expect(await seen({ filter: { search: 'ягодк' } })).toEqual([later.requestId])
    expect(await seen({ filter: { search: inn } })).toHaveLength(2)
    expect(await seen({ filter: { search: '%' } })).toEqual([])
    // the same people are found among so many that the list no longer looks all of them up first
    const many = Array.from({ length: 201 }, (_, n) => ({ login: `yagodka-${n}-${later.userId}`, fio: 'Ягодкина' }))
    await db().insert(users).values(many)
    expect(await seen({ filter: { search: 'ягодк' } })).toEqual([later.requestId])
    expect((await caller.send(listIncomingRequests, { query: { filter: { status: 'x' } } })).status).toBe(400)
  })

  const decisions: [string, AnyContract, (contractorId: string) => object][] = [
    ['contractor', approveWithContractor, (contractorId) => ({ contractorId })],
    ['failure', refuseAccess, () => ({ reason: 'нет' })],
    ['duplicate', markDuplicate, () => ({})],
    ['allow', allowAccess, (contractorId) => ({ contractorId })],
    ['allow without rights', allowAccess, () => ({})],
  ]

  test.each(decisions)(
    '%s: nobody decides on a request that doesn’t concern them, nor on their own',
    async (_, contract, form) => {
      const { caller, company: ownCompany, from } = await asked()
      const elsewhere = await manager(await createContractor())
      const member = await somebody()
      await join(ownCompany, await idOf(member), [])
      const mine = await caller.call(createAccessRequests, {
        body: { companies: [company(ownCompany.contractor.inn ?? '')] },
      } as never)
      const body = { requestIds: [from.requestId], ...form(ownCompany.contractor.id) }
      expect(await statusOf(elsewhere.caller, contract, body)).toBe(404)
      expect(await statusOf(member, contract, body)).toBe(403)
      expect(await statusOf(from.caller, contract, body)).toBe(403)
      const ownId = (mine as { requests: { requestId: string }[] }).requests[0]?.requestId
      expect(await statusOf(caller, contract, { ...body, requestIds: [ownId] })).toBe(404)
      expect((await requestRow(from.requestId)).status).toBe('considered')
      expect((await requestRow(ownId ?? '')).status).toBe('considered')
      expect(await membersOf(from.userId)).toEqual([])
    },
  )

  test('a manager of one company can’t let anybody into another, by any id of any body', async () => {
    const { caller, company: ownCompany, from } = await asked()
    const foreign = await createContractor()
    const role = await createContractorRole()
    const ids = [
      foreign.contractor.id,
      foreign.organization.id,
      ownCompany.organization.id,
      ownCompany.contractor.id,
      role.id,
      randomUUID(),
      from.userId,
    ]
    let tried = 0
    for (const contractorId of ids)
      for (const organizationId of ids)
        for (const roleId of [role.id, foreign.contractor.id, randomUUID()]) {
          const isOwn = contractorId === ownCompany.contractor.id && organizationId === ownCompany.organization.id
          if (isOwn && roleId === role.id) continue
          for (const contract of [approveWithContractor, allowAccess]) {
            const body = {
              requestIds: [from.requestId],
              contractorId,
              contractorRoles: [{ organizationId, rolesIds: [roleId] }],
            }
            expect([400, 403, 404]).toContain(await statusOf(caller, contract, body))
            tried++
          }
        }
    expect(tried).toBeGreaterThan(250)
    expect(await membersOf(from.userId)).toEqual([])
    expect((await requestRow(from.requestId)).status).toBe('considered')
    expect((await caller.send(listGrantableRoles, { params: { id: foreign.contractor.id } })).status).toBe(404)
    const seen = await caller.call(listManagedContractors, { query: {} })
    expect(seen.contractors.map(({ id }) => id)).toEqual([ownCompany.contractor.id])
  })

  test('who holds more is let in like anybody, keeps it all, and stays out of the manager’s hands', async () => {
    const { caller, company: ownCompany, from, inn } = await asked()
    const auditor = await requester(inn)
    await makeManager(auditor.caller, undefined)
    const [strong, elsewhere] = [await createContractorRole(['users.write']), await createContractor()]
    await join(elsewhere, from.userId, [strong.id])
    for (const { userId, requestId } of [from, auditor]) {
      const [rolesBefore, before] = [await userRolesOf(userId), await membersOf(userId)]
      const body = { requestIds: [requestId], contractorId: ownCompany.contractor.id }
      expect(await statusOf(caller, approveWithContractor, body)).toBe(200)
      expect(await userRolesOf(userId)).toEqual(rolesBefore)
      const contractorId = ownCompany.contractor.id
      expect(await membersOf(userId)).toEqual([...before, expect.objectContaining({ contractorId })])
      const change = { userId, contractorId, access: [] }
      expect((await caller.send(changeContactRoles, { body: change })).body.code).toBe('forbiddenUser')
    }
  })
})

describe('the list of whoever decides', () => {
  test('begins with what waits, page after page, unless another order is asked for', async () => {
    const { caller, inn, from } = await asked()
    const others = [from, await requester(inn), await requester(inn), await requester(inn), await requester(inn)]
    // the newest two are decided
    for (const { requestId } of others.slice(-2))
      await caller.call(refuseAccess, { body: { requestIds: [requestId], reason: 'нет' } })
    const ids = others.map(({ requestId }) => requestId)
    const [a, b, c, d, e] = ids
    const read = async (query: object = {}) => caller.call(listIncomingRequests, { query })
    const { requests } = await read()
    expect(requests.map(({ requestId }) => requestId)).toEqual([c, b, a, e, d])
    expect(requests.map(({ status }) => status === 'considered')).toEqual([true, true, true, false, false])
    const byDate = await read({ sortBy: 'requestDate', sort: 'asc' })
    expect(byDate.requests.map(({ requestId }) => requestId)).toEqual(ids)
    // the person's own list stays in the order of time
    const ownRequests = await from.caller.call(listAccessRequests, { query: {} })
    expect(ownRequests.requests).toHaveLength(1)
  })

  test('by cursor shows each row once, whatever waits', async () => {
    const { caller, inn } = await asked()
    const made = await Promise.all(Array.from({ length: 24 }, () => requester(inn)))
    const decided = made.filter((_, n) => n % 3 === 0)
    for (const { requestId } of decided) await caller.call(markDuplicate, { body: { requestIds: [requestId] } })
    const seen: { id: string; waits: boolean }[] = []
    let after: string | null | undefined
    do {
      const { requests, meta } = await caller.call(listIncomingRequests, {
        query: { meta: { perPage: 10, ...(after ? { after } : {}) } },
      })
      seen.push(...requests.map(({ requestId, status }) => ({ id: requestId, waits: status === 'considered' })))
      after = meta.after
    } while (after)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(25)
    expect(seen).toHaveLength(25)
    expect(seen.map(({ waits }) => waits)).toEqual(seen.map((_, n) => n < 25 - decided.length))
  })
})

describe('the number in the menu', () => {
  const numberOf = async (caller: Caller) =>
    caller.serve(async (ctx) => {
      const { menu } = await getMenu(ctx)
      const entries = menu.flatMap(({ children, ...entry }) => [entry, ...children])
      return entries.find(({ name }) => name === 'UserProfileAccessRequests')?.badge
    })

  test('is what waits for a manager, follows each change at once, and is nothing for who asks', async () => {
    const { caller, inn, from } = await asked()
    expect(await numberOf(caller)).toBe(1)
    expect(await numberOf(from.caller)).toBeNull()
    const second = await requester(inn)
    await expect.poll(() => numberOf(caller)).toBe(2)
    await caller.call(markDuplicate, { body: { requestIds: [second.requestId] } })
    await expect.poll(() => numberOf(caller)).toBe(1)
    await from.caller.call(revokeAccessRequest, { params: { requestId: from.requestId } })
    await expect.poll(() => numberOf(caller)).toBeNull()
  })
})
