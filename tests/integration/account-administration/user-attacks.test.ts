import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { invitedRoleFault } from '@/db/open-invitation'
import {
  contractors,
  invitationRoles,
  invitations,
  roleMethods,
  sessions,
  userContractorRoles,
  userContractors,
  userIdentifiers,
  userRoles,
  users,
} from '@/db/schema'
import * as accountCalls from '@/lib/account-administration/accounts/contract'
import { mergeUsers, previewUserMerge } from '@/lib/account-administration/user-merge/contract'
import * as calls from '@/lib/accounts/administration/contract'
import * as holderCalls from '@/lib/accounts/role-holders/contract'
import { withImplied } from '@/lib/base/access/access-methods'
import * as contractorCalls from '@/lib/companies/contractors/contract'
import { liftUserLimits } from '@/lib/operations/account-limits/contract'
import * as passwordCalls from '@/lib/sign-in/passwords/contract'
import { contracts } from '@/lib/wiring/contracts'
import { createRoleWith, signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { type AnyContract, Caller, type Input } from '../../factories/caller'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { dormant } from '../../factories/dormant-rights'
import { startProvider } from '../../factories/oidc'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { linkIn, mailsTo, setByLink } from '../../factories/recovery'
import { methodIdsOf, signedInAdministrator } from '../../factories/roles'
import { handlerOf } from '../../factories/routes'
import { prepareSamples, sampleBody, sampleParams, sampleQuery } from '../../factories/samples'
import { callAs, createServiceAccount, holdMethods } from '../../factories/service-accounts'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
  await prepareSamples()
})
afterAll(() => running.stop())

const below = caseNumbers(2620)
const pool = ['users.read', 'license.read', 'license.write', 'history.read'] as const
const some = () => [...new Set(Array.from({ length: below(4) }, () => pool[below(pool.length)] as string))]

/** Everything that says who may do what, to compare before and after. */
async function everything() {
  const tables = ['users', 'user_identifiers', 'user_roles', 'user_contractor_roles', 'user_contractors', 'sessions']
  const contents = [...tables, 'links', 'messages', 'history', 'runs'].map(async (table) => {
    const { rows } = await db().execute(sql`select to_jsonb(t)::text as row from ${sql.identifier(table)} t order by 1`)
    return [table, rows] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

test('a merge brings nobody a role or an invitation that the caller couldn’t give, also one without effect now', async () => {
  const seen = { refused: 0, done: 0 }
  for (const [way, plant] of Object.entries(dormant))
    for (const _ of eachRound(6)) {
      const heldMethods = ['users.write', ...some()]
      const { user, browser } = await signedInWith(heldMethods)
      const caller = new Caller(browser)
      // the attacker takes what others have into their own account, which has no e-mail
      await db().update(users).set({ email: null }).where(eq(users.id, user.id))
      const [double, codes] = [await createUser({ roles: [] }), some()]
      await plant(double.id, codes)
      const lacks = codes.some((code) => !withImplied(heldMethods).has(code))
      const input = { targetId: user.id, sourceIds: [double.id] }
      const situation = `${heldMethods} merges ${codes} of ${way}`
      const before = await everything()
      const preview = await caller.call(previewUserMerge, { query: input })
      const { status, body } = await caller.send(mergeUsers, { body: input })
      expect({ status, allowed: preview.allowed }, situation).toEqual({ status: lacks ? 403 : 200, allowed: !lacks })
      if (lacks) {
        expect(body, situation).toMatchObject({ code: 'forbiddenUser' })
        const { sessions: _, ...after } = await everything()
        const { sessions: __, ...then } = before
        expect(after, situation).toEqual(then)
      }
      seen[lacks ? 'refused' : 'done']++
    }
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(shareOf(5))
}, 120_000)

test('whoever an invitation gives more than the caller has isn’t merged away, also if nobody would get it', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const [target, double] = [await createUser({ roles: [] }), await createUser({ roles: [] })]
  await db().update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, double.id))
  const { id, organization } = await plantInvitation({ email: double.email })
  const roleId = (await createContractorRole(['license.write'])).id
  await db().insert(invitationRoles).values({ invitationId: id, organizationId: organization.id, roleId })
  const merge = () => caller.send(mergeUsers, { body: { targetId: target.id, sourceIds: [double.id] } })
  expect(await merge()).toMatchObject({ status: 403, body: { code: 'forbiddenUser' } })
  await db().update(invitations).set({ status: 'refusal' }).where(eq(invitations.id, id))
  expect((await merge()).status).toBe(200)
})

