import { hash as bcrypt } from '@node-rs/bcrypt'
import { asc, eq, inArray, like, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  contractorOrganizations,
  contractors,
  dynamicFields,
  dynamicFieldUniques,
  history,
  links,
  messages,
  methods,
  notices,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
  userIdentifiers,
  userRoles,
  users,
} from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import type { BatchKinds } from '@/lib/base/batch-jobs/process-rows'
import { batchKinds } from '@/lib/wiring/runs'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { defineField } from '../../factories/fields'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { importOf, workOnImport } from '../../factories/user-import'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false }))

const below = caseNumbers(20261)
const one = <T>(...list: readonly T[]): T => list[below(list.length)] as T

/** One of these in a few rows, otherwise what is right. */
const rarely = <T>(wrong: readonly T[], right: T): T => (below(25) === 0 ? one(...wrong) : right)

/** Sums up rows done together; the second way has no `processBatch`. */
const together = { rows: 0, alone: 0 }
const ways: Record<'one' | 'two', BatchKinds> = {
  one: {
    users: async (run, ending) => {
      const kind = await batchKinds.users?.(run, ending)
      if (typeof kind !== 'object' || !kind.processBatch) throw new Error('rows aren’t done together')
      const { processBatch } = kind
      return {
        ...kind,
        processBatch: async (tx, rows) => {
          const done = await processBatch(tx, rows)
          together.rows += rows.length - (done.singleRows?.size ?? 0)
          together.alone += done.singleRows?.size ?? 0
          return done
        },
      }
    },
  },
  two: {
    users: async (run, ending) => {
      const kind = await batchKinds.users?.(run, ending)
      if (typeof kind !== 'object') throw new Error('rows aren’t done together')
      const { processBatch: _, ...alone } = kind
      return alone
    },
  },
}

/** Everything that an import has left of the accounts of a mark, in words that are the same for every mark. */
async function leftOf(mark: string) {
  const people = await db()
    .select()
    .from(users)
    .where(like(users.login, `%${mark}%`))
    .orderBy(asc(users.login))
  const ids = people.map(({ id }) => id)
  const named = new Map(people.map(({ id, login }) => [id, login]))
  const text = (value: unknown) => {
    const plain = JSON.stringify(value).replaceAll(mark, 'mark')
    return [...named].reduce((all, [id, login]) => all.replaceAll(id, login.replaceAll(mark, 'mark')), plain)
  }
  const textsOf = async <T>(rows: Promise<T[]>) => (await rows).map(text).sort()
  const {
    id: _,
    createdAt,
    updatedAt,
    passwordChangedAt,
    version,
    passwordHash,
    ...columns
  } = users as never as Record<string, never>
  return {
    people: people.map((person) =>
      text({
        ...Object.fromEntries(Object.keys(columns).map((name) => [name, person[name as 'login']])),
        id: null,
        createdAt: null,
        updatedAt: null,
        passwordChangedAt: person.passwordChangedAt !== null,
        preparedSince: person.preparedSince !== null,
        hash: person.passwordHash?.slice(0, 4),
      }),
    ),
    identifiers: await textsOf(db().select().from(userIdentifiers).where(inArray(userIdentifiers.userId, ids))),
    roles: await textsOf(
      db()
        .select({ user: userRoles.userId, role: roles.name, place: organizations.name })
        .from(userRoles)
        .innerJoin(roles, eq(roles.id, userRoles.roleId))
        .leftJoin(organizations, eq(organizations.id, userRoles.organizationId))
        .where(inArray(userRoles.userId, ids)),
    ),
    companies: await textsOf(
      db()
        .select({ user: userContractors.userId, contractor: contractors.inn })
        .from(userContractors)
        .innerJoin(contractors, eq(contractors.id, userContractors.contractorId))
        .where(inArray(userContractors.userId, ids)),
    ),
    companyRoles: await textsOf(
      db()
        .select({
          user: userContractorRoles.userId,
          role: userContractorRoles.roleId,
          place: userContractorRoles.organizationId,
          contractor: userContractorRoles.contractorId,
        })
        .from(userContractorRoles)
        .where(inArray(userContractorRoles.userId, ids)),
    ),
    uniques: await textsOf(
      db()
        .select({ user: dynamicFieldUniques.userId })
        .from(dynamicFieldUniques)
        .where(inArray(dynamicFieldUniques.userId, ids)),
    ),
    links: await textsOf(
      db().select({ user: links.userId, kind: links.kind }).from(links).where(inArray(links.userId, ids)),
    ),
    mails: await textsOf(
      db()
        .select({ user: messages.userId, to: messages.recipient, template: messages.template, locale: messages.locale })
        .from(messages)
        .where(inArray(messages.userId, ids)),
    ),
    notices: await textsOf(
      db()
        .select({ user: notices.userId, kind: notices.kind, values: notices.values })
        .from(notices)
        .where(inArray(notices.userId, ids)),
    ),
    history: await textsOf(
      db()
        .select({
          who: history.entityId,
          entity: history.entity,
          type: history.type,
          field: history.field,
          previous: history.previous,
          current: history.current,
        })
        .from(history)
        .where(sql`${history.entityId} = any(${sql.param(ids)}::text[]) or (${history.entity} = 'roles'
          and ${history.current}::text ~ ${ids.join('|') || 'nobody'})`),
    ),
  }
}

