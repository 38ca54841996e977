import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GET as ownSessions } from '@/app/api/v1/platform/user/sessions/route'
import { db } from '@/db/client'
import { applications, history, oidcClients, oidcConsents } from '@/db/schema'
import { buildContext } from '@/lib/context/build'
import { contracts } from '@/lib/context/contracts'
import { cookieJar } from '@/lib/context/cookies'
import { route } from '@/lib/context/route'
import { requireMethod } from '@/lib/kernel/access'
import { areas } from '@/lib/kernel/access-methods'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { type Contract, Done, contract as declare } from '@/lib/kernel/http/contract'
import { file, fileAnswer, type UploadedFile } from '@/lib/kernel/http/file'
import type { RouteHandler } from '@/lib/kernel/http/route'
import { createNetworkAlias } from '@/lib/platform/network-aliases/contract'
import * as verbs from '@/lib/platform/network-aliases/service'
import { createRoleWith } from '../factories/access'
import { Browser } from '../factories/browser'
import { sampleBody, sampleParams } from '../factories/samples'
import { signedInStatus, signInByPassword } from '../factories/sign-in'
import { createUser, password } from '../factories/users'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

type Routes = Record<string, Partial<Record<string, RouteHandler>>>
const routes = import.meta.glob('/app/api/v1/platform/**/route.ts', { eager: true }) as Routes
const handlerOf = ({ path, method }: Contract) =>
  routes[`/app/api/v1/platform${path.replace(/\{(\w+)\}/g, '[$1]')}/route.ts`]?.[method] as RouteHandler

type Verdict = 'allowed' | 401 | 403
/** Somebody by the methods that they hold; null is nobody. */
type Principal = readonly string[] | null

const people = new Map<string, Promise<{ login: string; browser: Browser }>>()
async function person(methods: readonly string[]) {
  const roles = methods.length > 0 ? [await createRoleWith(methods)] : ['user']
  return { login: (await createUser({ roles })).login, browser: new Browser() }
}
/** The principal's browser, signed in, even if the call before has signed it out. */
async function browserOf(principal: Principal): Promise<Browser> {
  if (!principal) return new Browser()
  const key = principal.join()
  if (!people.has(key)) people.set(key, person(principal))
  const { login, browser } = await (people.get(key) as ReturnType<typeof person>)
  if ((await signedInStatus(browser)) !== 200) await signInByPassword(browser, login, password)
  return browser
}

/** Who must be let in and who not: told by the contract alone. */
function expectations({ access, method }: Contract): [Principal, Verdict][] {
  if (access === 'public') return [[null, 'allowed']]
  if (access === 'user')
    return [
      [null, 401],
      [[], 'allowed'],
    ]
  if ('method' in access)
    return [
      [null, 401],
      [[], 403],
      [[access.method], 'allowed'],
      [areas.map((area) => `${area}.write`).filter((method) => method !== access.method), 403],
    ]
  const own = 'areas' in access ? access.areas : [access.area]
  const other = areas.find((area) => !own.includes(area))
  return [
    [null, 401],
    [[], 403],
    ...own.flatMap((area): [Principal, Verdict][] => [
      [[`${area}.read`], method === 'GET' ? 'allowed' : 403],
      [[`${area}.write`], 'allowed'],
    ]),
    [[`${other}.write`], 403],
  ]
}

const verdictOf = (status: number): Verdict | number => (status === 401 || status === 403 ? status : 'allowed')

async function contextOf(browser: Browser): Promise<Ctx> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = new Headers({ host: browser.host, cookie, 'x-platform-ip': browser.ip })
  return (await buildContext(headers, cookieJar(cookie).cookies)).ctx
}

/** Files of a sample as a verb gets them. */
function received(body: unknown): unknown {
  if (body instanceof File) {
    const { name, type, size } = body
    const bytes = async () => Buffer.from(await body.arrayBuffer())
    return { name, type, size, digest: '', bytes, chunks: () => body.stream() } satisfies Record<
      keyof UploadedFile,
      unknown
    >
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, received(value)]))
}

