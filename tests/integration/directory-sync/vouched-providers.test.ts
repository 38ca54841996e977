import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, methods, providerLinks, roleMethods, sessions, userRoles, users } from '@/db/schema'
import { doubtsOf } from '@/lib/accounts/administration/service'
import { setUserRoles } from '@/lib/accounts/role-holders/contract'
import {
  createProviderMapper,
  listProviderMappers,
  updateProviderMapper,
} from '@/lib/directory-sync/provider-mappers/contract'
import { resumeProviderRun } from '@/lib/directory-sync/provider-sync/contract'
import { deleteProvider, enableProvider, readProvider, updateProvider } from '@/lib/directory-sync/providers/contract'
import { readLicenseInfo } from '@/lib/operations/license/contract'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { ask, askedBy, enter } from '../../factories/codes'
import { createContractorRole } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { createDirectory, enableSync, synced, workOnSync } from '../../factories/directory'
import { accountOf } from '../../factories/directory-people'
import { createAgreement, createDomain } from '../../factories/domains'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { lastCodeTo } from '../../factories/messages'
import { startOpenidProvider } from '../../factories/openid-imitation'
import {
  accountsOf,
  connectProvider,
  openidProviderFor,
  refusedFor,
  signInAt,
  somebody,
} from '../../factories/openid-provider'
import { signedInAdministrator } from '../../factories/roles'
import { prove } from '../../factories/sign-in'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let openid: Awaited<ReturnType<typeof startOpenidProvider>>
beforeAll(async () => {
  openid = await startOpenidProvider()
})

/** Somebody with `providers.write` and these methods connects a provider of their own. */
async function connectedBy(codes: string[]) {
  const { browser, user } = await signedInWith(['providers.write', ...codes])
  const caller = new Caller(browser)
  return { id: await connectProvider(caller, openid), caller, user }
}

const right = 'license.write'
const reaches = async (browser: Browser) => (await new Caller(browser).send(readLicenseInfo)).status

async function promote(id: string, code = right) {
  const { caller } = await signedInAdministrator()
  const { id: roleId } = await createContractorRole([code], 'systemic')
  await caller.call(setUserRoles, { params: { id }, body: { roles: [{ roleId }] } as never })
}

const accountFor = async (id: string, claims: ReturnType<typeof somebody>) =>
  (await accountsOf(id, claims.sub))[0] ?? Promise.reject(new Error('no account was made'))

/** How somebody comes to sign in through the provider: as whom it made, or as whom it was linked to. */
const people: Record<string, (id: string, claims: ReturnType<typeof somebody>) => Promise<string>> = {
  'whom it made': async (id, claims) => {
    await signInAt(new Browser(), id, openid, claims)
    return (await accountFor(id, claims)).id
  },
  'who has linked it': async (providerId, claims) => {
    const { id: userId } = await createUser()
    await db().insert(providerLinks).values({ userId, providerId, externalId: claims.sub })
    return userId
  },
}

test.each(Object.keys(people))(
  'who entered a provider’s address gains nothing when somebody %s gets more',
  async (which) => {
    const [{ id, caller }, claims, browser] = [await connectedBy([]), somebody(), new Browser()]
    const userId = (await people[which]?.(id, claims)) ?? ''
    expect(refusedFor(await signInAt(browser, id, openid, claims))).toBe('/platform/profile')
    expect(await reaches(browser)).toBe(403)
    expect((await doubtsOf(await createContext({ methods: ['users.read'] }), userId)).providers).toHaveLength(1)
    await promote(userId)
    expect(await reaches(browser)).toBe(401)
    const before = await db().select().from(users).where(eq(users.id, userId))
    const otherClaims = { ...claims, family_name: 'Чужая' }
    expect(refusedFor(await signInAt(browser, id, openid, otherClaims as never))).toBe('unvouched')
    expect(await reaches(browser)).toBe(401)
    // what it says of somebody whom it doesn't prove isn't written either
    expect(await db().select().from(users).where(eq(users.id, userId))).toEqual(before)
    // who entered it can't vouch for it either
    expect((await caller.send(enableProvider, { params: { id }, body: { enabled: false } })).status).toBe(403)

    const administrator = (await signedInAdministrator()).caller
    for (const enabled of [false, true]) await administrator.call(enableProvider, { params: { id }, body: { enabled } })
    expect((await administrator.call(readProvider, { params: { id } })).provider.vouched).toBe(true)
    // whom it made before proves the e-mail once
    const made = which === 'whom it made'
    expect(await signInAt(browser, id, openid, claims)).toBe(made ? '/platform/login?' : '/platform/profile')
    if (made) {
      const { login } = await accountFor(id, claims)
      await ask(browser, login, 'email_code')
      const code = await lastCodeTo(claims.email)
      expect(await prove(browser, login, { flow: 'email_code', code })).toMatchObject({ body: { next: 'done' } })
    }
    expect(await reaches(browser)).toBe(200)
  },
)

