import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, invitationRoles, invitations, organizations } from '@/db/schema'
import { accessOf } from '@/lib/access/roles/service'
import { createOrganization, deleteOrganization, enableOrganization } from '@/lib/companies/organizations/contract'
import { enableOrganization as enableByVerb } from '@/lib/companies/organizations/service'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { holdInOrganization } from '../../factories/roles-held'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

useTestDatabase()

let admin: Caller
beforeAll(async () => {
  admin = new Caller((await signedInWith(['organizations.write'])).browser)
})
const create = () => admin.call(createOrganization, { body: { name: `Организация ${randomUUID()}` } })
const enable = (caller: Caller, id: string, enabled: boolean) =>
  caller.send(enableOrganization, { params: { id }, body: { enabled } })
const isEnabled = async (id: string) =>
  (await db().select().from(organizations).where(eq(organizations.id, id)))[0]?.enabled

describe('an attacker with organizations.write', () => {
  const attacker = async (methods: string[] = []) => {
    const { browser, user } = await signedInWith(['organizations.write', ...methods])
    return { caller: new Caller(browser), user }
  }
  const refusal = { status: 403, body: { code: 'forbiddenOrganization' } }

  test('can’t bring back their own roles by enabling the organization in which they hold them', async () => {
    const { caller, user } = await attacker()
    for (const method of ['users.write', 'roles.write', 'history.read']) {
      const { id } = await create()
      await holdInOrganization(id, [method], user.id)
      await db().update(organizations).set({ enabled: false }).where(eq(organizations.id, id))
      expect(await enable(caller, id, true)).toMatchObject(refusal)
      expect(await isEnabled(id)).toBe(false)
      expect((await accessOf(user.id)).methods.has(method as never)).toBe(false)
      expect(await db().$count(history, and(eq(history.entityId, id), eq(history.type, 'update')))).toBe(0)
    }
  })

  test('can’t bring back a contractor role, nor an invitation to rights that they lack', async () => {
    const { caller, user } = await attacker()
    const company = await createContractor()
    await join(company, user.id, [(await createContractorRole(['users.write'])).id])
    await db().update(organizations).set({ enabled: false }).where(eq(organizations.id, company.organization.id))
    expect(await enable(caller, company.organization.id, true)).toMatchObject(refusal)

    const invited = await plantInvitation({ email: user.email ?? '' })
    const role = await createContractorRole(['users.write'])
    await db()
      .insert(invitationRoles)
      .values({ invitationId: invited.id, organizationId: invited.organization.id, roleId: role.id })
    await db().update(organizations).set({ enabled: false }).where(eq(organizations.id, invited.organization.id))
    expect(await enable(caller, invited.organization.id, true)).toMatchObject(refusal)
    // an expired invitation gives nobody anything
    await db()
      .update(invitations)
      .set({ expiresAt: new Date(0) })
      .where(eq(invitations.id, invited.id))
    expect((await enable(caller, invited.organization.id, true)).status).toBe(200)
  })

  test('can’t take from others what they lack, by disabling or deleting', async () => {
    const { caller } = await attacker()
    const { id } = await create()
    await holdInOrganization(id, ['users.write'])
    expect(await enable(caller, id, false)).toMatchObject(refusal)
    expect(await caller.send(deleteOrganization, { params: { id } })).toMatchObject(refusal)
    expect(await isEnabled(id)).toBe(true)
  })

  test('may switch what gives no more than they hold, also when another holder has other rights elsewhere', async () => {
    const { caller, user } = await attacker(['history.read'])
    const { id } = await create()
    await holdInOrganization(id, ['history.read'], user.id)
    const elsewhere = await create()
    await holdInOrganization(elsewhere.id, ['users.write'], user.id)
    expect((await enable(caller, id, false)).status).toBe(200)
    expect((await enable(caller, id, true)).status).toBe(200)
  })

  test('gains nothing whatever they switch, in random worlds', async () => {
    const all = ['history.read', 'users.read', 'roles.read', 'monitoring.read', 'license.read']
    const below = caseNumbers(94)
    const some = () => all.filter(() => below(3) === 0)
    let [done, refused] = [0, 0]
    for (const round of eachRound(10, () => Math.min(done, refused) > rounds(5))) {
      const user = await createUser({ roles: [await createRoleWith(['organizations.write', ...some()])] })
      const places = await Promise.all([1, 2, 3].map(() => create()))
      for (const { id } of places) {
        await holdInOrganization(id, some(), below(2) === 0 ? user.id : undefined)
        await db()
          .update(organizations)
          .set({ enabled: below(2) === 0 })
          .where(eq(organizations.id, id))
      }
      const before = await accessOf(user.id)
      for (let step = 0; step < 6; step++) {
        const ctx = await createContext({ methods: [] })
        const access = await accessOf(user.id)
        const input = { params: { id: places[below(3)]?.id ?? '' }, body: { enabled: below(2) === 0 } }
        const switched = enableByVerb({ ...ctx, user: ctx.user && { ...ctx.user, id: user.id, ...access } }, input)
        await switched.then(
          () => done++,
          (error) => {
            expect(error).toMatchObject({ status: 403, code: 'forbiddenOrganization' })
            refused++
          },
        )
      }
      const gained = [...(await accessOf(user.id)).methods].filter((method) => !before.methods.has(method))
      expect(gained, `round ${round}`).toEqual([])
    }
    expect(Math.min(done, refused)).toBeGreaterThan(shareOf(5))
  })
})
