import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, dynamicFields, invitationRoles, invitations, userContacts, users } from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { listContacts, previewRemoval, readContact } from '@/lib/companies/colleagues/contract'
import { idOf, manager } from '../../factories/access-requests'
import { type Caller, callerFor } from '../../factories/caller'
import { type Company, createContractor, createContractorRole, join, newEmail } from '../../factories/companies'
import { heldFor, idsIn, reread } from '../../factories/contacts'
import { first } from '../../factories/platform'
import { caseNumbers } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

useTestDatabase()

const everything = { meta: { perPage: 100 as const } }
const list = async (caller: Caller, filter: object = {}) =>
  (await caller.call(listContacts, { query: { ...everything, filter } })).contacts
const names = async (caller: Caller, filter: object = {}) =>
  (await list(caller, filter)).map(({ name, email }) => name || email)
const card = (caller: Caller, userId: string) => caller.send(readContact, { params: { userId } })

/** Somebody of this company. */
async function member(company: Company, roles: string[] = []) {
  const caller = await callerFor(listContacts)
  const id = await idOf(caller)
  await join(company, id, roles)
  return { caller, id }
}

/** An open invitation to a company. */
async function invited(company: Company, values: Partial<typeof invitations.$inferInsert> = {}) {
  const role = await createContractorRole()
  const email = newEmail()
  const expiresAt = new Date(Date.now() + 3_600_000)
  const row = first(
    await db()
      .insert(invitations)
      .values({ idHash: randomUUID(), email, contractorId: company.contractor.id, expiresAt, ...values })
      .returning(),
  )
  const organizationId = company.organization.id
  await db().insert(invitationRoles).values({ invitationId: row.id, organizationId, roleId: role.id })
  return { ...row, role }
}

describe('the list', () => {
  test('has the colleagues of all companies once each, by name, and never the person', async () => {
    const [one, two] = [await createContractor(), await createContractor()]
    const { caller, id } = await member(one)
    await join(two, id, [])
    const made = []
    for (const fio of ['Яковлев Я', 'Антонов А', 'Мирный М']) {
      const person = await createUser({ fio })
      await join(one, person.id, [])
      await join(two, person.id, [])
      made.push(person.id)
    }
    expect(await names(caller)).toEqual(['Антонов А', 'Мирный М', 'Яковлев Я'])
    expect((await list(caller))[0]?.contractors.map(({ id }) => id).toSorted()).toEqual(
      [one.contractor.id, two.contractor.id].toSorted(),
    )
    const query = { sortBy: 'name' as const, sort: 'desc' as const, ...everything }
    const { contacts } = await caller.call(listContacts, { query })
    expect(contacts.map(({ name }) => name)).toEqual(['Яковлев Я', 'Мирный М', 'Антонов А'])
    expect((await card(caller, id)).status).toBe(404)
  })

  test('tells whether somebody can work: an enabled account with a role that is in effect', async () => {
    const company = await createContractor()
    const { caller } = await member(company)
    const role = await createContractorRole()
    const [works, idle, blocked] = [await createUser(), await createUser(), await createUser({ enabled: false })]
    await join(company, works.id, [role.id])
    await join(company, idle.id, [])
    await join(company, blocked.id, [role.id])
    // a role elsewhere doesn't count, and isn't told
    const elsewhere = await createContractor()
    const secret = await createContractorRole()
    await join(elsewhere, idle.id, [secret.id])
    const status = async (access: string) => (await list(caller, { access: [access] })).map(({ userId }) => userId)
    expect(await status('active')).toEqual([works.id])
    expect((await status('inactive')).toSorted()).toEqual([idle.id, blocked.id].toSorted())
    expect(await status('invitationSent')).toEqual([])
    expect((await list(caller, { roleId: role.id })).map(({ userId }) => userId).toSorted()).toEqual(
      [works.id, blocked.id].toSorted(),
    )
    expect(await list(caller, { roleId: secret.id })).toEqual([])
    expect(await list(caller, { contractorId: elsewhere.contractor.id })).toEqual([])
    const seen = await card(caller, works.id)
    expect(seen.body).toMatchObject({ access: 'active' })
    await db().update(contractors).set({ enabled: false }).where(eq(contractors.id, company.contractor.id))
    expect(await list(caller)).toEqual([])
    expect((await card(caller, works.id)).status).toBe(404)
  })

  test('has open invitations for managers alone, and only of what they manage', async () => {
    const [managed, other] = [await createContractor(), await createContractor()]
    const { caller, id } = await manager(managed)
    await join(other, id, [])
    const invitation = await invited(managed)
    await invited(managed, { status: 'refusal' })
    await invited(managed, { expiresAt: new Date(Date.now() - 1000) })
    await invited(other)
    const plain = await member(managed)
    const [found, ...more] = await list(caller, { access: ['invitationSent'] })
    expect(more).toEqual([])
    expect(found).toEqual({
      id: invitation.id,
      userId: null,
      name: '',
      email: invitation.email,
      mobile: null,
      picture: null,
      access: 'invitationSent',
      expiresAt: invitation.expiresAt.toISOString(),
      contractors: [
        {
          id: managed.contractor.id,
          name: managed.contractor.name,
          roles: [{ id: invitation.role.id, name: invitation.role.name }],
        },
      ],
    })
    expect(await names(caller, { search: invitation.email.slice(1) })).toEqual([invitation.email])
    expect(await names(caller, { roleId: invitation.role.id, contractorId: managed.contractor.id })).toHaveLength(1)
    expect(await names(caller, { contractorId: other.contractor.id })).toEqual([])
    expect((await list(plain.caller)).map(({ userId }) => userId)).toEqual([id])
    // accepted: the person is a contact, and the invitation none
    const joined = await createUser({ email: invitation.email })
    await join(managed, joined.id, [])
    await db().update(invitations).set({ status: 'success' }).where(eq(invitations.id, invitation.id))
    expect((await list(caller, { search: invitation.email })).map(({ userId }) => userId)).toEqual([joined.id])
  })

  test('goes on by cursor over people and invitations together, each once', async () => {
    const company = await createContractor()
    const { caller } = await manager(company)
    for (let n = 0; n < 16; n++) {
      await join(company, (await createUser({ fio: n % 3 ? `Имя ${n}` : 'Одно Имя' })).id, [])
      if (n % 2) await invited(company)
    }
    const seen: string[] = []
    let after: string | undefined
    do {
      const meta = { perPage: 10 as const, ...(after ? { after } : {}) }
      const page = await caller.call(listContacts, { query: { meta } })
      seen.push(...page.contacts.map(({ id }) => id))
      after = page.meta.after ?? undefined
    } while (after)
    expect(seen).toHaveLength(24)
    expect(new Set(seen).size).toBe(24)
  })
})

