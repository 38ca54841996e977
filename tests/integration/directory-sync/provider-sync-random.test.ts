import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, userRoles, users } from '@/db/schema'
import { createProviderMapper } from '@/lib/directory-sync/provider-mappers/contract'
import { createContractorRole } from '../../factories/companies'
import { createDirectory, enableSync, synced } from '../../factories/directory'
import { administrator, crowd } from '../../factories/directory-people'
import { defineField, itemsOf } from '../../factories/fields'
import { startKeycloak } from '../../factories/keycloak'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

const random = caseNumbers(51)
const one = <T>(list: readonly T[]): T => list[random(list.length)] as T

type Source = Awaited<ReturnType<typeof startKeycloak>>['people'][number]
/** What the platform should have of a person, worked out in the plainest way. */
type Model = { login: string; lastName: string; email: string; values: Record<string, string>; roles: Set<string> }

/** How many people there are: up to two at once may lose something without a question. */
const size = 12
const kinds = ['absent', 'empty', 'broken', 'good', 'other'] as const

/**
 * Which wishes for unique values come true: all, but one for a value whose holder doesn't get another one, as long as there
 * is such a wish.
 */
function granted(wishes: Map<string, string>, holderOf: (value: string) => string | undefined) {
  const remaining = new Map(wishes)
  for (let changed = true; changed; ) {
    changed = false
    for (const [id, value] of remaining) {
      const holder = holderOf(value)
      if (holder === undefined || holder === id || remaining.has(holder)) continue
      remaining.delete(id)
      changed = true
    }
  }
  return remaining
}