test('rows that are done together leave the same as rows that are done one by one, and the same faults', async () => {
  const company = await createContractor()
  const place = company.organization.name
  const [open, ofCompany] = [await createContractorRole([], 'systemic'), await createContractorRole([])]
  const [toggle, unique] = [await defineField({ fieldType: 'toggle' }), await defineField({ unique: true })]
  const caller = new Caller((await signedInWith(['users.write', 'license.read'])).browser)
  const strong = await createRoleWith(['license.write'])
  const secret = await bcrypt('Tihaja-gavan-31', { cost: 4 })
  const targets = ['field.login', 'field.email', 'field.mobile', 'field.fio', 'field.comment', 'externalId', 'password']
  const more = ['roles', 'organization', 'contractors', `field.${toggle}`, `field.${unique}`]
  expect(
    await db().$count(contractorOrganizations, eq(contractorOrganizations.contractorId, company.contractor.id)),
  ).toBe(1)
  for (const round of eachRound(4)) {
    const wishes = { mode: one('both', 'both', 'create', 'update'), sendLinks: below(2) === 0 } as const
    const keyKind = one('login', 'login', 'email', 'externalId')
    // in each row the mark stands where two files have to differ, and # where two numbers have to
    const inn = company.contractor.inn ?? ''
    const rows = Array.from({ length: 60 }, (_, n) => {
      const hasOwnKey = (keyKind === 'email' ? 2 : 1) * below(12) > 6
      const key = hasOwnKey ? `new-${n}-MARK` : `known-${below(24)}-MARK`
      return [
        rarely([`new-${below(60)}-MARK`, '', 'a b'], keyKind === 'login' || hasOwnKey ? key : ''),
        rarely(
          [`known-${below(24)}-MARK@polaris.example`, 'x@'],
          keyKind === 'email' || hasOwnKey ? `${key}@polaris.example` : '',
        ),
        rarely([`+7921${round}#99900`], one('', `+7921${round}#000${String(n).padStart(2, '0')}`)),
        one('Вера Орлова', 'Пётр', ''),
        one('', 'Заметка'),
        rarely([`ext-${below(8)}-MARK`], keyKind === 'externalId' ? key : one('', hasOwnKey ? `ext-${n}-MARK` : '')),
        rarely(['нет'], one('', '', secret)),
        ...rarely(
          [
            [strong, '', ''],
            ['Нет такой', '', ''],
            [ofCompany.name, place, ''],
            ['', '', '0000000000'],
          ],
          one(
            ['', '', ''],
            ['', '', ''],
            [open.name, '', ''],
            ['', '', inn],
            [ofCompany.name, place, inn],
            [`${open.name}|${ofCompany.name}`, place, inn],
          ),
        ),
        rarely(['может быть'], one('', 'да', 'нет')),
        rarely([`u-${n}-MARK`, `u-${below(4)}-MARK`], ''),
      ]
    })
    const results: unknown[] = []
    for (const [way, kinds] of Object.entries(ways)) {
      const mark = `${way}${round}x${below(1_000_000)}`
      for (let n = 0; n < 24; n++) {
        const { id } = await createUser({
          roles: n % 10 === 5 ? [strong] : [],
          login: `known-${n}-${mark}`,
          email: `known-${n}-${mark}@polaris.example`,
          mobile: `+7921${round}${way === 'one' ? 1 : 2}88${String(n).padStart(3, '0')}`,
          externalId: `known-${n}-${mark}`,
          ...{ fio: 'Орлова Вера', lastName: 'Орлова', firstName: 'Вера', middleName: '' },
        })
        // some hold already what rows give
        if (n % 2 === 1) await db().insert(userRoles).values({ userId: id, roleId: open.id })
        if (n % 3 > 0) await join(company, id, n % 3 > 1 ? [ofCompany.id] : [])
      }
      const file = rows.map((cells) =>
        cells.map((cell) => cell.replaceAll('MARK', mark).replaceAll('#', way === 'one' ? '1' : '2')),
      )
      const body = importOf([...targets, ...more], file, { ...wishes, by: keyKind })
      const { status, body: answer } = await caller.send(calls.startUserImport, { body })
      if (status !== 200) {
        results.push({ status })
        continue
      }
      const { id } = answer as { id: string }
      await workOnImport(id, kinds)
      const { run, faults } = await caller.call(calls.readUserImport, { params: { id } })
      const mobile = new RegExp(`\\+7921${round}[12]`, 'g')
      const outcome = { state: run.state, done: run.done, failed: run.failed, faults, left: await leftOf(mark) }
      results.push(JSON.parse(JSON.stringify(outcome).replaceAll(mark, 'mark').replace(mobile, '+7921')))
    }
    expect(results[0], `round ${round}: ${JSON.stringify({ ...wishes, by: keyKind })}`).toEqual(results[1])
  }
  // both ways were gone
  expect(together.rows).toBeGreaterThan(shareOf(30))
  expect(together.alone).toBeGreaterThan(shareOf(5))
}, 240_000)