test('a provider lets in people with the rights of whoever entered its address, as long as these have them', async () => {
  const [{ id, user }, claims, browser] = [await connectedBy([right]), somebody(), new Browser()]
  await signInAt(browser, id, openid, claims)
  await promote((await accountFor(id, claims)).id)
  expect(await reaches(browser)).toBe(200)
  await db().update(users).set({ enabled: false }).where(eq(users.id, user.id))
  expect(refusedFor(await signInAt(new Browser(), id, openid, claims))).toBe('unvouched')
})

test('methods of applications are given to people of a provider by who trusts it', async () => {
  const [{ id }, claims, browser] = [await connectedBy([]), somebody(), new Browser()]
  const [application] = await db().select({ id: applications.id }).from(applications).limit(1)
  const code = crypto.randomUUID()
  const [method] = await db()
    .insert(methods)
    .values({ code, name: code, kind: 'application', applicationId: application?.id } as never)
    .returning()
  const role = await createContractorRole([], 'systemic')
  await db()
    .insert(roleMethods)
    .values({ roleId: role.id, methodId: method?.id ?? '' })
  const userId = (await people['who has linked it']?.(id, claims)) ?? ''
  await db().insert(userRoles).values({ userId, roleId: role.id })
  await signInAt(browser, id, openid, claims)
  expect(await reaches(browser)).toBe(403)
})

test('contacts that an unvouched provider has proven are unproven here, and another address takes the vouching', async () => {
  const { id, caller } = await connectedBy([])
  const first = somebody()
  await signInAt(new Browser(), id, openid, first)
  expect(await accountFor(id, first)).toMatchObject({ email: first.email, emailVerifiedAt: null })
  const administrator = (await signedInAdministrator()).caller
  for (const enabled of [false, true]) await administrator.call(enableProvider, { params: { id }, body: { enabled } })
  await signInAt(new Browser(), id, openid, first)
  expect((await accountFor(id, first)).emailVerifiedAt).not.toBeNull()
  const { provider } = await caller.call(readProvider, { params: { id } })
  const { type: _, ...body } = openidProviderFor(openid, { emailDomains: [], domains: provider.domains })
  const moved = { ...body, clientId: 'another', updatedAt: provider.updatedAt }
  await caller.call(updateProvider, { params: { id }, body: moved as never })
  expect((await caller.call(readProvider, { params: { id } })).provider.vouched).toBe(false)
})

test('an administrator vouches for the mappers that they have seen, not for those that came after', async () => {
  const { id, caller } = await connectedBy([])
  const administrator = (await signedInAdministrator()).caller
  await administrator.call(enableProvider, { params: { id }, body: { enabled: false } })
  const { provider } = await administrator.call(readProvider, { params: { id } })
  const syncId = provider.sync[0]?.id ?? ''
  const rule = {
    type: 'users-base',
    name: 'Почта',
    before: 'mail_of_others',
    after: 'birthDate',
    customAttributes: true,
  }
  await caller.call(createProviderMapper, {
    params: { syncId },
    body: { ...rule, enabled: false, attributes: [] } as never,
  })
  const enable = (updatedAt: string) =>
    administrator.send(enableProvider, { params: { id }, body: { enabled: true, updatedAt } })
  expect((await enable(provider.updatedAt)).status).toBe(409)
  const { provider: now } = await administrator.call(readProvider, { params: { id } })
  expect(now.vouched).toBe(false)
  expect((await enable(now.updatedAt)).status).toBe(200)
})