test('random sources end as a plain model says: withdrawals arrive, values follow their mapper, faults stay alone', async () => {
  const [caller, keycloak] = [await administrator(), await startKeycloak()]
  const [keeps, clears, choice, unique] = [
    await defineField({ fieldType: 'date' }),
    await defineField({ fieldType: 'input' }),
    await defineField({ fieldType: 'dropbox', items: itemsOf('a', 'b') }),
    await defineField({ fieldType: 'input', unique: true }),
  ]
  const [staff, boss] = [await createContractorRole([], 'systemic'), await createContractorRole([], 'systemic')]
  const outsider = await createUser({ email: `${randomUUID()}@polaris.example` })
  keycloak.people = crowd(size).map((person, at) => ({
    ...person,
    roles: [...(at % 2 ? ['staff'] : []), ...(at % 3 ? ['boss'] : [])],
    attributes: { unique: [`U${at}`] },
  }))
  const directory = await createDirectory(caller, keycloak.url)
  const mapper = (body: object) =>
    caller.call(createProviderMapper, {
      params: { syncId: directory.syncId },
      body: { type: 'users-base', name: randomUUID(), customAttributes: true, ...body } as never,
    })
  await mapper({ before: 'keeps', after: keeps })
  await mapper({ before: 'clears', after: clears, absent: 'clear' })
  await mapper({ before: 'choice', after: choice })
  await mapper({ before: 'unique', after: unique })
  await mapper({
    ...{ type: 'users-access', before: 'roles', after: 'role', customAttributes: false },
    attributes: [
      { attribute: 'staff', value: staff.id },
      { attribute: 'boss', value: boss.id },
    ],
  })
  await enableSync(caller, directory)
  const roleIds: Record<string, string> = { staff: staff.id, boss: boss.id }
  const rolesOf = (source: Source) => new Set((source.roles ?? []).map((name) => roleIds[name] ?? ''))
  const models = new Map<string, Model>(
    keycloak.people.map((person) => [
      person.id,
      {
        ...{ login: person.username, lastName: person.lastName ?? '', email: person.email ?? '' },
        values: { [unique]: person.attributes?.unique?.[0] ?? '' },
        roles: rolesOf(person),
      },
    ]),
  )
  let [swaps, denials, withdrawals] = [0, 0, 0]

  for (const round of eachRound(20, () => swaps > 3 && denials > 3 && withdrawals > 3)) {
    const losing = new Set([one(keycloak.people).id, one(keycloak.people).id])
    const faulty = new Set<string>()
    const wishes = {
      login: new Map<string, string>(),
      email: new Map<string, string>(),
      unique: new Map<string, string>(),
    }
    for (const source of keycloak.people) {
      const model = models.get(source.id) as Model
      const attributes: Record<string, string[]> = {}
      const write = (
        name: string,
        code: string,
        values: Record<'good' | 'other' | 'broken', string>,
        absent: boolean,
      ) => {
        const had = model.values[code] !== undefined
        let kind = one(kinds)
        // who loses something at once is counted before anybody is written
        if ((kind === 'empty' || (kind === 'absent' && absent)) && had && !losing.has(source.id)) kind = 'good'
        if (kind === 'broken' && values.broken === '') kind = 'other'
        if (kind === 'absent') {
          if (absent) delete model.values[code]
          return
        }
        attributes[name] = [kind === 'empty' ? '' : values[kind]]
        if (kind === 'empty') delete model.values[code]
        else if (kind === 'broken') faulty.add(source.id)
        else model.values[code] = values[kind]
      }
      write('keeps', keeps, { good: '2026-01-01', other: '2025-02-03', broken: '2026-02-30' }, false)
      write('clears', clears, { good: 'x', other: `n${round}`, broken: '' }, true)
      write('choice', choice, { good: 'a', other: 'b', broken: 'n/a' }, false)
      source.lastName = one(['Орлова', 'Котова', `Белова ${one(['А', 'Б'])}`])
      model.lastName = source.lastName
      const rolesBefore = model.roles
      const names = ['staff', 'boss'].filter((name) =>
        rolesBefore.has(roleIds[name] ?? '') ? !losing.has(source.id) || random(2) : random(2),
      )
      source.roles = names
      model.roles = rolesOf(source)
      if ([...rolesBefore].some((id) => !model.roles.has(id))) withdrawals++
      source.attributes = attributes
    }
    // identifiers go round among some of them; one may wish for what somebody outside has, or for something new
    for (const kind of ['login', 'email', 'unique'] as const) {
      const has = (id: string) => {
        const model = models.get(id) as Model
        return kind === 'unique' ? (model.values[unique] ?? '') : model[kind]
      }
      const people = keycloak.people.toSorted(() => random(3) - 1).slice(0, random(7))
      const wished = people.map(({ id }) =>
        has(people[(people.findIndex((p) => p.id === id) + 1) % people.length]?.id ?? ''),
      )
      if (people.length > 1 && random(2))
        wished[0] = `fresh${randomUUID().slice(0, 8)}${kind === 'email' ? '@polaris.example' : ''}`
      if (people.length > 2 && random(2) && kind === 'email') wished[1] = outsider.email ?? ''
      if (people.length > 2 && random(2) && kind === 'login') wished[1] = outsider.login
      for (const [at, { id }] of people.entries()) if (wished[at] !== has(id)) wishes[kind].set(id, wished[at] ?? '')
      const holderOf = (value: string) =>
        value === outsider.email || value === outsider.login
          ? 'outside'
          : keycloak.people.find(({ id }) => has(id) === value)?.id
      const done = granted(wishes[kind], holderOf)
      const next = new Map([...done])
      for (const source of keycloak.people) {
        const value = wishes[kind].get(source.id) ?? has(source.id)
        if (kind === 'login') source.username = value
        else if (kind === 'email') source.email = value
        else source.attributes = { ...source.attributes, unique: [value] }
      }
      for (const [id, value] of next) {
        const model = models.get(id) as Model
        if (kind === 'unique') model.values[unique] = value
        else model[kind] = value
        swaps++
      }
      for (const id of wishes[kind].keys())
        if (!done.has(id)) {
          faulty.add(id)
          denials++
        }
    }

    const { run, faults } = await synced(caller, directory.id)
    expect(run).toMatchObject({ state: 'done', failed: 0, noted: faulty.size })
    expect(new Set(faults.map(({ externalId }) => externalId))).toEqual(faulty)
    const rows = await db().select().from(users).where(eq(users.providerId, directory.id))
    const heldRoles = await db()
      .select({ userId: userRoles.userId, roleId: userRoles.roleId })
      .from(userRoles)
      .innerJoin(users, eq(users.id, userRoles.userId))
      .where(eq(users.providerId, directory.id))
    for (const { id, externalId, login, email, lastName, values } of rows) {
      const model = models.get(externalId ?? '') as Model
      const roles = new Set(heldRoles.flatMap(({ userId, roleId }) => (userId === id ? [roleId] : [])))
      const managed = new Set([staff.id, boss.id].filter((roleId) => roles.has(roleId)))
      expect({ login, email, lastName, values, roles: managed }).toEqual(model)
    }
    // a source has what it was told to have, whoever got it: the next one begins from what is here
    for (const source of keycloak.people) {
      const model = models.get(source.id) as Model
      Object.assign(source, { username: model.login, email: model.email })
      source.attributes = { ...source.attributes, unique: [model.values[unique] ?? ''] }
    }
  }
})
