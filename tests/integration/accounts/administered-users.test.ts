import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  authenticatorApps,
  contractors,
  history,
  invitationRoles,
  invitations,
  links,
  messages,
  organizations,
  roles,
  sessions,
  userContractors,
  userRoles,
  users,
} from '@/db/schema'
import {
  bulkActs,
  bulkUsers,
  createUser as createAccount,
  deleteUser,
  sendEntryLink,
  updateUser,
} from '@/lib/account-administration/accounts/contract'
import { resetUserFactors } from '@/lib/account-administration/user-factors/contract'
import { checkUserImport } from '@/lib/account-administration/user-import/contract'
import { mergeUsers, previewUserMerge } from '@/lib/account-administration/user-merge/contract'
import { enableUser, listUsers, readUser } from '@/lib/accounts/administration/contract'
import { addHolders, setUserRoles } from '@/lib/accounts/role-holders/contract'
import { withImplied } from '@/lib/base/access/access-methods'
import { setUserContractors } from '@/lib/companies/contractors/contract'
import { liftUserLimits } from '@/lib/operations/account-limits/contract'
import { resetUserPassword } from '@/lib/sign-in/passwords/contract'
import { endUserSessions, listUserSessions } from '@/lib/sign-in/sessions-of-users/contract'
import { createRoleWith, signedInWith } from '../../factories/access'
import { giveApp } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { type AnyContract, Caller, type Input } from '../../factories/caller'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { dormant } from '../../factories/dormant-rights'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { plantApplicationMethod, plantRole } from '../../factories/roles'
import { holdInOrganization } from '../../factories/roles-held'
import { signInByPassword } from '../../factories/sign-in'
import { importOf } from '../../factories/user-import'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

useTestDatabase()

const below = caseNumbers(38)
const pool = ['users.read', 'license.read', 'license.write', 'history.read', 'masterAccountAccess'] as const
const some = () => [...new Set(Array.from({ length: below(4) }, () => pool[below(pool.length)] as string))]

/** What each change of somebody's account sends. */
const changes: Record<string, { contract: unknown; input: (id: string) => Input }> = {
  disable: { contract: enableUser, input: (id) => ({ params: { id }, body: { enabled: false, reason: 'Уволен' } }) },
  enable: { contract: enableUser, input: (id) => ({ params: { id }, body: { enabled: true } }) },
  'end sessions': { contract: endUserSessions, input: (id) => ({ params: { id } }) },
  'reset password': { contract: resetUserPassword, input: (id) => ({ params: { id } }) },
  change: {
    contract: updateUser,
    input: (id) => ({ params: { id }, body: { values: { email: `${randomUUID()}@polaris.example` } } }),
  },
  'entry link': { contract: sendEntryLink, input: (id) => ({ params: { id } }) },
  roles: { contract: setUserRoles, input: (id) => ({ params: { id }, body: { roles: [] } }) },
  contractors: { contract: setUserContractors, input: (id) => ({ params: { id }, body: { contractors: [] } }) },
  'lift limits': { contract: liftUserLimits, input: (id) => ({ params: { id } }) },
  'reset factors': {
    contract: resetUserFactors,
    input: (id) => ({ params: { id }, body: { reason: 'Потерян телефон' } }),
  },
  remove: { contract: deleteUser, input: (id) => ({ params: { id } }) },
}
/** The changes that find nothing to do with an account of the test. */
const idle = ['enable', 'lift limits', 'roles', 'contractors']

/** Everything of an account that those changes touch. */
async function stateOf(userId: string) {
  const [row] = await db().select().from(users).where(eq(users.id, userId))
  return {
    row,
    sessions: await db().$count(sessions, and(eq(sessions.userId, userId), isNull(sessions.endedAt))),
    links: await db().$count(links, eq(links.userId, userId)),
    apps: await db().$count(authenticatorApps, eq(authenticatorApps.userId, userId)),
    mails: await db().$count(messages, eq(messages.userId, userId)),
    roles: await db().$count(userRoles, eq(userRoles.userId, userId)),
    contractors: await db().$count(userContractors, eq(userContractors.userId, userId)),
    recorded: await db().$count(history, eq(history.entityId, userId)),
  }
}

type Way = keyof typeof dormant
const ways = ['platform', 'organization', 'contractor', ...(Object.keys(dormant) as Way[])] as const

async function target(codes: string[], where: (typeof ways)[number]) {
  const roles = where === 'platform' && codes.length > 0 ? [await createRoleWith(codes)] : []
  const person = await createUser({ roles })
  if (where === 'organization') await holdInOrganization((await createContractor()).organization.id, codes, person.id)
  if (where === 'contractor') {
    const company = await createContractor()
    await join(company, person.id, [(await createContractorRole(codes)).id])
  }
  if (where in dormant) await dormant[where as Way](person.id, codes)
  await giveApp(person.id)
  await signInByPassword(new Browser(), person.login, password)
  return person
}