describe('what is seen of a person', () => {
  const setField = async (code: string, profileVisible: boolean) => {
    await db()
      .update(dynamicFields)
      .set({ profileVisible, profileRequired: false })
      .where(and(eq(dynamicFields.type, 'users'), eq(dynamicFields.code, code)))
    await invalidate(db(), 'dynamic-fields')
    dropCached('dynamic-fields')
  }
  afterEach(async () => {
    for (const code of ['email', 'mobile']) await setField(code, true)
  })

  test('no login, in no answer and by no search, also of somebody without a name', async () => {
    const company = await createContractor()
    const { caller } = await manager(company)
    const nameless = await createUser({ fio: '', lastName: '', firstName: '', middleName: '', email: newEmail() })
    await join(company, nameless.id, [])
    const answers = JSON.stringify([await list(caller), (await card(caller, nameless.id)).body])
    expect(answers).toContain(nameless.id)
    expect(answers).not.toContain(nameless.login)
    for (const piece of [nameless.login, nameless.login.slice(2)])
      expect(await list(caller, { search: piece })).toEqual([])
  })

  test.each([
    ['email', 'Anna.Mixed@Polaris.example', 'anna.mixed@polaris.example'],
    ['mobile', '8 (921) 765-43-21', '+79217654321'],
  ] as const)('no %s that its owner refused, however an administrator typed it', async (kind, typed, stored) => {
    const company = await createContractor()
    const { caller } = await manager(company)
    const person = await createUser({ [kind]: typed })
    await join(company, person.id, [])
    await db().insert(userContacts).values({ userId: person.id, kind, value: stored, agreement: 'refused' })
    const answers = JSON.stringify([await list(caller), (await card(caller, person.id)).body])
    expect(answers).toContain(person.id)
    expect(answers).not.toContain(typed)
    expect(await list(caller, { search: typed.slice(1) })).toEqual([])
  })

  test.each(['email', 'mobile'] as const)('no %s that the profile doesn’t show or its owner refused', async (kind) => {
    const company = await createContractor()
    const { caller } = await manager(company)
    const person = await createUser({ email: newEmail() })
    await join(company, person.id, [])
    const value = person[kind]
    const seen = async () => JSON.stringify([await list(caller), (await card(caller, person.id)).body]).includes(value)
    const countFound = async () => (await list(caller, { search: value.slice(1) })).length
    expect(await seen()).toBe(true)
    expect(await countFound()).toBe(kind === 'email' ? 1 : 0)
    const row = { userId: person.id, kind, value, agreement: 'refused' as const }
    await db().insert(userContacts).values(row)
    expect([await seen(), await countFound()]).toEqual([false, 0])
    await db().delete(userContacts).where(eq(userContacts.userId, person.id))
    await setField(kind, false)
    expect([await seen(), await countFound()]).toEqual([false, 0])
  })
})