test('a merge revives no invitation whose inviter couldn’t give its roles, and keeps the others', async () => {
  const { caller } = await signedInAdministrator()
  /** In whose name it stands, and why it gives nothing. */
  const stateOf = async (id: string) => {
    const [row] = await db()
      .select({ inviterId: invitations.inviterId, fault: invitedRoleFault })
      .from(invitationRoles)
      .innerJoin(invitations, eq(invitations.id, invitationRoles.invitationId))
      .where(eq(invitations.id, id))
    return row
  }
  const target = await createUser({ roles: ['administrator'] })
  const spoilt: Record<string, (planted: Awaited<ReturnType<typeof plantInvitation>>) => Promise<unknown>> = {
    disabled: ({ inviter }) => db().update(users).set({ enabled: false }).where(eq(users.id, inviter.id)),
    'no manager': ({ inviter }) => db().delete(userRoles).where(eq(userRoles.userId, inviter.id)),
    'lacks a method': async ({ role }) => {
      const [methodId = ''] = await methodIdsOf('license.read')
      await db().insert(roleMethods).values({ roleId: role.id, methodId })
    },
    'lacks a method, and its contractor is off for a while': async ({ role, contractor }) => {
      const [methodId = ''] = await methodIdsOf('license.read')
      await db().insert(roleMethods).values({ roleId: role.id, methodId })
      await db().update(contractors).set({ enabled: false }).where(eq(contractors.id, contractor.id))
    },
  }
  for (const [way, spoil] of Object.entries(spoilt)) {
    const planted = await plantInvitation()
    await spoil(planted)
    const input = { targetId: target.id, sourceIds: [planted.inviter.id] }
    expect((await caller.send(mergeUsers, { body: input })).status, way).toBe(200)
    await db().update(contractors).set({ enabled: true }).where(eq(contractors.id, planted.contractor.id))
    expect(await stateOf(planted.id), way).toEqual({ inviterId: null, fault: 'inviter' })
  }
  const openInvitation = await plantInvitation()
  const over = await plantInvitation({ inviterId: openInvitation.inviter.id, status: 'success' })
  const input = { targetId: target.id, sourceIds: [openInvitation.inviter.id] }
  expect((await caller.send(mergeUsers, { body: input })).status).toBe(200)
  expect(await stateOf(openInvitation.id)).toEqual({ inviterId: target.id, fault: null })
  expect((await stateOf(over.id))?.inviterId).toBe(target.id)
})

/** What each call of accounts sends about somebody, as a program does it. */
const changes: Record<string, { contract: AnyContract; input: (id: string) => Input }> = {
  disable: { contract: calls.enableUser, input: (id) => ({ params: { id }, body: { enabled: false } }) },
  change: { contract: accountCalls.updateUser, input: (id) => ({ params: { id }, body: { isEditable: false } }) },
  'reset password': { contract: passwordCalls.resetUserPassword, input: (id) => ({ params: { id } }) },
  roles: { contract: holderCalls.setUserRoles, input: (id) => ({ params: { id }, body: { roles: [] } }) },
  contractors: {
    contract: contractorCalls.setUserContractors,
    input: (id) => ({ params: { id }, body: { contractors: [] } }),
  },
  remove: { contract: accountCalls.deleteUser, input: (id) => ({ params: { id } }) },
  bulk: { contract: accountCalls.bulkUsers, input: (id) => ({ body: { userIds: [id], act: 'disable' } }) },
}

test('a program with a token touches nobody who holds a method that its application lacks, by no call and by no merge', async () => {
  const account = await createServiceAccount(running)
  const as = (contract: AnyContract, { params, body }: Input) =>
    callAs(account.token, handlerOf(contract), contract, { ...(params ? { params } : {}), body })
  const seen = { refused: 0, done: 0 }
  for (const round of eachRound(4, () => Math.min(...Object.values(seen)) > rounds(5))) {
    const heldMethods = ['users.write', ...some()]
    await holdMethods(account.application.id, heldMethods)
    const other = await createUser({ roles: [] })
    const merge = (id: string) => ({ body: { targetId: other.id, sourceIds: [id] } })
    for (const [name, { contract, input }] of Object.entries({
      ...changes,
      merge: { contract: mergeUsers as AnyContract, input: merge },
    })) {
      const codes = some()
      const person = await createUser({ roles: codes.length > 0 ? [await createRoleWith(codes)] : [] })
      const lacks = codes.some((code) => !withImplied(heldMethods).has(code))
      const before = await everything()
      const { status, body } = await as(contract, input(person.id))
      const refused =
        name === 'bulk'
          ? (body as { results: { code: string | null }[] }).results[0]?.code === 'forbiddenUser'
          : status === 403
      expect({ refused, status }, `round ${round}: ${heldMethods} does “${name}” to ${codes}`).toEqual({
        refused: lacks,
        status: lacks && name !== 'bulk' ? 403 : 200,
      })
      if (lacks) expect(await everything(), name).toEqual(before)
      seen[lacks ? 'refused' : 'done']++
    }
    // nor does it give a role that gives what it lacks
    const person = await createUser({ roles: [] })
    const strong = await createContractorRole(['masterAccountAccess'], 'systemic')
    const given = await as(holderCalls.setUserRoles, {
      params: { id: person.id },
      body: { roles: [{ roleId: strong.id }] },
    })
    const several = { userIds: [person.id], act: 'giveRole', role: { roleId: strong.id } }
    const { body } = await as(accountCalls.bulkUsers, { body: several })
    expect([given.status, body]).toMatchObject([403, { results: [{ code: 'forbiddenRole' }] }])
    expect(await db().$count(userRoles, eq(userRoles.userId, person.id))).toBe(0)
  }
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(shareOf(5))
}, 120_000)

