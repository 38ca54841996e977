import { randomInt } from 'node:crypto'
import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  authenticationSchemaRoles,
  authenticationSchemas,
  contractorOrganizations,
  domains,
  userContractorRoles,
  userContractors,
  userIdentifiers,
  userRoles,
  users,
} from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { allowAccess, approveWithContractor, createAccessRequests } from '@/lib/companies/access-requests/contract'
import { changeContactRoles, removeContact } from '@/lib/companies/colleagues/contract'
import { readContractor, setUserContractors, updateContractor } from '@/lib/companies/contractors/contract'
import { leaveCompany } from '@/lib/companies/own-companies/contract'
import { createProviderMapper } from '@/lib/directory-sync/provider-mappers/contract'
import { acceptInvitation } from '@/lib/joining/invitations/contract'
import { acceptOwnInvitation } from '@/lib/joining/received-invitations/contract'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import { previewAuthenticationSchema } from '@/lib/sign-in/schema-administration/contract'
import { searchDeviceTypes } from '@/lib/site/device-types/contract'
import { readDomain, updateDomain } from '@/lib/site/domains/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { signedInWith } from '../../factories/access'
import { manager, someKpp } from '../../factories/access-requests'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { createDirectory, enableSync, synced } from '../../factories/directory'
import { accountOf } from '../../factories/directory-people'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { save } from '../../factories/own-account'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { shippedRole, signedInAdministrator } from '../../factories/roles'
import { shutOutBy } from '../../factories/ways-in'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

useTestDatabase()

const kinds = ['login', 'email', 'mobile'] as const
let reader: Caller
let base = ''
beforeAll(async () => {
  reader = new Caller((await signedInWith(['authentication-schemas.read', 'device-types.read'])).browser)
  base = (await domainByHost('')).id
})
beforeEach(async () => {
  await db().update(domains).set({ devicesIdAttributes: {} })
  await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
  for (const name of ['authentication-schemas', 'domains']) dropCached(name)
})

type Person = Awaited<ReturnType<typeof signedInAdministrator>>

/** Two administrators, who are the only enabled ones. */
async function pair(): Promise<[Person, Person]> {
  const made: [Person, Person] = [await signedInAdministrator(), await signedInAdministrator()]
  const ids = made.map(({ user }) => user.id)
  const role = await shippedRole('administrator')
  const holders = db().select({ id: userRoles.userId }).from(userRoles).where(eq(userRoles.roleId, role))
  await db()
    .update(users)
    .set({ enabled: false })
    .where(and(inArray(users.id, holders), notInArray(users.id, ids)))
  await db().update(users).set({ emailVerifiedAt: new Date() }).where(inArray(users.id, ids))
  return made
}

/** Takes contacts from an account, and with them what it is found by at a sign-in. */
async function takeAway({ user: { id } }: Pick<Person, 'user'>, ...taken: ('email' | 'mobile')[]) {
  await db()
    .update(users)
    .set(Object.fromEntries(taken.map((kind) => [kind, null])))
    .where(eq(users.id, id))
  await db()
    .delete(userIdentifiers)
    .where(and(eq(userIdentifiers.userId, id), inArray(userIdentifiers.kind, taken)))
}

async function tie(roleId: string, firstFactor: FlowId[], priority: number, secondFactor: FlowId[] = []) {
  const code = crypto.randomUUID()
  const values = { code, name: code, firstFactor, secondFactor, active: true, priority }
  const schema = first(await db().insert(authenticationSchemas).values(values).returning())
  await db().insert(authenticationSchemaRoles).values({ schemaId: schema.id, roleId })
  dropCached('authentication-schemas')
}

/** The administrators who can sign in on a desktop, a phone or a tablet, as the preview and the tables tell it. */
async function entering(people: readonly Person[]) {
  const [{ devicesIdAttributes: limits }] = (await db().select().from(domains).where(eq(domains.id, base))) as [
    typeof domains.$inferSelect,
  ]
  const { devicesTypes } = await reader.call(searchDeviceTypes, { query: {} })
  const offered = kinds.filter((kind) => devicesTypes.some(({ id }) => (limits[id] ?? kinds).includes(kind)))
  const able = []
  for (const { user } of people) {
    const row = first(await db().select().from(users).where(eq(users.id, user.id)))
    const { stuck } = await reader.call(previewAuthenticationSchema, { query: { userId: user.id } })
    if (row.enabled && !stuck && offered.some((kind) => row[kind])) able.push(user.id)
  }
  return able
}