describe('ids', () => {
  const random = caseNumbers(220)
  const any = <T>(of: readonly T[]): T => of[random(of.length)] as T

  /** A random world of companies, people, roles, managers and invitations. */
  async function world() {
    const companies: Company[] = []
    for (let n = 0; n < 5; n++) companies.push(await createContractor(1 + random(2)))
    const roles = [await createContractorRole(), await createContractorRole(), await createContractorRole()]
    const masters = await createContractorRole(['masterAccountAccess'])
    const people: { id: string; caller: Caller | null; joined: Map<Company, boolean> }[] = []
    for (let n = 0; n < 12; n++) {
      const caller = n < 5 ? await callerFor(listContacts) : null
      const id = caller ? await idOf(caller) : (await createUser()).id
      const joined = new Map<Company, boolean>()
      for (const company of companies) {
        if (random(3) > 0) continue
        const manages = random(3) === 0
        const heldRoles = roles.filter(() => random(2) === 0).map((role) => role.id)
        await join(company, id, manages ? [...heldRoles, masters.id] : heldRoles)
        joined.set(company, manages)
      }
      if (caller) await reread(id)
      people.push({ id, caller, joined })
    }
    const open = []
    for (const company of companies) open.push({ company, ...(await invited(company)) })
    const off = any(companies)
    await db().update(contractors).set({ enabled: false }).where(eq(contractors.id, off.contractor.id))
    for (const { id, caller } of people) if (caller) await reread(id)
    return { companies, roles, people, open, off }
  }

  test.each(eachFifth([1, 2, 3, 4]))(
    'of no answer reach beyond the caller’s companies, whatever is asked (%s)',
    async () => {
      const { companies, roles, people, open, off } = await world()
      for (const { id, caller, joined } of people) {
        if (!caller) continue
        const seen = [...joined.keys()].filter((company) => company !== off)
        const managed = seen.filter((company) => joined.get(company))
        const colleagues = people.filter((one) => one.id !== id && seen.some((company) => one.joined.has(company)))
        const invitations = open.filter(({ company }) => managed.includes(company))
        // who is in which of these companies, with which role, by the database itself
        const heldRows = (await Promise.all(seen.map(heldFor))).flat().flatMap((row) => row.split(' '))
        const allowed = new Set([
          ...colleagues.map((one) => one.id),
          ...seen.map(({ contractor }) => contractor.id),
          ...managed.flatMap(({ organizations }) => organizations.map((one) => one.id)),
          ...invitations.flatMap((one) => [one.id, one.role.id]),
          ...heldRows,
        ])
        allowed.delete(id)

        const all = await list(caller)
        expect(all.map((one) => one.id).toSorted()).toEqual(
          [...colleagues.map((one) => one.id), ...invitations.map((one) => one.id)].toSorted(),
        )
        const answers: unknown[] = [all]
        for (const company of companies) {
          const filter = { contractorId: company.contractor.id, ...(random(2) ? { roleId: any(roles).id } : {}) }
          const contacts = await list(caller, filter)
          answers.push(contacts)
          if (!seen.includes(company)) expect(contacts).toEqual([])
          else if (!('roleId' in filter))
            expect(contacts.filter(({ userId }) => userId).length).toBe(
              colleagues.filter((one) => one.joined.has(company)).length,
            )
        }
        for (const one of people) {
          const { status, body } = await card(caller, one.id)
          expect(status).toBe(colleagues.includes(one) ? 200 : 404)
          answers.push(body.data ? {} : { ...body, requestId: '' })
          const params = { userId: one.id, contractorId: any(companies).contractor.id }
          const loss = await caller.send(previewRemoval, { params })
          const mine = managed.some(({ contractor }) => contractor.id === params.contractorId)
          const isMember = [...one.joined.keys()].some(({ contractor }) => contractor.id === params.contractorId)
          expect(loss.status).toBe(managed.length === 0 ? 403 : mine && isMember && one.id !== id ? 200 : 404)
        }
        expect(idsIn(answers).filter((id) => !allowed.has(id))).toEqual([])
      }
    },
  )

  test('who manages all companies sees the people and invitations of every enabled one, and nobody else', async () => {
    const company = await createContractor()
    const person = await createUser()
    await join(company, person.id, [])
    const lonely = await createUser()
    const { caller, id } = await manager()
    const invitation = await invited(company)
    const contacts = await list(caller, { contractorId: company.contractor.id })
    expect(contacts.map((one) => one.id).toSorted()).toEqual([person.id, invitation.id].toSorted())
    for (const stranger of [lonely.id, id]) expect((await card(caller, stranger)).status).toBe(404)
    expect((await card(caller, person.id)).body).toMatchObject({ contractors: [{ managed: true, editable: true }] })
    await db().update(users).set({ enabled: false }).where(eq(users.id, person.id))
    expect((await list(caller, { contractorId: company.contractor.id, access: ['inactive'] })).length).toBe(1)
  })
})
