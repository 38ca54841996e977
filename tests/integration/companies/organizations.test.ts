import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  contractorOrganizations,
  invitationRoles,
  invitations,
  organizations,
  userContractorRoles,
  userContractors,
  userRoles,
} from '@/db/schema'
import { accessOf } from '@/lib/access/roles/service'
import { ensureListening } from '@/lib/base/cache/notifications'
import { organizationContractors, organizationRoles } from '@/lib/companies/organizations/card'
import {
  createOrganization,
  deleteOrganization,
  enableOrganization,
  listOrganizations,
  OrganizationContractorQuery,
  OrganizationQuery,
  readOrganization,
  searchOrganizations,
  updateOrganization,
} from '@/lib/companies/organizations/contract'
import { invitationState } from '@/lib/joining/invitations/service'
import { accountClaims } from '@/lib/openid/claims/service'
import { signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { contextOf } from '../../factories/invitations'
import { eachRound } from '../../factories/random-cases'
import { createOrganizationalRole, holdInOrganization } from '../../factories/roles-held'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let admin: Caller
beforeAll(async () => {
  // holds what the roles of these tests carry
  admin = new Caller((await signedInWith(['organizations.write', 'contractors.read', 'history.read'])).browser)
})
beforeEach(async () => {
  expect(await ensureListening()).toBe(true)
})

const create = async (body: object = {}) => {
  const input = { name: `Организация ${randomUUID()}`, ...body }
  return { ...input, ...(await admin.call(createOrganization, { body: input })) }
}
const card = (id: string) => admin.call(readOrganization, { params: { id } })
const list = (query: object = {}) => admin.call(listOrganizations, { query })
const enable = (caller: Caller, id: string, enabled: boolean) =>
  caller.send(enableOrganization, { params: { id }, body: { enabled } })

describe('the code', () => {
  test('is made from the English name or the name, and stays unique', async () => {
    const body = { name: 'Ёж и сыновья', nameEn: 'Hedgehog & Sons' }
    const codes = [(await create(body)).code, (await create(body)).code, (await create({ name: 'Щука' })).code]
    expect(codes).toEqual(['hedgehog-sons', 'hedgehog-sons-2', 'shchuka'])
  })

  test('is kept by a change that names none, and made for an organization of an earlier version', async () => {
    const { id, code } = await create({ name: 'Старая' })
    await admin.call(updateOrganization, { params: { id }, body: { name: 'Новая' } })
    expect(await card(id)).toMatchObject({ name: 'Новая', code })
    await db().update(organizations).set({ code: null }).where(eq(organizations.id, id))
    expect(await card(id)).toMatchObject({ code: '' })
    await create({ name: 'Новая' })
    await admin.call(updateOrganization, { params: { id }, body: { name: 'Новая' } })
    expect((await card(id)).code).toBe('novaya-2')
  })

  test.each(['Ä', 'два', 'A', 'a--b', '-a', 'a b'])('is refused as %j', async (code) => {
    expect(await admin.send(createOrganization, { body: { name: 'x', code } })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'code', code: 'errorLatin' }] } },
    })
  })
})

test('wrong control digits are saved', async () => {
  const { id } = await create({ inn: '7707083894', ogrn: '1027700132196' })
  expect(await card(id)).toMatchObject({ inn: '7707083894', ogrn: '1027700132196' })
})

