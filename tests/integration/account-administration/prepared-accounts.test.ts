import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  authenticationSchemaRoles,
  authenticationSchemas,
  invitationRoles,
  providerLinks,
  userRoles,
  users,
} from '@/db/schema'
import * as accountCalls from '@/lib/account-administration/accounts/contract'
import { mergeUsers } from '@/lib/account-administration/user-merge/contract'
import { doubtsOf } from '@/lib/accounts/administration/service'
import * as holderCalls from '@/lib/accounts/role-holders/contract'
import { dropCached } from '@/lib/base/cache/cache'
import { acceptInvitation } from '@/lib/joining/invitations/contract'
import { acceptOwnInvitation, listOwnInvitations } from '@/lib/joining/received-invitations/contract'
import { readLicenseInfo } from '@/lib/operations/license/contract'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import { setEntryPassword } from '@/lib/sign-in/passwords/contract'
import { previewAuthenticationSchema, updateAuthenticationSchema } from '@/lib/sign-in/schema-administration/contract'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { ask, askedBy, enter, passResend } from '../../factories/codes'
import { createContractorRole, plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { lastCodeTo, lastMessageTo, runJobs } from '../../factories/messages'
import { change, codeFor, freshEmail, freshMobile, nextPassword, verify } from '../../factories/own-account'
import { first } from '../../factories/platform'
import { createProvider, mailsTo } from '../../factories/recovery'
import { shippedRole, signedInAdministrator } from '../../factories/roles'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signInByPassword } from '../../factories/sign-in'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const setEntry = handlerOf(setEntryPassword)

useTestDatabase()

/** Has `users.write` alone, wants what others will get, and has a telephone and a mailbox of their own. */
async function attacker() {
  const { browser } = await signedInWith(['users.write'])
  return { caller: new Caller(browser), email: freshEmail(), mobile: freshMobile(), browser: new Browser() }
}
type Attacker = Awaited<ReturnType<typeof attacker>>
type Prepared = { id: string; login: string; email: string; mobile: string }

const names = { lastName: 'Орлова', firstName: 'Вера', middleName: 'Павловна' }

const loginOf = (email: string) => email.replace(/@.*/, '')

async function createBy({ caller }: Pick<Attacker, 'caller'>, values: object, more: object = {}) {
  const { id } = await caller.call(accountCalls.createUser, {
    body: { values: { ...names, ...values }, ...more } as never,
  })
  return id
}

const update = ({ caller }: Pick<Attacker, 'caller'>, id: string, body: object) =>
  caller.call(accountCalls.updateUser, { params: { id }, body: body as never })

async function schemaBy(firstFactor: FlowId[], secondFactor: FlowId[] = []) {
  const code = crypto.randomUUID()
  const values = { code, name: code, firstFactor, secondFactor, active: true, priority: 1 }
  const { id } = first(await db().insert(authenticationSchemas).values(values).returning())
  dropCached('authentication-schemas')
  return id
}

async function setFirstPassword(browser: Browser, email: string) {
  const mail = await lastMessageTo(email)
  const [, id = ''] = /login\/password\/([0-9a-f-]{36})/.exec(mail?.content.text ?? '') ?? []
  const body = { password: nextPassword, repeatPassword: nextPassword }
  const answer = await browser.send(setEntry, 'PUT', { params: { id }, body })
  if (answer.status !== 200) throw new Error(`a first password answered ${answer.status} ${answer.body.code}`)
}

async function accountOf(id: string): Promise<Prepared> {
  const row = first(await db().select().from(users).where(eq(users.id, id)))
  return { id, login: row.login, email: row.email ?? '', mobile: row.mobile ?? '' }
}

