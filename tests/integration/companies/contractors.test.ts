import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  contractorOrganizations,
  contractors,
  history,
  invitationRoles,
  invitations,
  userContractorRoles,
  userContractors,
  userRoles,
} from '@/db/schema'
import { accessOf } from '@/lib/access/roles/service'
import { systemicMethods, withImplied } from '@/lib/base/access/access-methods'
import { ensureListening } from '@/lib/base/cache/notifications'
import {
  createContractor as createContractorCall,
  enableContractor,
  listContractors,
  mergeContractors,
  readContractor,
  updateContractor,
} from '@/lib/companies/contractors/contract'
import { signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { defineField } from '../../factories/fields'
import { contextOf } from '../../factories/invitations'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const enable = handlerOf(enableContractor)
const PUT = handlerOf(updateContractor)
const read = handlerOf(readContractor)
const mergeRoute = handlerOf(mergeContractors)
const GET = handlerOf(listContractors)
const POST = handlerOf(createContractorCall)

useTestDatabase()

const clerkMethods = ['contractors.read', 'contractors.write'] as const
let admin: Browser
let clerk: Browser
beforeAll(async () => {
  admin = (await signedInWith(systemicMethods)).browser
  clerk = (await signedInWith(clerkMethods)).browser
})
beforeEach(async () => {
  expect(await ensureListening()).toBe(true)
})

const bodyOf = (name: string, wishes: object = {}) => ({ name, ...wishes })
const create = async (name: string, wishes: object = {}) => {
  const { status, body } = await admin.send(POST, 'POST', { body: bodyOf(name, wishes) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.id as string
}
const refused = (field: string, code: string) => ({ status: 400, body: { data: { errorList: [{ field, code }] } } })
const card = async (id: string) => (await admin.send(read, 'GET', { params: { id } })).body
const put = (browser: Browser, id: string, body: object) => browser.send(PUT, 'PUT', { params: { id }, body })
const merge = (browser: Browser, targetId: string, sourceIds: string[], more: object = {}) =>
  browser.send(mergeRoute, 'POST', { body: { targetId, sourceIds, ...more } })
const list = async (query: Record<string, string>) =>
  ((await admin.send(GET, 'GET', { query })).body.contractors as { id: string; name: string }[]) ?? []
const rowsOf = (entityId: string, entity = 'contractors') =>
  db()
    .select()
    .from(history)
    .where(and(eq(history.entityId, entityId), eq(history.entity, entity)))
    .orderBy(history.id)
const rolesOf = (contractorId: string) =>
  db().select().from(userContractorRoles).where(eq(userContractorRoles.contractorId, contractorId))
const codesOf = async (userId: string) => (await accessOf(userId)).methods

describe('a contractor', () => {
  test('without an inn may be one of many; the same inn with the same kpp is refused, also with none', async () => {
    for (const name of ['Foreign One GmbH', 'Foreign Two GmbH']) await create(name)
    const same = { inn: '7707083893', kpp: '773601001' }
    await create('Первая', same)
    await create('Филиал', { ...same, kpp: '773601002' })
    const trader = { inn: '500100732259' }
    await create('Предприниматель', trader)
    for (const body of [bodyOf('Вторая', same), bodyOf('Второй', trader)])
      expect(await admin.send(POST, 'POST', { body })).toMatchObject(refused('inn', 'errorUnique'))
  })

  test('with an inn of ten digits needs its kpp; one from before keeps its inn without it, and takes no other', async () => {
    const needed = refused('kpp', 'errorEmpty')
    const [inn, other] = ['7707083893', '7710140679']
    expect(await admin.send(POST, 'POST', { body: bodyOf('Без КПП', { inn: other }) })).toMatchObject(needed)
    const whole = await create('С КПП', { inn: other, kpp: '771001009' })
    expect(await put(admin, whole, bodyOf('С КПП', { inn: other }))).toMatchObject(needed)
    const old = first(await db().insert(contractors).values({ name: 'Прежняя', inn }).returning()).id
    const twin = first(await db().insert(contractors).values({ name: 'Ещё одна', inn: other }).returning()).id
    expect(await card(old)).toMatchObject({ inn, kpp: '' })
    expect((await put(admin, old, bodyOf('Прежняя 2', { inn, okpo: '00032537' }))).status).toBe(200)
    expect(await put(admin, old, bodyOf('Прежняя 2', { inn: other }))).toMatchObject(needed)
    // a merge keeps such an inn as well, and makes no new one without a kpp
    const without = { take: { inn: whole, kpp: old } }
    expect(await merge(admin, old, [whole], without)).toMatchObject(refused('take.kpp', 'errorEmpty'))
    expect((await merge(admin, old, [twin])).status).toBe(200)
    expect(await card(old)).toMatchObject({ name: 'Прежняя 2', inn, kpp: '' })
    expect((await put(admin, old, bodyOf('Прежняя 2', { inn, kpp: '773601009' }))).status).toBe(200)
    expect(await put(admin, old, bodyOf('Прежняя 2', { inn }))).toMatchObject(needed)
  })

  test('with a wrong control digit is saved all the same', async () => {
    const id = await create('С ошибкой в ИНН', { inn: '7707083890', kpp: '773601001' })
    expect(await card(id)).toMatchObject({ inn: '7707083890' })
  })

  test('keeps the values of its dynamic fields when it is saved', async () => {
    await defineField({ type: 'contractors', code: 'grade', unique: true })
    const id = await create('Со значениями')
    await db()
      .update(contractors)
      .set({ values: { grade: 'A' } })
      .where(eq(contractors.id, id))
    expect((await put(admin, id, bodyOf('Со значениями 2'))).status).toBe(200)
    expect(await card(id)).toMatchObject({ name: 'Со значениями 2', values: { grade: 'A' } })
  })

  test('saved by thirty who read the same version: one wins, the rest get 409', async () => {
    const id = await create('Тридцать')
    const { updatedAt } = await card(id)
    const answers = await thirty((n) => put(admin, id, { ...bodyOf(`Тридцать ${n}`), updatedAt }))
    expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
  })

  test('is found by parts of its name and numbers, by two letters at their beginning, and listed by name', async () => {
    const id = await create('Ящик и Ко', { inn: '5024002119', kpp: '502401001', externalCode: 'Ъ-77' })
    for (const text of ['щик', 'ЯЩ', '240021', '50', '2401', 'Ъ-7'])
      expect(await list({ 'filter[search]': text }), text).toContainEqual(expect.objectContaining({ id }))
    expect(await list({ 'filter[search]': 'щи' })).not.toContainEqual(expect.objectContaining({ id }))
    const names = (await list({ 'meta[perPage]': '100' })).map(({ name }) => name)
    expect(names).toEqual(names.toSorted(new Intl.Collator('und').compare))
    for (const query of [{ sortBy: 'okpo' }, { 'filter[name]': 'x' }, { 'meta[perPage]': '7' }] as Record<
      string,
      string
    >[])
      expect((await admin.send(GET, 'GET', { query })).status).toBe(400)
  })

  test('leads to its doubles: the same inn, or a name like its own', async () => {
    const id = await create('ООО «Северная Звезда»', { inn: '7728168971', kpp: '772801002' })
    const alike = await create('ООО Северная звезда')
    const sameInn = await create('Совсем другое имя', { inn: '7728168971', kpp: '772801001' })
    const other = await create('АО «Южный Крест»')
    const similarIds = (await list({ 'filter[similarTo]': id })).map((each) => each.id)
    expect(similarIds.sort()).toEqual([alike, sameInn].sort())
    expect(similarIds).not.toContain(other)
  })
})

describe('rights through a contractor', () => {
  async function member(codes: string[] = ['history.read']) {
    const company = await createContractor(2)
    const role = await createContractorRole(codes)
    const person = await createUser()
    await join(company, person.id, [role.id])
    const browser = new Browser()
    expect((await signInByPassword(browser, person.login, password)).status).toBe(200)
    return { ...company, id: company.contractor.id, role, person, browser }
  }
  const holds = async (browser: Browser, code: string) =>
    (await contextOf(browser)).user?.methods.has(code as never) ?? false

  test('come and go with enabling in a session that is open', async () => {
    const { id, browser } = await member()
    expect(await holds(browser, 'history.read')).toBe(true)
    for (const enabled of [false, true]) {
      expect((await admin.send(enable, 'PUT', { params: { id }, body: { enabled } })).status).toBe(200)
      expect(await holds(browser, 'history.read')).toBe(enabled)
    }
  })

  test('aren’t switched by who lacks them, nor taken with an organization, nor merged', async () => {
    const { id, organization, person, contractor } = await member()
    const target = await create('Цель')
    const attempts = [
      clerk.send(enable, 'PUT', { params: { id }, body: { enabled: false } }),
      put(clerk, id, bodyOf(contractor.name, { availableOrganizations: [] })),
      merge(clerk, target, [id]),
      merge(clerk, id, [target]),
    ]
    for (const answer of await Promise.all(attempts))
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbiddenContractor' } })
    expect(await rolesOf(id)).toMatchObject([{ userId: person.id, organizationId: organization.id }])
    expect(await db().$count(contractors, inArray(contractors.id, [id, target]))).toBe(2)
  })

  test('aren’t given by an open invitation that a merge would carry into another contractor', async () => {
    const { contractor } = await plantInvitation()
    const strong = await createContractorRole(['users.write'])
    const planted = first(await db().select().from(invitations).where(eq(invitations.contractorId, contractor.id)))
    const { organizationId } = first(
      await db().select().from(contractorOrganizations).where(eq(contractorOrganizations.contractorId, contractor.id)),
    )
    await db().insert(invitationRoles).values({ invitationId: planted.id, organizationId, roleId: strong.id })
    expect(await list({ 'filter[search]': contractor.name })).toMatchObject([{ id: contractor.id, invitations: 1 }])
    expect(await merge(clerk, await create('Своя'), [contractor.id])).toMatchObject({ status: 403 })
  })

  test('aren’t brought back by who lacks them, by making an organization available to an open invitation again', async () => {
    const { contractor, organization, inviter, id } = await plantInvitation()
    const strong = await createContractorRole(['users.write'])
    const manager = await createContractorRole(['users.write'], 'systemic')
    await db().insert(userRoles).values({ userId: inviter.id, roleId: manager.id })
    await db().insert(invitationRoles).values({ invitationId: id, organizationId: organization.id, roleId: strong.id })
    const available = (browser: Browser, ...availableOrganizations: string[]) =>
      put(browser, contractor.id, bodyOf(contractor.name, { availableOrganizations }))
    expect(await available(clerk)).toMatchObject({ status: 200 })
    expect(await available(clerk, organization.id)).toMatchObject({
      status: 403,
      body: { code: 'forbiddenContractor' },
    })
    const [other] = (await createContractor()).organizations
    expect(await available(clerk, other?.id ?? '')).toMatchObject({ status: 200 })
    expect(await available(admin, organization.id)).toMatchObject({ status: 200 })
  })

  test('go with an organization that is taken away, in an open session and in the history; others stay', async () => {
    const { id, contractor, organizations, person, role, browser } = await member()
    const [removedId, remainingId] = organizations.map((each) => each.id)
    const other = await createContractorRole(['license.read'])
    await db()
      .insert(userContractorRoles)
      .values({ userId: person.id, contractorId: id, organizationId: remainingId ?? '', roleId: other.id })
    expect((await put(admin, id, bodyOf(contractor.name, { availableOrganizations: [remainingId] }))).status).toBe(200)
    expect(await rolesOf(id)).toMatchObject([{ organizationId: remainingId, roleId: other.id }])
    expect(await holds(browser, 'history.read')).toBe(false)
    expect(await rowsOf(person.id, 'users')).toMatchObject([
      { type: 'login' },
      {
        field: 'contractorRoles',
        previous: expect.arrayContaining([{ contractorId: id, organizationId: removedId, roleId: role.id }]),
      },
    ])
  })
})

describe('a merge', () => {
  const below = caseNumbers(220)

  test('loses nobody’s role, gives nobody a method that they and the granter lacked, and leaves nothing behind', async () => {
    const codes = ['history.read', 'license.read', 'domains.read', 'users.read', 'settings.write']
    const roles = await Promise.all(codes.map((code) => createContractorRole([code])))
    const people = await Promise.all(Array.from({ length: 6 }, () => createUser()))
    let refused = 0
    let merged = 0
    for (const _ of eachRound(12, () => refused > 0 && merged > 0)) {
      const companies = await Promise.all([createContractor(2), createContractor(1), createContractor(1)])
      for (const { contractor, organizations } of companies) {
        await db()
          .update(contractors)
          .set({ enabled: below(4) > 0 })
          .where(eq(contractors.id, contractor.id))
        for (const { id: userId } of people) {
          if (below(2)) continue
          await db().insert(userContractors).values({ userId, contractorId: contractor.id })
          for (const { id: organizationId } of organizations)
            for (const role of roles.slice(0, below(roles.length + 1)))
              if (below(2))
                await db()
                  .insert(userContractorRoles)
                  .values({ userId, contractorId: contractor.id, organizationId, roleId: role.id })
        }
      }
      const [target, ...sources] = companies.map(({ contractor }) => contractor.id)
      if (!target) throw new Error('there is no target')
      const heldMethods = ['contractors.read', 'contractors.write', ...codes.slice(below(2), 3 + below(3))]
      const { browser } = await signedInWith(heldMethods)
      const granter = withImplied(heldMethods)
      const before = await Promise.all(people.map(({ id }) => codesOf(id)))
      const links = await db()
        .select()
        .from(userContractorRoles)
        .where(inArray(userContractorRoles.contractorId, [target, ...sources]))
      const { status } = await merge(browser, target, sources)
      const after = await Promise.all(people.map(({ id }) => codesOf(id)))
      if (status === 403) {
        refused++
        expect(after).toEqual(before)
        continue
      }
      expect(status).toBe(200)
      merged++
      for (const [n, now] of after.entries())
        for (const code of now) expect(before[n]?.has(code) || granter.has(code), code).toBe(true)
      const keyOf = (link: { userId: string; organizationId: string; roleId: string }) =>
        [link.userId, link.organizationId, link.roleId].join()
      expect((await rolesOf(target)).map(keyOf).sort()).toEqual([...new Set(links.map(keyOf))].sort())
      expect(await db().$count(contractors, inArray(contractors.id, sources))).toBe(0)
      expect(await db().$count(userContractors, inArray(userContractors.contractorId, sources))).toBe(0)
      const open = await db()
        .select()
        .from(contractorOrganizations)
        .where(eq(contractorOrganizations.contractorId, target))
      expect(open).toHaveLength(4)
    }
    expect(Math.min(refused, merged)).toBeGreaterThan(0)
  })

  test('carries organizations, values and empty requisites, and is in the history of both and of the people', async () => {
    for (const code of ['grade', 'own', 'more']) await defineField({ type: 'contractors', code })
    const [from, into] = [await createContractor(), await createContractor()]
    const person = await createUser()
    const role = await createContractorRole(['history.read'])
    await join(from, person.id, [role.id])
    const [source, target] = [from.contractor, into.contractor]
    await db()
      .update(contractors)
      .set({ okpo: '00032537', values: { grade: 'A', own: 1 } })
      .where(eq(contractors.id, source.id))
    await db()
      .update(contractors)
      .set({ values: { grade: '', more: 'x' } })
      .where(eq(contractors.id, target.id))
    expect(await merge(admin, target.id, [source.id])).toMatchObject({
      status: 200,
      body: { people: 1, roles: 1, organizations: 1, invitations: 0 },
    })
    expect(await card(target.id)).toMatchObject({
      name: target.name,
      inn: target.inn,
      okpo: '00032537',
      values: { grade: 'A', own: 1, more: 'x' },
      people: 1,
    })
    const fields = (await rowsOf(target.id)).map(({ field }) => field)
    expect(fields).toEqual(['okpo', 'availableOrganizations', 'field:grade', 'field:own', 'mergedFrom'])
    expect(await rowsOf(source.id)).toContainEqual(
      expect.objectContaining({ type: 'update', field: 'mergedInto', current: target.id }),
    )
    expect(await rowsOf(person.id, 'users')).toMatchObject([
      { field: 'contractors', previous: [source.id], current: [target.id] },
      { field: 'contractorRoles' },
    ])
  })

  test('carries invitations: of two open ones to the same e-mail the later stays, with the roles of both', async () => {
    const earlier = await plantInvitation({ sentAt: new Date(Date.now() - 60_000) })
    const later = await plantInvitation({ email: earlier.email })
    const [target, source] = [earlier.contractor.id, later.contractor.id]
    expect((await merge(admin, target, [source])).status).toBe(200)
    const rows = await db().select().from(invitations).where(eq(invitations.contractorId, target))
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
      [earlier.id]: 'deleted',
      [later.id]: 'active',
    })
    const given = await db().select().from(invitationRoles).where(eq(invitationRoles.invitationId, later.id))
    expect(given.map(({ roleId }) => roleId).sort()).toEqual([earlier.role.id, later.role.id].sort())
  })

  test('of A into B and of B into A at once: one is done, the other finds nothing', async () => {
    for (const _ of eachRound(8)) {
      const [one, other] = await Promise.all([createContractor(), createContractor()])
      const person = await createUser()
      await join(one, person.id, [])
      await join(other, person.id, [])
      const [a, b] = [one.contractor.id, other.contractor.id]
      const statuses = (await Promise.all([merge(admin, a, [b]), merge(admin, b, [a])])).map(({ status }) => status)
      expect(statuses.sort()).toEqual([200, 404])
      const contractorsLeft = await db()
        .select({ id: contractors.id })
        .from(contractors)
        .where(inArray(contractors.id, [a, b]))
      expect(contractorsLeft).toHaveLength(1)
      const belongs = await db().select().from(userContractors).where(eq(userContractors.userId, person.id))
      expect(belongs.map(({ contractorId }) => contractorId)).toEqual(contractorsLeft.map(({ id }) => id))
    }
  })

  test('and a save at once: the save is in the merge, or is refused; never lost in silence', async () => {
    for (const _ of eachRound(8)) {
      const [target, source] = [await create(`Цель ${randomUUID()}`), await create(`Источник ${randomUUID()}`)]
      const { updatedAt } = await card(source)
      const [merged, saved] = await Promise.all([
        merge(admin, target, [source], { versions: { [source]: updatedAt } }),
        put(admin, source, { ...bodyOf('Сохранён'), updatedAt }),
      ])
      expect([
        [200, 404],
        [409, 200],
      ]).toContainEqual([merged.status, saved.status])
    }
  })
})