test('an invitation’s link gives the last administrator no role that shuts them out', async () => {
  const { user, caller } = await signedInAdministrator()
  const { guid, role, inviter } = await plantInvitation({ email: user.email.toLowerCase() })
  await shutOutBy(user.id, role.id, inviter.id)
  const answer = await caller.send(acceptInvitation, { body: { hash: guid } })
  expect(answer).toMatchObject({ status: 409, body: { code: 'lastAdministrator' } })
  expect(await db().$count(userContractors, eq(userContractors.userId, user.id))).toBe(0)
})

test('neither a request nor an invitation lets somebody who holds more in by less', async () => {
  const administratorOfCompany = async () => {
    const [{ user, caller }, company] = [await signedInAdministrator(), await createContractor()]
    const hard = await createContractorRole()
    await join(company, user.id, [hard.id])
    await tie(hard.id, ['credentials'], 2, ['email_code'])
    return { user, caller, inCompanies: () => db().$count(userContractors, eq(userContractors.userId, user.id)) }
  }
  const [company, role] = [await createContractor(), await createContractorRole()]
  await tie(role.id, ['credentials'], 1)
  const [asks, master] = [await administratorOfCompany(), await manager(company)]
  const companies = [{ name: 'Компания', inn: company.contractor.inn ?? '', kpp: someKpp, roles: [] }]
  const { requests } = await asks.caller.call(createAccessRequests, { body: { companies } })
  const places = { contractorId: company.contractor.id, organizationId: company.organization.id }
  const approving = (roleId: string) => ({
    requestIds: requests.map(({ requestId }) => requestId),
    contractorId: places.contractorId,
    contractorRoles: [{ organizationId: places.organizationId, rolesIds: [roleId] }],
  })
  const answer = await master.caller.send(approveWithContractor, { body: approving(role.id) })
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbiddenUser' } })
  expect(await asks.inCompanies()).toBe(1)
  // a role that weakens nothing is given, whatever the person holds
  const plain = await createContractorRole()
  await master.caller.call(approveWithContractor, { body: approving(plain.id) })
  expect(await asks.inCompanies()).toBe(2)

  const invited = await administratorOfCompany()
  const invitation = await plantInvitation({ email: invited.user.email.toLowerCase() })
  await tie(invitation.role.id, ['credentials'], 0)
  const accepting = () => invited.caller.send(acceptInvitation, { body: { hash: invitation.guid } })
  expect((await accepting()).body.code).toBe('canceled')
  expect(await invited.inCompanies()).toBe(1)
  await db().delete(authenticationSchemas).where(eq(authenticationSchemas.priority, 0))
  dropCached('authentication-schemas')
  expect((await accepting()).status).toBe(200)
})

test('an administrator can’t offer on their own device only what they lack', async () => {
  const [{ user, caller }] = await pair()
  await takeAway({ user }, 'mobile')
  const limit = async (device: string, ...offered: (typeof kinds)[number][]) => {
    const { devicesTypes } = await caller.call(searchDeviceTypes, { query: {} })
    const { id, updatedAt: _, logoId: __, ...body } = await caller.call(readDomain, { params: { id: base } })
    const type = devicesTypes.find(({ code }) => code === device)?.id ?? ''
    return caller.send(updateDomain, {
      params: { id },
      body: { ...body, devicesIdAttributes: { [type]: offered } } as never,
    })
  }
  expect(await limit('desktop', 'mobile')).toMatchObject({
    status: 400,
    body: { data: { errorList: [{ field: 'devicesIdAttributes', code: 'errorOwnDevice' }] } },
  })
  expect((await limit('tablet', 'mobile')).status).toBe(200)
  expect((await limit('desktop', 'email')).status).toBe(200)
})

