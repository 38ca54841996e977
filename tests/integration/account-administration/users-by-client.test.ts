import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import {
  applications,
  dynamicFields,
  history,
  oidcClients,
  oidcRecords,
  runRows,
  runs,
  sessions,
  userContractors,
  userRoles,
  users,
} from '@/db/schema'
import * as accountCalls from '@/lib/account-administration/accounts/contract'
import * as imports from '@/lib/account-administration/user-import/contract'
import { mergeUsers } from '@/lib/account-administration/user-merge/contract'
import * as calls from '@/lib/accounts/administration/contract'
import * as holderCalls from '@/lib/accounts/role-holders/contract'
import { withImplied } from '@/lib/base/access/access-methods'
import { tidyBatchJobs } from '@/lib/base/batch-jobs/batch-jobs'
import * as contractorCalls from '@/lib/companies/contractors/contract'
import { deleteClient } from '@/lib/openid/clients/service'
import * as passwordCalls from '@/lib/sign-in/passwords/contract'
import { endUserSessions, listUserSessions } from '@/lib/sign-in/sessions-of-users/contract'
import { createRoleWith, signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { startProvider } from '../../factories/oidc'
import { Program } from '../../factories/program'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { holdInOrganization } from '../../factories/roles-held'
import { createServiceAccount, holdMethods } from '../../factories/service-accounts'
import { signInByPassword } from '../../factories/sign-in'
import { imported, importOf, workOnImport } from '../../factories/user-import'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
  // what new accounts must have is the matter of other tests
  await db().update(dynamicFields).set({ adminRequired: false })
})
afterAll(() => running.stop())

const login = () => `program-${randomUUID().slice(0, 13)}`

/** An application that may change accounts, with a program of it. */
async function program(codes: readonly string[] = ['users.write']) {
  const account = await createServiceAccount(running, codes)
  return { ...account, caller: new Program(account.token) }
}
type Account = Awaited<ReturnType<typeof program>>

const changersOf = async (entityId: string) => [
  ...new Set(
    (await db().select({ changer: history.changerId }).from(history).where(eq(history.entityId, entityId))).map(
      ({ changer }) => changer,
    ),
  ),
]
const idOfLogin = async (name: string) =>
  (await db().select({ id: users.id }).from(users).where(eq(users.login, name)))[0]?.id ?? ''

test('a program does everything with accounts that the screens do, and the history names its application', async () => {
  const { application, caller } = await program(['users.write', 'license.write'])
  const name = login()
  const values = { login: name, fio: 'Вера Орлова', email: `${name}@polaris.example` }
  await caller.call(accountCalls.createUser, { body: { values } })
  const id = await idOfLogin(name)
  const find = (filter: object) => caller.call(calls.listUsers, { query: { filter: { search: name, ...filter } } })
  expect(await find({})).toMatchObject({ users: [{ id, login: name, enabled: true }], meta: { total: 1 } })

  await caller.call(accountCalls.updateUser, { params: { id }, body: { isEditable: false } })
  const role = await createContractorRole(['license.write'], 'systemic')
  await caller.call(holderCalls.setUserRoles, { params: { id }, body: { roles: [{ roleId: role.id }] } })
  const { contractor } = await createContractor()
  await caller.call(contractorCalls.setUserContractors, { params: { id }, body: { contractors: [contractor.id] } })
  expect(await caller.call(calls.readUser, { params: { id } })).toMatchObject({
    isEditable: false,
    roles: [{ role: { id: role.id } }],
    contractors: [{ id: contractor.id }],
    allowed: true,
  })

  const person = await createUser({ roles: [] })
  await signInByPassword(new Browser(), person.login, password)
  const open = () => db().$count(sessions, and(eq(sessions.userId, person.id), isNull(sessions.endedAt)))
  expect((await caller.call(listUserSessions, { params: { id: person.id }, query: {} })).sessions).toHaveLength(1)
  await caller.call(endUserSessions, { params: { id: person.id }, query: {} })
  expect(await open()).toBe(0)
  await caller.call(passwordCalls.resetUserPassword, { params: { id: person.id } })
  expect((await caller.call(calls.readUser, { params: { id: person.id } })).hasPassword).toBe(false)

  await caller.call(calls.enableUser, { params: { id }, body: { enabled: false, reason: 'ушёл' } })
  expect(await find({ enabled: false })).toMatchObject({ users: [{ id }] })
  const body = { userIds: [id, person.id], act: 'enable' as const }
  expect((await caller.call(accountCalls.bulkUsers, { body })).results.map(({ code }) => code)).toEqual([null, null])
  const exported = await caller.send(calls.exportUsers, { query: { format: 'csv', filter: { search: name } } })
  expect([exported.status, exported.body]).toEqual([200, { file: expect.stringContaining(name) }])

  await caller.call(mergeUsers, { body: { targetId: id, sourceIds: [person.id] } })
  expect(await db().$count(users, eq(users.id, person.id))).toBe(0)
  expect(await changersOf(id)).toEqual([application.id])
  await caller.call(accountCalls.deleteUser, { params: { id } })
  expect(await db().$count(users, eq(users.id, id))).toBe(0)
})