test('sessions of a provider end with it: without one they would count again', async () => {
  const [{ id }, claims, browser] = [await connectedBy([]), somebody(), new Browser()]
  const userId = (await people['who has linked it']?.(id, claims)) ?? ''
  await signInAt(browser, id, openid, claims)
  await promote(userId)
  expect(await reaches(browser)).toBe(401)
  const administrator = (await signedInAdministrator()).caller
  await administrator.call(deleteProvider, { params: { id } })
  expect(await reaches(browser)).toBe(401)
  const rows = await db().select().from(sessions).where(eq(sessions.userId, userId))
  expect(rows.map(({ endReason }) => endReason)).toEqual(['providerDeleted'])
})

/** Somebody who holds `providers.write` alone can say through a vouched directory what the e-mail of a person of it is. */
async function sayingEmails(browser = new Browser()) {
  const [{ caller: chief }, keycloak] = [await signedInAdministrator(), await startKeycloak()]
  const ivan = directoryPerson()
  keycloak.people = [ivan]
  const directory = await createDirectory(chief, keycloak.url)
  await enableSync(chief, directory)
  const userId = (await accountOf(ivan.id))?.id ?? ''
  const lesser = new Caller((await signedInWith(['providers.write'])).browser)
  const { mappers } = await lesser.call(listProviderMappers, { params: { syncId: directory.syncId } })
  const mapper = mappers.find(({ after }) => after === 'email')
  if (!mapper) throw new Error('no mapper fills the e-mail')
  const { id: mapperId, enabled: _, updatedAt: __, ...body } = mapper
  const say = async (attributes: object[]) => {
    const { mappers: now } = await lesser.call(listProviderMappers, { params: { syncId: directory.syncId } })
    const updatedAt = now.find(({ id }) => id === mapperId)?.updatedAt
    const params = { syncId: directory.syncId, id: mapperId }
    await lesser.call(updateProviderMapper, { params, body: { ...body, attributes, updatedAt } as never })
    await synced(lesser, directory.id)
  }
  const evil = `${crypto.randomUUID()}@evil.example`
  const person = { login: ivan.username, email: evil, mobile: '' }
  return {
    ...{ userId, ivan, browser, login: ivan.username },
    sayEvil: () => say([{ attribute: ivan.email, value: evil }]),
    sayRight: () => say([]),
    evilCode: () => askedBy(browser, person, 'email_code', 'login'),
  }
}

test('a directory that says somebody’s e-mail is another’s for a while gives that one nothing later', async () => {
  const { userId, ivan, browser, login, sayEvil, sayRight, evilCode } = await sayingEmails()
  await sayEvil()
  expect((await enter(browser, login, await evilCode())).status).toBe(200)
  await sayRight()
  expect((await accountOf(ivan.id))?.email).toBe(ivan.email)
  expect((await doubtsOf(await createContext({ methods: ['users.read'] }), userId)).preparer).toBeDefined()
  await promote(userId)
  expect(await reaches(browser)).toBe(401)
})

test('nor does a sign-in that had proven the other e-mail and ends once the right one is back', async () => {
  const agreement = await createAgreement()
  const asking = new Browser(await createDomain({ agreement }))
  const { userId, ivan, browser, login, sayEvil, sayRight, evilCode } = await sayingEmails(asking)
  await sayEvil()
  // the proof stays valid while the person reads the agreement
  expect((await enter(browser, login, await evilCode())).status).toBe(403)
  await sayRight()
  const termsAgree = [{ type: agreement, version: 1, agree: true }]
  expect((await prove(browser, login, { flow: 'email_code', termsAgree })).body.code).toBe('attemptExpired')
  expect((await accountOf(ivan.id))?.emailVerifiedAt).toBeNull()
  await promote(userId)
  expect(await reaches(browser)).toBe(401)
})