describe('the list', () => {
  test('is sorted by name in the reader’s language, and refuses what it doesn’t declare', async () => {
    expect(OrganizationQuery.parse({})).toMatchObject({ sortBy: 'name', sort: 'asc', page: 1 })
    await create({ name: 'Яблоко', nameEn: 'Apple' })
    await create({ name: 'Арбуз', nameEn: 'Watermelon' })
    const names = (await list({ meta: { perPage: 100 } })).organizations.map(({ name }) => name)
    expect(names).toEqual(names.toSorted(new Intl.Collator('und').compare))
    expect(names.indexOf('Арбуз')).toBeLessThan(names.indexOf('Яблоко'))
    admin.browser.cookies.set('locale', 'en')
    const inEnglish = (await list({ meta: { perPage: 100 } })).organizations.map(({ name }) => name)
    admin.browser.cookies.delete('locale')
    expect(inEnglish.indexOf('Яблоко')).toBeLessThan(inEnglish.indexOf('Арбуз'))
    for (const query of [
      { sortBy: 'inn' },
      { filter: { kpp: '1' } },
      { meta: { perPage: 7 } },
      { filter: { enabled: 'x' } },
    ])
      expect((await admin.send(listOrganizations, { query })).status, JSON.stringify(query)).toBe(400)
  })

  test('finds by part of name, English name, code and inn; filters by state', async () => {
    const made = await create({ name: 'АО «Маяк»', nameEn: 'Lighthouse JSC', code: 'beacon', inn: '7707083893' })
    for (const search of ['маяк', 'LIGHTH', 'eaco', '08389'])
      expect(
        (await list({ filter: { search } })).organizations.map(({ id }) => id),
        search,
      ).toContain(made.id)
    for (const search of ['100%', '_', 'нет такой'])
      expect((await list({ filter: { search } })).organizations).toEqual([])
    await enable(admin, made.id, false)
    const idsFound = async (enabled: boolean) =>
      (await list({ filter: { search: 'beacon', enabled } })).organizations.map(({ id }) => id)
    expect(await idsFound(false)).toEqual([made.id])
    expect(await idsFound(true)).toEqual([])
  })

  test('is read by cursor without gaps and repeats, by each of its sorts', async () => {
    for (let n = 0; n < 12; n++) await create({ name: `Курсор ${n % 3}`, nameEn: '' })
    for (const sortBy of ['name', 'code', 'updatedAt'])
      for (const sort of ['asc', 'desc']) {
        const seen: string[] = []
        let after: string | null = null
        do {
          const meta = after ? { perPage: 10, after } : { perPage: 10 }
          const page = await list({ sortBy, sort, filter: { search: 'Курсор' }, meta })
          seen.push(...page.organizations.map(({ id }) => id))
          after = page.meta.after
        } while (after)
        const all = await list({ sortBy, sort, filter: { search: 'Курсор' }, meta: { perPage: 100 } })
        const whole = all.organizations.map(({ id }) => id)
        expect(seen, `${sortBy} ${sort}`).toEqual(whole)
        expect(new Set(seen).size).toBe(12)
      }
  })

  test('counts people once, whatever roles they hold, up to a hundred', async () => {
    const { id } = await create()
    const { userId } = await holdInOrganization(id)
    await holdInOrganization(id, [], userId)
    const company = await createContractor()
    await join(company, userId, [])
    const role = await createContractorRole()
    await db()
      .insert(userContractorRoles)
      .values({ userId, contractorId: company.contractor.id, organizationId: id, roleId: role.id })
    const row = async () => (await list({ filter: { search: (await card(id)).code } })).organizations[0]
    expect((await row())?.people).toEqual({ count: 1, more: false })
    const many = await Promise.all(Array.from({ length: 100 }, () => createUser({ roles: [] })))
    await db()
      .insert(userContractors)
      .values(many.map((user) => ({ userId: user.id, contractorId: company.contractor.id })))
    await db()
      .insert(userContractorRoles)
      .values(
        many.map((user) => ({
          userId: user.id,
          contractorId: company.contractor.id,
          organizationId: id,
          roleId: role.id,
        })),
      )
    expect((await row())?.people).toEqual({ count: 100, more: true })
    expect((await card(id)).people).toEqual({ count: 101, more: false })
  })
})

test('the search is open to areas that offer organizations', async () => {
  const { id, name, code } = await create()
  for (const area of ['contractors.read', 'roles.read', 'users.read']) {
    const caller = new Caller((await signedInWith([area])).browser)
    expect(await caller.call(searchOrganizations, { query: { searchValue: name } })).toEqual({
      organizations: [{ id, name, nameEn: '', code, enabled: true }],
    })
    expect((await caller.send(listOrganizations)).status).toBe(403)
  }
})

describe('the card', () => {
  test('shows which roles are held, by how many people, and which contractors have it', async () => {
    const { organization, contractor } = await createContractor()
    const [inOffice, ofContractor] = [await createOrganizationalRole(), await createContractorRole()]
    const people = await Promise.all([1, 2, 3].map(() => createUser({ roles: [] })))
    for (const { id } of people) {
      await db().insert(userRoles).values({ userId: id, roleId: inOffice.id, organizationId: organization.id })
      await db().insert(userContractors).values({ userId: id, contractorId: contractor.id })
    }
    await db()
      .insert(userContractorRoles)
      .values({
        userId: people[0]?.id ?? '',
        contractorId: contractor.id,
        organizationId: organization.id,
        roleId: ofContractor.id,
      })
    const ctx = await contextOf(admin.browser)
    const roles = await organizationRoles(ctx, organization.id)
    expect(roles.map(({ id, roleType, people: { count } }) => [id, roleType, count]).toSorted()).toEqual(
      [
        [inOffice.id, 'organizational', 3],
        [ofContractor.id, 'contractor', 1],
      ].toSorted(),
    )
    const query = OrganizationContractorQuery.parse({})
    expect((await organizationContractors(ctx, organization.id, { query })).contractors).toMatchObject([
      { id: contractor.id, name: contractor.name },
    ])
    expect(await organizationRoles(ctx, (await create()).id)).toEqual([])
    const noContractors = await createContext({ methods: ['organizations.read'] })
    await expect(organizationContractors(noContractors, organization.id, { query })).rejects.toMatchObject({
      status: 403,
    })
  })
})

