import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { organizations, roles, userContractorRoles, userContractors, userRoles, users } from '@/db/schema'
import { listUsers } from '@/lib/accounts/administration/contract'
import { rarePart, readWhole } from '@/lib/accounts/administration/queries'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { type Caller, callerFor } from '../../factories/caller'
import { createContractor, createContractorRole } from '../../factories/companies'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

// The list of accounts against a plain computation over the rows of the tables (docs/rules/people.md#accounts).

useTestDatabase()

const random = caseNumbers(20_261_125)
const any = <T>(of: readonly T[]): T => of[random(of.length)] as T
const maybe = (oneIn: number) => random(oneIn) === 0

const words = ['ivan', 'emp-00', 'emp-01', 'Орлов', 'x%', 'a_b', 'Ёлкина', 'Ли Юй']
const text = () => `${any(words)}${any(['', '.', '-', ' '])}${any(['777', '1234', '77', any(words)])}`
type Stored = typeof users.$inferSelect
let caller: Caller
let all: Stored[]
let linksOf: Map<string, { roles: Set<string>; organizations: Set<string>; contractors: Set<string> }>

beforeAll(async () => {
  const companies = await Promise.all(Array.from({ length: 3 }, () => createContractor(2)))
  const made = await Promise.all(Array.from({ length: 3 }, () => createContractorRole()))
  const values = Array.from({ length: 80 }, (_, n) => ({
    id: randomUUID(),
    login: `${text()}.${n}`,
    fio: maybe(6) ? '' : text(),
    email: maybe(5) ? null : `${text().replace(/\s/g, '')}@${any(['polaris', 'liman.777'])}.example`,
    mobile: maybe(3) ? `+7901${String(random(10_000_000)).padStart(7, '0')}` : null,
    externalId: maybe(3) ? text() : null,
    enabled: !maybe(4),
  }))
  await db().insert(users).values(values)
  const member = values.flatMap(({ id: userId }) =>
    companies
      .filter(() => maybe(3))
      .map(({ contractor, organizations }) => ({
        userId,
        contractorId: contractor.id,
        organizationId: any(organizations).id,
        roleId: any(made).id,
      })),
  )
  await db().insert(userContractors).values(member)
  await db()
    .insert(userContractorRoles)
    .values(member.filter(() => !maybe(4)))
  const chosen = values.filter(() => maybe(3))
  await db()
    .insert(userRoles)
    .values(
      chosen.map(({ id: userId }) => ({
        userId,
        roleId: any(made).id,
        organizationId: any(companies).organization.id,
      })),
    )
  caller = await callerFor(listUsers)
  all = await db().select().from(users)
  const [inOwn, forContractors, members] = await Promise.all([
    db().select().from(userRoles),
    db().select().from(userContractorRoles),
    db().select().from(userContractors),
  ])
  linksOf = new Map(
    all.map(({ id }) => {
      const heldRows = [...inOwn, ...forContractors].filter(({ userId }) => userId === id)
      return [
        id,
        {
          roles: new Set(heldRows.map(({ roleId }) => roleId)),
          organizations: new Set(heldRows.flatMap(({ organizationId }) => organizationId ?? [])),
          contractors: new Set(members.flatMap(({ userId, contractorId }) => (userId === id ? contractorId : []))),
        },
      ]
    }),
  )
})

type Filter = {
  search?: string
  enabled?: boolean
  roleId?: string
  organizationId?: string
  contractorId?: string
}