test('a directory takes no mobile by which alone an administrator can sign in, and every other', async () => {
  const [{ user, caller }, keycloak] = [await signedInAdministrator(true), await startKeycloak()]
  const mobile = `+7901${randomInt(1_000_000, 9_999_999)}`
  const [person, other] = [mobile, `+7902${mobile.slice(5)}`].map((phone) =>
    directoryPerson({ attributes: { phone: [phone] } }),
  ) as [ReturnType<typeof directoryPerson>, ReturnType<typeof directoryPerson>]
  keycloak.people = [person, other]
  const directory = await createDirectory(caller, keycloak.url)
  await caller.call(createProviderMapper, {
    params: { syncId: directory.syncId },
    body: {
      ...{ type: 'users-base', name: 'Телефон', before: 'phone', after: 'mobile' },
      ...{ customAttributes: true, absent: 'clear' },
    },
  })
  await enableSync(caller, directory)
  const account = await accountOf(person.id)
  const role = await shippedRole('administrator')
  await db()
    .insert(userRoles)
    .values({ userId: account?.id ?? '', roleId: role })
  await tie(role, ['sms_code'], 1)
  // whoever started it has no mobile, so the one of the directory is the only one who can sign in
  await db().update(users).set({ mobile: null }).where(eq(users.id, user.id))
  for (const one of [person, other]) one.attributes = {}
  const { run, faults } = await synced(caller, directory.id)
  expect(run).toMatchObject({ state: 'done', failed: 0, noted: 1 })
  expect(faults).toMatchObject([{ externalId: person.id, code: 'lastAdministrator', written: true }])
  expect([(await accountOf(person.id))?.mobile, (await accountOf(other.id))?.mobile]).toEqual([mobile, null])
  // with another way in it may go
  await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
  dropCached('authentication-schemas')
  expect((await synced(caller, directory.id)).run.failed).toBe(0)
  expect((await accountOf(person.id))?.mobile).toBeNull()
})

