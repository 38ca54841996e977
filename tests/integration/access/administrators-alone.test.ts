import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemaRoles, domainAliases, notices, roles, settings, users } from '@/db/schema'
import { schemaFor } from '@/lib/access/authentication-schemas/choice'
import { isWeaker } from '@/lib/access/authentication-schemas/factors'
import { schemasIn } from '@/lib/access/authentication-schemas/service'
import { dropCached } from '@/lib/base/cache/cache'
import * as contractorCalls from '@/lib/companies/contractors/contract'
import { createProvider, enableProvider, updateProvider } from '@/lib/directory-sync/providers/contract'
import { createNetworkAlias, updateNetworkAlias } from '@/lib/network/network-aliases/contract'
import { savePlatformSettings, saveUsersSettings } from '@/lib/operations/settings-screen/contract'
import { FlowId } from '@/lib/sign-in/attempts/contract'
import * as schemaCalls from '@/lib/sign-in/schema-administration/contract'
import { createDomain, updateDomain } from '@/lib/site/domains/contract'
import { definitions, type SettingId, type Settings } from '@/lib/site/settings/definitions'
import { weakening } from '@/lib/site/settings/reserved'
import { platformSettings } from '@/lib/site/settings/service'
import { createRoleWith, signedInAsAdministrator, signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { providerFor } from '../../factories/directory'
import { runJobs } from '../../factories/messages'
import { createDomainWith } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { askForLink, linkIn, mailsTo, passResend, recoveryLink, setByLink } from '../../factories/recovery'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const callerWith = async (...codes: string[]) => new Caller((await signedInWith(codes)).browser)
const administrator = async () => new Caller((await signedInAsAdministrator()).browser)
const minutes = (value: number) => ({ value, value_props: { unit: 'minutes' } })
const days = (value: number) => ({ value, value_props: { unit: 'days' } })

describe('settings', () => {
  /** What weakens what proves people, or runs as code, as it is sent; `reverseProxy` has a test of its own. */
  const platform = {
    metricsScript: { value: 'https://metrics.example/counter.js' },
    passwordMin: { value: 8 },
    passwordMax: { value: 64 },
    passwordSymbols: { value: '!' },
    passwordUppercase: { value: false },
    passwordLowercase: { value: false },
    passwordNumbers: { value: false },
    passwordHistory: { value: 0 },
    // it says which password everybody chooses next
    passwordCustomRules: { value: [{ pattern: '^Winter-2026-Nights!$', title: { ru: 'Длина' } }] },
    authCodeDigits: { value: 4 },
    authCodeAlive: minutes(60),
    authCodeAttempts: { value: 10 },
    authCodeDailyLimit: { value: 100 },
    clientAccessTokenLifespan: days(1),
    accessTokenLifespan: minutes(20),
    refreshTokenLifespan: days(6),
    sessionAlive: days(20),
    sessionIdleAlive: days(2),
  }
  const users = {
    registrationAlive: days(2),
    mobileVerifyAlive: minutes(6),
    mobileVerifyAttempts: { value: 6 },
    inviteAlive: days(8),
    refreshAlive: minutes(61),
    firstRefreshAlive: days(4),
  }
  const strong = {
    passwordMin: { value: 12 },
    passwordMax: { value: null },
    authCodeDigits: { value: 8 },
    authCodeAlive: minutes(5),
    authCodeAttempts: { value: 2 },
    authCodeDailyLimit: { value: 5 },
    passwordHistory: { value: 24 },
    passwordSymbols: { value: '!@#$%^&*()_+-=?~' },
    refreshTokenLifespan: days(5),
  }
  const codes: Record<string, string> = {
    metricsScript: 'errorReservedScript',
    passwordCustomRules: 'errorReservedPattern',
  }
  const scopes = [
    [savePlatformSettings, platform],
    [saveUsersSettings, users],
  ] as const

  test('are each judged, and those of which a change can weaken anything are tried here', () => {
    expect(Object.keys(weakening).toSorted()).toEqual(Object.keys(definitions).toSorted())
    const judged = Object.entries(weakening).flatMap(([id, rule]) => (rule ? [id] : []))
    expect(judged.toSorted()).toEqual([...Object.keys(platform), ...Object.keys(users), 'reverseProxy'].toSorted())
  })

  test('that run as code or weaken sign-in are changed by administrators alone, one by one and together', async () => {
    const editor = await callerWith('settings.write')
    // what makes sign-in stronger is free
    expect((await editor.send(savePlatformSettings, { body: strong })).status).toBe(200)
    const before = await platformSettings()
    for (const [call, reserved] of scopes) {
      for (const [id, sent] of Object.entries(reserved)) {
        const { status, body } = await editor.send(call, { body: { [id]: sent } })
        expect([id, status, body]).toMatchObject([
          id,
          403,
          { code: 'forbiddenSetting', data: { errorList: [{ field: id, code: codes[id] ?? 'errorReservedWeaker' }] } },
        ])
      }
      const all = await editor.send(call, { body: reserved })
      const { errorList = [] } = all.body.data as { errorList?: { field: string }[] }
      expect(errorList.map(({ field }) => field).sort()).toEqual(Object.keys(reserved).sort())
    }
    expect(await platformSettings()).toEqual(before)
    const chief = await administrator()
    for (const [call, body] of scopes) expect((await chief.send(call, { body })).status).toBe(200)
    // a title is no rule
    const rule = { pattern: '^Winter-2026-Nights!$', title: { ru: 'Иначе' } }
    expect((await editor.send(savePlatformSettings, { body: { passwordCustomRules: { value: [rule] } } })).status).toBe(
      200,
    )
  })

  test('at random: nobody but an administrator ever leaves one of them weaker', async () => {
    const below = caseNumbers(41)
    const editor = await callerWith('settings.write')
    const ids = Object.keys(platform).filter((id) => id !== 'passwordCustomRules') as SettingId[]
    const most = 256
    const weaker = (id: SettingId, before: Settings, after: Settings) => {
      const [valueBefore, is] = [before[id], after[id]] as [unknown, unknown]
      if (id === 'metricsScript') return valueBefore !== is
      if (id === 'passwordMax') return Number(is ?? most) < Number(valueBefore ?? most)
      if (typeof valueBefore === 'boolean') return valueBefore && !is
      if (typeof valueBefore === 'string') return [...valueBefore].some((symbol) => !String(is).includes(symbol))
      return ['passwordMin', 'passwordHistory', 'authCodeDigits'].includes(id)
        ? Number(is) < Number(valueBefore)
        : Number(is) > Number(valueBefore)
    }
    const seen = { taken: 0, refused: 0 }
    for (const _ of eachRound(60, () => Math.min(seen.taken, seen.refused) > 5)) {
      const before = await platformSettings()
      const body = Object.fromEntries(
        ids.flatMap((id): [string, object][] => {
          if (below(6) > 0) return []
          const { type, bounds: { from, to } = { from: 0, to: 1 } } = definitions[id] as {
            type: string
            bounds?: { from: number; to: number }
          }
          if (type === 'switch') return [[id, { value: below(2) === 0 }]]
          if (type === 'url') return [[id, { value: below(2) ? null : 'https://a.example/m.js' }]]
          if (type === 'string') return [[id, { value: ['', '!?', `${before.passwordSymbols}~`][below(3)] }]]
          if (type === 'duration') return [[id, minutes(2 + below(58))]]
          return [[id, { value: from + below(to - from + 1) }]]
        }),
      )
      const { status } = await editor.send(savePlatformSettings, { body })
      const after = await platformSettings()
      expect(
        ids.filter((id) => weaker(id, before, after)),
        JSON.stringify(body),
      ).toEqual([])
      seen[status === 200 ? 'taken' : 'refused']++
    }
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(5)
  })
})

afterEach(async () => {
  await db().delete(settings)
  dropCached('settings')
})

describe('host names', () => {
  test('are added by administrators alone, and the other administrators hear of them', async () => {
    const [editor, admin] = [await callerWith('domains.write'), await signedInAsAdministrator()]
    const other = await createUser({ roles: ['administrator'] })
    const refused = (field: string) => ({
      status: 403,
      body: { code: 'forbiddenHost', data: { errorList: [{ field, code: 'errorReservedHost' }] } },
    })
    for (const type of ['other', 'draft'])
      expect(await editor.send(createDomain, { body: { type, aliases: ['foreign.example'] } })).toMatchObject(
        refused('aliases.0'),
      )
    const ownDomain = await createDomainWith({ hosts: ['own.example', 'second.example'] })
    const put = (caller: Caller, aliases: string[]) =>
      caller.send(updateDomain, { params: { id: ownDomain }, body: { comment: 'Свой', aliases } })
    expect(await put(editor, ['own.example', 'foreign.example'])).toMatchObject(refused('aliases.1'))
    // what is there may go, and be put in another order
    expect((await put(editor, ['second.example', 'own.example'])).status).toBe(200)
    expect((await put(editor, ['own.example'])).status).toBe(200)
    expect(await put(editor, ['own.example', 'second.example'])).toMatchObject(refused('aliases.1'))
    expect(await db().$count(domainAliases, eq(domainAliases.host, 'foreign.example'))).toBe(0)

    expect((await put(new Caller(admin.browser), ['own.example', 'new.example'])).status).toBe(200)
    await runJobs()
    const hostNotices = await db().select().from(notices).where(eq(notices.kind, 'hostsAdded'))
    expect(hostNotices.map(({ userId }) => userId)).toContain(other.id)
    expect(hostNotices.map(({ userId }) => userId)).not.toContain(admin.user.id)
    expect(hostNotices[0]?.values).toEqual({ hosts: 'new.example', domain: 'Свой', domainId: ownDomain })
  })
})

test('trusted proxies get and lose no address by anybody else, by the setting or by an alias', async () => {
  const editor = await callerWith('settings.write', 'network-aliases.write')
  const make = async (ip: string) =>
    (await editor.call(createNetworkAlias, { body: { name: randomUUID(), ips: [{ ip }] } })).id
  const put = (by: Caller, id: string, ...ips: string[]) =>
    by.send(updateNetworkAlias, { params: { id }, body: { name: id, ips: ips.map((ip) => ({ ip })) } })
  const [proxies, others] = [await make('198.51.100.0/28'), await make('203.0.113.0/28')]
  const trust = (by: Caller, ...value: string[]) =>
    by.send(savePlatformSettings, { body: { reverseProxy: { value_props: { value } } } })
  const refused = (field: string) => ({
    status: 403,
    body: {
      code: 'forbiddenSetting',
      data: { errorList: [{ field, code: `errorReserved${field === 'reverseProxy' ? 'Proxies' : 'Alias'}` }] },
    },
  })
  const chief = await administrator()
  expect(await trust(editor, proxies)).toMatchObject(refused('reverseProxy'))
  expect((await trust(chief, proxies)).status).toBe(200)
  expect(await trust(editor, proxies, others)).toMatchObject(refused('reverseProxy'))
  expect(await put(editor, proxies, '198.51.100.0/28', '203.0.113.7')).toMatchObject(refused('ips.1.ip'))
  // a wider subnet is a new address
  expect(await put(editor, proxies, '198.51.100.0/27')).toMatchObject(refused('ips.0.ip'))
  expect((await put(editor, others, '203.0.113.0/27')).status).toBe(200)
  expect((await put(chief, proxies, '198.51.100.0/28', '203.0.113.7')).status).toBe(200)
  // a proxy that isn't trusted any more would be where everybody comes from
  expect(await put(editor, proxies, '203.0.113.7')).toMatchObject(refused('ips'))
  expect(await trust(editor)).toMatchObject(refused('reverseProxy'))
  expect((await put(editor, proxies, '203.0.113.7', '198.51.100.0/28')).status).toBe(200)
  expect((await put(chief, proxies, '203.0.113.7')).status).toBe(200)
  expect((await trust(chief)).status).toBe(200)
})

describe('a link that lets its reader in', () => {
  test('leads whoever holds a method of the platform to its own address, wherever it was asked for', async () => {
    await createDomainWith({ hosts: ['foreign.example'] })
    const [plain, master] = [await createUser(), await createUser({ roles: [await createRoleWith(['users.read'])] })]
    const admin = await createUser({ roles: ['administrator'] })
    const origins: Record<string, string> = {}
    for (const [name, { id, email }] of Object.entries({ plain, master, admin })) {
      await passResend()
      const foreign = new Browser('foreign.example:3000')
      expect((await askForLink(foreign, email ?? '')).status).toBe(200)
      const [mail] = await mailsTo(id, 'recoveryLink')
      expect(mail?.text.includes('foreign.example'), name).toBe(name === 'plain')
      origins[name] = linkIn(mail?.text ?? '').origin
    }
    const ownOrigin = 'http://localhost:3000'
    expect(origins).toEqual({ plain: 'http://foreign.example:3000', master: ownOrigin, admin: ownOrigin })
  })

  test('works there', async () => {
    const person = await createUser({ roles: ['administrator'] })
    const id = await recoveryLink(new Browser('foreign.example:3000'), person)
    expect((await setByLink(new Browser(), id, 'Another-horse-8')).status).toBe(200)
    expect((await signInByPassword(new Browser(), person.login, 'Another-horse-8')).status).toBe(200)
  })
})

describe('a mail domain', () => {
  const forbidden = {
    status: 403,
    body: {
      code: 'forbiddenSetting',
      data: { errorList: [{ field: 'emailDomains', code: 'errorReservedMailDomain' }] },
    },
  }
  const { type, ...plain } = providerFor('http://127.0.0.1:1')

  test('is claimed by administrators alone: by a new provider, a change, another address, and one that is enabled', async () => {
    const [editor, chief] = [await callerWith('providers.write'), await administrator()]
    const claiming = { ...plain, type, emailDomains: ['Staff.Example'] }
    expect(await editor.send(createProvider, { body: claiming })).toMatchObject(forbidden)
    const { id } = await editor.call(createProvider, { body: { ...plain, type, name: randomUUID() } })
    const put = (by: Caller, emailDomains: string[], url = plain.url) =>
      by.send(updateProvider, { params: { id }, body: { ...plain, name: id, url, emailDomains } })
    const enable = (by: Caller, enabled: boolean) => by.send(enableProvider, { params: { id }, body: { enabled } })
    expect(await put(editor, ['staff.example'])).toMatchObject(forbidden)
    expect((await put(chief, ['Staff.Example', 'others.example'])).status).toBe(200)
    expect(await enable(editor, true)).toMatchObject(forbidden)
    expect((await enable(chief, true)).status).toBe(200)
    // its people would be led elsewhere
    expect(await put(editor, ['staff.example'], 'http://127.0.0.1:2')).toMatchObject(forbidden)
    // a claim may end, and without one the provider leads nobody anywhere
    expect((await put(editor, ['staff.example'])).status).toBe(200)
    expect((await put(editor, [], 'http://127.0.0.1:2')).status).toBe(200)
    expect((await enable(editor, false)).status).toBe(200)
    expect((await enable(editor, true)).status).toBe(200)
  })
})

describe('schemas', () => {
  test('that a role in a company brings stay with whoever holds more: nobody takes its organization away', async () => {
    const [editor, chief] = [await callerWith('contractors.write'), await administrator()]
    const [company, role] = [await createContractor(), await createContractorRole()]
    const strong = { firstFactor: ['credentials' as const], secondFactor: ['email_code' as const] }
    await chief.call(schemaCalls.createAuthenticationSchema, { body: { name: 'Два', ...strong, roles: [role.id] } })
    const [plain, master] = [await createUser(), await createUser({ roles: ['administrator'] })]
    const { id, name } = company.contractor
    const take = async (by: Caller, availableOrganizations: string[]) => {
      const { allowed } = await editor.call(contractorCalls.previewContractor, {
        params: { id },
        query: { availableOrganizations },
      })
      const body = { name, inn: company.contractor.inn ?? '', availableOrganizations }
      const { status, body: answer } = await by.send(contractorCalls.updateContractor, { params: { id }, body })
      return [status, answer.code, allowed]
    }
    await join(company, plain.id, [role.id])
    await join(company, master.id, [role.id])
    expect(await take(editor, [])).toEqual([403, 'forbiddenContractor', false])
    expect((await signInByPassword(new Browser(), master.login, password)).body).toMatchObject({
      next: 'second_factor',
    })
    // who has a schema of their own, or nothing that the caller lacks, doesn't stop it
    await db()
      .update(users)
      .set({ authenticationSchemaId: await schemaOf(role.id) })
      .where(eq(users.id, master.id))
    expect(await take(editor, [])).toEqual([200, undefined, true])
    expect((await signInByPassword(new Browser(), plain.login, password)).body).toMatchObject({ next: 'done' })
  })

  const schemaOf = async (roleId: string) => {
    const [tie] = await db()
      .select()
      .from(authenticationSchemaRoles)
      .where(eq(authenticationSchemaRoles.roleId, roleId))
    return tie?.schemaId ?? null
  }
  const flows = FlowId.options
  const newRole = async () => {
    const code = await createRoleWith([])
    const [row] = await db().select().from(roles).where(eq(roles.code, code))
    return { code, id: row?.id ?? '' }
  }

  test('at random: whoever lacks a person’s methods never makes it easier to pass for them', async () => {
    const below = caseNumbers(42)
    const some = <T>(all: readonly T[]) => all.filter(() => below(2) === 0)
    const editor = await callerWith('authentication-schemas.write')
    const tied = [await newRole(), await newRole(), await newRole()]
    const [administrators] = await db().select().from(roles).where(eq(roles.code, 'administrator'))
    for (let n = 0; n < 6; n++) await createUser({ roles: ['administrator', ...some(tied).map(({ code }) => code)] })
    await createUser({ roles: some(tied).map(({ code }) => code) })
    const ties = [...tied.map(({ id }) => id), administrators?.id ?? '']
    const strong = { firstFactor: ['credentials'], secondFactor: ['email_code', 'sms_code'] }
    const admin = await administrator()
    for (const role of ties.slice(0, 2))
      await admin.call(schemaCalls.createAuthenticationSchema, {
        body: { name: 'Два', ...(strong as { firstFactor: FlowId[]; secondFactor: FlowId[] }), roles: [role] },
      })
    /** What is demanded of each administrator now. */
    const demands = () =>
      db().transaction(async (tx) => {
        const schemas = await schemasIn(tx)
        const { rows } = await tx.execute<{ held: string[] }>(sql`
          select array(select role_id from user_roles r where r.user_id = u.id) as held from users u
          where u.id in (select user_id from user_roles where role_id = ${administrators?.id}) order by u.id`)
        return rows.map(({ held }) => schemaFor(schemas, null, held))
      })
    const seen = { taken: 0, refused: 0 }
    for (const _ of eachRound(100, () => Math.min(seen.taken, seen.refused) > 5)) {
      const before = await demands()
      const { schemas } = await editor.call(schemaCalls.listAuthenticationSchemas)
      const one = schemas[below(schemas.length)]
      const body = {
        name: 'Схема',
        code: one?.base ? 'base' : `made-${below(1_000_000)}`,
        firstFactor: some(flows),
        secondFactor: some(flows),
        roles: one?.base ? [] : some(ties),
      }
      const above = schemas.filter(({ base }) => !base).map(({ id }) => id)
      const turn = below(Math.max(above.length, 1))
      const order = [...above.slice(turn), ...above.slice(0, turn)].map((id, priority) => ({ id, priority }))
      const params = { id: one?.id ?? '' }
      const { status } = (await [
        () => editor.send(schemaCalls.createAuthenticationSchema, { body }),
        () => editor.send(schemaCalls.updateAuthenticationSchema, { params, body }),
        () => editor.send(schemaCalls.orderAuthenticationSchemas, { body: { priority: order } }),
        () => editor.send(schemaCalls.activateAuthenticationSchema, { params, body: { active: below(2) === 0 } }),
        () => editor.send(schemaCalls.deleteAuthenticationSchema, { params }),
      ][below(5)]?.()) ?? { status: 0 }
      const after = await demands()
      expect(before.some((demand, at) => isWeaker(demand, after[at] ?? demand))).toBe(false)
      if (status === 200) seen.taken++
      if (status === 403) seen.refused++
    }
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(5)
  }, 120_000)
})
