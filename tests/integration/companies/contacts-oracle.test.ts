import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  contractorOrganizations,
  contractors,
  invitationRoles,
  invitations,
  organizations,
  roles,
  userContacts,
  userContractorRoles,
  userContractors,
  users,
} from '@/db/schema'
import { listContacts } from '@/lib/companies/colleagues/contract'
import { readWhole } from '@/lib/companies/colleagues/queries'
import { idOf, manager } from '../../factories/access-requests'
import { type Caller, callerFor } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { caseNumbers } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

// The list of contacts against a plain computation over the rows of the tables (docs/rules/contacts.md#who-is-seen).

useTestDatabase()

const random = caseNumbers(20_261_123)
const any = <T>(of: readonly T[]): T => of[random(of.length)] as T
const maybe = (oneIn: number) => random(oneIn) === 0
const some = <T>(of: readonly T[], oneIn: number) => of.filter(() => maybe(oneIn))

const names = ['Орлов Дмитрий', 'орлова анна', 'Ёлкина Яна', 'Smith_100%', 'Яковлев Я', '']
const statuses = ['active', 'active', 'active', 'refusal', 'success', 'deleted', 'deactivated'] as const

/** Random companies, organizations and roles, of each some disabled, with people and invitations. */
async function plant() {
  const companies = await Promise.all(Array.from({ length: 6 }, () => createContractor(2)))
  const roleRows = await Promise.all(Array.from({ length: 5 }, () => createContractorRole()))
  const values = Array.from({ length: 60 }, (_, n) => {
    const id = randomUUID()
    const email = maybe(6) ? null : `person.${n}@${any(['Polaris', 'liman'])}.example`
    return { id, login: id, fio: any(names) && `${any(names)} ${any(['', n])}`.trim(), email, enabled: !maybe(4) }
  })
  await db().insert(users).values(values)
  const member = values.flatMap(({ id: userId }) =>
    some(companies, 3).map((company) => ({ userId, contractorId: company.contractor.id, company })),
  )
  await db().insert(userContractors).values(member)
  const heldRoles = member.flatMap(({ userId, contractorId, company }) =>
    company.organizations.flatMap(({ id: organizationId }) =>
      some(roleRows, 4).map(({ id: roleId }) => ({ userId, contractorId, organizationId, roleId })),
    ),
  )
  await db().insert(userContractorRoles).values(heldRoles)
  const refused = values.flatMap(({ id: userId, email }) => {
    const value = maybe(5) ? 'other@polaris.example' : email
    return value && maybe(3) ? [{ userId, kind: 'email' as const, value, agreement: 'refused' as const }] : []
  })
  await db().insert(userContacts).values(refused)
  const invited = Array.from({ length: 30 }, (_, n) => ({
    id: randomUUID(),
    idHash: randomUUID(),
    email: `invited.${n}@liman.example`,
    contractorId: any(companies).contractor.id,
    status: any(statuses),
    expiresAt: new Date(Date.now() + (maybe(4) ? -1 : 1) * 3_600_000),
  }))
  await db().insert(invitations).values(invited)
  const wished = invited.flatMap(({ id: invitationId, contractorId }) => {
    const company = companies.find(({ contractor }) => contractor.id === contractorId)
    const organizationId = company?.organization.id ?? ''
    return some(roleRows, 2).map(({ id: roleId }) => ({ invitationId, organizationId, roleId }))
  })
  await db().insert(invitationRoles).values(wished)
  const off = <T>(list: readonly T[]) => sql.join([sql`null`, ...list.map((one) => sql`${one}`)], sql`, `)
  await db().execute(sql`update contractors set enabled = false where id in (${off([companies[0]?.contractor.id])})`)
  await db().execute(sql`update roles set enabled = false where id in (${off([roleRows[0]?.id])})`)
  const closed = some(
    companies.flatMap((company) => company.organizations.map(({ id }) => id)),
    3,
  )
  await db().execute(sql`update organizations set enabled = false where id in (${off(closed)})`)
  return { companies, roles: roleRows }
}
type World = Awaited<ReturnType<typeof plant>>

