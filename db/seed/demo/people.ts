import type { users } from '@/db/schema/people'
import { stableId } from '@/lib/base/runtime/stable-id'
import type { DemoLogin } from './accounts'
import { roleIds } from './applications'
import { demoContractors, organizationIds } from './companies'
import { departmentCodes, languageCodes } from './fields'
import { latinized, type Person, personFrom } from './names'
import { daysAgo, type Random, randomFrom } from './random'

type UserRow = typeof users.$inferInsert
type ContractorRole = { contractorId: string; organizationId: string; roleId: string }

export type DemoPerson = {
  user: UserRow & { id: string }
  /** Systemic roles by code; `user` for everybody. */
  systemic: string[]
  /** A systemic role has no organization. */
  roles: { roleId: string; organizationId: string | null }[]
  contractorIds: string[]
  contractorRoles: ContractorRole[]
}

const { polaris, logistics } = organizationIds
/** Whose people the demo's contractor manager looks after. */
const managed = demoContractors.slice(0, 2).map(({ id }) => id)

type Special = Partial<Omit<DemoPerson, 'user' | 'systemic'>> & {
  person: Person
  systemic?: string
  user?: Partial<UserRow>
}

const russian = (lastName: string, firstName: string, middleName: string): Person => ({
  lastName,
  firstName,
  middleName,
  gender: middleName.endsWith('вна') ? 'woman' : 'man',
  latin: false,
})

const roleIn = (roleId: string, organizationId: string | null = polaris) => ({ roleId, organizationId })
const forManaged = (roleId: string): ContractorRole[] =>
  managed.map((contractorId) => ({ contractorId, organizationId: polaris, roleId }))

const specials: Record<DemoLogin, Special> = {
  admin: {
    person: russian('Полярная', 'Вера', 'Андреевна'),
    systemic: 'administrator',
    roles: [roleIn(roleIds.buyer), roleIn(roleIds.storekeeper)],
  },
  auditor: { person: russian('Зорин', 'Глеб', 'Павлович'), systemic: 'auditor' },
  support: {
    person: russian('Ключевская', 'Инна', 'Олеговна'),
    systemic: 'support',
    roles: [roleIn(roleIds.observer)],
  },
  manager: {
    person: russian('Северный', 'Юрий', 'Львович'),
    contractorIds: managed,
    contractorRoles: [...forManaged(roleIds.contractorManager), ...forManaged(roleIds.supplier)],
  },
  'one-service': { person: russian('Ракитина', 'Ольга', 'Фёдоровна'), roles: [roleIn(roleIds.observer)] },
  services: {
    person: russian('Ветров', 'Семён', 'Ильич'),
    roles: [roleIn(roleIds.buyer), roleIn(roleIds.storekeeper, logistics)],
  },
  'no-services': { person: russian('Новичков', 'Лев', 'Антонович') },
  'empty-fields': {
    person: russian('Пустовалова', 'Яна', 'Юрьевна'),
    roles: [roleIn(roleIds.buyer)],
    user: { email: null, emailVerifiedAt: null, values: {} },
  },
  blocked: {
    person: russian('Замков', 'Борис', 'Романович'),
    roles: [roleIn(roleIds.observer)],
    user: { enabled: false },
  },
  'first-entry': {
    person: russian('Первушина', 'Ульяна', 'Денисовна'),
    roles: [roleIn(roleIds.observer)],
    user: { passwordChangeRequired: true },
  },
  'two-factors': { person: russian('Надёжная', 'Марина', 'Викторовна'), roles: [roleIn(roleIds.controller, null)] },
}

const positions = [
  'Специалист по закупкам',
  'Ведущий инженер',
  'Бухгалтер',
  'Кладовщик',
  'Логист',
  'Менеджер по работе с поставщиками',
  'Аналитик',
  'Начальник смены',
  'Юрист',
  'Водитель-экспедитор',
]