describe('a disabled organization', () => {
  test('takes the rights of its roles from open sessions and tokens at once, and gives them back', async () => {
    const { browser, user } = await signedInWith([])
    const { id } = await create()
    await holdInOrganization(id, ['history.read'], user.id)
    const rights = async () => {
      const claims = await (await accountClaims(user.id))?.('openid roles', 'x')
      return {
        session: (await contextOf(browser)).user?.methods.has('history.read'),
        account: (await accessOf(user.id)).methods.has('history.read'),
        roles: (claims?.role_ids as string[] | undefined)?.length ?? Number.NaN,
      }
    }
    // the role was given beside the platform: the session reads it anew with the first change
    expect((await enable(admin, id, false)).status).toBe(200)
    const without = await rights()
    expect(without).toMatchObject({ session: false, account: false })
    expect((await enable(admin, id, true)).status).toBe(200)
    expect(await rights()).toEqual({ session: true, account: true, roles: without.roles + 1 })
    expect((await enable(admin, id, false)).status).toBe(200)
    expect(await rights()).toEqual(without)
  })

  test('lets nobody accept an invitation to roles in it alone; enabled again, the link works', async () => {
    const { guid, organization, id } = await plantInvitation()
    const ctx = await createContext({ methods: [] })
    const anonymous = { ...ctx, user: null, session: null }
    const kind = async () => (await invitationState(anonymous, guid)).kind
    expect(await kind()).toBe('open')
    await enable(admin, organization.id, false)
    expect(await kind()).toBe('canceled')
    // roles elsewhere are still offered
    const other = await create()
    const [invitation] = await db().select().from(invitations).where(eq(invitations.id, id))
    const role = await createContractorRole()
    await db()
      .insert(contractorOrganizations)
      .values({ contractorId: invitation?.contractorId ?? '', organizationId: other.id })
    await db().insert(invitationRoles).values({ invitationId: id, organizationId: other.id, roleId: role.id })
    const offered = await invitationState(anonymous, guid)
    expect(offered.kind === 'open' && offered.view.organizations.map((one) => one.organizationId)).toEqual([other.id])
    await enable(admin, organization.id, true)
    const both = await invitationState(anonymous, guid)
    expect(both.kind === 'open' && both.view.organizations).toHaveLength(2)
  })
})

describe('deletion', () => {
  test('is refused with counts while something names the organization, and free otherwise', async () => {
    const { organization, contractor, id: invitationId, role } = await plantInvitation()
    const { id } = organization
    const { userId } = await holdInOrganization(id)
    const remove = () => admin.send(deleteOrganization, { params: { id } })
    const used = (people: number, contractors: number, invited: number) => ({
      status: 409,
      body: { code: 'organizationUsed', data: { usedBy: { people, contractors, invitations: invited } } },
    })
    expect(await remove()).toMatchObject(used(1, 1, 1))
    await db().delete(userRoles).where(eq(userRoles.userId, userId))
    expect(await remove()).toMatchObject(used(0, 1, 1))
    await db().delete(contractorOrganizations).where(eq(contractorOrganizations.contractorId, contractor.id))
    expect(await remove()).toMatchObject(used(0, 0, 1))
    // the list says so too, so that the menu of the row can
    const listed = async () => {
      const { organizations: rows } = await list({ filter: { search: organization.name } })
      return rows.find((row) => row.id === id)?.invitations
    }
    expect(await listed()).toEqual({ count: 1, more: false })
    await db()
      .update(invitations)
      .set({ expiresAt: new Date(0) })
      .where(eq(invitations.id, invitationId))
    expect(await listed()).toEqual({ count: 0, more: false })
    await db().update(invitations).set({ status: 'deleted' }).where(eq(invitations.id, invitationId))
    expect(await db().$count(organizations, eq(organizations.id, id))).toBe(1)
    expect((await remove()).status).toBe(200)
    expect(await db().$count(organizations, eq(organizations.id, id))).toBe(0)
    expect(role.id).toBeTruthy()
  })

  test('loses no role that is given at the same moment', async () => {
    const role = await createOrganizationalRole()
    for (const round of eachRound(5)) {
      const { id } = await create()
      const user = await createUser({ roles: [] })
      const [removed, given] = await Promise.all([
        admin.send(deleteOrganization, { params: { id } }),
        db()
          .insert(userRoles)
          .values({ userId: user.id, roleId: role.id, organizationId: id })
          .then(
            () => true,
            () => false,
          ),
      ])
      // either the role was first and keeps the organization, or there is nothing any more to give it in
      expect([removed.status, given], `round ${round}`).toEqual(given ? [409, true] : [200, false])
    }
  })
})

test('of thirty saves of one version one wins, and so of thirty switches', async () => {
  const { id, name } = await create()
  const { updatedAt } = await card(id)
  const saves = await thirty((n) =>
    admin.send(updateOrganization, { params: { id }, body: { name: `${name} ${n}`, updatedAt } }),
  )
  expect(saves.map(({ status }) => status).sort()).toEqual(oneOf30)
  const version = (await card(id)).updatedAt
  const switches = await thirty(() =>
    admin.send(enableOrganization, { params: { id }, body: { enabled: false, updatedAt: version } }),
  )
  expect(switches.map(({ status }) => status).sort()).toEqual(oneOf30)
})