/** How somebody with `users.write` may prepare the account of an e-mail: what they know or hold of it afterwards. */
const preparations: Record<string, (by: Attacker, email: string) => Promise<string>> = {
  'a password that was set by a mail to another address': async (by, email) => {
    const id = await createBy(by, { email: by.email, login: loginOf(by.email) }, { sendLink: true })
    await setFirstPassword(by.browser, by.email)
    await signInByPassword(by.browser, loginOf(by.email), nextPassword)
    await update(by, id, { values: { email } })
    return id
  },
  'a mobile and a schema by SMS': async (by, email) => {
    const id = await createBy(by, { email, mobile: by.mobile, login: loginOf(by.email) })
    await update(by, id, { authenticationSchemaId: await schemaBy(['sms_code', 'email_code']) })
    return id
  },
  'a session by SMS, and a mobile that was proven in it': async (by, email) => {
    const id = await createBy(by, { email, mobile: by.mobile, login: loginOf(by.email) })
    await update(by, id, { authenticationSchemaId: await schemaBy(['sms_code', 'email_code']) })
    const person = await accountOf(id)
    const code = await askedBy(by.browser, person, 'sms_code')
    expect((await enter(by.browser, person.login, code, 'sms_code')).status).toBe(200)
    const inside = new Caller(by.browser)
    expect((await verify(inside, 'mobile', by.mobile, await codeFor(inside, 'mobile', by.mobile))).status).toBe(200)
    // refused while the code goes to the e-mail; otherwise a password of theirs
    await change(inside, { password: nextPassword, rePassword: nextPassword, code: '000000' })
    return id
  },
  'another mobile of an account whose person had proven the e-mail': async (by, email) => {
    const user = await createUser({ email, emailVerifiedAt: new Date(), passwordHash: null })
    await update(by, user.id, {
      values: { mobile: by.mobile },
      authenticationSchemaId: await schemaBy(['sms_code', 'email_code']),
    })
    const person = await accountOf(user.id)
    const code = await askedBy(by.browser, person, 'sms_code')
    expect((await enter(by.browser, person.login, code, 'sms_code')).status).toBe(200)
    const inside = new Caller(by.browser)
    await verify(inside, 'mobile', by.mobile, await codeFor(inside, 'mobile', by.mobile))
    return user.id
  },
  'a merge that brings a mobile which they had proven': async (by, email) => {
    const theirs = await createBy(by, { email: by.email, login: loginOf(by.email) }, { sendLink: true })
    await setFirstPassword(by.browser, by.email)
    await signInByPassword(by.browser, loginOf(by.email), nextPassword)
    const inside = new Caller(by.browser)
    await verify(inside, 'mobile', by.mobile, await codeFor(inside, 'mobile', by.mobile), true)
    const { id } = await createUser({ email, emailVerifiedAt: new Date(), mobile: null, passwordHash: null })
    await by.caller.call(mergeUsers, { body: { targetId: id, sourceIds: [theirs] } as never })
    await update(by, id, { authenticationSchemaId: await schemaBy(['sms_code', 'email_code']) })
    expect((await accountOf(id)).mobile).toBe(by.mobile)
    return id
  },
}

const withMobile = async (by: Attacker, email: string, more: object = {}) => {
  const user = await createUser({ email, emailVerifiedAt: new Date(), passwordHash: null, ...more })
  await update(by, user.id, {
    values: { mobile: by.mobile },
    authenticationSchemaId: await schemaBy(['sms_code', 'email_code']),
  })
  const person = await accountOf(user.id)
  expect(
    (await enter(by.browser, person.login, await askedBy(by.browser, person, 'sms_code'), 'sms_code')).status,
  ).toBe(200)
  return user.id
}

/** A browser in which the owner of the e-mail signs in by its code, after whatever else is asked for. */
async function ownerSignsIn(person: Prepared) {
  const browser = new Browser()
  const code = await askedBy(browser, person, 'email_code', 'login')
  const answer = await enter(browser, person.login, code)
  return { browser, answer }
}

const right = 'license.write'
/** What a browser may do: nothing at all, what everybody may, or what the right gives. */
async function reaches(browser: Browser) {
  const { status } = await new Caller(browser).send(readLicenseInfo)
  return { 200: 'the right', 403: 'a session', 401: 'nothing' }[status]
}

