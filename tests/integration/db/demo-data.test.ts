import { count, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  accessRequestStatus,
  accessRequests,
  applicationServiceMethods,
  applications,
  contractors,
  domains,
  history,
  invitationStatus,
  invitations,
  messages,
  methods,
  notices,
  organizations,
  userIdentifiers,
  users,
} from '@/db/schema'
import { seedDemo } from '@/db/seed/demo'
import { type DemoLogin, demoAccounts, demoPassword } from '@/db/seed/demo/accounts'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import { accessOf } from '@/lib/access/roles/service'
import { UserQuery } from '@/lib/accounts/administration/contract'
import { listUsers } from '@/lib/accounts/administration/service'
import { requiredFieldsEmpty } from '@/lib/accounts/users/service'
import { userServices } from '@/lib/applications/menu/service'
import { verifyPassword } from '@/lib/base/crypto/password'
import { parseOrThrow } from '@/lib/base/http/read'
import { managedBy } from '@/lib/companies/managers/service'
import { domainByHost } from '@/lib/site/domains/service'
import { ProjectInfo } from '@/lib/site/project-info/contract'
import { projectInfo } from '@/lib/site/project-info/service'
import { createContext } from '../../factories/context'
import { demoPeople, partnersHost } from '../../factories/demo'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const rowsIn = async (
  table: typeof users | typeof contractors | typeof organizations | typeof history | typeof domains,
) => (await db().select({ rows: count() }).from(table))[0]?.rows

const account = async (login: DemoLogin) => {
  const [user] = await db().select().from(users).where(eq(users.login, login))
  if (!user) throw new Error(`there is no ${login}`)
  const access = await accessOf(user.id)
  const services = await userServices(access, await domainByHost('localhost:3000'))
  return { user, ...access, services: services.map(({ code }) => code) }
}

let loaded: boolean[]
beforeAll(async () => {
  // two starts at once: one loads, the other does nothing
  loaded = await Promise.all([seedDemo(), seedDemo()])
})

/** Returns the history of the one invitation that is created by the verbs. */
const invitedFields = 5

test('the demo data are loaded once', async () => {
  expect(loaded.sort()).toEqual([false, true])
  expect(await seedDemo()).toBe(false)
  const tables = [users, contractors, organizations, history, domains]
  expect(await Promise.all(tables.map(rowsIn))).toEqual([500, 12, 2, 2_000 + invitedFields, 2])
})

test('there are invitations in every status, and one whose link is in the outbox', async () => {
  const rows = await db().select({ status: invitations.status, email: invitations.email }).from(invitations)
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(invitationStatus.enumValues))
  const sent = await db().select().from(messages).where(eq(messages.template, 'invitation'))
  expect(sent.map(({ recipient }) => recipient)).toEqual(['novikova@severny-veter.example'])
  expect(rows.map(({ email }) => email)).toContain('novikova@severny-veter.example')
})

test('the manager has requests in every status on which they decide, and a notice of each', async () => {
  const rows = await db().select().from(accessRequests)
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(accessRequestStatus.enumValues))
  const { user } = await account('manager')
  const { inns } = (await managedBy(user.id)) as { inns: string[] }
  expect(rows.filter(({ inn, userId }) => !inns.includes(inn) || userId === user.id)).toEqual([])
  const userNotices = await db().select().from(notices).where(eq(notices.userId, user.id))
  expect(userNotices.filter(({ readAt }) => !readAt)).toHaveLength(
    rows.filter(({ status }) => status === 'considered').length,
  )
})

test('the last visit of people and for how long they were not seen agree with the history', async () => {
  const { rows } = await db().execute<{ id: string; seen: string | null; signedIn: string | null }>(sql`
    select u.id, (select max(s.last_access_at) from sessions s where s.user_id = u.id) as seen,
      (select max(h.date) from history h where h.entity = 'users' and h.entity_id = u.id::text and h.type = 'login') as "signedIn"
    from users u`)
  expect(rows.filter(({ seen, signedIn }) => seen !== signedIn)).toEqual([])
  expect(rows.filter(({ signedIn }) => signedIn !== null).length).toBeGreaterThan(300)
  const reader = await createContext({ methods: ['users.read'] })
  const countUnseen = async (unseenDays: string) => {
    const query = parseOrThrow(UserQuery, { filter: { unseenDays }, meta: { perPage: '100' } })
    return (await listUsers(reader, { query })).meta.total
  }
  const unseen = (days: number) =>
    rows.filter(({ signedIn }) => signedIn === null || Date.parse(signedIn) < Date.now() - days * 86_400_000).length
  expect([await countUnseen('90'), await countUnseen('30')]).toEqual([unseen(90), unseen(30)])
})

