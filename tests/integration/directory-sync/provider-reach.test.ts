import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, history, methods, runs, userRoles } from '@/db/schema'
import type { Ctx } from '@/lib/base/context/ctx'
import { createProviderMapper } from '@/lib/directory-sync/provider-mappers/contract'
import * as mapperVerbs from '@/lib/directory-sync/provider-mappers/service'
import { startProviderSync } from '@/lib/directory-sync/provider-sync/contract'
import { startDueSyncs } from '@/lib/directory-sync/provider-sync/start'
import { updateProvider } from '@/lib/directory-sync/providers/contract'
import * as verbs from '@/lib/directory-sync/providers/service'
import { Caller } from '../../factories/caller'
import { createContractorRole } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { createDirectory, enableSync, providerFor, synced, workOnSync } from '../../factories/directory'
import { accountOf, administrator, crowd, detailsOf } from '../../factories/directory-people'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

/** A program that may change providers, with these methods besides. */
async function program(more: string[] = []): Promise<Ctx> {
  const methodRows = await db().select().from(methods).where(inArray(methods.code, more))
  const service = { applicationId: randomUUID(), clientId: 'program', methods: new Set(['providers.write', ...more]) }
  return { ...(await createContext()), service: { ...service, methodIds: new Set(methodRows.map(({ id }) => id)) } }
}

/** A directory whose mapper gives a strong role, set up by somebody who holds it. */
async function strong() {
  const [caller, keycloak] = [await administrator(['license.write']), await startKeycloak()]
  keycloak.people = crowd(1)
  const directory = await createDirectory(caller, keycloak.url)
  const role = await createContractorRole(['license.write'], 'systemic')
  const body = { type: 'users-access' as const, name: 'Роли', before: 'roles', after: 'role' }
  const attributes = [{ attribute: 'boss', value: role.id }]
  await caller.call(createProviderMapper, { params: { syncId: directory.syncId }, body: { ...body, attributes } })
  await enableSync(caller, directory)
  return { caller, directory, role }
}

const holds = async (externalId: string, roleId: string) => {
  const account = await accountOf(externalId)
  if (!account) return false
  const heldRoles = await db().select().from(userRoles).where(eq(userRoles.userId, account.id))
  return heldRoles.some((row) => row.roleId === roleId)
}

describe('what gives roles', () => {
  type Of = { id: string; syncId: string; url: string; by: Caller | Ctx }
  const changes = {
    'the address': async ({ id, url, by }: Of) => {
      const { type: _, ...body } = providerFor(url)
      const params = { id }
      if (by instanceof Caller) await by.call(updateProvider, { params, body })
      else await verbs.updateProvider(by, { params, body: { ...body, emailDomains: [], domains: [], scopes: [] } })
    },
    'a mapper': async ({ syncId, by }: Of) => {
      const pair = { type: 'users-base' as const, name: 'Почта', before: 'username', after: 'comment' }
      const body = { ...pair, customAttributes: false, absent: 'keep' as const, attributes: [] }
      const params = { syncId }
      if (by instanceof Caller) await by.call(createProviderMapper, { params, body })
      else await mapperVerbs.createProviderMapper(by, { params, body: { ...body, enabled: true } })
    },
  }
  const people = { person: administrator, program }
  const all = Object.entries(changes).flatMap(([what, change]) =>
    Object.entries(people).map(([who, byWhom]) => [what, who, change, byWhom] as const),
  )

  test.each(all)('is closed to whoever lacks them: %s, to a %s', async (_, __, change, byWhom) => {
    const { caller, directory, role } = await strong()
    const hostile = await startKeycloak()
    const intruder = directoryPerson({ roles: ['boss'] })
    hostile.people = [intruder]
    const actor = await byWhom()
    await expect(change({ ...directory, url: hostile.url, by: actor })).rejects.toThrow(/forbiddenRole/)
    // nor does the next run of the person who holds more bring anybody of theirs
    expect((await synced(caller, directory.id)).run).toMatchObject({ state: 'done' })
    expect(await holds(intruder.id, role.id)).toBe(false)
  })

  test.each(all)(
    'never works with the rights of another person: %s, changed by a %s',
    async (_, who, change, byWhom) => {
      const { caller, directory, role } = await strong()
      const other = await startKeycloak()
      const intruder = directoryPerson({ roles: ['boss'] })
      other.people = [intruder]
      // the run of the other person has begun
      const { id } = await caller.call(startProviderSync, { params: { id: directory.id }, body: { dry: false } })
      await change({ ...directory, url: other.url, by: await byWhom(['license.write']) })
      expect((await workOnSync(caller, id)).run).toMatchObject({ state: 'stopped', fault: 'syncActorChanged' })
      // after a program runs wait for a person
      await db().update(runs).set({ state: 'done' }).where(eq(runs.id, id))
      await startDueSyncs(new Date(Date.now() + 2 * 3_600_000))
      const next = (await detailsOf(caller, directory.id))?.runId ?? ''
      expect(next).not.toBe(id)
      const { run } = await workOnSync(caller, next)
      if (who === 'person') return
      expect(run).toMatchObject({ state: 'stopped', fault: 'syncActor' })
      expect(await holds(intruder.id, role.id)).toBe(false)
    },
  )
})

test('the history of a mapper names the role that it gives', async () => {
  const { role } = await strong()
  const rows = await db().select().from(history).where(eq(history.entity, 'provider-mappers'))
  expect(rows.map(({ current }) => current)).toContainEqual([`boss → ${role.name}`])
})

test('the form of mappers warns of roles with a method of the platform', async () => {
  const [strongOne, weak] = [
    await createContractorRole(['license.write'], 'systemic'),
    await createContractorRole([], 'systemic'),
  ]
  const warned = await mapperVerbs.strongRoles()
  expect([warned.includes(strongOne.id), warned.includes(weak.id)]).toEqual([true, false])
})

test('somebody whom no page has, because others left while it was read, is not disabled', async () => {
  const [caller, keycloak] = [await administrator(), await startKeycloak()]
  keycloak.people = crowd(45)
  const directory = await createDirectory(caller, keycloak.url)
  await enableSync(caller, directory)
  const [leaver, ...others] = keycloak.people
  keycloak.broken = ({ path, query }) => {
    // they leave between two pages, so everybody behind them moves one place forward
    if (path.endsWith('/users') && query.get('first') === '20') keycloak.people = others
    return undefined
  }
  const { run } = await synced(caller, directory.id)
  // one of them is in no page; who left was read before, and is gone at the next run
  expect(run).toMatchObject({ state: 'done', read: 44, gone: 0, counts: { disabled: 0 } })
  for (const { id } of others) expect((await accountOf(id))?.enabled, id).toBe(true)
  keycloak.broken = () => undefined
  expect((await synced(caller, directory.id)).run).toMatchObject({ read: 44, gone: 1, counts: { disabled: 1 } })
  expect((await accountOf(leaver?.id ?? ''))?.enabled).toBe(false)
})
