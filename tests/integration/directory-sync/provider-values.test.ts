import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, userRoles, users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { createProviderMapper } from '@/lib/directory-sync/provider-mappers/contract'
import * as syncs from '@/lib/directory-sync/provider-sync/contract'
import { overview } from '@/lib/operations/overview/service'
import type { Caller } from '../../factories/caller'
import { createContractorRole } from '../../factories/companies'
import { createDirectory, enableSync, synced, workOnSync } from '../../factories/directory'
import { accountOf, administrator, crowd, refusal, requireField } from '../../factories/directory-people'
import { defineField, itemsOf } from '../../factories/fields'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { signedInAdministrator } from '../../factories/roles'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

type Directory = Awaited<ReturnType<typeof createDirectory>>

/** Adds a mapper of an attribute to a field. */
const fills = (caller: Caller, { syncId }: Directory, before: string, after: string, more: object = {}) =>
  caller.call(createProviderMapper, {
    params: { syncId },
    body: { type: 'users-base', name: randomUUID(), before, after, customAttributes: true, ...more },
  })
/** Adds a mapper that gives roles by the roles of the directory. */
const gives = (caller: Caller, { syncId }: Directory, roles: Record<string, string>) =>
  caller.call(createProviderMapper, {
    params: { syncId },
    body: {
      ...{ type: 'users-access', name: randomUUID(), before: 'roles', after: 'role' },
      attributes: Object.entries(roles).map(([attribute, value]) => ({ attribute, value })),
    },
  })
const rolesOf = async (externalId: string) => {
  const rows = await db()
    .select({ id: userRoles.roleId })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.userId))
    .where(eq(users.externalId, externalId))
  return rows.map(({ id }) => id)
}
/** Returns how many synchronizations the overview says left something out. */
async function partialSyncs() {
  dropCached('overview')
  const { matters } = await overview({ methods: new Set(['providers.read' as const]) })
  return matters.find(({ code }) => code === 'partialSyncs')?.count ?? 0
}
const faultRows = (faults: readonly { externalId: string; code: string; written: boolean }[]) =>
  faults.map(({ externalId, code, written }) => [externalId, code, written])

