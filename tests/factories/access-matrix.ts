import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema'
import { areas } from '@/lib/base/access/access-methods'
import type { Contract } from '@/lib/base/contracts/contract'
import type { UploadedFile } from '@/lib/base/contracts/file'
import type { RouteHandler } from '@/lib/base/http/route'
import { AppError } from '@/lib/base/runtime/errors'
import { createRoleWith } from './access'
import { Browser } from './browser'
import { contextOf } from './invitations'
import { byName, handlerOf } from './routes'
import { prepareSamples, sampleBody, sampleParams, sampleQuery } from './samples'
import { signedInStatus, startSessionOf } from './sign-in'
import { createUser } from './users'

type Verdict = 'allowed' | 401 | 403
/** A person, named by the methods that they hold; null is nobody. */
type Principal = readonly string[] | null

const people = new Map<string, Promise<{ id: string; browser: Browser }>>()
async function person(methods: readonly string[]) {
  const roles = methods.length > 0 ? [await createRoleWith(methods)] : ['user']
  return { id: (await createUser({ roles })).id, browser: new Browser() }
}
/** The principal's browser, signed in, even if the previous call signed it out. */
export async function browserOf(principal: Principal): Promise<Browser> {
  if (!principal) return new Browser()
  const key = principal.join()
  if (!people.has(key)) people.set(key, person(principal))
  const { id, browser } = await (people.get(key) as ReturnType<typeof person>)
  if ((await signedInStatus(browser)) !== 200) await startSessionOf(browser, id)
  return browser
}

/** Who must be allowed and who must be refused, by the contract alone. */
export function expectations({ access, method }: Contract): [Principal, Verdict][] {
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
  const ownAreas = 'areas' in access ? access.areas : [access.area]
  const other = areas.find((area) => !ownAreas.includes(area))
  return [
    [null, 401],
    [[], 403],
    ...ownAreas.flatMap((area): [Principal, Verdict][] => [
      [[`${area}.read`], method === 'GET' ? 'allowed' : 403],
      [[`${area}.write`], 'allowed'],
    ]),
    [[`${other}.write`], 403],
  ]
}

/**
 * Calls that a sample can't pass, because it doesn't prove its person or names no company of theirs, and the field that
 * they refuse first.
 */
const proofs: Record<string, string> = {
  changePassword: 'actual',
  deleteProfile: 'login',
  startAuthenticatorApp: 'code',
  startPasskey: 'code',
  removePasskey: 'code',
  verifyContact: 'code',
  startInvitationImport: 'text',
  startUserImport: 'file',
}

/** Whether a call was refused only because the sample proves nothing; then it got as far as an allowed caller can. */
const isUnproven = ({ name }: Contract, status: number, body: unknown) => {
  const { data } = body as { data?: { errorList?: { field: string }[]; providerError?: object } }
  // at the address of the sample no directory answers
  if (data?.providerError) return true
  return status === 400 && name in proofs && data?.errorList?.every(({ field }) => field === proofs[name]) === true
}

const verdictOf = (status: number): Verdict | number => (status === 401 || status === 403 ? status : 'allowed')

/** The files of a sample, as a verb gets them. */
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

/** What the verb itself answers when a page calls it. */
async function statusOfVerb(contract: Contract, { serve }: RouteHandler, browser: Browser): Promise<number> {
  const input = {
    params: sampleParams(contract),
    query: contract.query?.parse(sampleQuery(contract)),
    body: contract.body && received(contract.body.parse(sampleBody(contract))),
  }
  try {
    await serve(await contextOf(browser), input as never)
    return 200
  } catch (error) {
    if (error instanceof AppError) return error.status
    throw error
  }
}

/** Returns where the call or its verb differs from the contract; empty if nowhere. */
export async function breaches(contract: Contract, handler: RouteHandler): Promise<string[]> {
  const faults: string[] = []
  for (const [principal, expected] of expectations(contract)) {
    const who = principal ? principal.join() || 'a plain user' : 'nobody'
    const { status, body } = await (await browserOf(principal)).send(handler, contract.method, {
      params: sampleParams(contract),
      query: sampleQuery(contract),
      body: sampleBody(contract),
    })
    if (verdictOf(status) !== expected) faults.push(`${who}: the call answers ${status} instead of ${expected}`)
    // if the call were refused for its input, it would prove nothing about the verb
    else if (expected === 'allowed' && (status === 400 || status >= 500) && !isUnproven(contract, status, body))
      faults.push(`${who}: the call answers ${status} ${JSON.stringify(body)}`)
    const ownStatus = await statusOfVerb(contract, handler, await browserOf(principal))
    if (verdictOf(ownStatus) !== expected) faults.push(`${who}: the verb answers ${ownStatus} instead of ${expected}`)
  }
  return faults
}

/** Makes each of these calls as everybody whom its contract allows or refuses. */
export function describeAccess(contracts: readonly Contract[]) {
  const guarded = contracts.filter(({ access }) => access !== 'public')

  beforeAll(prepareSamples)

  describe('who may make which call', () => {
    test.each(byName(guarded))(
      '%s allows exactly whom its contract allows, and so does its verb',
      async (_, contract) => {
        expect(await breaches(contract, handlerOf(contract))).toEqual([])
      },
    )

    test.each(byName(contracts.filter(({ access }) => access === 'public')))('%s is open', async (_, contract) => {
      const { body } = await new Browser().send(handlerOf(contract), contract.method, {
        params: sampleParams(contract),
        body: contract.body ? {} : undefined,
      })
      expect(['unauthorized', 'forbidden']).not.toContain(body.code)
    })
  })

  describe('requests from elsewhere', () => {
    const writes = contracts.filter(({ method, acts }) => method !== 'GET' || acts)
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'null' },
      { 'sec-fetch-site': '' },
    ]
    test.each(byName(writes))('%s refuses a foreign or missing origin', async (_, contract) => {
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

    test.each(byName(guarded.filter(({ body, content }) => body && content !== 'file')))(
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
        ).toMatchObject({
          status: 400,
          body: { data: { errorList: [{ field: 'isAdmin', code: 'errorUnknownField' }] } },
        })
        expect(await db().$count(history)).toBe(before)
      },
    )
  })
}