type Viewer = { caller: Caller; id: string; all: boolean; managed: Set<string> }
const viewers: Record<string, (world: World) => Promise<Viewer>> = {
  'a member of three companies, one of them disabled': async ({ companies, roles: [role] }) => {
    const caller = await callerFor(listContacts)
    const id = await idOf(caller)
    for (const company of companies.slice(0, 3)) await join(company, id, role ? [role.id] : [])
    return { caller, id, all: false, managed: new Set() }
  },
  'a member of one company who manages two others': async ({ companies }) => {
    const [, one, two, three] = companies as [
      never,
      World['companies'][0],
      World['companies'][0],
      World['companies'][0],
    ]
    const { caller, id, role } = await manager()
    await db().execute(sql`delete from user_roles where user_id = ${id} and role_id = ${role.id}`)
    const masters = await createContractorRole(['masterAccountAccess'])
    const open = { ...two, organization: await openPlace(two.contractor.id) }
    await join(open, id, [masters.id])
    await join({ ...three, organization: await openPlace(three.contractor.id) }, id, [masters.id])
    await join(one, id, [])
    return { caller, id, all: false, managed: new Set([two.contractor.id, three.contractor.id]) }
  },
  'who manages all': async () => {
    const { caller, id } = await manager()
    return { caller, id, all: true, managed: new Set() }
  },
  'nobody’s colleague': async () => {
    const caller = await callerFor(listContacts)
    return { caller, id: await idOf(caller), all: false, managed: new Set() }
  },
}

/** A new organization that is enabled, for this contractor. */
async function openPlace(contractorId: string) {
  const [place] = await db()
    .insert(organizations)
    .values({ name: `Открытая ${randomUUID()}` })
    .returning()
  if (!place) throw new Error('no organization')
  await db().insert(contractorOrganizations).values({ contractorId, organizationId: place.id })
  return place
}

type Filter = { search?: string; contractorId?: string; roleId?: string; access?: string[] }
type Row = { id: string; name: string; access: string }

/** What the list has to show, computed from all rows of the tables. */
async function expected(viewer: Viewer, filter: Filter): Promise<Row[]> {
  const [people, members, membershipRoles, firms, places, kinds, sent, wished, contacts] = await Promise.all([
    db().select().from(users),
    db().select().from(userContractors),
    db().select().from(userContractorRoles),
    db().select().from(contractors),
    db().select().from(organizations),
    db().select().from(roles),
    db().select().from(invitations),
    db().select().from(invitationRoles),
    db().select().from(userContacts),
  ])
  const on = (rows: { id: string; enabled: boolean }[], id: string) =>
    rows.find((row) => row.id === id)?.enabled === true
  const joined = (userId: string, contractorId: string) =>
    members.some((row) => row.userId === userId && row.contractorId === contractorId)
  const sees = (contractorId: string) =>
    on(firms, contractorId) && (viewer.all || joined(viewer.id, contractorId) || viewer.managed.has(contractorId))
  const manages = (contractorId: string) => on(firms, contractorId) && (viewer.all || viewer.managed.has(contractorId))
  const { search, contractorId, roleId, access } = filter
  const within = (id: string) => contractorId === undefined || id === contractorId
  const form = (text: string | null | undefined) => (text ?? '').toLowerCase().replaceAll('ё', 'е')
  const has = (text: string | null) =>
    form(search)
      .split(' ')
      .every((word) => form(text).includes(word))

  const persons = people.flatMap((person): Row[] => {
    const seen = members.filter((row) => row.userId === person.id && sees(row.contractorId))
    const roleRows = membershipRoles.filter((row) => row.userId === person.id && sees(row.contractorId))
    const works = roleRows.some((row) => on(kinds, row.roleId) && on(places, row.organizationId))
    const hidden = contacts.some(
      ({ userId, kind, value, agreement }) =>
        userId === person.id && kind === 'email' && value === person.email && agreement === 'refused',
    )
    const isFound =
      person.id !== viewer.id &&
      seen.some((row) => within(row.contractorId)) &&
      (has(person.fio) || (!hidden && person.email !== null && has(person.email))) &&
      (roleId === undefined || roleRows.some((row) => row.roleId === roleId && within(row.contractorId)))
    return isFound ? [{ id: person.id, name: person.fio, access: person.enabled && works ? 'active' : 'inactive' }] : []
  })
  const invited = sent.flatMap((row): Row[] => {
    const isFound =
      row.status === 'active' &&
      row.expiresAt > new Date() &&
      manages(row.contractorId) &&
      within(row.contractorId) &&
      has(row.email) &&
      (roleId === undefined || wished.some((one) => one.invitationId === row.id && one.roleId === roleId))
    return isFound ? [{ id: row.id, name: row.email, access: 'invitationSent' }] : []
  })
  return [...persons, ...invited].filter((row) => access === undefined || access.includes(row.access))
}