test('an administrator who starts a run doesn’t lend their rights to whoever set it up', async () => {
  const [{ caller: chief }, keycloak] = [await signedInAdministrator(), await startKeycloak()]
  const [ivan, petr] = [directoryPerson(), directoryPerson()]
  keycloak.people = [ivan, petr]
  const directory = await createDirectory(chief, keycloak.url)
  await enableSync(chief, directory)
  const lesser = new Caller((await signedInWith(['providers.write'])).browser)
  const { mappers } = await lesser.call(listProviderMappers, { params: { syncId: directory.syncId } })
  const { id: mapperId = '', enabled: _, ...body } = mappers.find(({ after }) => after === 'email') ?? {}
  const evil = `${crypto.randomUUID()}@evil.example`
  const attributes = [{ attribute: ivan.email, value: evil }]
  const params = { syncId: directory.syncId, id: mapperId }
  await lesser.call(updateProviderMapper, { params, body: { ...body, attributes } as never })
  for (const { id } of [ivan, petr]) await promote((await accountOf(id))?.id ?? '')
  keycloak.people = [ivan]
  const { id: runId } = await synced(chief, directory.id)
  await chief.call(resumeProviderRun, { params: { id: runId }, body: { disable: 'all' } })
  const { faults } = await workOnSync(chief, runId)
  expect(faults.map(({ code }) => code)).toEqual(['forbiddenUser', 'forbiddenUser'])
  expect(await accountOf(ivan.id)).toMatchObject({ email: ivan.email, preparedBy: null })
  // nor do they end the accounts of people who are gone there
  expect((await accountOf(petr.id))?.enabled).toBe(true)
})

test('what was read before an administrator vouched for a directory isn’t written as what it says since then', async () => {
  const [{ caller: chief }, keycloak] = [await signedInAdministrator(), await startKeycloak()]
  keycloak.people = Array.from({ length: 5 }, directoryPerson)
  const [ivan] = keycloak.people
  const directory = await createDirectory(chief, keycloak.url)
  await enableSync(chief, directory)
  const lesser = new Caller((await signedInWith(['providers.write'])).browser)
  const change = async (field: string, more: object) => {
    const { mappers } = await lesser.call(listProviderMappers, { params: { syncId: directory.syncId } })
    const { id = '', enabled: _, ...body } = mappers.find(({ after }) => after === field) ?? {}
    const params = { syncId: directory.syncId, id }
    await lesser.call(updateProviderMapper, { params, body: { ...body, ...more } as never })
  }
  const evil = `${crypto.randomUUID()}@evil.example`
  await change('email', { attributes: [{ attribute: ivan?.email, value: evil }] })
  // a run that waits for a decision has read everybody, and written nobody
  await change('lastName', { before: 'nothing', customAttributes: true, absent: 'clear' })
  const { id } = await synced(lesser, directory.id)
  await change('email', { attributes: [] })
  await change('lastName', { before: 'lastName', customAttributes: false, absent: 'keep' })
  const params = { id: directory.id }
  for (const enabled of [false, true]) await chief.call(enableProvider, { params, body: { enabled } })
  await lesser.call(resumeProviderRun, { params: { id }, body: { losses: 'none' } })
  const { run } = await workOnSync(lesser, id)
  expect(await accountOf(ivan?.id ?? '')).toMatchObject({ email: ivan?.email, preparedBy: null })
  expect(run).toMatchObject({ state: 'stopped', fault: 'syncActorChanged' })
  // a run that begins now reads anew
  expect((await synced(lesser, directory.id)).run.state).toBe('done')
})

test('an account that an unvouched provider made gets in by no other provider either', async () => {
  const [{ id }, claims] = [await connectedBy([]), somebody()]
  const { caller: chief } = await signedInAdministrator()
  const corp = await startOpenidProvider()
  const corpId = await connectProvider(chief, corp)
  await signInAt(new Browser(), id, openid, claims)
  const { id: userId } = await accountFor(id, claims)
  const linkedPerson = somebody()
  await db().insert(providerLinks).values({ userId, providerId: corpId, externalId: linkedPerson.sub })
  await promote(userId)
  const browser = new Browser()
  await signInAt(browser, corpId, corp, linkedPerson)
  expect(await reaches(browser)).toBe(401)
})
