import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { copyOf } from '@/app/platform/(admin)/setting/roles/_ui/role-copy'
import { db } from '@/db/client'
import {
  authenticationSchemaRoles,
  authenticationSchemas,
  contractorOrganizations,
  history,
  organizations,
  roles,
  userRoles,
  users,
} from '@/db/schema'
import {
  createRole,
  deleteRole,
  enableRole,
  listRoles,
  readRole,
  roleEffect,
  updateRole,
} from '@/lib/access/roles/contract'
import { accessOf } from '@/lib/access/roles/service'
import { searchContacts } from '@/lib/accounts/people-search/service'
import { addHolders, HolderQuery, listHolders, removeHolder } from '@/lib/accounts/role-holders/contract'
import { searchRolePlaces, listHolders as showHolders } from '@/lib/accounts/role-holders/service'
import { signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { type AnyContract, Caller, type Input } from '../../factories/caller'
import { createContractor, join } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { contextOf } from '../../factories/invitations'
import { first } from '../../factories/platform'
import { methodIdsOf, plantRole, signedInAdministrator } from '../../factories/roles'
import { handlerOf } from '../../factories/routes'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const enableRoute = handlerOf(enableRole)
const removeHolderRoute = handlerOf(removeHolder)

useTestDatabase()

const input = (name: string, methods: string[] = []) => ({
  name,
  nameEn: '',
  comment: '',
  roleType: 'systemic' as const,
  methods,
})
const answered = async (caller: Caller, contract: unknown, sent: Input) => {
  const { status, body } = await caller.send(contract as AnyContract, sent)
  return status === 200 ? 'done' : `${status} ${(body as { code: string }).code}`
}

test('who can’t give a role can’t call it otherwise: people choose it by its words', async () => {
  const lesser = new Caller((await signedInWith(['roles.write', 'roles.read'])).browser)
  const strong = await plantRole(await methodIdsOf('settings.write'))
  const weak = await plantRole(await methodIdsOf('roles.read'))
  const renamed = async (id: string) => {
    const { role } = await lesser.call(readRole, { params: { id } })
    const methods = role.methods.map((method) => method.id)
    const answers = []
    for (const words of [{ name: randomUUID() }, { nameEn: randomUUID() }, { comment: 'x' }, { commentEn: 'x' }, {}]) {
      const { name, nameEn, comment, commentEn, roleType } = role
      const body = {
        ...{ name, nameEn: nameEn ?? '', comment, commentEn: commentEn ?? '', roleType, methods },
        ...words,
      }
      answers.push(await answered(lesser, updateRole, { params: { id }, body } as never))
    }
    return answers
  }
  expect(await renamed(strong.id)).toEqual([...Array.from({ length: 4 }, () => '403 forbiddenRole'), 'done'])
  expect(await renamed(weak.id)).toEqual(Array.from({ length: 5 }, () => 'done'))
})

test('places to give a role in are found and sorted by the name that the reader sees, in either language', async () => {
  const mark = `Zq${Date.now()}`
  const names = [
    { name: `Б ${mark}`, nameEn: `Alpha ${mark}` },
    { name: `А ${mark}`, nameEn: `Beta ${mark}` },
    { name: `В ${mark} ru`, nameEn: null },
  ]
  await db()
    .insert(organizations)
    .values([...names, { name: `Г ${mark}`, nameEn: `Off ${mark}`, enabled: false }])
  const ctx = await createContext({ methods: ['roles.read'] })
  const namesFound = async (locale: string, searchValue: string) =>
    (await searchRolePlaces({ ...ctx, locale }, { query: { kind: 'organization', searchValue } })).places.map(
      ({ name }) => name[0],
    )
  expect(await namesFound('ru', mark)).toEqual(['А', 'Б', 'В'])
  expect(await namesFound('en', mark)).toEqual(['Б', 'А', 'В'])
  expect(await namesFound('ru', `Alpha ${mark}`)).toEqual(['Б'])
  expect(await namesFound('en', `б ${mark}`)).toEqual(['Б'])
})

test('of thirty roles of one name that are made at once one is there; one from before keeps its name', async () => {
  const { caller } = await signedInAdministrator()
  const name = `Кладовщик ${randomUUID()}`
  const results = await thirty((n) => answered(caller, createRole, { body: input(n % 2 ? name : name.toUpperCase()) }))
  expect(results.sort()).toEqual([...Array.from({ length: 29 }, () => '400 errorFields'), 'done'])
  const { roles: made } = await caller.call(listRoles, { query: { filter: { search: name } } })
  expect(made).toHaveLength(1)
  const [older] = await db().insert(roles).values({ name, roleType: 'systemic' }).returning()
  const params = { id: older?.id ?? '' }
  // what it is called isn't what is changed
  expect(await answered(caller, updateRole, { params, body: { ...input(name), comment: 'другое' } })).toBe('done')
  const spaced = { params, body: input(` ${name.toLowerCase()} `) }
  expect(await answered(caller, updateRole, spaced)).toBe('400 errorFields')
  expect(await answered(caller, updateRole, { params, body: input(`${name} 2`) })).toBe('done')
})

test('no role gets a name that stands for the role of a method in a configuration; one from before keeps it', async () => {
  const { caller } = await signedInAdministrator()
  const [method] = await methodIdsOf('users.write')
  const name = `method:${randomUUID()}`
  const { id } = await caller.call(createRole, { body: input(`Кладовщик ${randomUUID()}`) })
  for (const takenName of ['method:users.write', ' method:users.write ', name]) {
    const body = { ...input(takenName), methods: [method ?? ''] }
    const refused = { status: 400, body: { data: { errorList: [{ field: 'name', code: 'errorUnique' }] } } }
    expect(await caller.send(createRole, { body }), takenName).toMatchObject(refused)
    expect(await caller.send(updateRole, { params: { id }, body }), takenName).toMatchObject(refused)
  }
  const [older] = await db().insert(roles).values({ name, roleType: 'systemic' }).returning()
  const params = { id: older?.id ?? '' }
  expect(await answered(caller, updateRole, { params, body: { ...input(name), comment: 'другое' } })).toBe('done')
})

test('no two roles look alike to a reader of either language, whatever their spaces and letters are', async () => {
  const { caller } = await signedInAdministrator()
  const mark = randomUUID()
  const named = (name: string, nameEn = '') => ({ ...input(name), nameEn })
  const made = (body: ReturnType<typeof named>) => answered(caller, createRole, { body })
  expect(await made(named(`Сторож\u00a0 ночной ${mark}`, `Night  guard ${mark}`))).toBe('done')
  const { roles: listed } = await caller.call(listRoles, { query: { filter: { search: mark } } })
  expect(listed).toMatchObject([{ name: `Сторож ночной ${mark}`, nameEn: `Night guard ${mark}` }])
  // without an English name the Russian one is read in English too
  expect(await made(named(`night\u2003GUARD ${mark}`))).toBe('400 errorFields')
  expect(await made(named(`СТОРОЖ  ночной ${mark}`, `Other ${mark}`))).toBe('400 errorFields')
  expect(await made(named(`Другой ${mark}`, `Night\u00a0guard ${mark}`))).toBe('400 errorFields')
  // each reader tells these apart
  expect(await made(named(`Night guard ${mark}`, `Watchman ${mark}`))).toBe('done')
  // the English name goes, and the Russian one is read in its place
  const [, second] = (await caller.call(listRoles, { query: { filter: { search: mark } } })).roles.sort((one) =>
    one.name.startsWith('Night') ? 1 : -1,
  )
  const params = { id: second?.id ?? '' }
  expect(await answered(caller, updateRole, { params, body: named(`Night guard ${mark}`) })).toBe('400 errorFields')
  await db()
    .insert(roles)
    .values({ name: `Из\u00a0 прежних ${mark}`, roleType: 'systemic' })
  expect(await made(named(`из прежних ${mark}`))).toBe('400 errorFields')
})

test('the places of a holder are sorted by the name that the reader sees', async () => {
  const mark = randomUUID()
  const places = await db()
    .insert(organizations)
    .values([
      { name: `А ${mark}`, nameEn: `Zeta ${mark}` },
      { name: `Я ${mark}`, nameEn: `Alpha ${mark}` },
    ])
    .returning()
  const [role, { id: userId }] = [await plantRole([], 'organizational'), await createUser({ roles: [] })]
  await db()
    .insert(userRoles)
    .values(places.map(({ id }) => ({ userId, roleId: role.id, organizationId: id })))
  const ctx = await createContext({ methods: ['roles.read'] })
  const sorted = async (locale: string) => {
    const input = { params: { id: role.id }, query: HolderQuery.parse({}) }
    const { holders } = await showHolders({ ...ctx, locale }, input)
    return holders[0]?.places.map(({ organization }) => organization?.id)
  }
  const [first, second] = places.map(({ id }) => id)
  expect(await sorted('ru')).toEqual([first, second])
  expect(await sorted('en')).toEqual([second, first])
})

test('a search for people finds 50 by text, as many as are named by ids, and no more than its limit', async () => {
  const mark = randomUUID()
  const people = await db()
    .insert(users)
    .values(Array.from({ length: 60 }, (_, n) => ({ login: `${mark}.${n}`, fio: `${mark} ${n}` })))
    .returning()
  const ctx = await createContext({ methods: ['roles.read'] })
  const countFound = async (query: { searchValue?: string; ids?: string[]; limit?: number }) =>
    (await searchContacts(ctx, { query })).contacts.length
  expect(await countFound({ searchValue: mark })).toBe(50)
  expect(await countFound({ ids: people.map(({ id }) => id) })).toBe(60)
  expect(await countFound({ searchValue: mark, limit: 55 })).toBe(55)
  expect(await countFound({ ids: people.map(({ id }) => id), limit: 3 })).toBe(3)
})

test('a copy has what the copier may grant, and neither holders nor code nor what makes a shipped role', async () => {
  const { browser } = await signedInWith(['roles.write', 'history.read', 'domains.read'])
  const caller = new Caller(browser)
  const source = first((await caller.call(listRoles, { query: { filter: { search: 'Аудитор' } } })).roles)
  const { role: auditor } = await caller.call(readRole, { params: { id: source.id } })
  expect({ code: auditor.code, immutable: auditor.immutable, hasMethods: auditor.methods.length > 5 }).toEqual({
    code: 'auditor',
    immutable: true,
    hasMethods: true,
  })
  await createUser({ roles: ['auditor'] })
  const body = copyOf(auditor, `Копия ${randomUUID()}`)
  // whoever sends the others all the same is refused, and nothing is made
  const whole = { body: { ...body, methods: auditor.methods.map(({ id }) => id) } }
  expect(await answered(caller, createRole, whole)).toBe('403 forbiddenRole')
  const { id } = await caller.call(createRole, { body })
  const { role: copy } = await caller.call(readRole, { params: { id } })
  expect(copy.methods.map(({ code }) => code).sort()).toEqual(['domains.read', 'history.read', 'roles.read'])
  expect(copy).toMatchObject({
    name: body.name,
    nameEn: null,
    roleType: auditor.roleType,
    comment: auditor.comment,
    code: null,
    immutable: false,
    enabled: true,
    holders: { count: 0 },
    usedIn: [],
  })
  const { roles: called } = await caller.call(listRoles, { query: { filter: { search: body.name } } })
  expect(called).toHaveLength(1)
})

describe('what a call changes', () => {
  test('a role is enabled and disabled by its version, for its holders at once', async () => {
    const { user, browser } = await signedInWith(['history.read'])
    const heldRole = first(await db().select().from(userRoles).where(eq(userRoles.userId, user.id)))
    const mayRead = async () => (await contextOf(browser)).user?.methods.has('history.read')
    const { caller } = await signedInAdministrator()
    const role = async () => (await caller.call(readRole, { params: { id: heldRole.roleId } })).role
    const { updatedAt } = await role()
    expect(await mayRead()).toBe(true)
    const off = { params: { id: heldRole.roleId }, body: { enabled: false, updatedAt } }
    const { status } = await caller.browser.send(enableRoute, 'PUT', off)
    expect({ status, mayRead: await mayRead(), roleIsEnabled: (await role()).enabled }).toEqual({
      status: 200,
      mayRead: false,
      roleIsEnabled: false,
    })
    expect(await answered(caller, enableRole, { ...off, body: { enabled: true, updatedAt } })).toBe('409 conflict')
    expect(await answered(caller, enableRole, { ...off, body: { enabled: true } })).toBe('done')
    expect(await mayRead()).toBe(true)
    expect(await answered(caller, enableRole, { params: { id: user.id }, body: { enabled: true } })).toBe(
      '404 notFound',
    )
  })

  test('methods are added and removed for the holders at once, and the effect was told before', async () => {
    const [read, write] = [
      (await methodIdsOf('history.read'))[0] ?? '',
      (await methodIdsOf('monitoring.read'))[0] ?? '',
    ]
    const { caller } = await signedInAdministrator()
    const { id } = await caller.call(createRole, { body: input('Смена', [read]) })
    const [one, other] = [await createUser({ roles: [] }), await createUser({ roles: ['auditor'] })]
    const browser = new Browser()
    await signInByPassword(browser, one.login, password)
    await caller.call(addHolders, { params: { id }, body: { users: [one.id, other.id] } })
    const may = async () => [...((await contextOf(browser)).user?.methods ?? [])].sort()
    expect(await may()).toEqual(['history.read'])
    // the auditor has both by another role
    expect(await caller.call(roleEffect, { params: { id }, query: { give: [write], take: [read] } })).toEqual({
      people: { count: 2, more: false },
      gain: 1,
      lose: 1,
    })
    expect(await caller.call(roleEffect, { params: { id }, query: { enabled: 'false' } })).toMatchObject({
      gain: 0,
      lose: 1,
    })
    await caller.call(updateRole, { params: { id }, body: input('Смена', [write]) })
    expect(await may()).toEqual(['monitoring.read'])
    await caller.call(enableRole, { params: { id }, body: { enabled: false } })
    expect(await may()).toEqual([])
    expect(await caller.call(roleEffect, { params: { id }, query: { enabled: 'true' } })).toMatchObject({
      gain: 1,
      lose: 0,
    })
    const recorded = await db()
      .select()
      .from(history)
      .where(and(eq(history.entity, 'roles'), eq(history.entityId, id)))
    expect(recorded.find(({ field, type }) => type === 'update' && field === 'methods')).toMatchObject({
      previous: ['history.read'],
      current: ['monitoring.read'],
    })
  })

  test('holders of each type are given and taken where roles of the type are held', async () => {
    const { caller } = await signedInAdministrator()
    const company = await createContractor()
    const [organizationId, contractorId] = [company.organization.id, company.contractor.id]
    const person = await createUser({ roles: [], fio: 'Держатель Иван' })
    await join(company, person.id, [])
    const places = {
      systemic: {},
      organizational: { organizationId },
      contractor: { organizationId, contractorId },
    }
    for (const roleType of ['systemic', 'organizational', 'contractor'] as const) {
      const { id } = await plantRole(await methodIdsOf('history.read'), roleType)
      const list = async (search?: string) =>
        (await caller.call(listHolders, { params: { id }, query: search ? { filter: { search } } : {} })).holders
      await caller.call(addHolders, { params: { id }, body: { users: [person.id], ...places[roleType] } })
      expect((await accessOf(person.id)).methods.has('history.read')).toBe(true)
      expect(await list('держатель')).toMatchObject([{ id: person.id, login: person.login, places: [{}] }])
      expect(await list('нет такого')).toEqual([])
      for (const [other, place] of Object.entries(places))
        if (other !== roleType) {
          const body = { users: [person.id], ...place }
          expect(await answered(caller, addHolders, { params: { id }, body }), `${roleType} ${other}`).toMatch(/^400/)
          expect(await answered(caller, removeHolder, { params: { id }, query: { userId: person.id, ...place } })).toBe(
            '404 notFound',
          )
        }
      const query = { userId: person.id, ...places[roleType] }
      expect(await answered(caller, deleteRole, { params: { id } })).toBe('409 roleHeld')
      const { status } = await caller.browser.send(removeHolderRoute, 'DELETE', { params: { id }, query })
      expect(status).toBe(200)
      expect(await list()).toEqual([])
      expect((await accessOf(person.id)).methods.has('history.read')).toBe(false)
      expect(await answered(caller, deleteRole, { params: { id } })).toBe('done')
    }
    const other = await createContractor()
    const { id } = await plantRole([], 'contractor')
    const body = { users: [person.id], organizationId: other.organization.id, contractorId }
    expect(await answered(caller, addHolders, { params: { id }, body })).toBe('400 errorFields')
    await db().insert(contractorOrganizations).values({ contractorId, organizationId: other.organization.id })
    expect(await answered(caller, addHolders, { params: { id }, body })).toBe('done')
  })

  test('the refusal to delete tells how many hold the role; a schema that is tied to it keeps it too', async () => {
    const { caller } = await signedInAdministrator()
    const { id } = await caller.call(createRole, { body: input('Держат трое') })
    const people = await Promise.all([1, 2, 3].map(() => createUser({ roles: [] })))
    await db()
      .insert(userRoles)
      .values(people.map((user) => ({ userId: user.id, roleId: id })))
    const { body } = await caller.send(deleteRole as unknown as AnyContract, { params: { id } })
    expect(body).toMatchObject({ code: 'roleHeld', data: { errorList: [{ params: { count: 3 } }] } })
    await db().delete(userRoles).where(eq(userRoles.roleId, id))
    const schema = first(await db().select({ id: authenticationSchemas.id }).from(authenticationSchemas))
    await db().insert(authenticationSchemaRoles).values({ schemaId: schema.id, roleId: id })
    expect(await answered(caller, deleteRole, { params: { id } })).toBe('409 roleUsed')
    expect((await caller.call(readRole, { params: { id } })).role.usedIn).toEqual([{ place: 'schemas', count: 1 }])
  })

  test('by default roles come by name, twenty on a page', async () => {
    const { caller } = await signedInAdministrator()
    for (let n = 0; n < 25; n++) await plantRole([])
    const { roles: page, meta } = await caller.call(listRoles, { query: {} })
    const names = page.map(({ name }) => name)
    expect(meta).toMatchObject({ page: 1, perPage: 20 })
    const { rows } = await db().execute<{ name: string }>('select name from roles order by name, id limit 20')
    expect(names).toEqual(rows.map(({ name }) => name))
  })

  test('of thirty saves of one version one succeeds', async () => {
    const { caller } = await signedInAdministrator()
    const { id } = await caller.call(createRole, { body: input('Правят сразу') })
    const { updatedAt } = (await caller.call(readRole, { params: { id } })).role
    const [method = ''] = await methodIdsOf('history.read')
    const statuses = await thirty(async (n) => {
      const body = { ...input(`Имя ${n}`, n % 2 ? [method] : []), updatedAt }
      return (await caller.send(updateRole as unknown as AnyContract, { params: { id }, body })).status
    })
    expect(statuses.sort()).toEqual(oneOf30)
  })
})