/** What the verb itself answers, as a page that calls it would find. */
async function statusOfVerb(contract: Contract, { verb }: RouteHandler, browser: Browser): Promise<number> {
  const input = {
    params: sampleParams(contract),
    query: contract.query?.parse({}),
    body: contract.body && received(contract.body.parse(sampleBody(contract))),
  }
  try {
    await verb(await contextOf(browser), input as never)
    return 200
  } catch (error) {
    if (error instanceof AppError) return error.status
    throw error
  }
}

/** Where the call, or its verb by itself, doesn't do what the contract says. Empty is well. */
async function breaches(contract: Contract, handler: RouteHandler): Promise<string[]> {
  const found: string[] = []
  for (const [principal, expected] of expectations(contract)) {
    const who = principal ? principal.join() || 'a plain user' : 'nobody'
    const { status, body } = await (await browserOf(principal)).send(handler, contract.method, {
      params: sampleParams(contract),
      body: sampleBody(contract),
    })
    if (verdictOf(status) !== expected) found.push(`${who}: the call answers ${status} instead of ${expected}`)
    // refused for its form, it would show nothing of the verb
    else if (expected === 'allowed' && (status === 400 || status >= 500))
      found.push(`${who}: the call answers ${status} ${JSON.stringify(body)}`)
    const own = await statusOfVerb(contract, handler, await browserOf(principal))
    if (verdictOf(own) !== expected) found.push(`${who}: the verb answers ${own} instead of ${expected}`)
  }
  return found
}

const guarded = contracts.filter(({ access }) => access !== 'public')
const named = (list: readonly Contract[]) => list.map((contract) => [contract.name, contract] as const)

describe('who may call what', () => {
  test.each(named(guarded))('%s lets in whom its contract says, and so does its verb', async (_, contract) => {
    expect(await breaches(contract, handlerOf(contract))).toEqual([])
  })

  test.each(named(contracts.filter(({ access }) => access === 'public')))('%s is open', async (_, contract) => {
    const { body } = await new Browser().send(handlerOf(contract), contract.method, {
      params: sampleParams(contract),
      body: contract.body ? {} : undefined,
    })
    expect(['unauthorized', 'forbidden']).not.toContain(body.code)
  })

  test('calls that take and give files are held to the same', async () => {
    const odd = { tag: 'files', summary: '', access: { area: 'network-aliases' } } as const
    const picture = file({ types: ['image/png'], max: 1000 })
    const take = declare({
      ...odd,
      name: 'take',
      method: 'POST',
      path: '/take',
      body: z.strictObject({ title: z.string(), picture }),
      response: Done,
    })
    const put = declare({ ...odd, name: 'put', method: 'PUT', path: '/put', body: picture, response: Done })
    const give = declare({
      ...odd,
      name: 'give',
      method: 'GET',
      path: '/give',
      response: fileAnswer({ types: ['text/csv'] }),
    })
    const guard = (ctx: Ctx, level: 'read' | 'write' = 'write') => requireMethod(ctx, `network-aliases.${level}`)
    const taking = route(take, async (ctx, { body }) => {
      guard(ctx)
      return (await body.picture.bytes()).length > 0 ? {} : Promise.reject(new Error('no file'))
    })
    const putting = route(put, async (ctx, { body }) => {
      guard(ctx)
      return body.size > 0 ? {} : Promise.reject(new Error('no file'))
    })
    const chunks = async function* () {
      yield 'a;b'
    }
    const giving = route(give, async (ctx) => {
      guard(ctx, 'read')
      return { name: 'a.csv', type: 'text/csv', chunks: chunks() }
    })
    const careless = route(give, async () => ({ name: 'a.csv', type: 'text/csv', chunks: chunks() }))
    expect(await breaches(take, taking)).toEqual([])
    expect(await breaches(put, putting)).toEqual([])
    expect(await breaches(give, giving)).toEqual([])
    expect(await breaches(give, careless)).toEqual([
      expect.stringMatching(/^nobody: the verb/),
      expect.anything(),
      expect.anything(),
    ])
  })

  test('a verb that checks another right, or none, is found out', async () => {
    const elsewhere = route(createNetworkAlias, async (ctx, input) => {
      requireMethod(ctx, 'settings.write')
      return verbs.createNetworkAlias(ctx, input)
    })
    expect(await breaches(createNetworkAlias, elsewhere)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^network-aliases.write: the (call|verb) answers 403/)]),
    )
    const open = route(createNetworkAlias, async () => ({ id: crypto.randomUUID() }))
    expect(await breaches(createNetworkAlias, open)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^nobody: the verb answers 200/)]),
    )
  })
})