/** An open invitation that gives the right. */
async function invitationTo(email: string, userId: string | null = null) {
  const planted = await plantInvitation({ email, userId })
  const systemicRole = await createContractorRole([right], 'systemic')
  await db().insert(userRoles).values({ userId: planted.inviter.id, roleId: systemicRole.id })
  const { id: roleId } = await createContractorRole([right])
  const { id: organizationId } = planted.organization
  await db().insert(invitationRoles).values({ invitationId: planted.id, organizationId, roleId })
  return planted
}

const give = (caller: Caller, id: string, roleId: string) =>
  caller.call(holderCalls.setUserRoles, { params: { id }, body: { roles: [{ roleId }] } as never })

/** How rights come to an account; the owner of the e-mail acts where somebody has to. */
const arrivals: Record<string, (person: Prepared) => Promise<unknown>> = {
  'a role': async ({ id }) => {
    const { caller } = await signedInAdministrator()
    await give(caller, id, (await createContractorRole([right], 'systemic')).id)
  },
  'a role whose people sign in by SMS': async ({ id }) => {
    const { caller } = await signedInAdministrator()
    const role = await createContractorRole([right], 'systemic')
    await db()
      .insert(authenticationSchemaRoles)
      .values({ schemaId: await schemaBy(['sms_code', 'email_code']), roleId: role.id })
    await give(caller, id, role.id)
  },
  'an invitation that its receiver accepts': async (person) => {
    const { browser } = await ownerSignsIn(person)
    const { guid } = await invitationTo(person.email)
    await new Caller(browser).call(acceptInvitation, { body: { hash: guid } })
    expect(await reaches(browser)).toBe('the right')
  },
}

/** Tries all that whoever prepared the account knows or has. Returns the most that it reaches. */
async function tryEverything({ browser, mobile }: Attacker, person: Prepared) {
  const reached = [await reaches(browser)]
  const fresh = new Browser()
  for (const attempted of [nextPassword, 'Correct-horse-7']) {
    await signInByPassword(fresh, person.login, attempted)
    reached.push(await reaches(fresh))
  }
  await passResend()
  for (const first of [null, nextPassword]) {
    await begin(fresh, person.login)
    if (first) await prove(fresh, person.login, { password: first })
    await ask(fresh, person.login, 'sms_code')
    const code = await lastCodeTo(mobile).catch(() => '')
    await enter(fresh, person.login, code, 'sms_code')
    reached.push(await reaches(fresh))
  }
  return reached
}

test.each(Object.keys(preparations).flatMap((prepared) => Object.keys(arrivals).map((arrived) => [prepared, arrived])))(
  'whoever prepared %s gets nothing that comes by %s, and the owner of the e-mail all',
  async (prepared, arrived) => {
    const [by, email] = [await attacker(), freshEmail()]
    const person = await accountOf((await preparations[prepared as string]?.(by, email)) ?? '')
    expect(person.email).toBe(email)
    const { id: providerId } = await createProvider({ type: 'oidc', enabled: false })
    await db().insert(providerLinks).values({ userId: person.id, providerId, externalId: by.email })
    await arrivals[arrived as string]?.(person)
    expect(await tryEverything(by, person)).not.toContain('the right')
    const { browser, answer } = await ownerSignsIn(person)
    expect([answer.status, await reaches(browser)]).toEqual([200, 'the right'])
    expect(await db().$count(providerLinks, eq(providerLinks.userId, person.id))).toBe(0)
    // what was prepared is over: the owner’s proof doesn’t open it again
    expect(await tryEverything(by, person)).not.toContain('the right')
  },
)

test('a schema that somebody with less chose for an account counts until they have less', async () => {
  const { caller: administrator } = await signedInAdministrator()
  const role = await createContractorRole([right], 'systemic')
  const strong = await schemaBy(['credentials'], ['email_code'])
  await db().insert(authenticationSchemaRoles).values({ schemaId: strong, roleId: role.id })
  const weak = await schemaBy(['email_code'])
  const offered = async (userId: string) =>
    (await administrator.call(previewAuthenticationSchema, { query: { userId } })).schema.id
  for (const actor of [(await attacker()).caller, administrator]) {
    const { id } = await createUser({ emailVerifiedAt: new Date() })
    await update({ caller: actor }, id, { authenticationSchemaId: weak })
    expect(await offered(id)).toBe(weak)
    await give(administrator, id, role.id)
    expect(await offered(id)).toBe(actor === administrator ? weak : strong)
  }
})

