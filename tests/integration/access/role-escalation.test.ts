import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { isAdministrator } from '@/db/held-roles'
import { contractors, roleMethods, roles, userContractorRoles, userContractors, userRoles, users } from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import { createRole, deleteRole, enableRole, updateRole } from '@/lib/access/roles/contract'
import { enableRole as enable } from '@/lib/access/roles/manage'
import { accessOf } from '@/lib/access/roles/service'
import { addHolders, removeHolder } from '@/lib/accounts/role-holders/contract'
import { removeHolder as take } from '@/lib/accounts/role-holders/service'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { deleteOwnAccount } from '@/lib/accounts/users/own'
import { setApplicationEnabled } from '@/lib/applications/applications/service'
import { systemicMethods } from '@/lib/base/access/access-methods'
import type { Ctx } from '@/lib/base/context/ctx'
import type { Contract } from '@/lib/base/contracts/contract'
import { enableOrganization } from '@/lib/companies/organizations/service'
import { updateServiceMethods } from '@/lib/openid/service-accounts/service'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { type AnyContract, Caller, type Input } from '../../factories/caller'
import { createContractor, join } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { contextOf } from '../../factories/invitations'
import { createClient, startProvider } from '../../factories/oidc'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import {
  methodIdsOf,
  plantApplicationMethod,
  plantRole,
  shippedRole,
  signedInAdministrator,
} from '../../factories/roles'
import { handlerOf } from '../../factories/routes'
import { callAs, createServiceAccount } from '../../factories/service-accounts'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { somebodyWaits } from '../../setup/eventually'
import { rounds } from '../../setup/scope'

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

  const heldMethods = [
    'roles.read',
    'roles.write',
    'history.read',
    'users.read',
    'users.write',
    'sessions.read',
    'sessions.write',
  ]

  test('gains nothing by any call: as support with roles, as a contractor manager', async () => {
    for (const codes of [heldMethods, [...heldMethods, 'masterAccountAccess']]) {
      const { user, browser } = await signedInWith(codes)
      const caller = new Caller(browser)
      const tries = await attempts(user.id)
      const before = await rightsNow()
      for (const [contract, sent, code] of tries)
        expect(await answered(caller, contract, sent as Input), contract.name).toMatch(new RegExp(`${code}$`))
      expect(await rightsNow()).toEqual(before)
    }
  })

  test('who manages one contractor, or an organization, can’t make anybody a manager of all', async () => {
    const company = await createContractor()
    const other = await createContractor()
    const master = await methodIdsOf('masterAccountAccess')
    const ofContractor = await plantRole(master, 'contractor')
    const ofOrganization = await plantRole(master, 'organizational')
    const everywhere = await plantRole(master)
    const tries = (ownUserId: string) =>
      [
        [createRole, { body: input('Все контрагенты', master) }, 'forbiddenRole'],
        [addHolders, { params: { id: everywhere.id }, body: { users: [ownUserId] } }, 'forbiddenRole'],
        [
          addHolders,
          {
            params: { id: ofContractor.id },
            body: { users: [ownUserId], organizationId: other.organization.id, contractorId: other.contractor.id },
          },
          'forbiddenRole',
        ],
      ] as const
    for (const place of ['contractor', 'organization'] as const) {
      const { user, browser } = await signedInWith(['roles.read', 'roles.write'])
      await join(other, user.id, [])
      if (place === 'contractor') await join(company, user.id, [ofContractor.id])
      else
        await db()
          .insert(userRoles)
          .values({ userId: user.id, roleId: ofOrganization.id, organizationId: company.organization.id })
      expect((await accessOf(user.id)).methods).toContain('masterAccountAccess')
      const caller = new Caller(browser)
      const before = await rightsNow()
      for (const [contract, sent, code] of tries(user.id))
        expect(await answered(caller, contract, sent as Input), `${place}: ${contract.name}`).toBe(`403 ${code}`)
      expect(await rightsNow()).toEqual(before)
    }
  })

  test('who holds a method for one contractor can’t hand it to a program', async () => {
    const { application } = await createClient(running)
    const [users = ''] = await methodIdsOf('users.read')
    const company = await createContractor()
    const { user, browser } = await signedInWith(['applications.write'])
    const role = await plantRole([users], 'contractor')
    await join(company, user.id, [role.id])
    const ctx = await contextOf(browser)
    expect(ctx.user?.methods.has('users.read')).toBe(true)
    const set = (of: Ctx, methodIds: string[]) => updateServiceMethods(of, { applicationId: application.id, methodIds })
    await expect(set(ctx, [users])).rejects.toMatchObject({ status: 403, code: 'forbiddenMethod' })

    // nor act as a program that has it already
    await set(await createContext({ methods: [...systemicMethods] }), [users])
    const refused = { status: 403, code: 'forbiddenApplication' }
    await expect(set(ctx, [])).rejects.toMatchObject(refused)
    const off = setApplicationEnabled(ctx, { id: application.id, enabled: false })
    await expect(off).rejects.toMatchObject(refused)

    await db()
      .insert(userRoles)
      .values({ userId: user.id, roleId: (await plantRole([users])).id })
    await set(await contextOf(browser), [])
  })

  test('gains nothing as a service account, not even one of an administrator’s application', async () => {
    const { token } = await createServiceAccount(running, heldMethods)
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
    const below = caseNumbers(216)
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
    for (const round of eachRound(120)) {
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
    expect(refused).toBeGreaterThan(shareOf(20))
    expect(refused).toBeLessThan(rounds(110))
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
    const places = await thirty(async () => (await createContractor()).organization.id)
    // every second one is an administrator by a role in an organization
    const people = await thirty(async (n) => {
      const place = n % 2 ? { organizationId: places[n] } : {}
      const { id } = await createUser({ roles: n % 2 ? [] : ['administrator'] })
      if (n % 2)
        await db()
          .insert(userRoles)
          .values({ userId: id, roleId: administratorId, ...place })
      return { id, place }
    })
    const methods = await db().select().from(roleMethods).where(eq(roleMethods.roleId, administratorId))
    expect(methods.length).toBeGreaterThan(0)
    const base = await createContext({ methods: [] })
    // somebody of no account who holds every systemic method
    const all = { ...base, user: base.user && { ...base.user, methods: new Set<string>(systemicMethods) } }
    const code = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        ({ code }: { code: string }) => code,
      )
    const off = { enabled: false }
    type Person = (typeof people)[number]
    const paths: ((of: Person) => Promise<unknown>)[] = [
      ({ id, place }) => take(all, { params: { id: administratorId }, query: { userId: id, ...place } }),
      ({ id }) => setUserEnabled(all, { userId: id, ...off }),
      ({ id }) => db().transaction((tx) => deleteOwnAccount(tx, all, id, async () => async () => undefined)),
      ({ id, place: { organizationId } }) =>
        organizationId
          ? enableOrganization(all, { params: { id: organizationId }, body: off })
          : setUserEnabled(all, { userId: id, ...off }),
      () => enable(all, { params: { id: administratorId }, body: off }),
    ]
    const answers = await thirty((n) => {
      const [person, path] = [people[n], paths[n % paths.length]]
      return code(person && path ? path(person) : Promise.reject(new Error('nobody')))
    })
    for (const answer of answers) expect(['done', 'lastAdministrator']).toContain(answer)
    expect(first(await db().select().from(roles).where(eq(roles.id, administratorId))).enabled).toBe(true)
    const inEffect = () =>
      db()
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.enabled, true), isAdministrator(users.id)))
    // whoever the race left goes one by one, by each path in turn, until one is left whom no path takes
    for (const [n, { id }] of (await inEffect()).slice(1).entries())
      expect(await code((paths[n % 4] as (typeof paths)[0])(people.find((one) => one.id === id) as Person))).toBe(
        'done',
      )
    const [last, ...more] = await inEffect()
    expect(more).toEqual([])
    const person = people.find(({ id }) => id === last?.id) as Person
    for (const path of paths) expect(await code(path(person))).toBe('lastAdministrator')
    expect(await inEffect()).toEqual([last])
  })
})

