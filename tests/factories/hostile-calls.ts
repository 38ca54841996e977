import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Contract } from '@/lib/base/contracts/contract'
import { formParts } from '@/lib/base/contracts/file'
import { FailureBody, failuresOf } from '@/lib/base/http/openapi'
import { parseOrThrow } from '@/lib/base/http/read'
import type { RouteHandler } from '@/lib/base/http/route'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { manyLines } from '@/lib/base/text/characters'
import { isFull } from '../setup/scope'
import { Browser, encoded } from './browser'
import {
  hostileBodies,
  hostileCharacters,
  hostileForms,
  hostileHeaders,
  hostileQueries,
  hostileValues,
  unstorable,
} from './hostile'
import { byName, handlerOf } from './routes'
import { sampleBody, sampleParams, wholeSample } from './samples'
import { begin, signedInStatus, startSessionOf } from './sign-in'
import { createUser } from './users'

let requests = 0
/** Sends each request from another address; otherwise limits by address would refuse it before the checks. */
const nextAddress = () => {
  requests++
  return `198.${18 + (requests >> 16)}.${(requests >> 8) & 255}.${requests & 255}`
}

let userId: string | undefined
let administrator = new Browser()
/** The administrator's browser; a new one if a call signed it out. */
export async function signedIn(): Promise<Browser> {
  userId ??= (await createUser({ roles: ['administrator'] })).id
  if ((await signedInStatus(administrator)) !== 200) {
    administrator = new Browser()
    await startSessionOf(administrator, userId)
  }
  return administrator
}

/** Who makes a call: the administrator, and for a public call also nobody, with a sign-in attempt. */
function callersOf({ access, tag }: Contract): (() => Promise<Browser>)[] {
  const ownBrowser = async () => (userId ? administrator : signedIn())
  if (access !== 'public') return [ownBrowser]
  const nobody = async () => {
    const browser = new Browser(undefined, nextAddress())
    if (tag === 'sign-in') await begin(browser, 'nobody')
    return browser
  }
  return [ownBrowser, nobody]
}

type Sent = {
  params?: Record<string, string>
  query?: string
  body?: BodyInit | undefined
  type?: string
  headers?: Record<string, string>
}
type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

/** Sends bytes unchanged, as the server passes them on. */
export async function ask(
  contract: Contract,
  handler: RouteHandler,
  browser: Browser | null,
  sent: Sent,
): Promise<Answer> {
  const cookie = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = new Request(`http://localhost:3000/?${sent.query ?? ''}`, {
    method: contract.method,
    ...(contract.method === 'GET' ? {} : { body: sent.body }),
    headers: {
      host: 'localhost:3000',
      'x-platform-ip': nextAddress(),
      'sec-fetch-site': 'same-origin',
      ...(cookie ? { cookie } : {}),
      ...(sent.type ? { 'content-type': sent.type } : {}),
      ...sent.headers,
    },
  })
  if (sent.type === '') request.headers.delete('content-type')
  const response = await handler(request, { params: Promise.resolve(sent.params ?? sampleParams(contract)) })
  // a broken-off file would be a fault of the test
  const gives = response.ok && contract.returnsFile
  return {
    status: response.status,
    headers: response.headers,
    body: gives ? { file: await response.text() } : await response.json(),
  }
}

/**
 * The same as the administrator or nobody. A call that succeeds may have signed the administrator out, which is checked
 * before the next call. A call that answers 401 to somebody who was signed out before is repeated.
 */
async function askAs(contract: Contract, handler: RouteHandler, callerOf: () => Promise<Browser>, sent: Sent) {
  const browser = await callerOf()
  const answer = await ask(contract, handler, browser, sent)
  if (browser !== administrator || (answer.status !== 200 && answer.status !== 401)) return answer
  const still = (await signedIn()) === browser
  return still || answer.status === 200 ? answer : ask(contract, handler, administrator, sent)
}

/** Returns what is wrong with an answer by the contract alone; null if nothing is. */
export function breach(contract: Contract, { status, body, headers }: Answer): string | null {
  if (status === 200 && contract.returnsFile)
    return headers.get('content-security-policy')?.startsWith('sandbox') ? null : 'it could run in a page of ours'
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'it is no JSON'
  if (status === 200) return contract.response.safeParse(body).success ? null : 'it is outside its contract'
  const failure = FailureBody.safeParse(body)
  if (!failure.success) return `it is no failure: ${z.prettifyError(failure.error)}`
  if (status >= 500) return 'it is a fault of ours'
  if (!failuresOf(contract).get(status)?.includes(failure.data.code)) return 'it is not in the OpenAPI document'
  if (status === 429 && !headers.get('retry-after')) return 'it does not say when to try again'
  if (failure.data.code === 'errorFields' && !failure.data.data.errorList?.length) return 'it names no field'
  return null
}

