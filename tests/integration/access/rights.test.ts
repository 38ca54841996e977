import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  contractors,
  methods,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
  userRoles,
} from '@/db/schema'
import { methodsNotHeld, refreshRights, requireAssignable } from '@/lib/access/rights/service'
import { accessOf } from '@/lib/access/roles/service'
import { withImplied } from '@/lib/base/access/access-methods'
import { ensureListening } from '@/lib/base/cache/notifications'
import type { Ctx } from '@/lib/base/context/ctx'
import { isInContractor, requireManagerOf } from '@/lib/companies/managers/service'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { createContractor, join } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { contextOf } from '../../factories/invitations'
import { inOtherProcess } from '../../factories/other-process'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeEach(async () => {
  expect(await ensureListening()).toBe(true)
})

let made = 0
const newRole = async (methodIds: string[], roleType: 'systemic' | 'organizational' | 'contractor' = 'systemic') => {
  const role = first(
    await db()
      .insert(roles)
      .values({ name: `Роль ${++made}`, roleType })
      .returning(),
  )
  if (methodIds.length > 0)
    await db()
      .insert(roleMethods)
      .values(methodIds.map((methodId) => ({ roleId: role.id, methodId })))
  return role.id
}
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

/** Systemic methods, and those of an application of the demo's kind. */
async function allMethods() {
  const { rows } = await db().execute<{ id: string }>(sql`
    with app as (insert into applications (type, code, name, description) values ('external', ${`app-${++made}`}, 'x', '') returning id)
    insert into methods (code, name, kind, application_id)
    select 'own.' || n, 'x', 'application', app.id from app, generate_series(1, 6) n returning id`)
  const systemic = await db().select().from(methods).where(eq(methods.kind, 'systemic'))
  return { systemic, ofApplication: ids(rows) }
}

