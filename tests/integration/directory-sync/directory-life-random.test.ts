import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { methods, providers, roles, userRoles } from '@/db/schema'
import { enableRole, updateRole } from '@/lib/access/roles/contract'
import { setUserRoles } from '@/lib/accounts/role-holders/contract'
import {
  createProviderMapper,
  listProviderMappers,
  updateProviderMapper,
} from '@/lib/directory-sync/provider-mappers/contract'
import { resumeProviderRun, startProviderSync } from '@/lib/directory-sync/provider-sync/contract'
import { enableProvider, readProvider } from '@/lib/directory-sync/providers/contract'
import { readLicenseInfo } from '@/lib/operations/license/contract'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { askedBy, enter } from '../../factories/codes'
import { createContractorRole } from '../../factories/companies'
import { createDirectory, enableSync, workOnSync } from '../../factories/directory'
import { accountOf, crowd } from '../../factories/directory-people'
import { createAgreement, createDomain, publishVersion } from '../../factories/domains'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { methodIdsOf, shippedRole, signedInAdministrator } from '../../factories/roles'
import { prove } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const random = caseNumbers(61)
const one = <T>(list: readonly T[]): T => list[random(list.length)] as T
const either = () => random(2) === 0

/** Nobody's id, by which several people prepared an account. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** What somebody does who has every method, but isn't an administrator. */
const almost = ['promote', 'say evil', 'chief starts', 'lesser starts', 'say right', 'demote']
/**
 * What must go wrong, in the right order: a life begins with one of these, from its second time on with other steps in
 * between, and goes on at random.
 */
const plots = [
  ['hold', 'say evil', 'someone starts', 'say right', 'vouch', 'someone resumes'],
  ['hold', 'say evil', 'someone starts', 'promote', 'someone resumes'],
  ['say evil', 'promote', 'chief starts', 'lesser starts'],
  almost,
  ['say evil', 'give a role that is off', 'someone starts', 'switch', 'someone starts'],
  ['map', 'say boss', 'role gets more', 'chief starts', 'lesser starts'],
  ['map', 'say boss', 'someone starts', 'role gets more', 'say nothing', 'chief starts'],
  ['say right', 'promote', 'say evil', 'leave', 'chief starts', 'chief resumes', 'come back', 'someone starts'],
  ['say evil', 'someone starts', 'ask and enter', 'say right', 'someone starts', 'promote', 'finish'],
  ['say right', 'switch off', 'look', 'say evil', 'vouch as seen', 'chief starts'],
  ['say evil', 'lesser switches', 'hire', 'chief starts', 'say right', 'someone starts'],
  ['say right', 'hire', 'chief starts', 'say evil', 'promote', 'someone starts'],
]

/**
 * The life of a directory that an administrator set up. Somebody who holds `providers.write` alone, or `all` methods without
 * being an administrator, changes its mappers, says who has which role in it, and reads the mailboxes of `evil`. They must
 * not come to what they lack: `license.write`, or the role of administrators.
 */