test('columns of an account that no field has are refused, whatever else is sent, and nothing is stored', async () => {
  const { caller } = await signedInAdministrator()
  const person = await createUser({ roles: [] })
  const columns = {
    id: randomUUID(),
    passwordHash: '$2b$04$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghijkl',
    password: 'Tihaja-gavan-31',
    providerId: randomUUID(),
    externalId: 'ext-1',
    emailVerifiedAt: new Date().toISOString(),
    temporary: true,
    passwordChangeRequired: false,
    disabledByProvider: true,
    createdAt: new Date(0).toISOString(),
    version: 7,
    roles: [],
    enabled: false,
    __proto__: { login: 'x' },
    constructor: { prototype: { login: 'x' } },
  }
  const before = await everything()
  for (const [name, value] of Object.entries(columns)) {
    const situation = `${name} beside the fields`
    const beside = await caller.send(accountCalls.updateUser, {
      params: { id: person.id },
      body: { [name]: value, values: {} },
    })
    expect(beside.status, situation).toBe(400)
    const among = await caller.send(accountCalls.updateUser, {
      params: { id: person.id },
      body: { values: { [name]: value } },
    })
    expect([among.status, among.body], name).toMatchObject([
      400,
      { data: { errorList: [{ field: `values.${name}` }] } },
    ])
    const made = { lastName: 'Орлова', firstName: 'Вера', middleName: 'Ильинична', email: 'mass@polaris.example' }
    for (const body of [{ values: made, [name]: value }, { values: { ...made, [name]: value } }])
      expect((await caller.send(accountCalls.createUser, { body })).status, `new: ${name}`).toBe(400)
  }
  expect({ ...(await everything()), sessions: null }).toEqual({ ...before, sessions: null })
})

test('the id of a deleted account is nobody’s in every call about an account, and writes nothing', async () => {
  const { caller } = await signedInAdministrator()
  const deletedUser = await createUser({ roles: [] })
  await caller.call(accountCalls.deleteUser, { params: { id: deletedUser.id } })
  const ofOneUser = contracts.filter(({ path }) => path.startsWith('/setting/users/{id}'))
  expect(ofOneUser.length).toBeGreaterThan(20)
  const before = await everything()
  for (const contract of ofOneUser) {
    const params = { ...sampleParams(contract), id: deletedUser.id }
    const sent = { params, query: sampleQuery(contract), body: sampleBody(contract) }
    const { status, body } = await caller.browser.send(handlerOf(contract), contract.method, sent)
    expect([status, (body as { code: string }).code], contract.name).toEqual([404, 'notFound'])
  }
  for (const act of accountCalls.bulkActs) {
    const role = act.endsWith('Role') ? { role: { roleId: randomUUID() } } : {}
    const { results } = await caller.call(accountCalls.bulkUsers, { body: { userIds: [deletedUser.id], act, ...role } })
    expect(results[0]?.code, act).toBe('notFound')
  }
  const other = await createUser({ roles: [] })
  for (const pair of [
    { targetId: deletedUser.id, sourceIds: [other.id] },
    { targetId: other.id, sourceIds: [deletedUser.id] },
  ])
    expect((await caller.send(mergeUsers, { body: pair })).status).toBe(404)
  await db().delete(users).where(eq(users.id, other.id))
  expect({ ...(await everything()), sessions: null }).toEqual({ ...before, sessions: null })
})