describe('a value', () => {
  test('that isn’t sent stays or goes by its mapper, an empty one goes, and a broken one is a fault of its field alone', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const [keptField, cleared, choice, day] = [
      await defineField({ fieldType: 'input' }),
      await defineField({ fieldType: 'input' }),
      await defineField({ fieldType: 'dropbox', items: itemsOf('a', 'b') }),
      await defineField({ fieldType: 'date' }),
    ]
    const attributes = { kept: ['1'], cleared: ['1'], choice: ['a'], day: ['2026-01-02T10:00:00Z'] }
    const one = directoryPerson({ attributes })
    keycloak.people = [one, ...crowd(3)]
    const directory = await createDirectory(caller, keycloak.url)
    await fills(caller, directory, 'kept', keptField)
    await fills(caller, directory, 'cleared', cleared, { absent: 'clear' })
    await fills(caller, directory, 'choice', choice)
    await fills(caller, directory, 'day', day)
    await enableSync(caller, directory)
    const values = async () => (await accountOf(one.id))?.values
    expect(await values()).toEqual({ [keptField]: '1', [cleared]: '1', [choice]: 'a', [day]: '2026-01-02' })

    one.attributes = { choice: ['no such option'], day: [''] }
    one.lastName = 'Котова'
    const { run, faults } = await synced(caller, directory.id)
    expect(run).toMatchObject({ state: 'done', failed: 0, noted: 1, counts: { changed: 1, same: 3 } })
    expect(faultRows(faults)).toEqual([[one.id, 'errorOption', true]])
    expect(await values()).toEqual({ [keptField]: '1', [choice]: 'a' })
    expect((await accountOf(one.id))?.lastName).toBe('Котова')
    one.attributes = { kept: [''], choice: ['b'] }
    await synced(caller, directory.id)
    expect(await values()).toEqual({ [choice]: 'b' })
    // what can't be read at all is broken too
    Object.assign(one, { attributes: { choice: { not: 'a text' }, kept: 'x' } })
    const broken = await synced(caller, directory.id)
    expect(faultRows(broken.faults)).toEqual([[one.id, 'errorFormat', true]])
    expect(await values()).toEqual({ [keptField]: 'x', [choice]: 'b' })
    Object.assign(one, { attributes: 'nothing' })
    expect(faultRows((await synced(caller, directory.id)).faults)).toHaveLength(4)
    expect(await values()).toEqual({ [keptField]: 'x', [choice]: 'b' })
    const noted = await partialSyncs()
    one.attributes = { kept: ['x'], choice: ['b'] }
    await synced(caller, directory.id)
    expect(await partialSyncs()).toBe(noted - 1)
  })

  test('of somebody new that doesn’t fit is left out, and a login is made from the e-mail', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const directory = await createDirectory(caller, keycloak.url)
    await fills(caller, directory, 'phone', 'mobile')
    await fills(caller, directory, 'born', 'birthDate')
    const strange = [String.raw`CORP\ivanov`, 'иванов', 'upn@corp.example'].map((username) =>
      directoryPerson({ username, attributes: { phone: ['n/a'], born: ['1990'] } }),
    )
    const nameless = directoryPerson({ username: 'no login' })
    delete nameless.email
    keycloak.people = [...strange, nameless, ...crowd(2)]
    const { run, faults } = await enableSync(caller, directory)
    expect(run).toMatchObject({ state: 'done', failed: 1, noted: 3, counts: { created: 5 } })
    for (const { id, email = '' } of strange)
      expect(await accountOf(id)).toMatchObject({ login: email, email, mobile: null, birthDate: null })
    expect(await accountOf(nameless.id)).toBeUndefined()
    expect(faultRows(faults.filter(({ externalId }) => externalId === nameless.id))).toEqual([
      [nameless.id, 'errorLogin', false],
    ])
    expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(['errorLogin', 'errorMobile', 'errorBirthDate']))
  })

  test('that a directory sends is not in doubt, whoever entered the one before', async () => {
    const [{ caller }, keycloak] = [await signedInAdministrator(), await startKeycloak()]
    const one = directoryPerson({ attributes: { phone: ['+79161237001'] } })
    keycloak.people = [one]
    const directory = await createDirectory(caller, keycloak.url)
    await fills(caller, directory, 'phone', 'mobile')
    await enableSync(caller, directory)
    expect(await accountOf(one.id)).toMatchObject({ mobile: '+79161237001', mobileEnteredBy: null, preparedBy: null })
    // before the mapper was there somebody had entered another one
    await db()
      .update(users)
      .set({ mobile: '+79161237002', mobileEnteredBy: randomUUID() })
      .where(eq(users.externalId, one.id))
    await synced(caller, directory.id)
    expect(await accountOf(one.id)).toMatchObject({ mobile: '+79161237001', mobileEnteredBy: null, preparedBy: null })
  })

  test('that synchronization requires and is empty is noted, and somebody new without it isn’t made', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const field = await defineField({ fieldType: 'input' })
    const [one, fresh] = [directoryPerson({ attributes: { place: ['Тула'] } }), directoryPerson()]
    keycloak.people = [one]
    const directory = await createDirectory(caller, keycloak.url)
    await fills(caller, directory, 'place', field)
    await enableSync(caller, directory)
    await requireField(field, true)
    Object.assign(one, { attributes: { place: [''] }, lastName: 'Котова' })
    keycloak.people = [one, fresh]
    const { faults } = await synced(caller, directory.id)
    await requireField(field, false)
    expect(faultRows(faults)).toEqual([
      [one.id, 'syncRequired', true],
      [fresh.id, 'syncRequired', false],
    ])
    expect(await accountOf(one.id)).toMatchObject({ lastName: 'Котова', values: { [field]: 'Тула' } })
    expect(await accountOf(fresh.id)).toBeUndefined()
  })

  test('that the directory has proven is proven here, while it is the same', async () => {
    // an administrator vouches for it
    const [{ caller }, keycloak] = [await signedInAdministrator(), await startKeycloak()]
    const [one, other, late] = [
      directoryPerson({ emailVerified: true }),
      directoryPerson(),
      directoryPerson({ emailVerified: true }),
    ]
    keycloak.people = [one, other]
    const directory = await createDirectory(caller, keycloak.url)
    await enableSync(caller, directory)
    expect((await accountOf(one.id))?.emailVerifiedAt).not.toBeNull()
    expect((await accountOf(other.id))?.emailVerifiedAt).toBeNull()
    Object.assign(one, { email: `x-${one.email}`, emailVerified: false })
    other.emailVerified = true
    keycloak.people.push(late)
    await synced(caller, directory.id)
    expect(await accountOf(one.id)).toMatchObject({ email: one.email, emailVerifiedAt: null })
    expect((await accountOf(other.id))?.emailVerifiedAt).not.toBeNull()
    expect((await accountOf(late.id))?.emailVerifiedAt).not.toBeNull()
  })
})