test('a schema that isn’t in force hides from nobody that the one of the role is weakened', async () => {
  const { caller: administrator } = await signedInAdministrator()
  const role = await createContractorRole([right], 'systemic')
  const strong = await schemaBy(['credentials'], ['email_code'])
  await db().insert(authenticationSchemaRoles).values({ schemaId: strong, roleId: role.id })
  const actor = new Caller((await signedInWith(['users.write', 'authentication-schemas.write'])).browser)
  const { id } = await createUser({ emailVerifiedAt: new Date() })
  await update({ caller: actor }, id, { authenticationSchemaId: await schemaBy(['credentials'], ['email_code']) })
  await give(administrator, id, role.id)
  const body = {
    name: 'Слабее',
    code: `weak-${id.slice(0, 8)}`,
    firstFactor: ['credentials'],
    secondFactor: [],
    roles: [role.id],
  }
  expect(await actor.send(updateAuthenticationSchema, { params: { id: strong }, body })).toMatchObject({
    status: 403,
    body: { code: 'forbiddenUser' },
  })
})

test('nobody accepts an invitation in the portal for somebody whose mobile they entered', async () => {
  const [by, email] = [await attacker(), freshEmail()]
  const id = await withMobile(by, email)
  const { id: invited } = await invitationTo(email)
  const inside = new Caller(by.browser)
  expect((await inside.call(listOwnInvitations, { query: {} })).invitations).toEqual([])
  expect((await inside.send(acceptOwnInvitation, { params: { id: invited }, body: {} })).status).toBe(404)
  // nor one that names the account
  const named = await invitationTo(freshEmail(), id)
  await inside.send(acceptOwnInvitation, { params: { id: named.id }, body: {} })
  expect(await reaches(by.browser)).toBe('nothing')
})

test('a mobile that somebody else entered leads in no more once the owner has proven the e-mail', async () => {
  const [by, email] = [await attacker(), freshEmail()]
  const person = await accountOf(await withMobile(by, email))
  const administrator = await createContext({ methods: ['users.read'] })
  expect((await doubtsOf(administrator, person.id)).preparer).toMatchObject({ email })
  expect((await ownerSignsIn(person)).answer.status).toBe(200)
  expect((await doubtsOf(administrator, person.id)).preparer).toBeUndefined()
  expect(await reaches(by.browser)).toBe('nothing')
  await passResend()
  await begin(by.browser, person.login)
  expect((await ask(by.browser, person.login, 'sms_code')).status).toBe(400)
})

test('a password that somebody told the owner is the owner’s until they get more', async () => {
  const [by, email] = [await attacker(), freshEmail()]
  const id = await preparations['a password that was set by a mail to another address']?.(by, email)
  const person = await accountOf(id ?? '')
  await update(by, person.id, { authenticationSchemaId: await schemaBy(['credentials'], ['email_code']) })
  const owner = new Browser()
  const signIn = async () => {
    await passResend()
    await begin(owner, person.login)
    await prove(owner, person.login, { password: nextPassword })
    await ask(owner, person.login, 'email_code')
    return (await enter(owner, person.login, await lastCodeTo(email))).status
  }
  for (const _ of [1, 2]) expect(await signIn()).toBe(200)
  await give((await signedInAdministrator()).caller, person.id, (await createContractorRole([right], 'systemic')).id)
  expect(await tryEverything(by, person)).not.toContain('the right')
  await passResend()
  const { browser, answer } = await ownerSignsIn(person)
  expect([answer.status, await reaches(browser)]).toEqual([200, 'the right'])
  expect(first(await db().select().from(users).where(eq(users.id, person.id))).passwordHash).toBeNull()
  expect(await tryEverything(by, person)).not.toContain('the right')
})

