import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { roles, userRoles } from '@/db/schema'
import { resumeProviderRun, startProviderSync } from '@/lib/entry/provider-sync/contract'
import { readLicenseInfo } from '@/lib/operations/license/contract'
import { createProviderMapper, listProviderMappers, updateProviderMapper } from '@/lib/people/provider-mappers/contract'
import { enableProvider } from '@/lib/people/providers/contract'
import { setUserRoles } from '@/lib/people/role-holders/contract'
import { enableRole, updateRole } from '@/lib/people/roles/contract'
import { signedInWith } from '../factories/access'
import { Browser } from '../factories/browser'
import { Caller } from '../factories/caller'
import { askedBy, enter } from '../factories/codes'
import { createContractorRole } from '../factories/companies'
import { createDirectory, enableSync, workOnSync } from '../factories/directory'
import { accountOf, crowd } from '../factories/directory-people'
import { createAgreement, createDomain, publishVersion } from '../factories/domains'
import { directoryPerson, startKeycloak } from '../factories/keycloak'
import { caseNumbers, eachRound } from '../factories/random-cases'
import { methodIdsOf, signedInAdministrator } from '../factories/roles'
import { prove } from '../factories/sign-in'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

const random = caseNumbers(61)
const one = <T>(list: readonly T[]): T => list[random(list.length)] as T
const either = () => random(2) === 0

/** How many steps a life has: what goes wrong takes up to six in the right order. */
const steps = 20
/** What happens in a life: in a life of everything the right order hardly comes. Each sixth has everything. */
const lives = [
  ['say and start', 'ask', 'finish'],
  ['say', 'start', 'resume', 'vouch'],
  ['say', 'start', 'promote'],
  ['start', 'map', 'say who is boss', 'role gets more'],
  ['say', 'start', 'give a role that is off', 'switch'],
  null,
]

/**
 * The life of a directory that an administrator set up. Somebody who holds `providers.write` alone changes its mappers,
 * says who has which role in it, and reads the mailbox of `evil`. They must not come to `license.write`.
 */