describe('a withdrawal', () => {
  test('arrives whatever is wrong with the rest of the person', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const [role, other] = [await createContractorRole([], 'systemic'), await createContractorRole([], 'systemic')]
    const namesake = await createUser({ email: `${randomUUID()}@polaris.example` })
    const [badPhone, takenMail, badLogin, gaining, ...others] = [
      ...Array.from({ length: 4 }, () => directoryPerson({ roles: ['staff'] })),
      ...crowd(40).map((one) => ({ ...one, roles: ['staff'] })),
    ]
    if (!badPhone || !takenMail || !badLogin || !gaining) throw new Error('nobody')
    keycloak.people = [badPhone, takenMail, badLogin, gaining, ...others]
    const directory = await createDirectory(caller, keycloak.url)
    await gives(caller, directory, { staff: role.id, boss: other.id })
    await fills(caller, directory, 'phone', 'mobile')
    await enableSync(caller, directory)
    for (const { id } of [badPhone, takenMail, badLogin, gaining]) expect(await rolesOf(id)).toContain(role.id)
    Object.assign(badPhone, { roles: [], attributes: { phone: ['n/a'] } })
    Object.assign(takenMail, { roles: [], email: namesake.email })
    Object.assign(badLogin, { roles: [], username: 'не логин' })
    // whoever acts may no longer give this role
    await db().execute(
      `insert into role_methods (role_id, method_id) select '${other.id}', id from methods where code = 'license.write'`,
    )
    Object.assign(gaining, { roles: ['boss'] })
    const { run, faults } = await synced(caller, directory.id)
    expect(run).toMatchObject({ state: 'done', failed: 0, noted: 4 })
    expect(faultRows(faults)).toEqual([
      [badPhone.id, 'errorMobile', true],
      [takenMail.id, 'errorUnique', true],
      [badLogin.id, 'errorLogin', true],
      [gaining.id, 'forbiddenRole', true],
    ])
    for (const { id } of [badPhone, takenMail, badLogin, gaining]) expect(await rolesOf(id)).not.toContain(role.id)
    expect((await accountOf(takenMail.id))?.email).toMatch(/^dir-/)
  })

  test('of everybody waits for a decision, and nothing is written before', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const role = await createContractorRole([], 'systemic')
    // a field may be called as what people have besides fields
    const field = await defineField({ fieldType: 'input', code: 'roles' })
    keycloak.people = crowd(20).map((one) => ({ ...one, roles: ['staff'], attributes: { place: ['Тула'] } }))
    const [one, two, three] = keycloak.people
    if (!one || !two || !three) throw new Error('nobody')
    const directory = await createDirectory(caller, keycloak.url)
    await gives(caller, directory, { staff: role.id })
    await fills(caller, directory, 'place', field, { absent: 'clear' })
    await enableSync(caller, directory)
    const holders = () => db().$count(userRoles, eq(userRoles.roleId, role.id))
    expect(await holders()).toBe(20)

    // it answers 404 for the roles of each
    keycloak.broken = ({ path }) => (path.endsWith('/composite') ? 404 : undefined)
    one.lastName = 'Котова'
    two.attributes = { place: [''] }
    const away = await synced(caller, directory.id)
    expect(away.run).toMatchObject({ state: 'stopped', phase: 'write', fault: 'syncLossGuard' })
    expect(away.run.losses).toMatchObject([{ title: 'Роли', lost: 20, having: 20 }])
    expect((await accountOf(one.id))?.lastName).toBe('Орлова')
    const params = { id: away.id }
    expect(await refusal(caller, syncs.resumeProviderRun, { params, body: {} })).toEqual([400, 'errorSyncDecision'])
    await caller.call(syncs.resumeProviderRun, { params, body: { losses: 'none' } })
    const { run, faults } = await workOnSync(caller, away.id)
    expect(run).toMatchObject({ state: 'done', noted: 20, failed: 0 })
    expect(new Set(faults.map(({ code, params }) => `${code} ${params.column}`))).toEqual(
      new Set(['syncRolesUnread Роли']),
    )
    expect((await accountOf(two.id))?.values).toEqual({})
    expect((await accountOf(one.id))?.lastName).toBe('Котова')
    expect(await holders()).toBe(20)
    // two of twenty may lose something on any day, and roles that can't be read stay
    keycloak.broken = ({ path }) => (path.includes(one.id) && path.endsWith('/composite') ? 404 : undefined)
    two.roles = []
    expect((await synced(caller, directory.id)).run).toMatchObject({ state: 'done', noted: 1 })
    expect(await holders()).toBe(19)
    keycloak.broken = () => undefined

    // without any attributes, and with roles that are really gone
    for (const person of keycloak.people) Object.assign(person, { attributes: {}, roles: [] })
    const bare = await synced(caller, directory.id)
    expect(bare.run).toMatchObject({ state: 'stopped', fault: 'syncLossGuard' })
    expect(bare.run.losses.map(({ lost, having }) => [lost, having])).toEqual([
      [19, 19],
      [19, 19],
    ])
    expect((await accountOf(three.id))?.values).toEqual({ [field]: 'Тула' })
    await caller.call(syncs.resumeProviderRun, { params: { id: bare.id }, body: { losses: 'all' } })
    expect((await workOnSync(caller, bare.id)).run).toMatchObject({ state: 'done', failed: 0, noted: 0 })
    expect(await holders()).toBe(0)
    expect((await accountOf(three.id))?.values).toEqual({})
  })
})