test('an account without an e-mail isn’t used while it is in doubt', async () => {
  const actor = await signedInWith(['users.write'])
  const marks = { preparedBy: actor.user.id, preparedSince: new Date(0) }
  const { id, login } = await createUser({ email: null, ...marks })
  const browser = new Browser()
  await signInByPassword(browser, login, 'Correct-horse-7')
  expect(await reaches(browser)).toBe('a session')
  await give((await signedInAdministrator()).caller, id, (await createContractorRole([right], 'systemic')).id)
  expect(await reaches(browser)).toBe('nothing')
  await signInByPassword(browser, login, 'Correct-horse-7')
  expect(await reaches(browser)).toBe('nothing')
})

test('another e-mail puts in doubt what was proven with the one before, also if an administrator enters it', async () => {
  const [by, email] = [await attacker(), freshEmail()]
  const id = await preparations['a password that was set by a mail to another address']?.(by, freshEmail())
  const { caller } = await signedInAdministrator()
  await update({ caller }, id ?? '', { values: { email } })
  await give(caller, id ?? '', (await createContractorRole([right], 'systemic')).id)
  const person = await accountOf(id ?? '')
  expect(await tryEverything(by, person)).not.toContain('the right')
  expect(await mailsTo(person.id, 'passwordEnded')).toEqual([])
  expect((await ownerSignsIn(person)).answer.status).toBe(200)
  await runJobs()
  expect(await mailsTo(person.id, 'passwordEnded')).toMatchObject([{ recipient: email }])
  expect(await tryEverything(by, person)).not.toContain('the right')
})

test.each([false, true])('whoever is disabled holds nothing, also an administrator (%s)', async (administrator) => {
  const strong = await signedInWith(['users.write', right])
  const actor = { ...(await attacker()), caller: new Caller(strong.browser) }
  const id = await preparations['a password that was set by a mail to another address']?.(actor, freshEmail())
  await give((await signedInAdministrator()).caller, id ?? '', (await createContractorRole([right], 'systemic')).id)
  const person = await accountOf(id ?? '')
  const tryPassword = async () => {
    const browser = new Browser()
    await signInByPassword(browser, person.login, nextPassword)
    return reaches(browser)
  }
  const roleId = await shippedRole('administrator')
  if (administrator) await db().insert(userRoles).values({ userId: strong.user.id, roleId })
  expect(await tryPassword()).toBe('the right')
  await db().update(users).set({ enabled: false }).where(eq(users.id, strong.user.id))
  expect(await tryPassword()).toBe('nothing')
})

test.each([
  ['had proven', false],
  ['had entered before they proved the e-mail', true],
])('a merge by an administrator brings no way in by a mobile that somebody %s', async (_, settled) => {
  const [by, email] = [await attacker(), freshEmail()]
  const theirs = await createBy(by, { email: by.email, mobile: by.mobile, login: loginOf(by.email) })
  await update(by, theirs, { authenticationSchemaId: await schemaBy(['sms_code']) })
  const double = await accountOf(theirs)
  await enter(by.browser, double.login, await askedBy(by.browser, double, 'sms_code'), 'sms_code')
  const inside = new Caller(by.browser)
  const [kind, value] = settled ? (['email', by.email] as const) : (['mobile', by.mobile] as const)
  expect((await verify(inside, kind, value, await codeFor(inside, kind, value))).status).toBe(200)
  const owner = await createUser({ email, emailVerifiedAt: new Date(), mobile: null })
  const { caller } = await signedInAdministrator()
  await caller.call(mergeUsers, { body: { targetId: owner.id, sourceIds: [theirs] } as never })
  const role = await createContractorRole([right], 'systemic')
  const schemaId = await schemaBy(['sms_code', 'email_code'])
  await db().insert(authenticationSchemaRoles).values({ schemaId, roleId: role.id })
  await give(caller, owner.id, role.id)
  const person = await accountOf(owner.id)
  expect(person.mobile).toBe(by.mobile)
  expect(await tryEverything({ ...by, browser: new Browser() }, person)).not.toContain('the right')
  expect((await ownerSignsIn(person)).answer.status).toBe(200)
})