/** A row of JSON whose lists are sorted anew: they were sorted by ids, which differ from way to way. */
const inOrder = (row: string) =>
  JSON.stringify(JSON.parse(row), (_, value) =>
    Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value,
  )

test('what is taken, given or closed after the check counts for rows that are done together as for others', {
  tags: ['full'],
  timeout: 240_000,
}, async () => {
  const { browser } = await signedInWith(['users.write'])
  const caller = new Caller(browser)
  const strong = await createRoleWith(['license.write'])
  const [beyond] = await db().select({ id: roles.id }).from(roles).where(eq(roles.code, strong))
  const [method] = await db().select({ id: methods.id }).from(methods).where(eq(methods.code, 'license.write'))
  if (!beyond || !method) throw new Error('there is no such role or method')
  const same = { fio: 'Орлова Вера', lastName: 'Орлова', firstName: 'Вера', middleName: '' }
  const before = { ...together }
  for (const closed of ['nothing', 'role', 'organization', 'power'] as const) {
    const mode = one('both', 'update')
    const changes = Array.from({ length: 30 }, () =>
      one('nothing', 'nothing', 'role', 'company role', 'company', 'power', 'block', 'delete', 'note'),
    )
    const notes = changes.map(() => one('', 'Заметка'))
    const results: unknown[] = []
    for (const [way, kinds] of Object.entries(ways)) {
      const mark = `${way}x${below(1_000_000)}`
      const company = await createContractor()
      const [open, ofCompany] = [await createContractorRole([], 'systemic'), await createContractorRole([])]
      const ids: string[] = []
      for (const n of changes.keys()) {
        const login = `known-${String(n).padStart(2, '0')}-${mark}`
        const { id } = await createUser({ roles: [], login, email: `${login}@polaris.example`, mobile: null, ...same })
        await db().insert(userRoles).values({ userId: id, roleId: open.id })
        await join(company, id, [ofCompany.id])
        ids.push(id)
      }
      const cells = [`${open.name}|${ofCompany.name}`, company.organization.name, company.contractor.inn ?? '']
      const file = notes.map((note, n) => [`known-${String(n).padStart(2, '0')}-${mark}`, note, ...cells])
      const targets = ['field.login', 'field.comment', 'roles', 'organization', 'contractors']
      const { id } = await caller.call(calls.startUserImport, { body: importOf(targets, file, { mode }) })
      for (const [n, change] of changes.entries()) {
        const userId = ids[n] ?? ''
        if (change === 'role') await db().delete(userRoles).where(eq(userRoles.userId, userId))
        if (change === 'company role' || change === 'company')
          await db().delete(userContractorRoles).where(eq(userContractorRoles.userId, userId))
        if (change === 'company') await db().delete(userContractors).where(eq(userContractors.userId, userId))
        if (change === 'power') await db().insert(userRoles).values({ userId, roleId: beyond.id })
        if (change === 'block') await db().update(users).set({ enabled: false }).where(eq(users.id, userId))
        if (change === 'delete') await db().delete(users).where(eq(users.id, userId))
        if (change === 'note') await db().update(users).set({ comment: 'Иначе' }).where(eq(users.id, userId))
      }
      if (closed === 'role') await db().update(roles).set({ enabled: false }).where(eq(roles.id, open.id))
      if (closed === 'organization')
        await db()
          .delete(contractorOrganizations)
          .where(eq(contractorOrganizations.contractorId, company.contractor.id))
      if (closed === 'power') await db().insert(roleMethods).values({ roleId: ofCompany.id, methodId: method.id })
      await workOnImport(id, kinds)
      const { run, faults } = await caller.call(calls.readUserImport, { params: { id } })
      const outcome = { state: run.state, done: run.done, failed: run.failed, faults, left: await leftOf(mark) }
      const ownNames = { mark, open: open.id, ofCompany: ofCompany.id, company: company.contractor.id }
      const more = { place: company.organization.id, inn: cells[2], openName: open.name, ofCompanyName: ofCompany.name }
      const text = Object.entries({ ...ownNames, ...more, placeName: cells[1] }).reduce(
        (all, [name, value]) => all.replaceAll(JSON.stringify(value).slice(1, -1), name),
        JSON.stringify(outcome),
      )
      const { left, ...rest } = JSON.parse(text) as typeof outcome
      results.push({ ...rest, left: Object.values(left).map((list) => list.map(inOrder).sort()) })
    }
    expect(results[0], `${closed}, ${mode}: ${changes}`).toEqual(results[1])
  }
  expect(together.rows - before.rows).toBeGreaterThan(5)
  expect(together.alone - before.alone).toBeGreaterThan(5)
})