describe('unique values', () => {
  test('are swapped by two, go round among three, and are left to somebody new', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const unique = await defineField({ fieldType: 'input', unique: true })
    const people = crowd(8).map((one, at) => ({ ...one, attributes: { number: [`N${at}`] } }))
    keycloak.people = people
    const directory = await createDirectory(caller, keycloak.url)
    await fills(caller, directory, 'number', unique)
    await enableSync(caller, directory)
    const [a, b, c, d, e, leaves] = people
    if (!a || !b || !c || !d || !e || !leaves) throw new Error('nobody')
    const were = people.map(({ username, email, attributes }) => ({ username, email, attributes }))
    Object.assign(a, were[1])
    Object.assign(b, were[0])
    Object.assign(c, were[3])
    Object.assign(d, were[4])
    Object.assign(e, were[2])
    const heir = directoryPerson(were[5])
    Object.assign(leaves, {
      username: `new-${leaves.username}`,
      email: `new-${leaves.email}`,
      attributes: { number: ['N99'] },
    })
    keycloak.people = [heir, ...people]
    const trial = await synced(caller, directory.id, true)
    expect(trial.run).toMatchObject({ failed: 0, noted: 0, counts: { created: 1, changed: 6, same: 2 } })
    const { run, faults } = await synced(caller, directory.id)
    expect(faultRows(faults)).toEqual([])
    expect(run).toMatchObject({ failed: 0, noted: 0, counts: { created: 1, changed: 6, same: 2 } })
    for (const { id, username, email, attributes } of [...people, heir])
      expect(await accountOf(id)).toMatchObject({
        ...{ login: username, email },
        values: { [unique]: attributes?.number?.[0] },
      })
  })

  test('that somebody outside has are had by nobody of the chain, and nothing else waits for it', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const outside = await createUser({ email: `${randomUUID()}@polaris.example` })
    keycloak.people = crowd(4)
    const directory = await createDirectory(caller, keycloak.url)
    await enableSync(caller, directory)
    const [a, b] = keycloak.people
    if (!a || !b) throw new Error('nobody')
    const [mailOfA, mailOfB] = [a.email, b.email]
    Object.assign(a, { email: mailOfB, lastName: 'Котова' })
    Object.assign(b, { email: outside.email, lastName: 'Белова' })
    const { run, faults } = await synced(caller, directory.id)
    expect(run).toMatchObject({ failed: 0, noted: 2, counts: { changed: 2 } })
    expect(faultRows(faults)).toEqual([
      [a.id, 'errorUnique', true],
      [b.id, 'errorUnique', true],
    ])
    expect(await accountOf(a.id)).toMatchObject({ email: mailOfA, lastName: 'Котова' })
    expect(await accountOf(b.id)).toMatchObject({ email: mailOfB, lastName: 'Белова' })
  })
})

test('an entry that says not who it is touches nobody else, nor is its person gone', async () => {
  const [caller, keycloak] = [await administrator(), await startKeycloak()]
  keycloak.people = crowd(12)
  const directory = await createDirectory(caller, keycloak.url)
  await enableSync(caller, directory)
  const [one, two] = keycloak.people
  if (!one || !two) throw new Error('nobody')
  Object.assign(one, { enabled: 'perhaps' })
  Object.assign(two, { email: { no: 'text' }, lastName: 'Котова' })
  const { run, faults } = await synced(caller, directory.id)
  expect(run).toMatchObject({ state: 'done', failed: 1, noted: 1, counts: { changed: 1, same: 10, disabled: 0 } })
  expect(faultRows(faults)).toEqual([
    [two.id, 'errorFormat', true],
    ['', 'syncPerson', false],
  ])
  expect((await accountOf(one.id))?.enabled).toBe(true)
  expect((await accountOf(two.id))?.lastName).toBe('Котова')
})