const short = (value: unknown) => JSON.stringify(value)?.slice(0, 160)

/** Returns every value in a sample with its path, including objects and lists. */
function places(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, each]) =>
    places(each, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length > 0 ? [path, ...inner] : inner
}

/** Returns the sample with another value at one place. */
function withValue(sample: unknown, [key, ...rest]: (string | number)[], value: unknown): unknown {
  if (key === undefined) return value
  const copy = Array.isArray(sample) ? [...sample] : { ...(sample as object) }
  const target = copy as Record<string | number, unknown>
  target[key] = withValue(target[key], rest, value)
  return copy
}

const at = (sample: unknown, path: (string | number)[]) =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)?.[key], sample)

/** Encodes nested plain values as `a=1&b[c]=2`. */
const searchOf = (query: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([key, value]): [string, string][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([name, each]) => [`${key}[${name}]`, String(each)])
        : [value].flat().map((each) => [key, String(each)]),
    ),
  ).toString()

/** A body that the call accepts, with as many fields as it accepts at once. */
const bodyOf = (contract: Contract) => {
  const whole = wholeSample(contract.body)
  return contract.body?.safeParse(whole).success ? whole : (sampleBody(contract) ?? {})
}

/** Returns the faults that the reader of all calls finds in a body or a query; none if the call gets to see it. */
function refused(schema: z.ZodType, value: unknown): FieldError[] {
  try {
    parseOrThrow(schema, JSON.parse(JSON.stringify(value)))
    return []
  } catch (error) {
    if (error instanceof AppError && error.data.errorList) return error.data.errorList
    throw error
  }
}

/**
 * Whether a request that the reader of all calls refuses is sent nevertheless. The reader works the same for every call:
 * of such requests each value is sent at one of six places, and the others are only read.
 */
const sentAnyway = (place: number, value: number) => (place + value) % 6 === 0

/** Which attacks on a call are made, by their number. */
type Choice = (attack: number) => boolean
const all: Choice = () => true

/** Returns all hostile requests that a call may get, except for those that the reader of all calls refuses alike. */
export function* attacks(contract: Contract, isChosen = all): Generator<{ what: string; sent: Sent }> {
  let number = 0
  const sample = bodyOf(contract)
  const well: Sent = encoded(contract.body && sample)
  const strings = Object.values(hostileCharacters).flatMap((sign) => [sign, `a${sign}b`])

  for (const name of Object.keys(sampleParams(contract)))
    for (const value of [...strings, ...hostileValues.filter((each) => typeof each === 'string')])
      if (isChosen(number++))
        yield {
          what: `params ${name} ${short(value)}`,
          sent: { ...well, params: { ...sampleParams(contract), [name]: String(value) } },
        }
  if (contract.body) {
    const both = [...places(sample), ...places(wholeSample(contract.body))]
    const paths = new Map(both.map((path) => [path.join('.'), path])).values()
    for (const [place, path] of [...paths].entries())
      for (const [index, value] of [...strings, ...hostileValues].entries()) {
        if (!isChosen(number++)) continue
        const body = withValue(sample, path, value)
        if (!contract.content && !sentAnyway(place, index) && refused(contract.body, body).length > 0) continue
        yield { what: `body ${path.join('.')} ${short(value)}`, sent: { ...well, ...encoded(body) } }
      }
    const plain = contract.content ? '{}' : String(well.body)
    for (const each of [
      ...hostileBodies(plain),
      ...(contract.content ? hostileForms([...formParts(contract.body).texts]) : []),
    ])
      if (isChosen(number++)) yield { what: `body ${short(each)}`, sent: each }
  } else if (contract.method !== 'GET' && isChosen(number++))
    yield { what: 'a body where none is read', sent: { body: '{"a":1}', type: 'a/b' } }

  const query = wholeSample(contract.query)
  for (const path of places(query))
    for (const value of strings) {
      if (!isChosen(number++)) continue
      const search = searchOf(withValue({}, path, value) as Record<string, unknown>)
      yield { what: `query ${path.join('.')} ${short(value)}`, sent: { ...well, query: search } }
    }
  for (const key of new Set([...Object.keys(query), 'surprise']))
    for (const each of hostileQueries(key))
      if (isChosen(number++)) yield { what: `query ${each.slice(0, 80)}`, sent: { ...well, query: each } }
  for (const headers of hostileHeaders)
    if (isChosen(number++)) yield { what: `headers ${short(headers)}`, sent: { ...well, headers } }
}

/**
 * Fields that allow more characters: line breaks in texts, any character in passwords, characters that are removed from
 * names.
 */