test('whoever holds a method that the caller lacks, or may come to it, is left as they are by each change', async () => {
  const seen = { refused: 0, done: 0 }
  for (const round of eachRound(4, () => Math.min(...Object.values(seen)) > rounds(8))) {
    const ownMethods = ['users.write', ...some()]
    const caller = new Caller((await signedInWith(ownMethods)).browser)
    const heldMethods = withImplied(ownMethods)
    for (const [name, { contract, input }] of Object.entries(changes)) {
      const codes = some()
      const where = ways[below(ways.length)] ?? 'platform'
      const person = await target(codes, where)
      const lacks = codes.some((code) => !heldMethods.has(code))
      if (name === 'entry link') await db().update(users).set({ passwordHash: null }).where(eq(users.id, person.id))
      const before = await stateOf(person.id)
      const situation = `round ${round}: ${ownMethods} does “${name}” to ${codes} of ${where}`
      const card = await caller.call(readUser, { params: { id: person.id } })
      const { status, body } = await caller.send(contract as AnyContract, input(person.id))
      expect({ status, allowed: card.allowed }, situation).toEqual({ status: lacks ? 403 : 200, allowed: !lacks })
      if (lacks) {
        expect(body, situation).toMatchObject({ code: 'forbiddenUser' })
        expect(await stateOf(person.id), situation).toEqual(before)
      } else if (!idle.includes(name)) expect(await stateOf(person.id), situation).not.toEqual(before)
      seen[lacks ? 'refused' : 'done']++
    }
  }
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(shareOf(8))
}, 60_000)

test('nobody gives an e-mail that is invited to more than they have to an account, by a form or by a row', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const { id: invitationId, email, organization } = await plantInvitation()
  const roleId = (await createContractorRole(['license.write'])).id
  await db().insert(invitationRoles).values({ invitationId, organizationId: organization.id, roleId })
  const person = await createUser({ roles: [] })
  const names = { lastName: 'Орлова', firstName: 'Вера', middleName: 'Ильинична' }
  const ways = {
    created: () => caller.send(createAccount, { body: { values: { ...names, email: email.toUpperCase() } } }),
    changed: () => caller.send(updateUser, { params: { id: person.id }, body: { values: { email } } }),
  }
  for (const [way, make] of Object.entries(ways))
    expect([way, await make()]).toMatchObject([way, { status: 403, body: { code: 'forbiddenUser' } }])
  const cells = [[email, names.lastName, names.firstName, names.middleName]]
  const targets = ['field.email', 'field.lastName', 'field.firstName', 'field.middleName']
  const body = importOf(targets, cells, { by: 'email' })
  expect(await caller.call(checkUserImport, { body })).toMatchObject({ faults: [{ code: 'forbiddenUser' }] })
  expect(await db().$count(users, eq(users.email, email))).toBe(0)
  await db().update(invitations).set({ status: 'deleted' }).where(eq(invitations.id, invitationId))
  expect((await ways.created()).status).toBe(200)
})

test('an action on several leaves those who hold more than the caller as they are, and does the others', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const [{ id: roleId } = { id: '' }] = await db()
    .select({ id: roles.id })
    .from(roles)
    .where(eq(roles.code, await createRoleWith([])))
  for (const act of bulkActs) {
    const strong = await target(['license.write'], 'platform')
    const weak = await target([], 'platform')
    if (act === 'takeRole')
      await db()
        .insert(userRoles)
        .values([strong, weak].map(({ id: userId }) => ({ userId, roleId })))
    if (act === 'entryLink') await db().update(users).set({ passwordHash: null }).where(eq(users.id, weak.id))
    if (act === 'enable') await db().update(users).set({ enabled: false }).where(eq(users.id, weak.id))
    const before = [await stateOf(strong.id), await stateOf(weak.id)]
    const role = act.endsWith('Role') ? { role: { roleId } } : {}
    const { results } = await caller.call(bulkUsers, {
      body: { userIds: [strong.id, weak.id, strong.id], act, ...role },
    })
    expect(results, act).toEqual([
      { userId: strong.id, code: 'forbiddenUser' },
      { userId: weak.id, code: null },
    ])
    expect(await stateOf(strong.id), act).toEqual(before[0])
    expect(await stateOf(weak.id), act).not.toEqual(before[1])
  }
})

test('of thirty who save the roles that they have read, one is first and the others hear of it', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const person = await createUser({ roles: [] })
  const { updatedAt } = await caller.call(readUser, { params: { id: person.id } })
  const ids = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const code = await createRoleWith([])
      return (await db().select({ id: roles.id }).from(roles).where(eq(roles.code, code)))[0]?.id ?? ''
    }),
  )
  const saved = await Promise.all(
    ids.map((roleId) =>
      caller.send(setUserRoles, { params: { id: person.id }, body: { updatedAt, roles: [{ roleId }] } }),
    ),
  )
  expect(saved.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(409)])
  expect(await db().$count(userRoles, eq(userRoles.userId, person.id))).toBe(1)
})