function userRow(at: number, login: string, mailDomain: string, person: Person, passwordHash: string, random: Random) {
  const { lastName, firstName, middleName, gender, latin } = person
  const createdAt = daysAgo(10 + random.next() * 700)
  const changedAt = daysAgo(1 + random.next() * 9)
  const birthDate = random.chance(0.8)
    ? new Date(Date.UTC(1962 + random.below(42), random.below(12), 1 + random.below(28))).toISOString().slice(0, 10)
    : null
  return {
    id: stableId('demo user', at),
    login,
    email: `${login}@${mailDomain}`,
    emailVerifiedAt: createdAt,
    mobile: `+79001${String(at * 1_733 + 1_000).padStart(6, '0')}`,
    mobileVerifiedAt: random.chance(0.7) ? createdAt : null,
    lastName,
    firstName,
    middleName,
    fio: [lastName, firstName, middleName].filter(Boolean).join(' '),
    birthDate,
    gender,
    locale: latin ? 'en' : random.chance(0.6) ? 'ru' : null,
    passwordHash,
    passwordChangedAt: createdAt,
    values: {
      position: random.pick(positions),
      department: random.pick(departmentCodes),
      personnelNumber: `ТН-${String(at + 1).padStart(5, '0')}`,
      languages: latin ? ['en'] : languageCodes.filter((code) => code === 'ru' || random.chance(0.2)),
    },
    createdAt,
    updatedAt: changedAt,
  } satisfies UserRow
}

function employee(random: Random): Pick<DemoPerson, 'roles'> {
  const organizationId = random.chance(0.7) ? polaris : logistics
  const roleId = random.pick([roleIds.buyer, roleIds.observer, roleIds.storekeeper])
  const roles = [roleIn(roleId, organizationId)]
  if (random.chance(0.15)) roles.push(roleIn(roleIds.storekeeper, organizationId === polaris ? logistics : polaris))
  if (random.chance(0.02)) roles.push(roleIn(roleIds.controller, null))
  return { roles }
}

function contractorStaff(random: Random): Pick<DemoPerson, 'contractorIds' | 'contractorRoles'> & { slug: string } {
  const contractor = random.pick(demoContractors)
  const linked = random.chance(0.1) ? [contractor, random.pick(demoContractors)] : [contractor]
  const unique = [...new Set(linked)]
  const contractorRoles = unique.flatMap(({ id, organizationIds: allowed }) => {
    const organizationId = random.pick(allowed)
    const given = [random.chance(0.75) ? roleIds.supplier : roleIds.carrier]
    if (random.chance(0.08)) given.push(roleIds.contractorManager)
    return given.map((roleId) => ({ contractorId: id, organizationId, roleId }))
  })
  return { slug: contractor.slug, contractorIds: unique.map(({ id }) => id), contractorRoles }
}

const none = { roles: [], contractorIds: [], contractorRoles: [] }

/** The named accounts, then everybody else: about half employees, most of the others contractors' people. */
export function demoPeople(count: number, passwordHash: string): DemoPerson[] {
  const random = randomFrom(20_261_116)
  const people = Object.entries(specials).map(([login, { person, systemic, user, ...links }], at): DemoPerson => {
    const row = userRow(at, login, 'polaris.example', person, passwordHash, random)
    return {
      ...none,
      ...links,
      // a code by SMS reaches each of them
      user: { ...row, mobileVerifiedAt: row.createdAt, locale: null, ...user },
      systemic: systemic ? ['user', systemic] : ['user'],
    }
  })
  const logins = new Map<string, number>()
  for (let at = people.length; at < count; at++) {
    const person = personFrom(random, at)
    const plainLogin = `${latinized(person.firstName).charAt(0)}.${latinized(person.lastName)}`
    const used = (logins.get(plainLogin) ?? 0) + 1
    logins.set(plainLogin, used)
    const login = used === 1 ? plainLogin : `${plainLogin}${used}`
    const kind = random.next()
    const staff = kind >= 0.5 && kind < 0.92 ? contractorStaff(random) : undefined
    const mailDomain = staff ? `${staff.slug}.example` : kind < 0.5 ? 'polaris.example' : 'mail.example'
    const { slug: _, ...links } = staff ?? { slug: '', ...(kind < 0.5 ? employee(random) : {}) }
    const enabled = !random.chance(0.03)
    people.push({
      ...none,
      ...links,
      user: { ...userRow(at, login, mailDomain, person, passwordHash, random), enabled },
      systemic: ['user'],
    })
  }
  return people
}