const severalLines = /(?:^|\.)(?:comment|content)$|^(?:texts|locales)\.0\.text$/
/** Calls whose field `text` has several lines too. */
const takesLines = /^(?:create|update)Banner$/
const lenient = /(?:^|\.)(?:password|repeatPassword|rePassword|actual|fio|(?:first|last|middle)_?[nN]ame)$/

/** What details of the own profile tell beside its fields: a change takes it back, and ignores it. */
const readOnlyFields =
  /^(?:mainInfo\.(?:avatar|groups|isEditable|kept|directory)|(?:access|updated|terms)Info|availableActions|contacts(?:Info)?\.(?:emails|mobiles)\.0\.(?:id|additional|verified))$/
const ignores = (call: string, field: string) => call === 'updateProfile' && readOnlyFields.test(field)

/** Calls whose text is a file: its rows are judged one by one, and only characters that can't be stored refuse it all. */
const readsFile = /^(?:check|start)InvitationImport$/

/** Returns where a call accepts one of these characters, or doesn't name the field that contains it. */
export async function lettingIn(
  contract: Contract,
  handler: RouteHandler,
  browser: Browser,
  isChosen = all,
): Promise<string[]> {
  const faults: string[] = []
  const look = async (field: string, [name, sign]: readonly [string, string], sent: Sent) => {
    const isLenient =
      lenient.test(field) || ignores(contract.name, field) || (field === 'text' && readsFile.test(contract.name))
    if (isLenient && !unstorable.some((each) => each === name)) return
    if ((severalLines.test(field) || (field === 'text' && takesLines.test(contract.name))) && manyLines.test(sign))
      return
    const { status, body } = await ask(contract, handler, browser, sent)
    const list = (body.data as { errorList?: { field: string }[] } | undefined)?.errorList ?? []
    // a single value of a repeatable parameter is no list
    if (status !== 400 || !list.some((fault) => fault.field === field || `${fault.field}.0` === field))
      faults.push(`${field} takes ${name}: ${status} ${short(body)}`)
  }
  const sample = wholeSample(contract.body)
  const query = wholeSample(contract.query)
  const body = encoded(contract.body && sample)
  for (const [index, [name, sign]] of Object.entries(hostileCharacters).entries()) {
    const texts = places(sample).filter((each) => typeof at(sample, each) === 'string')
    for (const [place, path] of texts.entries()) {
      if (!isChosen(place + index)) continue
      // a form is written in UTF-8, which has no lone surrogates
      if (contract.content && !sign.isWellFormed()) continue
      const [field, changed] = [path.join('.'), withValue(sample, path, `a${sign}b`)]
      const schema = contract.content || sentAnyway(place, index) ? undefined : contract.body
      if (schema && refused(schema, changed).some((fault) => fault.field === field)) continue
      await look(field, [name, sign], { ...body, ...encoded(changed) })
    }
    // a lone surrogate can't come from an address: there it is the replacement character
    if (/half/.test(name)) continue
    for (const [place, path] of places(query).entries()) {
      if (typeof at(query, path) !== 'string' || !isChosen(place + index)) continue
      const search = searchOf(withValue({}, path, `a${sign}b`) as Record<string, unknown>)
      await look(path.join('.'), [name, sign], { ...body, query: search })
    }
    for (const [place, parameter] of Object.keys(sampleParams(contract)).entries())
      if (isChosen(place + index))
        await look(parameter, [name, sign], {
          ...body,
          params: { ...sampleParams(contract), [parameter]: `a${sign}b` },
        })
  }
  return faults
}

/**
 * Of the attacks on a call `npm test` makes a fifth, at each call others: together the calls meet each attack, and each
 * field of a call meets some.
 */
const chosenOf =
  (call: number): Choice =>
  (attack) =>
    isFull || (call + attack) % 5 === 0

/** Sends hostile input to each of these calls. */
export function describeHostileInput(contracts: readonly Contract[]) {
  describe('hostile input gets an answer that the contract documents, and never a 5xx', () => {
    test.each(byName(contracts))('%s', { timeout: 120_000 }, async (_, contract) => {
      const handler = handlerOf(contract)
      const faults: string[] = []
      for (const { what, sent } of attacks(contract, chosenOf(contracts.indexOf(contract))))
        for (const callerOf of callersOf(contract)) {
          const answer = await askAs(contract, handler, callerOf, sent)
          const fault = breach(contract, answer)
          if (fault) faults.push(`${what}: ${answer.status} ${short(answer.body)}: ${fault}`)
        }
      expect(faults).toEqual([])
    })
  })

  describe('no one-line text accepts invisible characters, or characters that can’t be stored', () => {
    test.each(byName(contracts))('%s', { timeout: 60_000 }, async (_, contract) => {
      const isChosen = chosenOf(contracts.indexOf(contract))
      expect(await lettingIn(contract, handlerOf(contract), await signedIn(), isChosen)).toEqual([])
    })
  })
}