test('a program imports a file: it is checked, written under its application’s name, and watched by its client alone', async () => {
  const { application, caller, config } = await program()
  const [good, wrong] = [login(), login()]
  const targets = ['field.login', 'field.fio', 'field.email']
  const body = importOf(targets, [
    [good, 'Вера Орлова', `${good}@polaris.example`],
    [wrong, 'Нет', 'nobody@'],
  ])
  expect(await caller.call(imports.readImportColumns, { body: { file: body.file } })).toMatchObject({ rows: 2 })
  const before = await db().$count(runs)
  const preview = await caller.call(imports.checkUserImport, { body })
  expect(preview).toMatchObject({ total: 2, good: 1, create: 1, faults: [{ row: 3, code: 'errorEmail' }] })
  expect([await idOfLogin(good), await db().$count(runs)]).toEqual(['', before])

  const { id, run, faults } = await imported(caller, body)
  expect({ run, faults }).toMatchObject({
    run: { state: 'done', done: 1, failed: 1 },
    faults: [{ row: 3, title: wrong, code: 'errorEmail' }],
  })
  expect(await changersOf(await idOfLogin(good))).toEqual([application.id])
  const file = await caller.send(imports.readUserImportFaults, { params: { id } })
  expect(file.body).toEqual({ file: expect.stringContaining(wrong) })
  // the columns of the next file begin with those of the client's last one
  const next = await caller.call(imports.readImportColumns, { body: { file: body.file } })
  expect(next.kept).toEqual({ by: 'login', mode: 'both', sendLinks: false })

  // another token of the client sees it; another client of the application, another application and a person don't
  const { access_token: second } = await client.clientCredentialsGrant(config)
  expect((await new Program(second).call(imports.listUserImports)).runs).toMatchObject([{ id }])
  const others: Caller[] = [
    new Program((await createServiceAccount(running, ['users.write'], { applicationId: application.id })).token),
    (await program()).caller,
    new Caller((await signedInWith(['users.write'])).browser),
  ]
  for (const other of others) {
    expect(await other.call(imports.listUserImports)).toEqual({ runs: [] })
    for (const call of [
      imports.readUserImport,
      imports.readUserImportFaults,
      imports.stopUserImport,
      imports.resumeUserImport,
    ])
      expect((await other.send(call, { params: { id } })).status, call.name).toBe(404)
  }
})

test('a refused import of a program writes nothing', async () => {
  const { application, caller } = await program()
  const body = importOf(['field.login', 'field.fio'], [[login(), 'Вера Орлова']])
  const everything = async () => [await db().$count(users), await db().$count(runs), await db().$count(runRows)]
  const before = await everything()
  const wrong = importOf(['field.login', 'field.email'], [['', 'nobody@']])
  expect(await caller.send(imports.startUserImport, { body: wrong })).toMatchObject({
    status: 400,
    body: { data: { errorList: [{ field: 'file', code: 'userImportNothing' }] } },
  })
  await holdMethods(application.id, ['users.read'])
  expect((await caller.send(imports.startUserImport, { body })).status).toBe(403)
  await holdMethods(application.id, ['users.write'])
  await db()
    .update(applications)
    .set({ ip: ['192.0.2.0/24'] })
    .where(eq(applications.id, application.id))
  expect((await caller.send(imports.startUserImport, { body })).status).toBe(401)
  expect(await everything()).toEqual(before)
})

