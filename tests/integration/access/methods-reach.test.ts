import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { rolesGiven, rolesInEffect } from '@/db/held-roles'
import { rolesInvited } from '@/db/open-invitation'
import { schemaFor } from '@/lib/access/authentication-schemas/choice'
import { isWeaker } from '@/lib/access/authentication-schemas/factors'
import { schemasIn } from '@/lib/access/authentication-schemas/service'
import { areas, type SystemicMethod, withImplied } from '@/lib/base/access/access-methods'
import { createProvider } from '@/lib/directory-sync/providers/contract'
import { createNetworkAlias } from '@/lib/network/network-aliases/contract'
import { trustedProxies } from '@/lib/network/trusted-proxies/service'
import { savePlatformSettings } from '@/lib/operations/settings-screen/contract'
import { createAuthenticationSchema } from '@/lib/sign-in/schema-administration/contract'
import { definitions, type SettingId } from '@/lib/site/settings/definitions'
import { reservedAmong } from '@/lib/site/settings/reserved'
import { platformSettings } from '@/lib/site/settings/service'
import { createRoleWith, signedInAsAdministrator, signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller, type Input } from '../../factories/caller'
import { createContractor, createContractorRole, join } from '../../factories/companies'
import { providerFor } from '../../factories/directory'
import { dormant } from '../../factories/dormant-rights'
import type { Proof } from '../../factories/proofs'
import type { Random } from '../../factories/random'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { recoveryLink } from '../../factories/recovery'
import { methodIdsOf, shippedRole } from '../../factories/roles'
import { wholeSample } from '../../factories/samples'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Each call of an administration area, with what it needs and a valid input (`tests/integration/calls`). */
const files = import.meta.glob('../calls/*.calls.ts', { eager: true, import: 'default' }) as Record<string, Proof[]>
type Whole = Extract<Proof, { kind: 'whole' }>
const proofs = Object.values(files)
  .flat()
  .filter((each): each is Whole => each.kind === 'whole' && typeof each.contract.access === 'object')

/** The calls that are open to somebody with these methods. */
const callsOf = (heldMethods: ReadonlySet<string>) =>
  proofs.filter(({ contract: { access, method } }) => {
    if (typeof access !== 'object') return false
    if ('method' in access) return heldMethods.has(access.method)
    const open = 'areas' in access ? access.areas : [access.area]
    return open.some((area) => heldMethods.has(`${area}.${method === 'GET' ? 'read' : 'write'}`))
  })

type Person = {
  id: string
  /** What they may do: codes of the platform's methods, ids of those of applications. */
  may: string[]
  /** And what they may come to, by roles without effect now and by open invitations. */
  comes: string[]
  /** What they prove themselves by. */
  proof: string
  schema: string | null
  roles: string[]
}

/** Everything from which follows who may do what, and who passes for whom. */
async function world() {
  const rowsOf = async <T>(query: ReturnType<typeof sql>) => (await db().execute(query)).rows as T[]
  const people = await rowsOf<Person>(sql`
    select u.id, concat_ws(' ', u.email, u.mobile, u.password_hash, u.provider_id, u.external_id) as proof,
      u.authentication_schema_id as schema, array(select role_id from ${rolesGiven} given where user_id = u.id) as roles,
      array(select distinct case m.kind when 'systemic' then m.code else m.id::text end from ${rolesInEffect} held
        join role_methods rm on rm.role_id = held.role_id join methods m on m.id = rm.method_id
        where held.user_id = u.id) as may,
      array(select distinct case m.kind when 'systemic' then m.code else m.id::text end
        from (select user_id, role_id from ${rolesGiven} given
          union all select * from ${rolesInvited(new Date())} invited) held
        join role_methods rm on rm.role_id = held.role_id join methods m on m.id = rm.method_id
        where held.user_id = u.id) as comes
    from users u`)
  const programs = await rowsOf<{ id: string; may: string[] }>(sql`
    select s.application_id as id, array_agg(case m.kind when 'systemic' then m.code else m.id::text end) as may
    from application_service_methods s join methods m on m.id = s.method_id group by 1`)
  const roles = await rowsOf<{ id: string; may: string[] }>(sql`
    select r.role_id as id, array_agg(case m.kind when 'systemic' then m.code else m.id::text end) as may
    from role_methods r join methods m on m.id = r.method_id group by 1`)
  const schemas = await db().transaction(schemasIn)
  return {
    people: new Map(people.map((each) => [each.id, each])),
    roles: new Map(roles.map((each) => [each.id, each])),
    programs: new Map(programs.map((each) => [each.id, each])),
    demands: new Map(people.map(({ id, schema, roles }) => [id, schemaFor(schemas, schema, roles)])),
    hosts: (await rowsOf<{ host: string }>(sql`select host from domain_aliases`)).map(({ host }) => host),
    mailDomains: (await rowsOf<{ of: string[] }>(sql`select email_domains as of from providers`)).flatMap(
      (each) => each.of,
    ),
    drawn: (await rowsOf<{ html: string }>(sql`select html from document_locales where html is not null`)).map(
      ({ html }) => html,
    ),
    proxies: await trustedProxies(),
    settings: await platformSettings(),
  }
}
type World = Awaited<ReturnType<typeof world>>

