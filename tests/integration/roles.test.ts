import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { PUT as enableRoute } from '@/app/api/v1/platform/setting/roles/[id]/enabled/route'
import { DELETE as removeHolderRoute } from '@/app/api/v1/platform/setting/roles/[id]/holders/route'
import { db } from '@/db/client'
import {
  authenticationSchemaRoles,
  authenticationSchemas,
  contractorOrganizations,
  history,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
  userRoles,
  users,
} from '@/db/schema'
import type { Contract } from '@/lib/kernel/http/contract'
import { addHolders, listHolders, removeHolder } from '@/lib/people/role-holders/contract'
import {
  createRole,
  deleteRole,
  enableRole,
  getRole,
  listRoles,
  roleEffect,
  updateRole,
} from '@/lib/people/roles/contract'
import { accessOf } from '@/lib/people/roles/service'
import { setUserEnabled } from '@/lib/people/users/enable'
import { signedInWith } from '../factories/access'
import { oneOf30, thirty } from '../factories/at-once'
import { Browser } from '../factories/browser'
import { type AnyContract, Caller, type Input } from '../factories/caller'
import { createContractor, join } from '../factories/companies'
import { createContext } from '../factories/context'
import { contextOf } from '../factories/invitations'
import { startProvider } from '../factories/oidc'
import { first } from '../factories/platform'
import { methodIdsOf, plantApplicationMethod, plantRole, shippedRole, signedInAdministrator } from '../factories/roles'
import { handlerOf } from '../factories/routes'
import { callAs, createServiceAccount } from '../factories/service-accounts'
import { signInByPassword } from '../factories/sign-in'
import { createUser, password } from '../factories/users'
import { useTestDatabase } from '../setup/database'

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
/** All that rights are made of, to compare before and after. */
const rightsNow = async () => ({
  methods: await db().select().from(roleMethods).orderBy(roleMethods.roleId, roleMethods.methodId),
  holders: await db().select().from(userRoles).orderBy(userRoles.id),
  contractors: await db().select().from(userContractorRoles).orderBy(userContractorRoles.userId),
  roles: await db().select().from(roles).orderBy(roles.id),
})

describe('what a call changes', () => {
  test('a role is enabled and disabled by its version, for its holders at once', async () => {
    const { user, browser } = await signedInWith(['history.read'])
    const held = first(await db().select().from(userRoles).where(eq(userRoles.userId, user.id)))
    const mayRead = async () => (await contextOf(browser)).user?.methods.has('history.read')
    const { caller } = await signedInAdministrator()
    const role = async () => (await caller.call(getRole, { params: { id: held.roleId } })).role
    const { updatedAt } = await role()
    expect(await mayRead()).toBe(true)
    const off = { params: { id: held.roleId }, body: { enabled: false, updatedAt } }
    const { status } = await caller.browser.send(enableRoute, 'PUT', off)
    expect([status, await mayRead(), (await role()).enabled]).toEqual([200, false, false])
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
    expect((await caller.call(getRole, { params: { id } })).role.usedIn).toEqual([{ place: 'schemas', count: 1 }])
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
    const { updatedAt } = (await caller.call(getRole, { params: { id } })).role
    const [method = ''] = await methodIdsOf('history.read')
    const statuses = await thirty(async (n) => {
      const body = { ...input(`Имя ${n}`, n % 2 ? [method] : []), updatedAt }
      return (await caller.send(updateRole as unknown as AnyContract, { params: { id }, body })).status
    })
    expect(statuses.sort()).toEqual(oneOf30)
  })
})