/** The ids in the order of the database, by which alone names are compared. */
async function sorted(rows: Row[], way: 'asc' | 'desc') {
  const matching = await db().execute<{ id: string }>(sql`
    select id from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(rows.map(({ name }) => name))}::text[])
      row (id, name) order by name ${sql.raw(way)}, id ${sql.raw(way)}`)
  return matching.rows.map(({ id }) => id)
}

/** Every page forwards, and back from the last one: the ids and statuses. */
async function listed({ caller }: Viewer, filter: Filter, sort: 'asc' | 'desc') {
  const page = (place: object) =>
    caller.call(listContacts, { query: { filter, sortBy: 'name', sort, meta: { perPage: 10, ...place } } as never })
  const pages = [await page({})]
  for (let last = pages.at(-1); last?.meta.after; last = pages.at(-1))
    pages.push(await page({ after: last.meta.after }))
  const pagesBack = [pages.at(-1)]
  for (let last = pagesBack[0]; last?.meta.before; last = pagesBack[0])
    pagesBack.unshift(await page({ before: last.meta.before }))
  const idsOf = (list: typeof pagesBack) => list.flatMap((one) => one?.contacts.map(({ id }) => id) ?? [])
  const access = pages.flatMap(({ contacts }) => contacts.map((one) => `${one.id} ${one.access}`))
  return { forwards: idsOf(pages), backwards: idsOf(pagesBack), access, total: pages[0]?.meta.total }
}

let world: World
beforeAll(async () => {
  world = await plant()
})

/** Random filters, each kind alone and mixed. */
const filters = (): Filter[] => [
  {},
  { access: ['inactive'] },
  { access: ['active'] },
  ...Array.from({ length: rounds(22) }, () => ({
    ...(maybe(3)
      ? {
          search: any([
            ...['орлов', 'ор', 'ЁЛКИНА', 'елкина', 'яна елк', 'дмитрий орлов', 'Я', '%', '_'],
            ...['polaris', 'li', 'liman.example', 'other@', '1', 'нет'],
          ]),
        }
      : {}),
    ...(maybe(3) ? { contractorId: maybe(8) ? randomUUID() : any(world.companies).contractor.id } : {}),
    ...(maybe(3) ? { roleId: any(world.roles).id } : {}),
    ...(maybe(2) ? { access: some(['active', 'inactive', 'invitationSent'], 2) } : {}),
  })).map(({ access, ...filter }) => (access?.length ? { ...filter, access } : filter)),
]

/** However few or many there are: all that may be found are looked at, or people are read by name until a page is full. */
const limits = { 'read whole': { ...readWhole }, 'read by name': { candidates: 2, matches: 2 } }
const readings = Object.keys(limits) as (keyof typeof limits)[]
const cases = Object.keys(viewers).flatMap((who) => readings.map((how) => ({ who, how })))

test.each(cases)('$who sees what the tables say, by every filter, forwards and back, $how', async ({ who, how }) => {
  Object.assign(readWhole, limits[how])
  const viewer = await (viewers[who] as (typeof viewers)[string])(world)
  let rows = 0
  for (const filter of filters()) {
    const sort = any(['asc', 'desc'] as const)
    const right = await expected(viewer, filter)
    rows += right.length
    const seen = await listed(viewer, filter, sort)
    const order = await sorted(right, sort)
    expect({ filter, ...seen, access: seen.access.toSorted() }).toEqual({
      filter,
      forwards: order,
      backwards: order,
      access: right.map(({ id, access }) => `${id} ${access}`).toSorted(),
      total: Math.min(right.length, Object.keys(filter).length > 0 ? 100 : 1_000),
    })
  }
  // the tables were not empty
  expect(rows > rounds(100)).toBe(who !== 'nobody’s colleague')
})