test('a role that was given on the page of the role meanwhile isn’t taken away unseen', async () => {
  const caller = new Caller((await signedInWith(['users.read', 'users.write', 'roles.write'])).browser)
  const person = await createUser({ roles: [] })
  const { updatedAt } = await caller.call(readUser, { params: { id: person.id } })
  const role = await plantRole([])
  await caller.call(addHolders, { params: { id: role.id }, body: { users: [person.id] } })
  const { status } = await caller.send(setUserRoles, { params: { id: person.id }, body: { updatedAt, roles: [] } })
  expect({ status, rolesLeft: await db().$count(userRoles, eq(userRoles.userId, person.id)) }).toEqual({
    status: 409,
    rolesLeft: 1,
  })
})

test('a changed e-mail is unproven, kills older links, and the one before hears of it', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const person = await createUser({ roles: [] })
  await caller.call(resetUserPassword, { params: { id: person.id } })
  await caller.call(updateUser, {
    params: { id: person.id },
    body: { values: { email: `${randomUUID()}@polaris.example` } },
  })
  const [link] = await db().select().from(links).where(eq(links.userId, person.id))
  expect(link?.canceledAt).not.toBeNull()
  const [row] = await db().select().from(users).where(eq(users.id, person.id))
  expect(row?.emailVerifiedAt).toBeNull()
  const mails = await db().select().from(messages).where(eq(messages.userId, person.id))
  expect(mails.filter(({ template }) => template === 'contactChanged').map(({ recipient }) => recipient)).toEqual([
    person.email,
  ])
})

test('a method of an application counts like one of the platform, and the refusal comes before the version', async () => {
  const { method } = await plantApplicationMethod()
  const role = await plantRole([method.id])
  const person = await createUser({ roles: [] })
  await db().insert(userRoles).values({ userId: person.id, roleId: role.id })
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  for (const { contract, input } of Object.values(changes)) {
    const { status } = await caller.send(contract as AnyContract, input(person.id))
    expect(status).toBe(403)
  }
  const stale = { enabled: false, updatedAt: new Date(0).toISOString() }
  const { status } = await caller.send(enableUser, { params: { id: person.id }, body: stale })
  expect(status).toBe(403)
})

test('a role that is given at the same moment either comes first and protects, or comes after', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const code = await createRoleWith(['license.write'])
  const [{ id: roleId } = { id: '' }] = await db().select({ id: roles.id }).from(roles).where(eq(roles.code, code))
  for (const _ of eachRound(8)) {
    const person = await createUser({ roles: [] })
    const give = db().transaction(async (tx) => {
      // as whoever gives a role does: the account first
      await tx.select().from(users).where(eq(users.id, person.id)).for('update')
      await tx.insert(userRoles).values({ userId: person.id, roleId })
      return (await tx.select({ enabled: users.enabled }).from(users).where(eq(users.id, person.id)))[0]?.enabled
    })
    const block = caller.send(enableUser, { params: { id: person.id }, body: { enabled: false } })
    const [enabledThen, { status }] = await Promise.all([give, block])
    expect(status).toBe(enabledThen ? 403 : 200)
  }
})

test('after a reset the old password and older links are dead, and the mailed link sets another one', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const person = await createUser({ roles: [] })
  const browser = new Browser()
  expect((await signInByPassword(browser, person.login, password)).status).toBe(200)
  await caller.call(resetUserPassword, { params: { id: person.id } })
  await caller.call(resetUserPassword, { params: { id: person.id } })
  const sessionsLeft = await caller.call(listUserSessions, { params: { id: person.id }, query: {} })
  expect(sessionsLeft.sessions).toEqual([])
  expect((await signInByPassword(new Browser(), person.login, password)).status).not.toBe(200)
  const made = await db().select().from(links).where(eq(links.userId, person.id)).orderBy(desc(links.createdAt))
  expect(made.map(({ canceledAt }) => canceledAt !== null)).toEqual([false, true])
})

