import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, history, providerLinks, runRows, runs, userRoles, users } from '@/db/schema'
import { type BatchKinds, processRows } from '@/lib/base/batch-jobs/process-rows'
import { createProviderMapper } from '@/lib/directory-sync/provider-mappers/contract'
import { startProviderSync } from '@/lib/directory-sync/provider-sync/contract'
import { batchKinds } from '@/lib/wiring/runs'
import { createContractorRole } from '../../factories/companies'
import { createDirectory, enableSync } from '../../factories/directory'
import { accountOf, administrator, crowd } from '../../factories/directory-people'
import { defineField } from '../../factories/fields'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { caseNumbers } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

const random = caseNumbers(25)

/** Every person alone, as if the synchronization could do nothing together. */
const alone: BatchKinds = {
  providers: async (run, ending) => {
    const batchKind = await batchKinds.providers?.(run, ending)
    if (typeof batchKind !== 'object') return batchKind ?? 'later'
    const { processBatch: _, ...rest } = batchKind
    return rest
  },
}

test('people that are written together end as they would alone, whatever is wrong with some', {
  tags: ['full'],
}, async () => {
  const [caller, keycloak] = [await administrator(), await startKeycloak()]
  const unique = await defineField({ fieldType: 'input', unique: true })
  const people = crowd(36).map((one, at) => ({ ...one, attributes: { number: [`${at}`] } }))
  keycloak.people = people
  const directory = await createDirectory(caller, keycloak.url)
  const [gives, beyond] = [
    await createContractorRole([], 'systemic'),
    await createContractorRole(['license.write'], 'systemic'),
  ]
  const mapper = (body: object) =>
    caller.call(createProviderMapper, { params: { syncId: directory.syncId }, body: body as never })
  await mapper({ type: 'users-base', name: 'Номер', before: 'number', after: unique, customAttributes: true })
  await mapper({
    ...{ type: 'users-access', name: 'Роль', before: 'place', after: 'role', customAttributes: true },
    attributes: [{ attribute: 'Тула', value: gives.id }],
  })
  await enableSync(caller, directory)
  const accounts = await db().select().from(users).where(eq(users.providerId, directory.id))
  const namesake = await createUser()
  const fresh = crowd(48)
  keycloak.people = [...people, ...fresh]
  // each has its share of both, so that every outcome comes
  for (const [at, one] of keycloak.people.entries()) {
    const fate = at % 12
    const other = keycloak.people[random(keycloak.people.length)]
    if (fate === 0) one.email = namesake.email ?? ''
    if (fate === 1) one.username = namesake.login.toUpperCase()
    if (fate === 2) Object.assign(one, { email: other?.email })
    if (fate === 3) one.username = 'not a login'
    if (fate === 4) one.lastName = 'Котова'
    if (fate === 5) one.attributes = { place: ['Тула'] }
    if (fate === 6) one.attributes = { number: [`${random(40)}`] }
    if (fate === 7) delete one.email
    const id = accounts.find(({ externalId }) => externalId === one.id)?.id
    if (fate === 8 && id) await db().insert(userRoles).values({ userId: id, roleId: beyond.id })
    if (fate === 9 && id)
      await db().update(users).set({ enabled: false, disabledByProvider: true }).where(eq(users.id, id))
    if (fate === 10 && id) await db().insert(userRoles).values({ userId: id, roleId: gives.id })
    if (fate === 11 && !id)
      await db()
        .insert(providerLinks)
        .values({ providerId: directory.id, externalId: one.id, userId: (await createUser()).id })
  }
  const [pupil] = fresh
  if (pupil) keycloak.people.push(directoryPerson({ email: pupil.email?.toUpperCase() ?? '' }))

  const outcome = async (kinds: BatchKinds) => {
    const { id } = await caller.call(startProviderSync, { params: { id: directory.id }, body: { dry: true } })
    for (let turn = 0; turn < 100; turn++) {
      await processRows(kinds, id)
      const [run] = await db().select({ state: runs.state }).from(runs).where(eq(runs.id, id))
      if (run?.state !== 'running') break
    }
    const rows = await db().select().from(runRows).where(eq(runRows.runId, id)).orderBy(runRows.row)
    return rows.map(({ title, state, fault, params, input }) => {
      const { action, changed, notes } = input as { action?: string; changed?: string[]; notes?: { code: string }[] }
      return { title, state, fault, params, action, changed: changed ?? [], notes: notes ?? [] }
    })
  }
  const before = await db().$count(history)
  const [together, each] = [await outcome(batchKinds), await outcome(alone)]
  expect(together).toEqual(each)
  expect(new Set(together.map(({ action }) => action))).toEqual(
    new Set(['created', 'changed', 'enabled', 'same', 'failed']),
  )
  expect(new Set(together.map(({ fault }) => fault))).toEqual(
    new Set([null, 'errorUnique', 'forbiddenUser', 'syncLinked']),
  )
  expect(new Set(together.flatMap(({ notes }) => notes.map(({ code }) => code)))).toEqual(
    new Set(['errorUnique', 'errorLogin']),
  )
  // a trial writes nothing of it
  expect(await db().$count(history)).toBeLessThan(before + 5)
  expect(await db().$count(users, eq(users.providerId, directory.id))).toBe(accounts.length)
})

test('of people who are written together the history says as much as of one alone', async () => {
  const [caller, keycloak] = [await administrator(), await startKeycloak()]
  const field = await defineField({ fieldType: 'input' })
  const attributes = { place: ['Тула'] }
  keycloak.people = [directoryPerson({ attributes })]
  const directory = await createDirectory(caller, keycloak.url)
  await caller.call(createProviderMapper, {
    params: { syncId: directory.syncId },
    body: { type: 'users-base', name: `Место ${randomUUID()}`, before: 'place', after: field, customAttributes: true },
  })
  const historyOf = async (externalId: string) => {
    const { id = '' } = (await accountOf(externalId)) ?? {}
    const rows = await db().select().from(history).where(eq(history.entityId, id))
    return rows
      .map(({ type, entity, field: of, subtype, changerId }) => [type, entity, of, subtype, changerId].join(' '))
      .toSorted()
  }
  const { run } = await enableSync(caller, directory)
  expect(run.counts.created).toBe(1)
  const first = await historyOf(keycloak.people[0]?.id ?? '')
  const second = directoryPerson({ attributes })
  keycloak.people.push(second)
  const { id } = await caller.call(startProviderSync, { params: { id: directory.id }, body: {} })
  for (let turn = 0; turn < 5; turn++) await processRows(alone, id)
  expect(await historyOf(second.id)).toEqual(first)
  expect(first.some((line) => line.startsWith(`create users field:${field} `))).toBe(true)
})