/** Returns what somebody with these methods has reached beyond them by a change. */
function reached(before: World, after: World, heldMethods: ReadonlySet<string>): string[] {
  const beyond = (codes: readonly string[]) => codes.filter((code) => !heldMethods.has(code))
  const faults: string[] = []
  for (const kind of ['people', 'programs', 'roles'] as const)
    for (const [id, { may }] of after[kind]) {
      const had = before[kind].get(id)?.may ?? []
      const gained = beyond(may).filter((code) => !had.includes(code))
      if (gained.length > 0) faults.push(`one of the ${kind} got ${gained}`)
    }
  for (const [id, { comes, proof }] of before.people) {
    const now = after.people.get(id)
    if (beyond(comes).length === 0) continue
    if (!now) {
      faults.push('somebody with more is gone')
      continue
    }
    if (now.proof !== proof) faults.push('somebody with more proves themselves otherwise')
    const [demandsBefore, is] = [before.demands.get(id), after.demands.get(id)]
    if (demandsBefore && is && isWeaker(demandsBefore, is)) faults.push('it is easier to pass for somebody with more')
  }
  if (after.hosts.some((host) => !before.hosts.includes(host))) faults.push('the platform has another host')
  if (after.mailDomains.some((each) => !before.mailDomains.includes(each))) faults.push('a provider has claimed mail')
  if (after.proxies.toSorted().join() !== before.proxies.toSorted().join())
    faults.push('another address says where people come from')
  const weaker = reservedAmong(Object.keys(definitions) as SettingId[], before.settings, after.settings).filter(
    (id) => id !== 'metricsScript' || before.settings[id] !== after.settings[id],
  )
  if (weaker.length > 0) faults.push(`everybody proves themselves by less: ${weaker}`)
  if (after.drawn.some((html) => /<(?:script|iframe|object|embed)\b|<[^>]*(?:\son\w+=|javascript:)/i.test(html)))
    faults.push('a drawn text runs as code')
  return faults
}

/** What nobody may read, and what each of these methods reads by right. */
const secrets: { text: string; of: string }[] = []
/** Ids that an attacker puts into their requests. */
let targets: Record<'methods' | 'roles' | 'people' | 'schemas' | 'aliases' | 'contractors' | 'others', string[]>
let chief: Caller