describe('what a caller may grant', () => {
  const below = caseNumbers(65)
  const some = <T>(all: readonly T[], most: number) => [
    ...new Set(Array.from({ length: below(most + 1) }, () => all[below(all.length)] as T)),
  ]

  test('is never more than they hold, whatever roles, places and people meet', async () => {
    const { systemic, ofApplication } = await allMethods()
    const every = [...ids(systemic), ...ofApplication]
    const places = ids(
      await db()
        .insert(organizations)
        .values([1, 2, 3].map((n) => ({ name: `О${n}` })))
        .returning(),
    )
    const firms = ids(
      await db()
        .insert(contractors)
        .values([1, 2, 3].map((n) => ({ name: `К${n}`, inn: `770000000${n}` })))
        .returning(),
    )
    const contents = new Map<string, string[]>()
    const typed = { systemic: [] as string[], organizational: [] as string[], contractor: [] as string[] }
    for (const roleType of ['systemic', 'organizational', 'contractor'] as const)
      for (let n = 0; n < 6; n++) {
        const carried = some(every, 3)
        const id = await newRole(carried, roleType)
        contents.set(id, carried)
        typed[roleType].push(id)
      }
    type Link = { userId: string; roleId: string; organizationId: string | null; contractorId: string | null }
    const links: Link[] = []
    const people = ids(await Promise.all(Array.from({ length: 8 }, () => createUser({ roles: [] }))))
    for (const userId of people) {
      for (const roleId of some(typed.systemic, 2))
        links.push({ userId, roleId, organizationId: null, contractorId: null })
      for (const roleId of some(typed.organizational, 2))
        links.push({ userId, roleId, organizationId: places[below(3)] ?? null, contractorId: null })
      for (const roleId of some(typed.contractor, 2))
        links.push({ userId, roleId, organizationId: places[below(3)] ?? null, contractorId: firms[below(3)] ?? null })
    }
    for (const { contractorId, organizationId, ...link } of links)
      if (contractorId && organizationId) {
        await db().insert(userContractors).values({ userId: link.userId, contractorId }).onConflictDoNothing()
        await db()
          .insert(userContractorRoles)
          .values({ ...link, contractorId, organizationId })
      } else
        await db()
          .insert(userRoles)
          .values({ ...link, organizationId })

    const methodsIn = (heldLinks: Link[]) => new Set(heldLinks.flatMap(({ roleId }) => contents.get(roleId) ?? []))
    const administrator = await createUser({ roles: ['administrator'] })
    const codesOf = (heldIds: Set<string>) =>
      new Set(systemic.filter(({ id }) => heldIds.has(id)).map(({ code }) => code))
    const callerOf = async (
      userId: string,
      heldRights: { methods: Set<string>; methodIds: Set<string> },
      service: boolean,
    ) => {
      const ctx = await createContext({ methods: [] })
      const user = ctx.user && { ...ctx.user, id: userId, ...heldRights }
      if (!service) return { ...ctx, user } satisfies Ctx
      return {
        ...ctx,
        user: null,
        session: null,
        service: { applicationId: userId, clientId: 'c', ...heldRights },
      } satisfies Ctx
    }

    for (const round of eachRound(60)) {
      const kind = below(4)
      const userId = kind === 0 ? administrator.id : (people[below(people.length)] ?? '')
      const heldRights =
        kind === 1
          ? { methods: codesOf(new Set(every.slice(round % 20))), methodIds: new Set(every.slice(round % 20)) }
          : await accessOf(userId)
      const ctx = await callerOf(userId, heldRights, kind === 1)
      const [roleIds, methodIds, at, of, whom] = [
        some([...contents.keys()], 3),
        some(every, 3),
        some(places, 2),
        some(firms, 2),
        some(people, 2),
      ]
      const cases = [
        [{ roles: roleIds }, new Set(roleIds.flatMap((id) => contents.get(id) ?? []))],
        [{ methods: methodIds }, new Set(methodIds)],
        [{ organizations: at }, methodsIn(links.filter((link) => at.includes(link.organizationId ?? '')))],
        [{ contractors: of }, methodsIn(links.filter((link) => of.includes(link.contractorId ?? '')))],
        [
          { contractors: of, organizations: at },
          methodsIn(links.filter((l) => of.includes(l.contractorId ?? '') && at.includes(l.organizationId ?? ''))),
        ],
        [{ people: whom }, methodsIn(links.filter((link) => whom.includes(link.userId)))],
      ] as const
      const code = new Map(systemic.map((method) => [method.id, method.code]))
      /** What the caller has only for other contractors, or as a contractor manager of an organization. */
      const outOfReach = (scope: string | undefined) => {
        const ownLinks = kind === 1 ? [] : links.filter((link) => link.userId === userId)
        const counts = (link: Link, id: string) =>
          link.contractorId === null
            ? link.organizationId === null || code.get(id) !== 'masterAccountAccess'
            : link.contractorId === scope
        const pairs = ownLinks.flatMap((link) =>
          (contents.get(link.roleId) ?? []).map((id) => [id, counts(link, id)] as const),
        )
        const near = new Set(pairs.flatMap(([id, near]) => (near ? [id] : [])))
        const far = new Set(pairs.flatMap(([id]) => (near.has(id) ? [] : [id])))
        const remainingCodes = withImplied(codesOf(near))
        return { ids: far, codes: new Set([...withImplied(codesOf(far))].filter((one) => !remainingCodes.has(one))) }
      }
      for (const [rights, given] of cases) {
        const scope = 'contractors' in rights && rights.contractors.length === 1 ? rights.contractors[0] : undefined
        const far = outOfReach(scope)
        const lacks = (id: string) => {
          const systemicCode = code.get(id)
          if (systemicCode) return !heldRights.methods.has(systemicCode) || far.codes.has(systemicCode)
          return kind !== 0 && (!heldRights.methodIds.has(id) || far.ids.has(id))
        }
        const expected = [...given].filter(lacks).sort()
        expect(ids(await methodsNotHeld(db(), ctx, rights)).sort(), `${round} ${JSON.stringify(rights)}`).toEqual(
          expected,
        )
        const refused = await requireAssignable(db(), ctx, rights, 'forbiddenRole').then(
          () => null,
          (error) => error,
        )
        if (expected.length > 0) expect(refused).toMatchObject({ status: 403, code: 'forbiddenRole' })
        else expect(refused).toBeNull()
      }
    }
  })

  test('are methods of applications for an administrator in effect alone, who doesn’t hold them', async () => {
    const { ofApplication } = await allMethods()
    const person = await createUser({ roles: ['administrator'] })
    const access = await accessOf(person.id)
    const base = await createContext({ methods: [] })
    const ctx = { ...base, user: base.user && { ...base.user, id: person.id, ...access } }
    expect(ofApplication.some((id) => access.methodIds.has(id))).toBe(false)
    await requireAssignable(db(), ctx, { methods: ofApplication }, 'forbiddenRole')
    // the same methods by another role, and a service account with the same id, don't make an administrator
    const other = await createUser({ roles: [] })
    const copy = { ...ctx, user: ctx.user && { ...ctx.user, id: other.id } }
    await expect(requireAssignable(db(), copy, { methods: ofApplication }, 'forbiddenRole')).rejects.toMatchObject({
      status: 403,
    })
    const service = {
      ...ctx,
      user: null,
      session: null,
      service: { applicationId: person.id, clientId: person.id, ...access },
    }
    await expect(requireAssignable(db(), service, { methods: ofApplication }, 'forbiddenRole')).rejects.toMatchObject({
      status: 403,
    })
    await db().update(roles).set({ enabled: false }).where(eq(roles.code, 'administrator'))
    await expect(requireAssignable(db(), ctx, { methods: ofApplication }, 'forbiddenRole')).rejects.toMatchObject({
      status: 403,
    })
    await db().update(roles).set({ enabled: true }).where(eq(roles.code, 'administrator'))
  })
})

