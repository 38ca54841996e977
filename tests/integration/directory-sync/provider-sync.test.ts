import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, history, providerCalls, userRoles, users } from '@/db/schema'
import { enableUser } from '@/lib/accounts/administration/contract'
import { processRows } from '@/lib/base/batch-jobs/process-rows'
import * as mappers from '@/lib/directory-sync/provider-mappers/contract'
import * as syncs from '@/lib/directory-sync/provider-sync/contract'
import { checkProvider, enableProvider, updateProvider } from '@/lib/directory-sync/providers/contract'
import { batchKinds } from '@/lib/wiring/runs'
import { Browser } from '../../factories/browser'
import { createContractorRole } from '../../factories/companies'
import { createDirectory, enableSync, providerFor, synced, workOnSync } from '../../factories/directory'
import { accountOf, administrator, crowd, detailsOf, refusal, requireField } from '../../factories/directory-people'
import { defineField } from '../../factories/fields'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

describe('people of a directory', () => {
  test('are created, changed, left as they are, and found by their external id alone', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const field = await defineField({ fieldType: 'input' })
    keycloak.people = [...crowd(22), directoryPerson({ attributes: { place: ['Тула'] } })]
    const directory = await createDirectory(caller, keycloak.url)
    await caller.call(mappers.createProviderMapper, {
      params: { syncId: directory.syncId },
      body: { type: 'users-base', name: 'Место', before: 'place', after: field, customAttributes: true },
    })
    const { run } = await enableSync(caller, directory)
    expect(run).toMatchObject({
      state: 'done',
      phase: 'done',
      trigger: 'first',
      read: 23,
      pages: 3,
      done: 23,
      failed: 0,
    })
    expect(run.counts).toMatchObject({ created: 23, same: 0 })
    const [one, last] = [keycloak.people[0], keycloak.people[22]]
    const made = await accountOf(one?.id ?? '')
    expect(made).toMatchObject({
      providerId: directory.id,
      login: one?.username,
      email: one?.email,
      firstName: 'Вера',
      lastName: 'Орлова',
      passwordHash: null,
      enabled: true,
    })
    expect((await accountOf(last?.id ?? ''))?.values).toEqual({ [field]: 'Тула' })
    expect(await detailsOf(caller, directory.id)).toMatchObject({ status: 'success', success: 23, error: 0 })

    // somebody with another name and e-mail is the same person
    if (one) Object.assign(one, { username: `${one.username}-x`, email: `x-${one.email}`, lastName: 'Котова' })
    const again = await synced(caller, directory.id)
    expect(again.run.counts).toEqual({ created: 0, changed: 1, enabled: 0, disabled: 0, same: 22 })
    expect(await accountOf(one?.id ?? '')).toMatchObject({ id: made?.id, lastName: 'Котова', email: one?.email })
    const ofUpdate = and(eq(history.entity, 'users'), eq(history.entityId, made?.id ?? ''), eq(history.type, 'update'))
    const fields = (await db().select({ field: history.field }).from(history).where(ofUpdate)).map((row) => row.field)
    expect(fields).toEqual(expect.arrayContaining(['lastName', 'email', 'login']))
    const { rows } = await caller.call(syncs.listProviderRunRows, {
      params: { id: again.id },
      query: { filter: { action: 'changed' } },
    })
    expect(rows).toMatchObject([{ externalId: one?.id, userId: made?.id }])
  })

  test('keep a fault of their own, and the others don’t wait', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const namesake = await createUser({ email: `${randomUUID()}@polaris.example` })
    const required = await defineField({ fieldType: 'input' })
    await requireField(required, true)
    const place = { attributes: { place: ['Тула'] } }
    const [good, sameMail, noPlace, noLogin] = [
      directoryPerson(place),
      directoryPerson({ ...place, email: namesake.email ?? '' }),
      directoryPerson(),
      directoryPerson({ ...place, username: 'a b' }),
    ]
    // without an e-mail a login can't be made of it
    delete noLogin?.email
    keycloak.people = [sameMail, noPlace, good, noLogin].filter((one) => one !== undefined)
    const directory = await createDirectory(caller, keycloak.url)
    const body = {
      type: 'users-base' as const,
      name: 'Место',
      before: 'place',
      after: required,
      customAttributes: true,
    }
    await caller.call(mappers.createProviderMapper, { params: { syncId: directory.syncId }, body })
    const { run, faults } = await enableSync(caller, directory)
    await requireField(required, false)
    expect(run).toMatchObject({ state: 'done', done: 1, failed: 3 })
    expect(faults.map(({ externalId, code, params }) => [externalId, code, Object.keys(params)])).toEqual([
      [sameMail.id, 'errorUnique', ['column']],
      [noPlace.id, 'syncRequired', ['column']],
      [noLogin?.id, 'errorLogin', ['column']],
    ])
    // fields are named in the language of the reader, whoever ran it
    const fieldsIn = async (locale: string) => {
      caller.browser.cookies.set('locale', locale)
      const read = await caller.call(syncs.readProviderRun, { params: { id: run.id } })
      return read.faults.map(({ params }) => params.column)
    }
    expect(await fieldsIn('ru')).toMatchObject([expect.any(String), expect.any(String), 'Логин'])
    expect(await fieldsIn('en')).toMatchObject(['E-mail', expect.any(String), 'Login'])
    caller.browser.cookies.delete('locale')
    // nobody is linked by an e-mail alone
    expect(await db().$count(users, eq(users.email, namesake.email ?? ''))).toBe(1)
    expect(await accountOf(good.id)).toBeDefined()
    expect(await accountOf(noPlace.id)).toBeUndefined()
  })

  test('who hold more than whoever acts are not touched, nor is a role that the actor lacks', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const [person, ...others] = crowd(12)
    keycloak.people = person ? [person, ...others] : []
    const directory = await createDirectory(caller, keycloak.url)
    await enableSync(caller, directory)
    const account = await accountOf(person?.id ?? '')
    const beyond = await createContractorRole(['license.write'], 'systemic')
    await db()
      .insert(userRoles)
      .values({ userId: account?.id ?? '', roleId: beyond.id })
    if (person) person.email = `attacker-${person.email}`
    const { run, faults } = await synced(caller, directory.id)
    expect(run.failed).toBe(1)
    expect(faults).toMatchObject([{ externalId: person?.id, code: 'forbiddenUser' }])
    expect((await accountOf(person?.id ?? ''))?.email).toBe(account?.email)
    // nor can the directory be moved elsewhere by somebody who lacks what its people hold
    const { type: _, ...body } = providerFor('http://127.0.0.1:1')
    expect(await refusal(caller, updateProvider, { params: { id: directory.id }, body })).toEqual([
      403,
      'forbiddenUser',
    ])
    const off = { params: { id: directory.id }, body: { enabled: false } }
    expect(await refusal(caller, enableProvider, off)).toEqual([403, 'forbiddenUser'])
    const gives = { type: 'users-access' as const, name: 'Все права', before: 'roles', after: 'role' }
    const attributes = [{ attribute: 'user', value: beyond.id }]
    const mapper = { params: { syncId: directory.syncId }, body: { ...gives, attributes } }
    expect(await refusal(caller, mappers.createProviderMapper, mapper)).toEqual([403, 'forbiddenUser'])
    await db().delete(userRoles).where(eq(userRoles.roleId, beyond.id))
    expect(await refusal(caller, mappers.createProviderMapper, mapper)).toEqual([403, 'forbiddenRole'])
  })

  test('gain and lose the roles of mappers, and no others', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const [byRole, byKey, ownRole] = await Promise.all([1, 2, 3].map(() => createContractorRole([], 'systemic')))
    const person = directoryPerson({ roles: ['staff'], attributes: { vip: ['true'] } })
    keycloak.people = [person]
    const directory = await createDirectory(caller, keycloak.url)
    const params = { syncId: directory.syncId }
    const access = { type: 'users-access' as const, after: 'role' }
    await caller.call(mappers.createProviderMapper, {
      params,
      body: { ...access, name: 'Роли', before: 'roles', attributes: [{ attribute: 'staff', value: byRole?.id ?? '' }] },
    })
    await caller.call(mappers.createProviderMapper, {
      params,
      body: {
        ...access,
        name: 'Ключ',
        before: '',
        customAttributes: true,
        attributes: [{ attribute: 'vip', value: byKey?.id ?? '' }],
      },
    })
    await enableSync(caller, directory)
    const account = await accountOf(person.id)
    const heldRoles = async () =>
      (
        await db()
          .select()
          .from(userRoles)
          .where(eq(userRoles.userId, account?.id ?? ''))
      ).map(({ roleId }) => roleId)
    expect(await heldRoles()).toEqual(expect.arrayContaining([byRole?.id, byKey?.id]))
    await db()
      .insert(userRoles)
      .values({ userId: account?.id ?? '', roleId: ownRole?.id ?? '' })
    Object.assign(person, { roles: [], attributes: {} })
    expect((await synced(caller, directory.id)).run.counts.changed).toBe(1)
    const after = await heldRoles()
    expect(after).toContain(ownRole?.id)
    expect(after).not.toContain(byRole?.id)
    expect(after).not.toContain(byKey?.id)
  })
})