test('a role that is taken while its contractor is merged into another one isn’t carried over unseen', async () => {
  const company = await createContractor()
  const target = await createContractor()
  const role = await plantRole([], 'contractor')
  const user = await createUser({ roles: [] })
  await join(company, user.id, [role.id])
  const { caller } = await signedInAdministrator()
  const place = { contractorId: company.contractor.id, organizationId: company.organization.id }
  const answer = await db().transaction(async (tx) => {
    // as a merge does it: lock, copy, delete
    await tx.execute(sql`select from contractors where id = ${place.contractorId} for update`)
    const taking = outsideTransaction(() =>
      caller.send(removeHolder as unknown as AnyContract, {
        params: { id: role.id },
        query: { userId: user.id, ...place },
      }),
    )
    await somebodyWaits(tx)
    await tx.insert(userContractors).values({ userId: user.id, contractorId: target.contractor.id })
    await tx.execute(sql`insert into user_contractor_roles (user_id, contractor_id, organization_id, role_id)
      select user_id, ${target.contractor.id}, organization_id, role_id from user_contractor_roles
      where contractor_id = ${place.contractorId}`)
    await tx.delete(contractors).where(eq(contractors.id, place.contractorId))
    return { taking }
  })
  expect((await answer.taking).status).toBe(404)
})