test('people can sign in by login, e-mail and mobile', async () => {
  const rows = await db()
    .select({ kind: userIdentifiers.kind, rows: count() })
    .from(userIdentifiers)
    .groupBy(userIdentifiers.kind)
  expect(Object.fromEntries(rows.map(({ kind, rows }) => [kind, rows]))).toEqual({
    login: 500,
    email: 499,
    mobile: 500,
  })
})

describe('the printed accounts', () => {
  test('all have the demo password', async () => {
    const [hash] = new Set(
      await Promise.all(demoAccounts.map(async ({ login }) => (await account(login)).user.passwordHash)),
    )
    expect(await verifyPassword(hash ?? null, demoPassword)).toEqual({ right: true, rehash: false })
  })

  test('have the rights of their roles', async () => {
    expect((await account('admin')).methods).toContain('settings.write')
    const auditor = await account('auditor')
    expect(auditor.methods).toContain('monitoringNotifyAccess')
    expect([...auditor.methods].filter((code) => code.endsWith('.write'))).toEqual([])
    expect((await account('support')).methods).toContain('users.write')
    expect((await account('manager')).methods).toEqual(new Set(['masterAccountAccess']))
  })

  test('have the services that they demonstrate', async () => {
    expect(Object.values(demoPeople).map(({ login }) => login)).toEqual(demoAccounts.map(({ login }) => login))
    for (const { login, fio, services } of Object.values(demoPeople)) {
      const { user, services: offered } = await account(login)
      expect({ login, fio: user.fio, services: offered }).toEqual({ login, fio, services })
    }
  })

  test('lack required fields only if they demonstrate that', async () => {
    for (const { login } of demoAccounts) {
      const empty = await requiredFieldsEmpty((await account(login)).user.id)
      expect(empty, login).toEqual(login === 'empty-fields' ? ['email', 'position'] : [])
    }
  })

  test('are blocked or new only if they demonstrate that', async () => {
    for (const { login } of demoAccounts) {
      const { user } = await account(login)
      expect([user.enabled, user.passwordChangeRequired], login).toEqual([login !== 'blocked', login === 'first-entry'])
    }
  })
})

test('a schema with a second factor applies to some people, and every schema is used', async () => {
  const schemas = await authenticationSchemas()
  expect(schemas.map(({ code }) => code)).toEqual(['two-factors', 'code-first', 'base'])
  expect(schemas.reduce((sum, { usersCount }) => sum + usersCount, 0)).toBe(500)
  for (const { code, usersCount } of schemas) expect(usersCount, code).toBeGreaterThan(0)
})

test('the second domain has its own look, address and schema', async () => {
  const partners = await domainByHost(`${partnersHost}:3000`)
  expect(partners).toMatchObject({ base: false, styleTemplate: 'partners', origin: 'http://partners.localhost:3000' })
  const demands = async (host: string) => {
    const { options } = ProjectInfo.parse(await projectInfo(await domainByHost(host)))
    return Object.values(options).map(({ lawInfo }) =>
      lawInfo.termsInfo.filter(({ loginRequired }) => loginRequired).map(({ link }) => link),
    )
  }
  expect(await demands('partners.localhost')).toEqual([
    ['/platform/law/user-agreement'],
    ['/platform/law/user-agreement'],
  ])
  expect(await demands('localhost')).toEqual([[], []])
})

test('the warehouse’s program holds a few methods', async () => {
  const rows = await db()
    .select({ application: applications.code, method: methods.code })
    .from(applicationServiceMethods)
    .innerJoin(applications, eq(applications.id, applicationServiceMethods.applicationId))
    .innerJoin(methods, eq(methods.id, applicationServiceMethods.methodId))
  expect(rows.map(({ application, method }) => `${application} ${method}`).sort()).toEqual([
    'warehouse contractors.read',
    'warehouse device-types.read',
    'warehouse network-aliases.write',
    'warehouse users.read',
  ])
})