describe('people who are gone', () => {
  test('lose their sessions at once, and come back with the directory; whom an administrator disabled stays so', async () => {
    const [caller, keycloak] = [await administrator(['users.write']), await startKeycloak()]
    keycloak.people = crowd(20)
    const directory = await createDirectory(caller, keycloak.url)
    const [leaver, off] = keycloak.people
    // somebody who is signed in
    const user = await createUser()
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    const linked = { providerId: directory.id, externalId: leaver?.id ?? null, passwordHash: null }
    await db()
      .update(users)
      .set({ ...linked, createdAt: new Date(0) })
      .where(eq(users.id, user.id))
    await enableSync(caller, directory)
    expect(await signedInStatus(browser)).toBe(200)
    keycloak.people = keycloak.people.slice(1)
    if (off) off.enabled = false
    const { run } = await synced(caller, directory.id)
    expect(run).toMatchObject({ known: 20, gone: 2, off: 1, phase: 'done' })
    expect(run.counts.disabled).toBe(2)
    expect(await signedInStatus(browser)).toBe(401)
    expect(await accountOf(leaver?.id ?? '')).toMatchObject({ enabled: false, disabledByProvider: true })
    if (off) off.enabled = true
    expect((await synced(caller, directory.id)).run.counts.enabled).toBe(1)
    expect((await accountOf(off?.id ?? ''))?.enabled).toBe(true)
    const params = { id: (await accountOf(off?.id ?? ''))?.id ?? '' }
    await caller.call(enableUser, { params, body: { enabled: false } })
    await synced(caller, directory.id)
    expect((await accountOf(off?.id ?? ''))?.enabled).toBe(false)
  })

  test('wait for a decision if they are more than a tenth', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    keycloak.people = crowd(20)
    const directory = await createDirectory(caller, keycloak.url)
    await enableSync(caller, directory)
    const enabled = () => db().$count(users, and(eq(users.providerId, directory.id), eq(users.enabled, true)))
    // an empty answer disables nobody by itself
    const whole = keycloak.people
    keycloak.people = []
    const stopped = await synced(caller, directory.id)
    expect(stopped.run).toMatchObject({ state: 'stopped', phase: 'guard', fault: 'syncDropGuard', known: 20, gone: 20 })
    expect(await enabled()).toBe(20)
    expect(await detailsOf(caller, directory.id)).toMatchObject({ status: 'error', held: true, nextAt: null })
    const params = { id: stopped.id }
    expect(await refusal(caller, syncs.resumeProviderRun, { params, body: {} })).toEqual([400, 'errorSyncDecision'])
    await caller.call(syncs.resumeProviderRun, { params, body: { disable: 'none' } })
    expect((await workOnSync(caller, stopped.id)).run).toMatchObject({ state: 'done', phase: 'done' })
    expect(await enabled()).toBe(20)
    // two of twenty are a tenth, and not more
    keycloak.people = whole.slice(2)
    expect((await synced(caller, directory.id)).run).toMatchObject({ state: 'done', gone: 2 })
    keycloak.people = whole.slice(5)
    const waits = await synced(caller, directory.id)
    expect(waits.run).toMatchObject({ phase: 'guard', known: 18, gone: 3 })
    const waiting = { params: { id: waits.id }, query: { filter: { action: 'waiting' as const } } }
    expect((await caller.call(syncs.listProviderRunRows, waiting)).rows).toHaveLength(3)
    await caller.call(syncs.resumeProviderRun, { params: { id: waits.id }, body: { disable: 'all' } })
    expect((await workOnSync(caller, waits.id)).run.counts.disabled).toBe(3)
    expect(await enabled()).toBe(15)
    // a run that is followed by another one decides nothing any more
    expect(
      await refusal(caller, syncs.resumeProviderRun, { params: { id: stopped.id }, body: { disable: 'all' } }),
    ).toEqual([409, 'runOver'])
  })
})