describe('a disabled role', () => {
  test('gives nobody its methods, wherever it is held', async () => {
    const [read] = await db().select().from(methods).where(eq(methods.code, 'history.read'))
    const company = await createContractor()
    const place = company.organization.id
    for (const roleType of ['systemic', 'organizational', 'contractor'] as const) {
      const user = await createUser({ roles: [] })
      const roleId = await newRole([read?.id ?? ''], roleType)
      if (roleType === 'contractor') await join(company, user.id, [roleId])
      else
        await db()
          .insert(userRoles)
          .values({ userId: user.id, roleId, organizationId: roleType === 'systemic' ? null : place })
      expect((await accessOf(user.id)).methods).toEqual(new Set(['history.read']))
      await db().update(roles).set({ enabled: false }).where(eq(roles.id, roleId))
      expect(await accessOf(user.id)).toEqual({ methods: new Set(), methodIds: new Set() })
    }
  })

  test('makes no contractor manager, and leaves its people in the contractor', async () => {
    const [method] = await db().select().from(methods).where(eq(methods.code, 'masterAccountAccess'))
    const company = await createContractor()
    const { user, browser } = await signedInWith(['masterAccountAccess'])
    await db().delete(userRoles).where(eq(userRoles.userId, user.id))
    const roleId = await newRole([method?.id ?? ''], 'contractor')
    await join(company, user.id, [roleId])
    const ctx = await contextOf(browser)
    await requireManagerOf(ctx, company.contractor.id)
    await db().update(roles).set({ enabled: false }).where(eq(roles.id, roleId))
    await expect(requireManagerOf(ctx, company.contractor.id)).rejects.toMatchObject({ status: 404 })
    expect(await isInContractor([user.id], company.contractor.id)).toBe(true)
  })
})

describe('a change for many people', () => {
  /** Somebody signed in with a contractor role for history.read, and what may be disabled around them. */
  async function somebody() {
    const [read] = await db().select().from(methods).where(eq(methods.code, 'history.read'))
    const company = await createContractor()
    const roleId = await newRole([read?.id ?? ''], 'contractor')
    const [user, browser] = [await createUser({ roles: [] }), new Browser()]
    await join(company, user.id, [roleId])
    await signInByPassword(browser, user.login, password)
    const mayRead = async () => (await contextOf(browser)).user?.methods.has('history.read')
    return { user, roleId, company, mayRead }
  }
  const ctx = () => createContext({ methods: [] })

  test('acts in open sessions at once: of a role, of an organization, of a contractor', async () => {
    const { roleId, company, mayRead } = await somebody()
    const [organization, contractor] = [company.organization.id, company.contractor.id]
    const places = [
      [roles, roleId, { role: roleId }],
      [organizations, organization, { organization }],
      [contractors, contractor, { contractor }],
    ] as const
    expect(await mayRead()).toBe(true)
    for (const [table, id, whose] of places)
      for (const enabled of [false, true]) {
        const after = await db().transaction(async (tx) => {
          await tx.update(table).set({ enabled }).where(eq(table.id, id))
          return refreshRights(tx, await ctx(), whose)
        })
        await after()
        expect(await mayRead()).toBe(enabled)
      }
  })

  test('acts within a second in this process when another made it, for one or for more than can be named', async () => {
    const { user, roleId, mayRead } = await somebody()
    const [inOrganization, forContractor] = [await somebody(), await somebody()]
    const { id: organization } = inOrganization.company.organization
    const { id: contractor } = forContractor.company.contractor
    const change = (enabled: boolean) =>
      inOtherProcess(
        `const { db } = await load('db/client.ts')
         const { compose } = await load('lib/wiring/compose.ts')
         compose()
         const { refreshRights } = await load('lib/access/rights/service.ts')
         const { sql } = await import('drizzle-orm')
         const changes = {
           roles: ['${roleId}', { role: '${roleId}' }],
           organizations: ['${organization}', { organization: '${organization}' }],
           contractors: ['${contractor}', { contractor: '${contractor}' }],
         }
         for (const [table, [id, whose]] of Object.entries(changes)) {
           const after = await db().transaction(async (tx) => {
             await tx.execute(sql\`update \${sql.identifier(table)} set enabled = ${enabled} where id = \${id}\`)
             return refreshRights(tx, { now: () => new Date() }, whose)
           })
           await after()
         }`,
        { REDIS_URL: 'redis://127.0.0.1:1' },
      )
    expect(await mayRead()).toBe(true)
    for (const each of [inOrganization, forContractor]) expect(await each.mayRead()).toBe(true)
    await change(false)
    const everybody = async () => [await mayRead(), await inOrganization.mayRead(), await forContractor.mayRead()]
    await expect.poll(everybody, { timeout: 1_000 }).toEqual([false, false, false])
    await db().execute(sql`
      with people as (
        insert into users (login) select 'crowd.' || n from generate_series(1, 1100) n returning id
      ) insert into user_roles (user_id, role_id) select id, ${roleId} from people`)
    await change(true)
    await expect.poll(everybody, { timeout: 1_000 }).toEqual([true, true, true])
    expect(user.id).toBeTruthy()
  })
})