test('whoever signs in while their account is merged or deleted is refused or signed out, and leaves nothing', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  for (const way of ['merge', 'delete'] as const) {
    const [target, double] = [await createUser({ roles: [] }), await createUser({ roles: [] })]
    const browsers = Array.from({ length: 12 }, (_, n) => new Browser(undefined, `198.51.100.${n + 1}`))
    const [answers, done] = await Promise.all([
      Promise.all(browsers.map((browser) => signInByPassword(browser, double.login, password))),
      way === 'merge'
        ? caller.send(mergeUsers, { body: { targetId: target.id, sourceIds: [double.id] } })
        : caller.send(accountCalls.deleteUser, { params: { id: double.id } }),
    ])
    expect(done.status, way).toBe(200)
    expect(
      answers.map(({ status }) => status).filter((status) => status >= 500),
      way,
    ).toEqual([])
    expect(await Promise.all(browsers.map((browser) => signedInStatus(browser))), way).toEqual(Array(12).fill(401))
    const counts = [
      await db().$count(users, eq(users.id, double.id)),
      await db().$count(userIdentifiers, eq(userIdentifiers.userId, double.id)),
      await db().$count(sessions, and(inArray(sessions.userId, [double.id, target.id]), isNull(sessions.endedAt))),
    ]
    expect(counts, way).toEqual([0, 0, 0])
  }
}, 60_000)

test('of merges, deletions and gifts of roles that meet, each comes whole or not at all', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  for (let round = 0; round < 4; round++) {
    const [target, double] = [await createUser({ roles: [] }), await createUser({ roles: [] })]
    const company = await createContractor()
    const role = await createContractorRole([])
    await join(company, double.id, [role.id])
    const body = { targetId: target.id, sourceIds: [double.id] }
    const place = { roleId: role.id, organizationId: company.organization.id, contractorId: company.contractor.id }
    const answers = await thirty((n) =>
      n % 3 === 0
        ? caller.send(mergeUsers, { body })
        : n % 3 === 1
          ? caller.send(accountCalls.bulkUsers, {
              body: { userIds: [double.id, target.id], act: 'giveRole', role: place },
            })
          : caller.send(contractorCalls.setUserContractors, { params: { id: double.id }, body: { contractors: [] } }),
    )
    expect(answers.map(({ status }) => status).filter((status) => ![200, 404, 409].includes(status))).toEqual([])
    expect(answers.filter(({ status }, n) => n % 3 === 0 && status === 200)).toHaveLength(1)
    expect(await db().$count(users, eq(users.id, double.id))).toBe(0)
    // nobody holds a role for a contractor that they aren't in
    const heldRoles = await db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, target.id))
    const joined = await db().select().from(userContractors).where(eq(userContractors.userId, target.id))
    for (const { contractorId } of heldRoles) expect(joined.map((one) => one.contractorId)).toContain(contractorId)
  }
}, 60_000)

test('no help of an administrator leaves somebody with fewer factors: a reset, lifted limits, a lost mobile, a merge', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  const strict = await createRole({ firstFactor: ['credentials'], secondFactor: ['sms_code'] })
  const person = await createUser({ roles: [strict] })
  const fresh = 'Tihaja-gavan-47'
  /** What a right password leads to in a new browser. */
  const after = async (login: string, secret: string) => {
    const browser = new Browser()
    const { status, body } = await signInByPassword(browser, login, secret)
    return { status, body, signedIn: (await signedInStatus(browser)) === 200 }
  }
  const second = { status: 200, body: { next: 'second_factor', flows: ['sms_code'] }, signedIn: false }
  expect(await after(person.login, password)).toEqual(second)

  await caller.call(passwordCalls.resetUserPassword, { params: { id: person.id } })
  const [mail] = await mailsTo(person.id, 'passwordReset')
  const setter = new Browser()
  expect((await setByLink(setter, linkIn(mail?.text ?? '').id, fresh)).status).toBe(200)
  // the link proves the mailbox, which is no factor of this schema
  expect(await signedInStatus(setter)).toBe(401)
  expect((await after(person.login, password)).signedIn).toBe(false)
  expect(await after(person.login, fresh)).toEqual(second)

  await caller.call(liftUserLimits, { params: { id: person.id } })
  expect(await after(person.login, fresh)).toEqual(second)

  await caller.call(accountCalls.updateUser, { params: { id: person.id }, body: { values: { mobile: null } } })
  expect((await after(person.login, fresh)).signedIn).toBe(false)

  // a merge brings the stricter schema of the other account along
  const target = await createUser({ roles: [] })
  expect((await after(target.login, password)).signedIn).toBe(true)
  await caller.call(mergeUsers, { body: { targetId: target.id, sourceIds: [person.id] } })
  expect(await after(target.login, password)).toEqual(second)
})