test('the list finds people by each of their names, and by where they hold roles', async () => {
  const caller = new Caller((await signedInWith(['users.read'])).browser)
  const company = await createContractor()
  const mark = randomUUID()
  const person = await createUser({ fio: `Ёлкин_${mark}`, externalId: `ext%${mark}`, roles: [] })
  const role = await createContractorRole([])
  await join(company, person.id, [role.id])
  const idsFound = async (filter: object) =>
    (await caller.call(listUsers, { query: { filter, meta: { perPage: 100 } } } as never)).users.map(({ id }) => id)
  for (const search of [
    `елкин_${mark}`.replace('е', 'ё'),
    person.login,
    person.email,
    person.mobile,
    person.mobile.replace('+7', '8 ').replace(/(\d{3})(\d{4})$/, '$1-$2'),
    `ext%${mark}`,
  ])
    expect(await idsFound({ search }), search).toEqual([person.id])
  expect(await idsFound({ search: `ext_${mark}` })).toEqual([])
  expect(await idsFound({ roleId: role.id })).toEqual([person.id])
  expect(await idsFound({ contractorId: company.contractor.id })).toEqual([person.id])
  expect(await idsFound({ organizationId: company.organization.id })).toEqual([person.id])
  expect(await idsFound({ contractorId: company.contractor.id, enabled: 'false' })).toEqual([])
  expect(await db().$count(userContractors, eq(userContractors.userId, person.id))).toBe(1)
})

test('the card shows a role as in effect while it, its organization and its contractor are enabled', async () => {
  const caller = new Caller((await signedInWith(['users.read'])).browser)
  const [person, company] = [await createUser(), await createContractor()]
  const { role } = await holdInOrganization(company.organization.id, [], person.id)
  await join(company, person.id, [(await createContractorRole()).id])
  const shownRoles = async () =>
    Object.fromEntries(
      (await caller.call(readUser, { params: { id: person.id } })).roles.map(
        ({ organization, contractor, inEffect }) => [
          contractor ? 'contractor' : organization ? 'organization' : 'platform',
          inEffect,
        ],
      ),
    )
  const all = { platform: true, organization: true, contractor: true }
  expect(await shownRoles()).toEqual(all)
  const { organization, contractor } = company
  for (const [table, id, lost] of [
    [roles, role.id, { organization: false }],
    [organizations, organization.id, { organization: false, contractor: false }],
    [contractors, contractor.id, { contractor: false }],
  ] as const) {
    const switched = (enabled: boolean) => db().execute(sql`update ${table} set enabled = ${enabled} where id = ${id}`)
    await switched(false)
    expect(await shownRoles()).toEqual({ ...all, ...lost })
    await switched(true)
  }
  expect(await shownRoles()).toEqual(all)
})

test('a merge concerns everybody in it: the target and each other account protect all of them', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  for (const [strong, places] of [
    [0, 'platform'],
    [1, 'organization'],
    [2, 'contractor'],
  ] as const) {
    const people = await Promise.all([0, 1, 2].map((n) => target(n === strong ? ['license.write'] : [], places)))
    const before = await Promise.all(people.map(({ id }) => stateOf(id)))
    const [targetId = '', ...sourceIds] = people.map(({ id }) => id)
    const preview = await caller.call(previewUserMerge, { query: { targetId, sourceIds } })
    expect(preview.allowed, places).toBe(false)
    const { status, body } = await caller.send(mergeUsers, { body: { targetId, sourceIds } })
    expect({ status, code: (body as { code: string }).code }, places).toEqual({ status: 403, code: 'forbiddenUser' })
    expect(await Promise.all(people.map(({ id }) => stateOf(id))), places).toEqual(before)
  }
})

test('a preview tells whose the account is that can only be the target', async () => {
  const { browser, user } = await signedInWith(['users.write'])
  const caller = new Caller(browser)
  const other = await createUser({ roles: [] })
  for (const [targetId, source] of [
    [other.id, user.id],
    [user.id, other.id],
  ] as const) {
    const preview = await caller.call(previewUserMerge, { query: { targetId, sourceIds: [source] } })
    expect(preview.users.map(({ id, own }) => [id, own])).toEqual([targetId, source].map((id) => [id, id === user.id]))
    const { status } = await caller.send(mergeUsers, { body: { targetId, sourceIds: [source] } })
    expect(status).toBe(source === user.id ? 409 : 200)
  }
})

test('of thirty merges that take the same double, one gets it; what it held is held once', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const company = await createContractor()
  const double = await createUser({ roles: [] })
  await join(company, double.id, [(await createContractorRole([])).id])
  const targets = await Promise.all(Array.from({ length: 30 }, () => createUser({ roles: [] })))
  const merged = await Promise.all(
    targets.map(({ id }) => caller.send(mergeUsers, { body: { targetId: id, sourceIds: [double.id] } })),
  )
  expect(merged.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(404)])
  const members = await db()
    .select()
    .from(userContractors)
    .where(eq(userContractors.contractorId, company.contractor.id))
  expect(members).toHaveLength(1)
  // two that take each other don't wait for each other for ever
  const [one, other] = [await createUser({ roles: [] }), await createUser({ roles: [] })]
  const both = await Promise.all([
    caller.send(mergeUsers, { body: { targetId: one.id, sourceIds: [other.id] } }),
    caller.send(mergeUsers, { body: { targetId: other.id, sourceIds: [one.id] } }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
})