test('of thirty imports that a client starts at once one runs', async () => {
  const { caller, config } = await program()
  const tokens = await Promise.all(Array.from({ length: 3 }, () => client.clientCredentialsGrant(config)))
  const callers = [caller, ...tokens.map(({ access_token: token }) => new Program(token))]
  const answers = await thirty((n) =>
    (callers[n % 4] as Program).send(imports.startUserImport, {
      body: importOf(['field.login', 'field.fio'], [[login(), 'Вера Орлова']]),
    }),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(0)
  // a caller sends only so many files at once
  expect(statuses.filter((status) => ![200, 409, 429].includes(status))).toEqual([])
})

const below = caseNumbers(198)
const pool = ['users.read', 'license.read', 'license.write', 'history.read', 'masterAccountAccess'] as const
const some = () => [...new Set(Array.from({ length: below(4) }, () => pool[below(pool.length)] as string))]

/** Everything of an account that an import writes. */
const stateOf = async (userId: string) => ({
  person: (await db().select().from(users).where(eq(users.id, userId)))[0],
  roles: await db().$count(userRoles, eq(userRoles.userId, userId)),
  contractors: await db().$count(userContractors, eq(userContractors.userId, userId)),
  recorded: await db().$count(history, eq(history.entityId, userId)),
})

test('by import a program touches nobody who holds a method that its application lacks, and gives no such role', async () => {
  const account = await program()
  const company = await createContractor()
  const seen = { touched: 0, spared: 0 }
  for (const round of eachRound(8, () => Math.min(...Object.values(seen)) > rounds(5))) {
    // the check sees other rights than the run: each is asked by itself
    const [ownMethods, later] = [some(), some()].map((codes) => [
      'users.write',
      ...codes.filter((code) => code !== 'masterAccountAccess'),
    ]) as [string[], string[]]
    await holdMethods(account.application.id, ownMethods)
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const [codes, given, where] = [some(), below(2) ? [] : some(), below(3)]
        const direct = where === 0 && codes.length > 0
        const person = await createUser({ login: login(), roles: direct ? [await createRoleWith(codes)] : [] })
        if (where === 1) await holdInOrganization((await createContractor()).organization.id, codes, person.id)
        if (where === 2) await join(await createContractor(), person.id, [(await createContractorRole(codes)).id])
        return { person, codes, given, role: await createContractorRole(given, 'systemic') }
      }),
    )
    const rows = people.map(({ person, role }) => [
      ...[person.login, `${login()}@polaris.example`, role.name],
      ...[company.contractor.inn ?? '', `ext-${person.id}`],
    ])
    const body = importOf(['field.login', 'field.email', 'roles', 'contractors', 'externalId'], rows)
    const before = await Promise.all(people.map(({ person }) => stateOf(person.id)))
    const lacks = (heldMethods: string[], codes: string[]) => codes.some((code) => !withImplied(heldMethods).has(code))
    const situation = `round ${round}: ${ownMethods}, then ${later}`
    const preview = await account.caller.call(imports.checkUserImport, { body })
    expect(
      people.map((_, at) => preview.faults.find(({ row }) => row === at + 2)?.code ?? null),
      situation,
    ).toEqual(
      people.map(({ codes, given }) =>
        lacks(ownMethods, codes) ? 'forbiddenUser' : lacks(ownMethods, given) ? 'userImportRoleBeyond' : null,
      ),
    )
    const { status, body: answer } = await account.caller.send(imports.startUserImport, { body })
    await holdMethods(account.application.id, later)
    if (status === 200) await workOnImport((answer as { id: string }).id)
    for (const [at, { person, codes, given }] of people.entries()) {
      const spared = [ownMethods, later].some((heldMethods) => lacks(heldMethods, codes) || lacks(heldMethods, given))
      const after = await stateOf(person.id)
      if (spared) expect(after, situation).toEqual(before[at])
      else expect(after, situation).not.toEqual(before[at])
      seen[spared ? 'spared' : 'touched']++
    }
  }
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(shareOf(5))
}, 120_000)

const set = (values: Partial<typeof oidcClients.$inferInsert>) => (account: Account) =>
  db().update(oidcClients).set(values).where(eq(oidcClients.clientId, account.clientId))
const ofApplication = (values: Partial<typeof applications.$inferInsert>) => (account: Account) =>
  db().update(applications).set(values).where(eq(applications.id, account.application.id))

/** What ends a program's rights, how its run says so, and what gives them back. */
const ends: Record<
  string,
  { end: (account: Account) => Promise<unknown>; fault: string; mend?: (typeof ends)[string]['end'] }