function fits(person: Stored, { search, enabled, roleId, organizationId, contractorId }: Filter): boolean {
  const linked = linksOf.get(person.id)
  const has = (value: string | null) => {
    const form = (text: string) => text.toLowerCase().replaceAll('ё', 'е')
    const [whole, typed] = [form(value ?? ''), form(search ?? '')]
    const parts = typed.split(' ').filter(Boolean)
    if (parts.some((part) => part.length > 2)) return parts.every((part) => whole.includes(part))
    if (parts.length === 1) return whole.startsWith(typed)
    return whole.includes(typed) || parts.every((part) => ` ${whole}`.includes(` ${part}`))
  }
  const digits = search && /^\+?[\d\s()-]+$/.test(search) ? search.replace(/\D/g, '') : ''
  return (
    (search === undefined ||
      [person.fio, person.login, person.email, person.externalId].some(has) ||
      (digits.length >= 3 && (person.mobile ?? '').includes(digits))) &&
    (enabled === undefined || person.enabled === enabled) &&
    (!roleId || linked?.roles.has(roleId) === true) &&
    (!organizationId || linked?.organizations.has(organizationId) === true) &&
    (!contractorId || linked?.contractors.has(contractorId) === true)
  )
}

const sample = (): string => {
  const from = any(all)
  const value = any([from.login, from.email ?? '', from.fio ?? '', from.externalId ?? '', from.mobile ?? '', text()])
  const start = random(Math.max(1, value.length - 2))
  const part = value.slice(start, start + 1 + random(value.length)).trim()
  return maybe(4) ? part.split(' ').reverse().join(' ') : part
}

async function randomFilter(): Promise<Filter> {
  const ids = async (table: typeof roles | typeof organizations) =>
    any(await db().select({ id: table.id }).from(table)).id
  const search = maybe(2) ? sample() : ''
  return {
    ...(search ? { search } : {}),
    ...(maybe(3) ? { enabled: maybe(2) } : {}),
    ...(maybe(3) ? { roleId: await ids(roles) } : {}),
    ...(maybe(4) ? { organizationId: await ids(organizations) } : {}),
    ...(maybe(4) ? { contractorId: any([...linksOf.values()].flatMap((one) => [...one.contractors])) } : {}),
  }
}

test.each([
  [0, 0],
  [5, 2],
  [5, 20],
  [2_000, 5_000],
])(
  'random filters find what the tables have, in pages without gaps, at most %i and %i links read whole',
  async (atMost, links) => {
    const original = { ...readWhole }
    Object.assign(readWhole, { atMost, links })
    try {
      for (const _ of eachRound(150)) {
        const filter = await randomFilter()
        const expected = all.filter((person) => fits(person, filter)).map(({ id }) => id)
        const listed: string[] = []
        let after: string | null = null
        let total: { total?: number; more?: boolean } | undefined
        do {
          const query: object = { filter, meta: { perPage: 10, ...(after ? { after } : {}) } }
          const { users: page, meta }: CallOutput<typeof listUsers> = await caller.call(listUsers, { query } as never)
          listed.push(...page.map(({ id }) => id))
          total ??= meta as { total?: number; more?: boolean }
          after = meta.after
        } while (after)
        expect([filter, listed.toSorted()]).toEqual([filter, expected.toSorted()])
        const limit = Object.keys(filter).length > 0 ? atMost : 10_000
        if (expected.length <= limit)
          expect({ filter, total: total?.total, more: total?.more ?? false }).toEqual({
            filter,
            total: expected.length,
            more: false,
          })
        else if (expected.length > 10)
          expect({ filter, total: total?.total, more: total?.more }).toEqual({ filter, total: limit, more: true })
      }
    } finally {
      Object.assign(readWhole, original)
    }
  },
)

test('whatever has a text has its rarest part, which an index can look up', () => {
  for (const _ of eachRound(1_000)) {
    const typed = sample()
    const part = rarePart(typed)
    if (part === null) continue
    expect(typed).toContain(part)
    expect(part.length).toBeGreaterThanOrEqual(3)
  }
  expect(rarePart('measured-777@')).toBe('-777@')
  expect(rarePart('emp-000777@polaris')).toBe('000777')
  expect(rarePart('ivan.petrov@polaris.example')).toBe('ivan.petrov@')
  expect(rarePart('Орлов')).toBeNull()
})