async function begin() {
  const [{ caller: chief }, keycloak] = [await signedInAdministrator(), await startKeycloak()]
  const ivan = directoryPerson({ roles: [] })
  const evil = `${crypto.randomUUID()}@evil.example`
  keycloak.people = [ivan, ...crowd(4)]
  const directory = await createDirectory(chief, keycloak.url)
  await enableSync(chief, directory)
  const lesser = new Caller((await signedInWith(['providers.write'])).browser)
  const params = { syncId: directory.syncId }
  const { mappers } = await lesser.call(listProviderMappers, { params })
  const agreement = await createAgreement()
  const host = await createDomain({ agreement })
  const [right, duty, mapped] = [
    await createContractorRole(['license.write'], 'systemic'),
    await createContractorRole(['license.write'], 'systemic'),
    await createContractorRole([], 'systemic'),
  ]
  await db().update(roles).set({ enabled: false }).where(eq(roles.id, duty.id))
  const userId = (await accountOf(ivan.id))?.id ?? ''
  const [method = ''] = await methodIdsOf('license.write')

  // what the mappers say now, what was done, and what people hold
  let [evilSaid, held, version] = [false, false, 1]
  let [promoted, onDuty, dutyOn, mappedGives, mapping] = [false, false, false, false, false]
  let runId: string | null = null
  let pending: { browser: Browser; code: string | null } | null = null
  let proven = false
  const intruders: Browser[] = []

  const holders = () => db().$count(userRoles, eq(userRoles.roleId, mapped.id))
  const account = async () => (await accountOf(ivan.id)) ?? Promise.reject(new Error('the account is gone'))
  const change = async (field: string, more: object) => {
    const { id = '', enabled: _, ...body } = mappers.find(({ after }) => after === field) ?? {}
    const { mappers: now } = await lesser.call(listProviderMappers, { params })
    const updatedAt = now.find((mapper) => mapper.id === id)?.updatedAt
    // refused while the person holds or may come to more
    const updated = { ...body, ...more, updatedAt } as never
    return (await lesser.send(updateProviderMapper, { params: { ...params, id }, body: updated })).status === 200
  }
  const say = async (wanted: boolean) => {
    const attributes = wanted ? [{ attribute: ivan.email, value: evil }] : []
    if (await change('email', { attributes })) evilSaid = wanted
  }
  const hold = async (wanted: boolean) => {
    const more = wanted ? { before: 'nothing', customAttributes: true, absent: 'clear' } : {}
    if (await change('lastName', more)) held = wanted
  }
  /** A run must not write what somebody with less said, as if an administrator had, nor of somebody with more. */
  const worked = async (who: Caller, id: string) => {
    const before = await account()
    const { run } = await workOnSync(who, id)
    runId = run.state === 'stopped' ? id : null
    const { email, preparedBy } = await account()
    if (mappedGives) expect(await holders(), 'a role was given that got more since it was mapped').toBe(0)
    if (email === before.email || email !== evil) return
    expect(preparedBy, 'whose word the e-mail is').not.toBeNull()
    expect(promoted || onDuty, 'the e-mail of somebody with more was changed').toBe(false)
    proven = false
  }
  const start = async () => {
    const who = either() ? lesser : chief
    const { status, body } = await who.send(startProviderSync, { params: { id: directory.id }, body: { dry: false } })
    if (status === 200) await worked(who, (body as { id: string }).id)
  }
  const asIvan = async (browser: Browser, email: string) =>
    askedBy(browser, { login: ivan.username, email, mobile: '' }, 'email_code', 'login').catch(() => null)
  const setRoles = async (roleIds: string[]) => {
    await chief.call(setUserRoles, {
      params: { id: userId },
      body: { roles: roleIds.map((roleId) => ({ roleId })) } as never,
    })
  }
  const looksRight = async () => (await account()).email === ivan.email

  // one that isn't possible now returns false
  const moves: Record<string, () => Promise<unknown>> = {
    say: () => say(!evilSaid),
    'say and start': async () => {
      await say(!evilSaid)
      await start()
    },
    hold: () => hold(!held),
    start,
    resume: async () => {
      if (!runId) return false
      const id = runId
      const who = either() ? lesser : chief
      const body = { losses: 'none', disable: 'none' } as never
      if ((await who.send(resumeProviderRun, { params: { id }, body })).status === 200) await worked(who, id)
    },
    // an administrator reads the mappers, and vouches for what they say
    vouch: async () => {
      if (evilSaid || mapping) return false
      for (const enabled of [false, true])
        await chief.send(enableProvider, { params: { id: directory.id }, body: { enabled } })
    },
    ask: async () => {
      if ((await account()).email !== evil) return false
      version++
      await publishVersion(agreement, version)
      const browser = new Browser(host)
      const code = await asIvan(browser, evil)
      if (!code) return false
      // the proof waits for an agreement, or the code waits to be entered
      const entered = random(4) > 0
      if (entered) await enter(browser, ivan.username, code)
      pending = { browser, code: entered ? null : code }
    },
    finish: async () => {
      if (!pending) return false
      const { browser, code } = pending
      pending = null
      const termsAgree = [{ type: agreement, version, agree: true }]
      const given = code ? { code } : {}
      await prove(browser, ivan.username, { flow: 'email_code', termsAgree, ...given })
      intruders.push(browser)
    },
    // who gives rights looks at the address
    promote: async () => {
      if (!promoted && !(await looksRight())) return false
      promoted = !promoted
      await setRoles([...(promoted ? [right.id] : []), ...(onDuty ? [duty.id] : [])])
    },
    'give a role that is off': async () => {
      if (onDuty || dutyOn || !(await looksRight())) return false
      onDuty = true
      await db().insert(userRoles).values({ userId: userId, roleId: duty.id })
    },
    // who switches a role on looks at nobody
    switch: async () => {
      dutyOn = !dutyOn
      await chief.call(enableRole, { params: { id: duty.id }, body: { enabled: dutyOn } })
    },
    map: async () => {
      if (mapping || mappedGives) return false
      const attributes = [{ attribute: 'boss', value: mapped.id }]
      const body = { type: 'users-access', name: 'Роли', before: 'roles', after: 'role', attributes } as never
      mapping = (await lesser.send(createProviderMapper, { params, body })).status === 200
    },
    'say who is boss': async () => {
      ivan.roles = either() ? ['boss'] : []
    },
    // a role that nobody holds gets a method
    'role gets more': async () => {
      if (mappedGives || (await holders()) > 0) return false
      mappedGives = true
      const { name, nameEn, roleType } = mapped
      await chief.call(updateRole, {
        params: { id: mapped.id },
        body: { name, nameEn, roleType, methods: [method] } as never,
      })
    },
    'own proof': async () => {
      if (!(await looksRight())) return false
      const browser = new Browser()
      const code = await asIvan(browser, ivan.email ?? '')
      if (code && (await enter(browser, ivan.username, code)).status === 200) proven = true
    },
  }
  const check = async () => {
    const { email, emailVerifiedAt } = await account()
    if (email === ivan.email && emailVerifiedAt) expect(proven, 'the e-mail was proven by its person').toBe(true)
    for (const browser of intruders)
      expect((await new Caller(browser).send(readLicenseInfo)).status, 'what an intruder reads').not.toBe(200)
  }
  return { moves, check }
}

async function live(rounds: number) {
  for (const round of eachRound(rounds)) {
    const { moves, check } = await begin()
    const names = lives[round % lives.length] ?? Object.keys(moves)
    const done: string[] = []
    // runs can only be resumed that have stopped
    if (names.includes('resume')) await moves.hold?.()
    try {
      while (done.length < steps) {
        const name = one(names)
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
  live(20))

test('nor does it in many lives of directories', { tags: ['full'] }, () => live(60))