beforeAll(async () => {
  const boss = await signedInAsAdministrator()
  await db().execute(sql`update users set email = 'chief@staff.example' where id = ${boss.user.id}`)
  chief = new Caller(boss.browser)
  const clientSecret = `planted-${randomUUID()}`
  const provider = await chief.call(createProvider, {
    body: { ...providerFor('http://127.0.0.1:1'), emailDomains: ['staff-of-others.example'], clientSecret },
  })
  const other = await createUser({ roles: ['administrator'] })
  // who holds more by a role of the platform, and signs in by two proofs for the sake of one in a company
  const [company, tied] = [await createContractor(), await createContractorRole()]
  const member = await createUser({ roles: [await createRoleWith(['sessions.write'])] })
  await join(company, member.id, [tied.id])
  // and people who hold nothing yet
  const waiting: string[] = []
  for (const plant of Object.values(dormant)) {
    const { id } = await createUser({ roles: [] })
    await plant(id, ['sessions.write'])
    waiting.push(id)
  }
  await chief.call(createAuthenticationSchema, {
    body: {
      name: 'Strong',
      firstFactor: ['credentials'],
      secondFactor: ['email_code', 'sms_code'],
      roles: [await shippedRole('administrator'), tied.id],
    },
  })
  const link = await recoveryLink(new Browser(), other)
  const [hash] = (
    await db().execute<{ password_hash: string }>(sql`select password_hash from users where id = ${other.id}`)
  ).rows
  secrets.push(
    { of: 'a provider', text: clientSecret },
    { of: 'a recovery link', text: link },
    { of: 'a password', text: hash?.password_hash ?? '' },
    ...[...boss.browser.cookies.values()]
      .filter((value) => value.length > 20)
      .map((text) => ({ of: 'a session', text })),
  )
  const alias = async (ip: string) =>
    (await chief.call(createNetworkAlias, { body: { name: randomUUID(), ips: [{ ip }] } })).id
  const aliases = [await alias('203.0.113.1'), await alias('203.0.113.2')]
  const trusted = { value_props: { value: aliases.slice(0, 1) } }
  await chief.call(savePlatformSettings, { body: { reverseProxy: trusted } })
  const idsOf = async (query: ReturnType<typeof sql>) =>
    (await db().execute<{ id: string }>(query)).rows.map(({ id }) => id)
  targets = {
    methods: await methodIdsOf('roles.write', 'masterAccountAccess', 'settings.write'),
    roles: [await shippedRole('administrator'), await shippedRole('support')],
    people: [boss.user.id, other.id, member.id, ...waiting],
    contractors: [company.contractor.id],
    schemas: await idsOf(sql`select id from authentication_schemas`),
    aliases,
    others: [
      provider.id,
      ...(await idsOf(sql`
        select id from domains union all select id from organizations union all select id from applications
        union all select id from locales`)),
    ],
  }
})

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const texts = [
  'chief@staff.example',
  'staff.example',
  'https://attacker.example/take',
  'attacker.example',
  '<script src="https://attacker.example/x.js"></script>',
  '[x](javascript:alert(1)) <b onclick=alert(1)>x</b>',
  'administrator',
  'settings.write',
]

/** Ids for a field, or for a part of a path, by its name. */
function idFor(name: string, below: Random): string {
  const kinds = {
    methods: /method/i,
    roles: /role/i,
    people: /user|holder/i,
    schemas: /schema/i,
    aliases: /alias/i,
    contractors: /contractor/i,
  }
  const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find((each) => kinds[each].test(name))
  const all = kind ? targets[kind] : Object.values(targets).flat()
  return all[below(all.length)] ?? ''
}

/** What an attacker wants to stand in a field of this name. */
const wishes: Record<string, (below: Random) => unknown> = {
  aliases: () => [`${randomUUID()}.example`],
  reverseProxy: (below) => ({ value_props: { value: [idFor('alias', below)] } }),
  ips: () => [{ ip: '203.0.113.77' }],
  metricsScript: () => ({ value: 'https://attacker.example/x.js' }),
  emailDomains: () => ['staff.example'],
  availableOrganizations: () => [],
  values: () => ({ mobile: `+7901${String(Date.now()).slice(-7)}` }),
  passwordCustomRules: () => ({ value: [{ pattern: '^Winter-2026-Nights!$', title: { ru: 'Длина' } }] }),
  passwordMax: () => ({ value: 16 }),
  sessionAlive: () => ({ value: 30, value_props: { unit: 'days' } }),
  inviteAlive: () => ({ value: 90, value_props: { unit: 'days' } }),
  methods: (below) => [idFor('method', below)],
  methodIds: (below) => [idFor('method', below)],
  roles: (below) => [idFor('role', below)],
  roleId: (below) => idFor('role', below),
  users: (below) => [idFor('user', below)],
  userId: (below) => idFor('user', below),
  code: () => `made-${randomUUID()}`,
  firstFactor: () => ['email_code'],
  secondFactor: () => [],
  email: () => 'chief@staff.example',
  content: () => '<script src="https://attacker.example/x.js"></script>[x](javascript:alert(1))',
}

const wishedIn = ({ body }: Whole['contract']) => Object.keys(wholeSample(body)).filter((name) => name in wishes)