> = {
  'its token is revoked': {
    end: ({ config, token }) => client.tokenRevocation(config, token),
    fault: 'userImportToken',
  },
  'its client is disabled': {
    end: set({ enabled: false }),
    fault: 'userImportClient',
    mend: set({ enabled: true }),
  },
  'its client may no longer work without people': {
    end: set({ grantTypes: ['authorization_code'] }),
    fault: 'userImportClient',
    mend: set({ grantTypes: ['client_credentials'] }),
  },
  'its application is disabled': {
    end: ofApplication({ enabled: false }),
    fault: 'userImportClient',
    mend: ofApplication({ enabled: true }),
  },
  'its address is no longer one of the application’s': {
    end: ofApplication({ ip: ['192.0.2.0/24'] }),
    fault: 'userImportClient',
    mend: ofApplication({ ip: [] }),
  },
  'its application loses the method': {
    end: ({ application }) => holdMethods(application.id, ['users.read']),
    fault: 'userImportRights',
    mend: ({ application }) => holdMethods(application.id, ['users.write']),
  },
}

test.each(Object.entries(ends))(
  'a run in which %s stops before its next row, says why, and goes on when it may again',
  async (_, { end, fault, mend }) => {
    const account = await program()
    const names = Array.from({ length: 3 }, login)
    const body = importOf(
      ['field.login', 'field.fio'],
      names.map((name) => [name, 'Вера Орлова']),
    )
    const { id } = await account.caller.call(imports.startUserImport, { body })
    // the first row is done, as by a worker that was killed after it
    await db()
      .update(runRows)
      .set({ state: 'done' })
      .where(and(eq(runRows.runId, id), eq(runRows.row, 2)))
    await end(account)
    await workOnImport(id)
    const stateNow = async () => (await db().select().from(runs).where(eq(runs.id, id)))[0]
    expect(await stateNow()).toMatchObject({ state: 'stopped', fault, done: 0 })
    expect(await Promise.all(names.map(idOfLogin))).toEqual(['', '', ''])

    await mend?.(account)
    const { access_token: fresh } = await client.clientCredentialsGrant(account.config)
    const again = new Program(fresh)
    expect(await again.call(imports.readUserImport, { params: { id } })).toMatchObject({
      run: { state: 'stopped', fault },
    })
    await again.call(imports.resumeUserImport, { params: { id } })
    await workOnImport(id)
    expect(await stateNow()).toMatchObject({ state: 'done', fault: null, done: 2 })
  },
)

test('a token that ends doesn’t end its run; one that ended while nothing was done may have been revoked', async () => {
  for (const [endsIn, rested] of [
    [-1_000, false],
    [600_000, true],
  ] as const) {
    const { caller, clientId } = await program()
    const name = login()
    const body = importOf(['field.login', 'field.fio'], [[name, 'Вера Орлова']])
    const { id } = await caller.call(imports.startUserImport, { body })
    const until = JSON.stringify(new Date(Date.now() + endsIn))
    await db()
      .update(runs)
      .set({ options: sql`jsonb_set(${runs.options}, '{client,token,until}', ${until}::jsonb)` })
      .where(eq(runs.id, id))
    await db().delete(oidcRecords).where(eq(oidcRecords.clientId, clientId))
    // the worker comes back long after the token's end
    if (rested) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 900_000 })
    await workOnImport(id).finally(() => vi.useRealTimers())
    const [run] = await db().select().from(runs).where(eq(runs.id, id))
    expect(run).toMatchObject(
      rested ? { state: 'stopped', fault: 'userImportToken', done: 0 } : { state: 'done', done: 1 },
    )
    expect(Boolean(await idOfLogin(name))).toBe(!rested)
  }
})

test('a run is deleted after its month, or with its client', async () => {
  const { caller, clientId } = await program()
  const file = () => importOf(['field.login', 'field.fio'], [[login(), 'Вера Орлова']])
  const countRuns = () => db().$count(runs, eq(runs.clientId, clientId))
  await imported(caller, file())
  await tidyBatchJobs(new Date(Date.now() + 29 * 86_400_000))
  expect(await countRuns()).toBe(1)
  await tidyBatchJobs(new Date(Date.now() + 31 * 86_400_000))
  expect(await countRuns()).toBe(0)
  await caller.call(imports.startUserImport, { body: file() })
  expect(await countRuns()).toBe(1)
  await deleteClient(await createContext({ methods: ['applications.write', 'users.write'] }), { clientId })
  expect(await countRuns()).toBe(0)
})