test('a change of domains and one of accounts that each leave a way don’t leave none together', async () => {
  for (const round of eachRound(6)) {
    const [one, other] = await pair()
    const company = await createContractor()
    const role = await createContractorRole()
    await tie(role.id, ['sms_code'], round + 1)
    // `one` is known by login alone and gets by with a password, `other` by mobile alone and with an SMS
    await db().update(users).set({ mobile: null, email: null }).where(eq(users.id, one.user.id))
    await db().execute(`delete from user_identifiers where kind <> 'login' and user_id = '${one.user.id}'`)
    await db().execute(`delete from user_identifiers where kind <> 'mobile' and user_id = '${other.user.id}'`)
    await db().update(domains).set({ devicesIdAttributes: {} })
    dropCached('domains')
    await join(company, one.user.id, [])
    const access = [{ organizationId: company.organization.id, roles: [role.id] }]
    const { devicesTypes } = await other.caller.call(searchDeviceTypes, { query: {} })
    const { id, updatedAt: _, logoId: __, ...body } = await one.caller.call(readDomain, { params: { id: base } })
    const devicesIdAttributes = Object.fromEntries(devicesTypes.map((type) => [type.id, ['login', 'email']]))
    const acts = [
      () => one.caller.send(updateDomain, { params: { id }, body: { ...body, devicesIdAttributes } as never }),
      () =>
        other.caller.send(changeContactRoles, {
          body: { userId: one.user.id, contractorId: company.contractor.id, access },
        }),
    ]
    const answers = await Promise.all((round % 2 ? acts : acts.toReversed()).map((act) => act()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
})

test('whatever happens to companies, contacts and domains, alone or two at once, some administrator can sign in', async () => {
  const below = caseNumbers(2_071)
  const some = <T>(all: readonly T[]) => all.filter(() => below(2) === 0)
  const codes: Record<string, number> = {}
  let people = await pair()
  let company = await createContractor(2)
  let given: string[] = []
  for (const round of eachRound(50, () => (codes.lastAdministrator ?? 0) > rounds(3))) {
    if (round % 10 === 0) {
      await db().update(domains).set({ devicesIdAttributes: {} })
      await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
      for (const name of ['authentication-schemas', 'domains']) dropCached(name)
      people = await pair()
      company = await createContractor(2)
      given = []
      for (let n = 0; n < 3; n++) {
        const role = await createContractorRole()
        await tie(role.id, n === 1 ? ['credentials'] : ['sms_code'], n === 1 ? 1 : 2 + n)
        given.push(role.id)
      }
      // mostly one of them has no way in from the beginning
      if (round > 0) {
        await db().update(users).set({ passwordHash: null }).where(eq(users.id, people[1].user.id))
        await takeAway(people[1], 'email', 'mobile')
      }
      for (const { user } of people) {
        if (below(4) > 0) await takeAway({ user }, 'mobile')
        // both hold what demands an SMS and, before it, what demands a password
        await join(company, user.id, given.slice(0, 2))
      }
    }
    const contractorId = company.contractor.id
    const placesOf = () => {
      const among = below(2) === 0 ? given : given.filter((_, at) => at !== 1)
      return company.organizations.map(({ id }) => ({ organizationId: id, roles: some(among) }))
    }
    const actsOf = ([me, other]: [Person, Person]) => [
      () => me.caller.send(changeContactRoles, { body: { userId: other.user.id, contractorId, access: placesOf() } }),
      () => me.caller.send(removeContact, { query: { userId: other.user.id, contractorId } }),
      () => me.caller.send(leaveCompany, { params: { id: contractorId } }),
      () =>
        me.caller.send(setUserContractors, {
          params: { id: other.user.id },
          body: { contractors: below(2) === 0 ? [contractorId] : [] },
        }),
      async () => {
        const invited = await plantInvitation({ email: me.user.email.toLowerCase() })
        await tie(invited.role.id, below(4) > 0 ? ['sms_code'] : ['credentials'], -round)
        return me.caller.send(acceptOwnInvitation, { params: { id: invited.id }, body: {} })
      },
      async () => {
        const { name, inn } = company.contractor
        const asked = { name, inn: inn ?? '', kpp: '770101001', roles: [] }
        const { body } = await other.caller.send(createAccessRequests, { body: { companies: [asked] } })
        const requestIds = (body as { requests?: { requestId: string }[] }).requests?.map((each) => each.requestId)
        const contractorRoles = placesOf().flatMap(({ organizationId, roles }) =>
          roles.length > 0 ? [{ organizationId, rolesIds: roles }] : [],
        )
        return me.caller.send(allowAccess, { body: { requestIds: requestIds ?? [], contractorId, contractorRoles } })
      },
      async () => {
        const { id, updatedAt: _, ...body } = await me.caller.call(readContractor, { params: { id: contractorId } })
        const { name, inn } = body
        const availableOrganizations = some(company.organizations).map((each) => each.id)
        return me.caller.send(updateContractor, {
          params: { id },
          body: { name, inn, availableOrganizations } as never,
        })
      },
      async () => {
        const { devicesTypes } = await me.caller.call(searchDeviceTypes, { query: {} })
        const { id, updatedAt: _, logoId: __, ...body } = await me.caller.call(readDomain, { params: { id: base } })
        const devicesIdAttributes = Object.fromEntries(devicesTypes.map((type) => [type.id, some(kinds)]))
        return me.caller.send(updateDomain, { params: { id }, body: { ...body, devicesIdAttributes } as never })
      },
      () => save(me.caller, below(2) === 0 ? { emails: [] } : { emails: [], mobiles: [] }),
    ]
    const [one, other] = people
    // what was taken is given back, so that the next change has something to take
    await db().insert(userContractors).values({ userId: one.user.id, contractorId }).onConflictDoNothing()
    const places = company.organizations.map(({ id }) => id)
    await db()
      .insert(userContractorRoles)
      .values(
        given.slice(0, 2).map((roleId, at) => ({
          ...{ userId: one.user.id, contractorId, roleId },
          organizationId: places[at] ?? '',
        })),
      )
      .onConflictDoNothing()
    // but not if that alone leaves nobody: it asks no rule
    if ((await entering(people)).length === 0)
      await db().delete(userContractorRoles).where(eq(userContractorRoles.userId, one.user.id))
    const [ownActs, theirs] = [actsOf([one, other]), actsOf([other, one])]
    // mostly what concerns the one who can sign in
    const aimed = [0, 0, 1, 3, 5, 6, 7].map((n) => theirs[n]).concat([2, 4, 4, 7, 8].map((n) => ownActs[n]))
    const chosen = [aimed[below(aimed.length)], ...(below(2) === 0 ? [theirs[below(theirs.length)]] : [])]
    for (const answer of await Promise.all(chosen.map((act) => act?.()))) {
      const { status = 0, body = {} } = answer ?? {}
      expect([200, 400, 403, 404, 409], JSON.stringify(body)).toContain(status)
      const code = status === 200 ? 'done' : String((body as { code?: string }).code)
      codes[code] = (codes[code] ?? 0) + 1
    }
    expect(await entering(people), `round ${round}`).not.toEqual([])
    await db()
      .insert(contractorOrganizations)
      .values(company.organizations.map(({ id: organizationId }) => ({ contractorId, organizationId })))
      .onConflictDoNothing()
  }
  expect(codes.done, JSON.stringify(codes)).toBeGreaterThan(shareOf(15))
  expect(codes.lastAdministrator ?? 0, JSON.stringify(codes)).toBeGreaterThan(shareOf(3))
})