async function begin(all: boolean) {
  const [{ caller: chief }, keycloak] = [await signedInAdministrator(), await startKeycloak()]
  const ivan = directoryPerson({ roles: [] })
  // who may get the e-mail of Ivan comes before him
  const petr = directoryPerson()
  const newcomer = directoryPerson({ emailVerified: true })
  const evil = `${crypto.randomUUID()}@evil.example`
  keycloak.people = [petr, ivan, ...crowd(2)]
  const directory = await createDirectory(chief, keycloak.url)
  await enableSync(chief, directory)
  const every = await db().select({ code: methods.code }).from(methods).where(eq(methods.kind, 'systemic'))
  const { browser, user } = await signedInWith(all ? every.map(({ code }) => code) : ['providers.write'])
  const lesser = new Caller(browser)
  /** As whom accounts may be prepared by what the lesser person says. */
  const lesserWords = [user.id, nobody]
  const params = { syncId: directory.syncId }
  const { mappers } = await lesser.call(listProviderMappers, { params })
  const agreement = await createAgreement()
  const host = await createDomain({ agreement })
  const right = all
    ? await shippedRole('administrator')
    : (await createContractorRole(['license.write'], 'systemic')).id
  const duty = await createContractorRole(['license.write'], 'systemic')
  const mapped = await createContractorRole([], 'systemic')
  await db().update(roles).set({ enabled: false }).where(eq(roles.id, duty.id))
  const userId = (await accountOf(ivan.id))?.id ?? ''
  const [method = ''] = await methodIdsOf('license.write')

  // what the mappers say now, what was done, and what people hold
  let [evilSaid, mapsContacts, version] = [false, false, 1]
  let [promoted, onDuty, dutyOn, mappedGives, mapping] = [false, false, false, false, false]
  let runId: string | null = null
  let pending: { browser: Browser; code: string | null } | null = null
  let seen: string | null = null
  let proven = false
  const intruders: Browser[] = []

  const holders = () => db().$count(userRoles, eq(userRoles.roleId, mapped.id))
  const account = async () => (await accountOf(ivan.id)) ?? Promise.reject(new Error('the account is gone'))
  const source = async () => (await db().select().from(providers).where(eq(providers.id, directory.id)))[0]
  const looksRight = async () => (await account()).email === ivan.email
  /** Whether Ivan has, or may come to, what the lesser person lacks. */
  const hasMore = async () => promoted || onDuty || (mappedGives && (await holders()) > 0)

  const change = async (field: string, more: object) => {
    const { id = '', enabled: _, ...body } = mappers.find(({ after }) => after === field) ?? {}
    const { mappers: now } = await lesser.call(listProviderMappers, { params })
    const updatedAt = now.find((mapper) => mapper.id === id)?.updatedAt
    const updated = { ...body, ...more, updatedAt } as never
    const { status } = await lesser.send(updateProviderMapper, { params: { ...params, id }, body: updated })
    const refused = !all && ((await hasMore()) || (mapping && mappedGives))
    expect(status, 'a mapper of people with more, or that gives more, is changed').toBe(refused ? 403 : 200)
    return !refused
  }
  const say = async (isEvil: boolean) => {
    const attributes = [
      { attribute: ivan.email, value: evil },
      { attribute: petr.email, value: ivan.email },
      { attribute: newcomer.email, value: `new-${evil}` },
    ]
    if (await change('email', { attributes: isEvil ? attributes : [] })) evilSaid = isEvil
  }
  /** A run must not write what somebody with less said, as if an administrator had, nor of somebody with more. */
  const worked = async (who: Caller, id: string) => {
    const state = async () => ({ ...(await account()), mapped: await holders() })
    const [before, joined, more] = [await state(), await accountOf(newcomer.id), await hasMore()]
    const { enteredBy } = (await source()) ?? {}
    const { run } = await workOnSync(who, id)
    runId = run.state === 'stopped' ? id : null
    const after = await state()
    if (mappedGives) expect(after.mapped, 'holders of a role that got more since it was mapped').toBe(before.mapped)
    if (more && (enteredBy || (who === lesser && !all)))
      expect(after.enabled, 'whether somebody with more is enabled').toBe(before.enabled)
    if (after.email !== before.email) {
      expect(more && after.email === evil, 'the e-mail of somebody with more was changed').toBe(false)
      if (after.email === evil) expect(lesserWords, 'whose word the e-mail is').toContain(after.preparedBy)
      proven = false
    }
    const fresh = await accountOf(newcomer.id)
    if (fresh?.email !== newcomer.email && fresh)
      expect(lesserWords, 'whose word the newcomer is').toContain(fresh.preparedBy)
    if (enteredBy && fresh && !joined) expect(fresh.emailVerifiedAt, 'a proof of a newcomer').toBeNull()
  }
  const start = async (who: Caller) => {
    const { status, body } = await who.send(startProviderSync, { params: { id: directory.id }, body: { dry: false } })
    if (status === 200) await worked(who, (body as { id: string }).id)
  }
  const resume = async (who: Caller, disable: 'all' | 'none') => {
    if (!runId) return false
    const id = runId
    const body = { losses: 'none', disable } as never
    if ((await who.send(resumeProviderRun, { params: { id }, body })).status === 200) await worked(who, id)
    return true
  }
  const enable = (who: Caller, enabled: boolean, updatedAt?: string) =>
    who.send(enableProvider, { params: { id: directory.id }, body: { enabled, updatedAt } as never })
  const setRoles = async () => {
    const ids = [
      ...(promoted ? [right] : []),
      ...(onDuty ? [duty.id] : []),
      ...((await holders()) > 0 ? [mapped.id] : []),
    ]
    const body = { roles: ids.map((roleId) => ({ roleId })) } as never
    await chief.call(setUserRoles, { params: { id: userId }, body })
  }
  const asIvan = async (of: Browser, email: string) =>
    askedBy(of, { login: ivan.username, email, mobile: '' }, 'email_code', 'login').catch(() => null)

  const ask = async (entered: boolean) => {
    if ((await account()).email !== evil) return false
    version++
    await publishVersion(agreement, version)
    const intruder = new Browser(host)
    const code = await asIvan(intruder, evil)
    if (!code) return false
    if (entered) await enter(intruder, ivan.username, code)
    pending = { browser: intruder, code: entered ? null : code }
    return true
  }

  // one that isn't possible now returns false
  const moves: Record<string, () => Promise<unknown>> = {
    'say evil': () => say(true),
    'say right': () => say(false),
    // a run that takes a name of everybody waits for a decision
    hold: async () => {
      const more = mapsContacts ? {} : { before: 'nothing', customAttributes: true, absent: 'clear' }
      if (await change('lastName', more)) mapsContacts = !mapsContacts
    },
    'chief starts': () => start(chief),
    'lesser starts': () => start(lesser),
    'someone starts': () => start(either() ? lesser : chief),
    'chief resumes': () => resume(chief, 'all'),
    'someone resumes': () => resume(either() ? lesser : chief, either() ? 'all' : 'none'),
    // an administrator reads the mappers, and vouches for what they say
    vouch: async () => {
      if (evilSaid || mapping) return false
      for (const enabled of [false, true]) await enable(chief, enabled)
    },
    'switch off': () => enable(either() ? lesser : chief, false),
    look: async () => {
      const { provider } = await chief.call(readProvider, { params: { id: directory.id } })
      if (evilSaid || mapping || provider.enabled) return false
      seen = provider.updatedAt
    },
    // what has changed since they read it isn't vouched for
    'vouch as seen': async () => {
      if (!seen) return false
      await enable(chief, true, seen)
      seen = null
      await enable(lesser, true)
    },
    'lesser switches': async () => {
      for (const enabled of [false, true]) await enable(lesser, enabled)
    },
    // the proof waits for an agreement, or the code waits to be entered
    'ask and enter': () => ask(true),
    ask: () => ask(false),
    finish: async () => {
      if (!pending) return false
      const { browser: intruder, code } = pending
      pending = null
      const termsAgree = [{ type: agreement, version, agree: true }]
      await prove(intruder, ivan.username, { flow: 'email_code', termsAgree, ...(code ? { code } : {}) })
      intruders.push(intruder)
    },
    // who gives rights looks at the address
    promote: async () => {
      if (promoted || !(await looksRight())) return false
      promoted = true
      await setRoles()
    },
    demote: async () => {
      if (!promoted) return false
      promoted = false
      await setRoles()
    },
    'give a role that is off': async () => {
      if (onDuty || dutyOn || !(await looksRight())) return false
      onDuty = true
      await db().insert(userRoles).values({ userId, roleId: duty.id })
    },
    // who switches a role on looks at nobody
    switch: async () => {
      dutyOn = !dutyOn
      await chief.call(enableRole, { params: { id: duty.id }, body: { enabled: dutyOn } })
    },
    map: async () => {
      if (mapping || mappedGives || (await hasMore())) return false
      const attributes = [{ attribute: 'boss', value: mapped.id }]
      const body = { type: 'users-access', name: 'Роли', before: 'roles', after: 'role', attributes } as never
      mapping = (await lesser.send(createProviderMapper, { params, body })).status === 200
    },
    'say boss': async () => {
      ivan.roles = ['boss']
    },
    'say nothing': async () => {
      ivan.roles = []
    },
    // a role gets a method that nobody holds, or somebody whose address looks right
    'role gets more': async () => {
      if (mappedGives || ((await holders()) > 0 && !(await looksRight()))) return false
      mappedGives = true
      const { name, nameEn, roleType } = mapped
      await chief.call(updateRole, {
        params: { id: mapped.id },
        body: { name, nameEn, roleType, methods: [method] } as never,
      })
    },
    leave: async () => {
      keycloak.people = keycloak.people.filter((person) => person !== ivan)
    },
    'come back': async () => {
      if (keycloak.people.includes(ivan)) return false
      keycloak.people.splice(1, 0, ivan)
    },
    hire: async () => {
      if (keycloak.people.includes(newcomer)) return false
      keycloak.people.push(newcomer)
    },
    'own proof': async () => {
      if (!(await looksRight())) return false
      const ownBrowser = new Browser()
      const code = await asIvan(ownBrowser, ivan.email ?? '')
      if (code && (await enter(ownBrowser, ivan.username, code)).status === 200) proven = true
    },
  }
  const check = async () => {
    const { email, emailVerifiedAt } = await account()
    if (email === ivan.email && emailVerifiedAt) expect(proven, 'the e-mail was proven by its person').toBe(true)
    for (const intruder of intruders)
      expect((await new Caller(intruder).send(readLicenseInfo)).status, 'what an intruder reads').not.toBe(200)
  }
  return { moves, check }
}

async function live(rounds: number) {
  for (const round of eachRound(rounds)) {
    const plot = plots[round % plots.length] ?? []
    const { moves, check } = await begin(plot === almost)
    const names = plot === almost ? almost : Object.keys(moves)
    const due = [...plot]
    const isFirst = round < plots.length
    const steps = isFirst ? plot.length + 1 : 12
    const done: string[] = []
    try {
      while (done.length < steps) {
        const name = ((isFirst || random(5) > 0) && due.shift()) || one(names)
        done.push(name)
        if ((await moves[name]?.()) === false) done.pop()
        else await check()
      }
    } catch (error) {
      throw new Error(`after ${done.join(', ')}: ${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }
}

test('nothing that somebody with less lets a directory say counts for whoever has more, until their own proof', () =>
  live(60))

test('nor does it in many lives of directories', { tags: ['full'] }, () => live(60))