describe('somebody without all methods', () => {
  let running: Awaited<ReturnType<typeof startProvider>>
  beforeAll(async () => {
    running = await startProvider()
    return () => running.stop()
  })

  /** Every call that could give or take more than `history.read`, with what refuses it. */
  async function attempts(ownId: string | null) {
    const [strong = ''] = await methodIdsOf('applications.write')
    const { method } = await plantApplicationMethod()
    const strongRole = await plantRole([strong])
    const foreign = await plantRole([method.id])
    const weak = await plantRole(await methodIdsOf('history.read'))
    const company = await createContractor()
    const contractorRole = await plantRole([strong], 'contractor')
    const target = ownId ?? (await createUser({ roles: [] })).id
    if (!(await db().select().from(userContractors).where(eq(userContractors.userId, target))).length)
      await join(company, target, [])
    const chief = (await createUser({ roles: ['administrator'] })).id
    const administratorId = await shippedRole('administrator')
    await db().insert(userRoles).values({ userId: chief, roleId: weak.id })
    const to = (id: string) => ({ params: { id } })
    return [
      [createRole, { body: input('Хитрая', [strong]) }, 'forbiddenRole'],
      [createRole, { body: input('Хитрая', [method.id]) }, 'forbiddenRole'],
      [updateRole, { ...to(weak.id), body: input('Слабая', [strong]) }, 'forbiddenRole'],
      [updateRole, { ...to(weak.id), body: input('Слабая', [method.id]) }, 'forbiddenRole'],
      [updateRole, { ...to(strongRole.id), body: input('Сильная', []) }, 'forbiddenRole'],
      [updateRole, { ...to(administratorId), body: input('Администратор', []) }, 'errorFields'],
      [deleteRole, to(strongRole.id), 'forbiddenRole'],
      [enableRole, { ...to(strongRole.id), body: { enabled: false } }, 'forbiddenRole'],
      [enableRole, { ...to(foreign.id), body: { enabled: false } }, 'forbiddenRole'],
      [enableRole, { ...to(administratorId), body: { enabled: false } }, 'forbiddenRole'],
      [addHolders, { ...to(strongRole.id), body: { users: [target] } }, 'forbiddenRole'],
      [addHolders, { ...to(foreign.id), body: { users: [target] } }, 'forbiddenRole'],
      [addHolders, { ...to(administratorId), body: { users: [target] } }, 'forbiddenRole'],
      [
        addHolders,
        {
          ...to(contractorRole.id),
          body: { users: [target], organizationId: company.organization.id, contractorId: company.contractor.id },
        },
        'forbiddenRole',
      ],
      [addHolders, { ...to(weak.id), body: { users: [chief] } }, 'forbiddenUser'],
      [removeHolder, { ...to(weak.id), query: { userId: chief } }, 'forbiddenUser'],
      [removeHolder, { ...to(administratorId), query: { userId: chief } }, 'forbiddenRole'],
    ] as const satisfies readonly (readonly [Contract, Input, string])[]
  }

  const held = [
    'roles.read',
    'roles.write',
    'history.read',
    'users.read',
    'users.write',
    'sessions.read',
    'sessions.write',
  ]

  test('gains nothing by any call: as support with roles, as a master account', async () => {
    for (const codes of [held, [...held, 'masterAccountAccess']]) {
      const { user, browser } = await signedInWith(codes)
      const caller = new Caller(browser)
      const tries = await attempts(user.id)
      const before = await rightsNow()
      for (const [contract, sent, code] of tries)
        expect(await answered(caller, contract, sent as Input), contract.name).toMatch(new RegExp(`${code}$`))
      expect(await rightsNow()).toEqual(before)
    }
  })

  test('gains nothing as a service account, not even one of an administrator’s application', async () => {
    const { token } = await createServiceAccount(running, held)
    const tries = await attempts(null)
    const before = await rightsNow()
    for (const [contract, sent, code] of tries) {
      const handler = handlerOf(contract as unknown as AnyContract)
      const { status, body } = await callAs(token, handler, contract as unknown as AnyContract, sent as object)
      expect(`${status} ${(body as { code: string }).code}`, contract.name).toMatch(new RegExp(`40[03] ${code}$`))
    }
    expect(await rightsNow()).toEqual(before)
    const [read = ''] = await methodIdsOf('history.read')
    const made = await callAs(
      token,
      handlerOf(createRole as unknown as AnyContract),
      createRole as unknown as AnyContract,
      {
        body: input('Роль программы', [read]),
      },
    )
    expect(made.status).toBe(200)
  })

  test('whatever roles and callers meet, nobody ends with a method that neither they nor the granter held', async () => {
    let seed = 4_711
    const below = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      // the lower bits repeat soon
      return Math.floor((seed / 2_147_483_648) * limit)
    }
    const all = await methodIdsOf('history.read', 'monitoring.read', 'license.write', 'users.read', 'domains.write')
    const { method } = await plantApplicationMethod()
    const every = [...all, method.id]
    const some = (most = 3) => [
      ...new Set(Array.from({ length: below(most + 1) }, () => every[below(every.length)] ?? '')),
    ]
    const chief = await signedInAdministrator()
    const callers = [
      { id: chief.user.id, caller: chief.caller, administers: true },
      ...(await Promise.all(
        [['history.read'], ['history.read', 'users.read'], ['license.write', 'domains.write']].map(async (codes) => {
          const { user, browser } = await signedInWith(['roles.read', 'roles.write', ...codes])
          return { id: user.id, caller: new Caller(browser), administers: false }
        }),
      )),
    ]
    const ids = [
      ...callers.map(({ id }) => id),
      (await createUser({ roles: [] })).id,
      (await createUser({ roles: [] })).id,
    ]
    const roleIds = (await Promise.all(Array.from({ length: 6 }, () => plantRole(some())))).map(({ id }) => id)
    const snapshot = async () =>
      new Map(await Promise.all(ids.map(async (id) => [id, (await accessOf(id)).methodIds] as const)))
    let refused = 0
    for (let round = 0; round < 120; round++) {
      const { id, caller, administers } = callers[below(callers.length)] ??
        callers[0] ?? { id: '', caller: chief.caller, administers: true }
      const params = { id: roleIds[below(roleIds.length)] ?? '' }
      const userId = ids[below(ids.length)] ?? ''
      const before = await snapshot()
      const act = [
        () => answered(caller, updateRole, { params, body: input(`Роль ${round}`, some()) }),
        () => answered(caller, enableRole, { params, body: { enabled: below(2) === 1 } }),
        () => answered(caller, addHolders, { params, body: { users: [userId] } }),
        () => answered(caller, removeHolder, { params, query: { userId } }),
      ][below(4)]
      if ((await act?.()) !== 'done') refused++
      const after = await snapshot()
      for (const [person, now] of after)
        for (const one of new Set([...now, ...(before.get(person) ?? [])])) {
          if (now.has(one) === before.get(person)?.has(one)) continue
          const may = before.get(id)?.has(one) || (administers && one === method.id)
          expect(may, `round ${round}: ${id} changed ${one} of ${person}`).toBe(true)
        }
    }
    expect(refused).toBeGreaterThan(20)
    expect(refused).toBeLessThan(110)
  })
})