/** Returns a value of a field in which one single part in six is the attacker's. */
function twisted(value: unknown, below: Random, name = ''): unknown {
  if (value === null || value instanceof File || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((each) => twisted(each, below, name))
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        key in wishes && below(3) === 0 ? wishes[key]?.(below) : twisted(each, below, key),
      ]),
    )
  if (below(6) > 0) return value
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return value
  return uuid.test(value) ? idFor(name, below) : texts[below(texts.length)]
}

/** A valid input of a call, as it is, or with something that the attacker wants: in a field, in its path, anywhere. */
function attackOf({ contract, input }: Whole, prepared: unknown, below: Random): Input {
  const well = input(prepared) as Input
  const params = Object.fromEntries(
    Object.entries(well.params ?? {}).map(([name, value]) => [
      name,
      below(2) === 0 ? idFor(name === 'id' ? contract.path : name, below) : value,
    ]),
  )
  const body = well.body as Record<string, unknown> | undefined
  // another object keeps its own name only if the body has none that is taken
  const renamed = Object.fromEntries(
    ['name', 'code'].flatMap((key) => (typeof body?.[key] === 'string' ? [[key, randomUUID()]] : [])),
  )
  const numbers = Object.fromEntries(['inn', 'kpp'].flatMap((key) => (body && key in body ? [[key, '']] : [])))
  // nor has another object the version of the one that was prepared
  const { updatedAt: _, ...unread } = (body ?? {}) as Record<string, unknown>
  const sent = {
    ...well,
    ...(well.params ? { params } : {}),
    ...(well.params && body ? { body: { ...unread, ...renamed, ...numbers } } : {}),
  }
  const wished = wishedIn(contract)
  const name = wished[below(wished.length)]
  if (name && below(3) > 0) return { ...sent, body: { ...(sent.body as object), [name]: wishes[name]?.(below) } }
  return below(2) ? sent : (twisted(sent, below) as Input)
}

/** Somebody with these methods makes calls that are open to them. Returns how many succeeded, and what they reached. */
async function attack(codes: readonly SystemicMethod[], count: number, below: Random) {
  const heldMethods = withImplied(codes)
  const open = callsOf(heldMethods)
  const writing = open.filter(({ contract }) => contract.method !== 'GET')
  const promising = writing.filter(({ contract }) => wishedIn(contract).length > 0)
  const { user, browser } = await signedInWith(codes)
  targets.people.push(user.id)
  const attacker = new Caller(browser)
  const faults: string[] = []
  const succeeded = new Set<string>()
  for (let n = 0; n < count; n++) {
    const some = [promising, promising, writing, open][below(4)] ?? open
    const proof = (some[below(some.length)] ?? open[0]) as Whole
    const prepared = await proof.prepare(chief)
    const before = await world()
    const sent = attackOf(proof, prepared, below)
    const { status, body } = await attacker.send(proof.contract, sent)
    if (status === 200) succeeded.add(proof.contract.name)
    if (status === 401) break
    const answer = JSON.stringify(body)
    const beyond = [
      ...reached(before, await world(), heldMethods),
      ...secrets.filter(({ text }) => answer.includes(text)).map(({ of }) => `it shows the secret of ${of}`),
    ]
    faults.push(
      ...beyond.map((what) => `${codes} by ${proof.contract.name} ${JSON.stringify(sent).slice(0, 600)}: ${what}`),
    )
  }
  return { found: faults, taken: succeeded }
}

const codesOfAreas = areas
  .map((area): SystemicMethod => `${area}.write`)
  .filter((code) => callsOf(withImplied([code])).some(({ contract }) => contract.method !== 'GET'))

describe('whoever holds one method alone reaches no other one, no secret of others, and no script on their pages', () => {
  test.each(codesOfAreas)('%s', { timeout: 120_000 }, async (code) => {
    const below = caseNumbers(61)
    const succeeded = new Set<string>()
    for (const _ of eachRound(6, () => succeeded.size > 2)) {
      const { found, taken } = await attack([code], 10, below)
      expect(found).toEqual([])
      for (const name of taken) succeeded.add(name)
    }
    expect(succeeded.size).toBeGreaterThan(2)
  })

  test('nor do any two', { timeout: 600_000 }, async () => {
    const below = caseNumbers(62)
    const codes: SystemicMethod[] = [...codesOfAreas, 'masterAccountAccess']
    const one = () => codes[below(codes.length)] as SystemicMethod
    for (const _ of eachRound(40)) expect((await attack([...new Set([one(), one()])], 8, below)).found).toEqual([])
  })
})
