import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  dynamicFields,
  history,
  links,
  messages,
  roles,
  runRows,
  runs,
  userContractors,
  userRoles,
  users,
} from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import { withImplied } from '@/lib/base/access/access-methods'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { createProvider } from '../../factories/recovery'
import { holdInOrganization } from '../../factories/roles-held'
import { signInByPassword } from '../../factories/sign-in'
import { importOf, workOnImport } from '../../factories/user-import'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false }))

const login = () => `import-${randomUUID().slice(0, 13)}`
const administrator = async (more: string[] = []) => new Caller((await signedInWith(['users.write', ...more])).browser)

const below = caseNumbers(39)
const pool = ['users.read', 'license.read', 'license.write', 'history.read', 'masterAccountAccess'] as const
const some = () => [...new Set(Array.from({ length: below(4) }, () => pool[below(pool.length)] as string))]

/** Everything of an account that an import writes. */
async function stateOf(userId: string) {
  const [person] = await db().select().from(users).where(eq(users.id, userId))
  return {
    person,
    links: await db().$count(links, eq(links.userId, userId)),
    mails: await db().$count(messages, eq(messages.userId, userId)),
    roles: await db().$count(userRoles, eq(userRoles.userId, userId)),
    contractors: await db().$count(userContractors, eq(userContractors.userId, userId)),
    recorded: await db().$count(history, eq(history.entityId, userId)),
  }
}

test('nobody who holds a method that the caller lacks is touched, and no role is given that the caller couldn’t give', async () => {
  const company = await createContractor()
  const seen = { touched: 0, spared: 0 }
  for (const round of eachRound(6, () => Math.min(...Object.values(seen)) > rounds(5))) {
    const ownMethods = ['users.write', ...some()]
    const caller = await administrator(ownMethods.slice(1))
    const heldMethods = withImplied(ownMethods)
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const [codes, given] = [some(), some()]
        const where = below(3)
        const person = await createUser({
          login: login(),
          roles: where === 0 && codes.length > 0 ? [await createRoleWith(codes)] : [],
        })
        if (where === 1) await holdInOrganization((await createContractor()).organization.id, codes, person.id)
        if (where === 2) {
          const another = await createContractor()
          await join(another, person.id, [(await createContractorRole(codes)).id])
        }
        return { person, codes, given, role: await createContractorRole(given, 'systemic') }
      }),
    )
    const rows = people.map(({ person, role }) => [
      person.login,
      `${login()}@polaris.example`,
      role.name,
      company.contractor.inn ?? '',
      `ext-${person.id}`,
    ])
    const body = importOf(['field.login', 'field.email', 'roles', 'contractors', 'externalId'], rows)
    const before = await Promise.all(people.map(({ person }) => stateOf(person.id)))
    const preview = await caller.call(calls.checkUserImport, { body })
    const expected = people.map(({ codes, given }) =>
      codes.some((code) => !heldMethods.has(code))
        ? 'forbiddenUser'
        : given.some((code) => !heldMethods.has(code))
          ? 'userImportRoleBeyond'
          : null,
    )
    const codeAt = (faults: { row: number; code: string }[]) =>
      people.map((_, at) => faults.find((fault) => fault.row === at + 2)?.code ?? null)
    const situation = `round ${round}: ${ownMethods}`
    expect(codeAt(preview.faults), situation).toEqual(expected)
    const { status, body: answer } = await caller.send(calls.startUserImport, { body })
    if (status !== 200) expect(answer.data, situation).toMatchObject({ errorList: [{ code: 'userImportNothing' }] })
    else await workOnImport((answer as { id: string }).id)
    for (const [at, { person }] of people.entries()) {
      const spared = expected[at] !== null
      const after = await stateOf(person.id)
      if (spared) expect(after, situation).toEqual(before[at])
      else expect(after, situation).not.toEqual(before[at])
      seen[spared ? 'spared' : 'touched']++
    }
  }
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(shareOf(5))
}, 60_000)

test('each row asks again what its starter may do: lost rights spare people, and end the run', async () => {
  const code = await createRoleWith(['users.write', 'license.write'])
  const starter = await createUser({ roles: [code] })
  const browser = new Browser()
  await signInByPassword(browser, starter.login, password)
  const caller = new Caller(browser)
  const strong = await createUser({ login: login(), roles: [await createRoleWith(['license.write'])] })
  const body = () =>
    importOf(
      ['field.login', 'field.fio'],
      [
        [strong.login, 'Взломан'],
        [login(), 'Новый'],
      ],
    )
  const { id } = await caller.call(calls.startUserImport, { body: body() })
  const weak = await createRoleWith(['users.write'])
  const [{ id: weakId } = { id: '' }] = await db().select({ id: roles.id }).from(roles).where(eq(roles.code, weak))
  await db().delete(userRoles).where(eq(userRoles.userId, starter.id))
  await db().insert(userRoles).values({ userId: starter.id, roleId: weakId })
  await workOnImport(id)
  expect((await db().select({ fio: users.fio }).from(users).where(eq(users.id, strong.id)))[0]?.fio).toBe(strong.fio)
  expect(
    await db()
      .select({ fault: runRows.fault })
      .from(runRows)
      .where(and(eq(runRows.runId, id), eq(runRows.row, 2))),
  ).toEqual([{ fault: 'forbiddenUser' }])
  const second = await caller.call(calls.startUserImport, { body: body() }).catch(() => null)
  await db().delete(userRoles).where(eq(userRoles.userId, starter.id))
  if (second) await workOnImport(second.id)
  const [run] = await db()
    .select()
    .from(runs)
    .where(eq(runs.id, second?.id ?? id))
  expect(run).toMatchObject(second ? { state: 'stopped', fault: 'userImportRights', done: 0 } : {})
})

test('an account of a directory keeps the external id by which the directory knows its person', async () => {
  const caller = await administrator()
  const { id: providerId } = await createProvider()
  const [mine, other] = [`ext-${randomUUID()}`, `ext-${randomUUID()}`]
  const person = await createUser({ login: login(), roles: [], providerId, externalId: mine, passwordHash: null })
  const file = (id: string) =>
    importOf(
      ['field.login', 'externalId'],
      [
        [person.login, id],
        [login(), login()],
      ],
    )
  const before = await stateOf(person.id)
  const preview = await caller.call(calls.checkUserImport, { body: file(other) })
  expect(preview.faults).toMatchObject([{ row: 2, code: 'errorDirectoryField', params: { column: 'externalId' } }])
  const { id } = await caller.call(calls.startUserImport, { body: file(mine) })
  // what was checked for another id is checked again when the row is written
  await db()
    .update(runRows)
    .set({ input: { cells: [person.login, other], roles: [], contractors: [] } })
    .where(and(eq(runRows.runId, id), eq(runRows.row, 2)))
  await workOnImport(id)
  const { faults } = await caller.call(calls.readUserImport, { params: { id } })
  expect(faults).toMatchObject([{ row: 2, code: 'errorDirectoryField' }])
  expect(await stateOf(person.id)).toEqual(before)
})