describe('an administrator', () => {
  test('gives a role with an application’s method, and holds it only after giving it to themselves', async () => {
    const { user, caller } = await signedInAdministrator()
    const { method } = await plantApplicationMethod()
    const { id } = await caller.call(createRole, { body: input('Чужое приложение', [method.id]) })
    const other = await createUser({ roles: [] })
    await caller.call(addHolders, { params: { id }, body: { users: [other.id] } })
    expect((await accessOf(other.id)).methodIds.has(method.id)).toBe(true)
    expect((await accessOf(user.id)).methodIds.has(method.id)).toBe(false)
    await setUserEnabled(await contextOf(caller.browser), { userId: other.id, enabled: false })
    await caller.call(addHolders, { params: { id }, body: { users: [user.id] } })
    expect((await accessOf(user.id)).methodIds.has(method.id)).toBe(true)
  })

  test('is never the last to go, whichever of thirty paths are taken at once', async () => {
    const administratorId = await shippedRole('administrator')
    await db()
      .update(users)
      .set({ enabled: false })
      .where(inArray(users.id, db().select({ id: userRoles.userId }).from(userRoles)))
    const people = await thirty(() => createUser({ roles: ['administrator'] }))
    const methods = await db().select().from(roleMethods).where(eq(roleMethods.roleId, administratorId))
    expect(methods.length).toBeGreaterThan(0)
    const base = await createContext({ methods: [] })
    const ctx = await createContext({ methods: ['roles.write', 'users.write'] })
    // somebody of no account who holds every systemic method
    const { systemicMethods } = await import('@/lib/kernel/access-methods')
    const all = { ...ctx, user: base.user && { ...base.user, methods: new Set<string>(systemicMethods) } }
    const { removeHolder: take } = await import('@/lib/people/role-holders/service')
    const { enableRole: enable } = await import('@/lib/people/roles/changes')
    const code = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        ({ code }: { code: string }) => code,
      )
    const answers = await thirty((n) => {
      const userId = people[n]?.id ?? ''
      if (n % 3 === 0) return code(take(all, { params: { id: administratorId }, query: { userId } }))
      if (n % 3 === 1) return code(setUserEnabled(all, { userId, enabled: false }))
      return code(
        Promise.all([
          enable(all, { params: { id: administratorId }, body: { enabled: false } }),
          setUserEnabled(all, { userId, enabled: false }),
        ]),
      )
    })
    for (const answer of answers) expect(['done', 'lastAdministrator']).toContain(answer)
    expect(first(await db().select().from(roles).where(eq(roles.id, administratorId))).enabled).toBe(true)
    const left = await db()
      .select({ id: users.id })
      .from(users)
      .innerJoin(userRoles, and(eq(userRoles.userId, users.id), eq(userRoles.roleId, administratorId)))
      .where(eq(users.enabled, true))
    expect(left.length).toBeGreaterThanOrEqual(1)
    for (const { id } of left.slice(1)) await setUserEnabled(all, { userId: id, enabled: false })
    const last = left[0]?.id ?? ''
    expect(await code(take(all, { params: { id: administratorId }, query: { userId: last } }))).toBe(
      'lastAdministrator',
    )
    expect(await code(setUserEnabled(all, { userId: last, enabled: false }))).toBe('lastAdministrator')
  })
})