describe('what comes from elsewhere', () => {
  const writes = contracts.filter(({ method }) => method !== 'GET')
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
    { 'sec-fetch-site': '', origin: 'null' },
    { 'sec-fetch-site': '' },
  ]
  test.each(named(writes))('%s refuses a foreign or missing origin', async (_, contract) => {
    const browser = await browserOf(['network-aliases.write', 'device-types.write'])
    for (const headers of foreign)
      expect(
        await browser.send(handlerOf(contract), contract.method, {
          params: sampleParams(contract),
          body: contract.body ? {} : undefined,
          headers,
        }),
      ).toMatchObject({ status: 403, body: { code: 'forbiddenOrigin' } })
  })

  test.each(named(guarded.filter(({ body, content }) => body && content !== 'file')))(
    '%s refuses a key that it does not know',
    async (_, contract) => {
      const [principal] = expectations(contract).findLast(([, verdict]) => verdict === 'allowed') ?? [[]]
      const browser = await browserOf(principal)
      const before = await db().$count(history)
      expect(
        await browser.send(handlerOf(contract), contract.method, {
          params: sampleParams(contract),
          body: { ...sampleBody(contract), isAdmin: true },
        }),
      ).toMatchObject({ status: 400, body: { data: { errorList: [{ field: 'isAdmin', code: 'errorUnknownField' }] } } })
      expect(await db().$count(history)).toBe(before)
    },
  )
})

describe('ids of others', () => {
  /** Makes something of somebody else's, by the name of the path parameter; `same` tells whether it is untouched. */
  const others: Record<string, () => Promise<{ id: string; same: () => Promise<boolean> }>> = {
    async sessionId() {
      const { login } = await createUser()
      const browser = new Browser()
      await signInByPassword(browser, login, password)
      const { body } = await browser.send(ownSessions, 'GET')
      const [{ id = '' } = {}] = body.sessions as { id: string }[]
      return { id, same: async () => (await signedInStatus(browser)) === 200 }
    },
    async applicationId() {
      const { id: userId } = await createUser()
      const code = randomUUID()
      const [application] = await db().insert(applications).values({ type: 'external', code, name: code }).returning()
      const id = application?.id ?? ''
      const [client] = await db()
        .insert(oidcClients)
        .values({ applicationId: id, clientId: code, name: code, type: 'public', grantTypes: [] })
        .returning()
      await db()
        .insert(oidcConsents)
        .values({ userId, clientId: client?.id ?? '', scopes: ['openid'] })
      return { id, same: async () => (await db().$count(oidcConsents, eq(oidcConsents.userId, userId))) === 1 }
    },
  }
  let count = 0
  beforeAll(async () => {
    await browserOf([])
    count = await db().$count(history)
  })

  const personal = contracts.filter(({ access, path }) => access === 'user' && path.includes('{'))
  test.each(named(personal))('%s: 404, and nothing is changed', async (_, contract) => {
    const params = sampleParams(contract)
    for (const name of Object.keys(params)) {
      const make = others[name]
      if (!make) throw new Error(`say in this test how somebody else comes by a {${name}}`)
      const { id, same } = await make()
      count = await db().$count(history)
      expect(
        await (await browserOf([])).send(handlerOf(contract), contract.method, {
          params: { ...params, [name]: id },
          body: sampleBody(contract),
        }),
      ).toMatchObject({ status: 404, body: { code: 'notFound' } })
      expect(await same()).toBe(true)
    }
    expect(await db().$count(history)).toBe(count)
  })

  const administrative = guarded.filter(({ access, path }) => access !== 'user' && /\{(id|\w+Id)\}/.test(path))
  test.each(named(administrative))('%s: an unknown id is 404', async (_, contract) => {
    const [principal] = expectations(contract).findLast(([, verdict]) => verdict === 'allowed') ?? [[]]
    const browser = await browserOf(principal)
    count = await db().$count(history)
    expect(
      await browser.send(handlerOf(contract), contract.method, {
        params: sampleParams(contract),
        body: sampleBody(contract),
      }),
    ).toMatchObject({ status: 404, body: { code: 'notFound' } })
    expect(await db().$count(history)).toBe(count)
  })
})