describe('a directory that fails', () => {
  test('says what is wrong and which rights are missing', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    keycloak.people = crowd(3)
    const body = providerFor(keycloak.url)
    const { name: _, ...connection } = body
    const check = async (more: object = {}) => {
      const { status, body: answer } = await caller.send(checkProvider, { body: { ...connection, ...more } })
      const { code, people, data } = answer as { code?: string; people?: number; data?: { providerError?: object } }
      return [status, code ?? people, data?.providerError]
    }
    expect(await check()).toEqual([200, 3, undefined])
    const access = (requiredRights: string[]) => ({ status: 'accessError', requiredRights })
    expect(await check({ clientSecret: 'wrong' })).toEqual([400, 'providerSecret', access([])])
    keycloak.rights = false
    expect(await check()).toEqual([400, 'providerAccess', access(['view-users', 'query-users'])])
    const away = { status: 'connectionError', requiredRights: [] }
    expect(await check({ url: 'http://127.0.0.1:1' })).toEqual([400, 'providerConnection', away])
    keycloak.rights = true
    for (const answer of [404, 'hang up', { people: 'many' }] as const) {
      keycloak.broken = () => answer
      expect(await check()).toEqual([400, 'providerConnection', away])
    }
  })

  test('stops a run where it was, and the run goes on from there', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    keycloak.people = crowd(25)
    const directory = await createDirectory(caller, keycloak.url)
    keycloak.broken = ({ query }) => (query.get('first') === '10' ? 'hang up' : undefined)
    const { run } = await enableSync(caller, directory)
    expect(run).toMatchObject({ state: 'stopped', phase: 'read', fault: 'providerConnection', read: 10, pages: 1 })
    expect(await db().$count(users, eq(users.providerId, directory.id))).toBe(0)
    keycloak.broken = () => undefined
    // tokens of before a restart are replaced
    keycloak.forgetTokens()
    const details = await detailsOf(caller, directory.id)
    await caller.call(syncs.resumeProviderRun, { params: { id: details?.runId ?? '' }, body: {} })
    const done = await workOnSync(caller, details?.runId ?? '')
    expect(done.run).toMatchObject({ state: 'done', read: 25, pages: 3, done: 25 })
    expect(keycloak.asked.filter((path) => path.endsWith('/users')).length).toBe(4)
    expect(await db().$count(providerCalls, eq(providerCalls.providerId, directory.id))).toBeGreaterThanOrEqual(4)
  })

  test('never reads a page without an end', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    keycloak.people = crowd(10)
    const directory = await createDirectory(caller, keycloak.url)
    keycloak.broken = ({ query }) => (query.has('first') ? keycloak.people : undefined)
    const { run } = await enableSync(caller, directory)
    expect(run).toMatchObject({ state: 'stopped', fault: 'syncEndless' })
  })

  test('lets a stop of the worker and a stop of the run lose and repeat nobody', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    keycloak.people = crowd(250)
    const directory = await createDirectory(caller, keycloak.url)
    await caller.call(syncs.updateProviderSync, {
      params: { id: directory.id, syncId: directory.syncId },
      body: { enabled: true, periodUnit: 0, periodAmount: 'hours', syncLimit: 50 },
    })
    const id = (await detailsOf(caller, directory.id))?.runId ?? ''
    const ending = new AbortController()
    const dying = {
      providers: async (...given: Parameters<NonNullable<(typeof batchKinds)['providers']>>) => {
        const rows = await batchKinds.providers?.(...given)
        if (!rows || typeof rows !== 'object') return rows ?? 'later'
        return {
          ...rows,
          processBatch: async (...several: Parameters<NonNullable<typeof rows.processBatch>>) => {
            if (several[1].some(({ row }) => row === 130)) ending.abort()
            return rows.processBatch?.(...several)
          },
        }
      },
    }
    await processRows(dying as typeof batchKinds, id, ending.signal)
    const half = await db().$count(users, eq(users.providerId, directory.id))
    expect(half).toBeGreaterThanOrEqual(130)
    expect(half).toBeLessThan(250)
    await caller.call(syncs.stopProviderRun, { params: { id } })
    await processRows(batchKinds, id)
    expect(await db().$count(users, eq(users.providerId, directory.id))).toBe(half)
    await caller.call(syncs.resumeProviderRun, { params: { id }, body: {} })
    const { run } = await workOnSync(caller, id)
    expect(run).toMatchObject({ state: 'done', done: 250 })
    expect(run.counts.created).toBe(250)
    expect(await db().$count(users, eq(users.providerId, directory.id))).toBe(250)
  })
})
