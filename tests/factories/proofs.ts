import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { CallInput, CallOutput, Contract } from '@/lib/base/contracts/contract'
import { isContract } from '@/lib/base/http/endpoints'
import { failuresOf } from '@/lib/base/http/openapi'
import type { RouteHandler } from '@/lib/base/http/route'
import { modules } from '@/lib/wiring/contracts.generated'
import { type AnyContract, type Caller, callerFor, type Input } from './caller'
import { expectRecords, newestRow, rowsSince } from './recording'
import { handlerOf } from './routes'

/**
 * How a call comes to answer one of its codes. `field`: it is the code of this field. `by`: somebody else calls, because
 * who has the rights of the area alone is refused for another reason.
 */
type Failing<P> = {
  field?: string
  by?: () => Promise<Caller>
  /** What must hold during the call, such as another mode of the platform. */
  within?: <T>(work: () => Promise<T>) => Promise<T>
  input: (caller: Caller, prepared: P) => Promise<Input> | Input
}

type Parts<C, P> = {
  /** Creates what the call needs. */
  prepare: (caller: Caller) => Promise<P>
  /** A valid input. */
  input: (prepared: P) => CallInput<C>
  /** For a writing call: reads what it changes, by a GET or by a page's verb. */
  look?: (caller: Caller, prepared: P) => Promise<unknown>
  /**
   * For `toMatchObject`: what `look` returns after a writing call and not before it; for a reading call, what its
   * answer contains of what was prepared.
   */
  shows: (prepared: P, answer: CallOutput<C>) => object
  /** What a call records (`create device-types`; a GET only if its reading is recorded), or why a writing one doesn't. */
  makes?: string[]
  unrecorded?: string
  /** A POST that changes nothing, because its input is too large for an address: it is proven like a GET. */
  reads?: true
  /** How to get each code of `contract.errors` that `ownCases` doesn't cover. */
  errors?: Record<string, Failing<P>>
}

type Whole = { kind: 'whole'; contract: AnyContract } & Parts<AnyContract, unknown>
type Statement = { rules?: string[] } & (Change | { unrecorded: string } | { reads: true })
/** A call that other tests prove, such as a step of a flow, which only the whole flow can show. */
type Elsewhere = { kind: 'elsewhere'; contract: AnyContract; tests: string[] } & Statement
/** Creates what the change needs. Returns the function that makes the change. */
type Change = { makes: string[]; prepare: () => Promise<() => Promise<unknown>> }
/** A change that no call makes: one of a command, a job or a future call. */
type Recording = { kind: 'recording'; name: string } & Change
export type Proof = Whole | Elsewhere | Recording

/** Proves a whole call: what it does, and how it fails. */
export const proof = <C extends AnyContract, P>(contract: C, parts: Parts<C, P>): Proof =>
  ({ kind: 'whole', contract, ...parts }) as unknown as Whole

/**
 * Names the files of tests/integration that prove a call of a flow. Each of them makes the call, and together they
 * contain each code of its contract. `rules` are more files that prove a rule which several calls share, with another
 * call. A writing call also states what it records and how to make that, or why it records nothing.
 */
export const provenIn = (contract: AnyContract, tests: string[], more: Statement = { reads: true }): Proof => ({
  kind: 'elsewhere',
  contract,
  tests,
  ...more,
})

/** States what is recorded by a change that no call makes. */
export const recording = (name: string, change: Change): Proof => ({ kind: 'recording', name, ...change })

/**
 * The codes that every call of its kind may answer. A proof has no cases for them: access-matrix.test.ts,
 * routes.test.ts and hostile-input.test.ts prove access, foreign origins and bad input for all calls, and idempotency
 * and limits have their own tests.
 */
const sharedCodes = (contract: AnyContract) => new Set([...failuresOf({ ...contract, errors: {} }).values()].flat())

/** Cases that follow from the contract alone: an unknown id, and a version that is no longer the newest. */
function ownCases({ contract, input }: Whole): Record<string, Failing<unknown>> {
  const well = (prepared: unknown) => input(prepared) as Input
  const other = (prepared: unknown) =>
    Object.fromEntries(Object.keys(well(prepared).params ?? {}).map((name) => [name, randomUUID()]))
  const { shape = {} } = (contract.body ?? {}) as { shape?: object }
  return {
    ...(contract.params
      ? { notFound: { input: (_, prepared) => ({ ...well(prepared), params: other(prepared) }) } }
      : {}),
    ...('updatedAt' in shape
      ? {
          conflict: {
            input: (_, prepared) => {
              const sent = well(prepared)
              return { ...sent, body: { ...(sent.body as object), updatedAt: new Date(0).toISOString() } }
            },
          },
        }
      : {}),
  }
}

const casesOf = (proof: Whole) => {
  const documented = Object.keys(proof.contract.errors ?? {})
  const documentedCases = Object.entries(ownCases(proof)).filter(([code]) => documented.includes(code))
  return { ...Object.fromEntries(documentedCases), ...proof.errors } as Record<string, Failing<unknown>>
}

const silent = 'it does not say what the call records'
const isReading = ({ contract, reads }: Whole) => contract.method === 'GET' || reads === true

/** Returns what a proof lacks, and what it has that its contract doesn't. */
export function gapsOf(proof: Proof): string[] {
  if (proof.kind === 'recording') return []
  const { contract } = proof
  const shared = sharedCodes(contract)
  const documented = Object.keys(contract.errors ?? {}).filter((code) => !shared.has(code))
  if (proof.kind === 'elsewhere') {
    const unsaid = contract.method !== 'GET' && 'reads' in proof
    return [...(unsaid ? [silent] : []), ...gapsElsewhere(proof, documented)]
  }
  const cases = Object.keys(casesOf(proof))
  return [
    ...documented.filter((code) => !cases.includes(code)).map((code) => `no case of ${code}`),
    ...cases.filter((code) => !documented.includes(code)).map((code) => `${code} is no code of its contract`),
    ...(isReading(proof) || proof.look ? [] : ['it does not look at what the call changes']),
    ...(isReading(proof) || proof.makes || proof.unrecorded ? [] : [silent]),
  ]
}

/** Returns a test with the factories that it uses, because it makes the calls that they make. */
function sourceOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !existsSync(file)) return ''
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  const used = [...source.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), `${path}.ts`))
  return [source, ...used.map((path) => sourceOf(path, seen))].join('\n')
}

/** The name under which a contract is exported, which five contracts don't have in the OpenAPI document. */
const exportOf = (contract: Contract) =>
  Object.values(modules)
    .flatMap((module) => Object.entries<unknown>(module))
    .find(([, value]) => isContract(value) && value.name === contract.name)?.[0]

const withoutComments = (source: string) => source.replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)/gm, '')

/** A code that its status has by default may appear as the status. */
const plainStatus: Record<string, RegExp> = { notFound: /\b404\b/, conflict: /\b409\b/ }

/** Returns where the named tests don't make the call, or don't contain one of its codes. */
function gapsElsewhere({ contract, tests, rules = [] }: Elsewhere, codes: string[]): string[] {
  const name = exportOf(contract)
  const calls = (source: string) =>
    new RegExp(`\\b(?:handlerOf|call|send)\\(\\s*(?:\\w+\\.)?${name}(?:Call)?\\b`).test(source)
  const [proving, further] = [tests, rules].map((names) => names.map((name) => join('tests/integration', name)))
  const paths = [...(proving ?? []), ...(further ?? [])]
  const existing = paths.filter((path) => existsSync(path))
  const text = existing.map((path) => withoutComments(readFileSync(path, 'utf8'))).join('\n')
  return [
    ...paths.filter((path) => !existing.includes(path)).map((path) => `there is no ${path}`),
    ...existing
      .filter((path) => proving?.includes(path) && !calls(sourceOf(path)))
      .map((path) => `${path} does not call ${name}`),
    ...codes
      .filter((code) => !new RegExp(`\\b${code}\\b`).test(text) && !plainStatus[code]?.test(text))
      .map((code) => `none of its tests names ${code}`),
  ]
}

/** Returns why a value doesn't match; null if it matches. */
function mismatch(value: unknown, expected: object): string | null {
  try {
    expect(value).toMatchObject(expected)
    return null
  } catch (error) {
    return (error as Error).message.slice(0, 1500)
  }
}

type Sending = (input: Input) => ReturnType<Caller['send']>

/** Reads two prepared objects: an answer that is always the same can match only one of them. */
async function readingFaults({ prepare, input, shows, makes = [] }: Whole, caller: Caller, send: Sending) {
  const first = await prepare(caller)
  const place = await newestRow()
  const { status, body } = await send(input(first) as Input)
  const recorded = [...new Set((await rowsSince(place)).map(({ type, entity }) => `${type} ${entity}`))]
  if (recorded.toSorted().join() !== makes.toSorted().join()) return [`it reads, and records ${recorded}`]
  if (status !== 200) return [`a valid call answers ${status} ${JSON.stringify(body)}`]
  const missing = mismatch(body, shows(first, body))
  if (missing) return [`it does not show what is there: ${missing}`]
  const second = await prepare(caller)
  if (!mismatch(body, shows(second, body))) return ['what it should show, it shows of anything']
  const again = mismatch((await send(input(second) as Input)).body, shows(second, body))
  return again ? [`it does not show what is there: ${again}`] : []
}

/** The input with the list of its body alone, where a call takes it so: with the body around it the failures are sent. */
const withListAlone = ({ list }: AnyContract, { body, ...rest }: Input): Input => ({
  ...rest,
  ...(body === undefined ? {} : { body: list ? (body as Record<string, unknown>)[list] : body }),
})

async function writingFaults(proof: Whole, caller: Caller, send: Sending) {
  const { prepare, input, look, shows, makes = [] } = proof
  if (!look) return []
  const prepared = await prepare(caller)
  const { reads } = caller
  const before = await look(caller, prepared)
  if (caller.reads === reads) return ['it looks by no GET']
  const made = () => send(withListAlone(proof.contract, input(prepared) as Input))
  let answer: Awaited<ReturnType<typeof made>> | undefined
  const faults: string[] = []
  try {
    await expectRecords(makes, async () => {
      answer = await made()
      return answer.body
    })
  } catch (error) {
    faults.push(`it records something else: ${(error as Error).message}`)
  }
  if (answer?.status !== 200) return [`a valid call answers ${answer?.status} ${JSON.stringify(answer?.body)}`]
  const expected = shows(prepared, answer.body as never)
  const missing = mismatch(await look(caller, prepared), expected)
  if (missing) faults.push(`no GET shows what it did: ${missing}`)
  else if (!mismatch(before, expected)) faults.push('what it should change was so before')
  return faults
}

type Expected = { code: string; status: number | undefined; field: string | undefined }
/** Returns whether a refused call answers its code and changes nothing. */
async function caseFaults({ code, status, field }: Expected, refused: () => ReturnType<Sending>) {
  const before = await newestRow()
  const answer = await refused()
  const { errorList = [] } = (answer.body.data ?? {}) as { errorList?: { field: string; code: string }[] }
  const named =
    field === undefined
      ? answer.body.code === code
      : errorList.some((fault) => fault.code === code && fault.field === field)
  return [
    ...(named && answer.status === status
      ? []
      : [`${code}: it answers ${answer.status} ${JSON.stringify(answer.body)}`]),
    ...((await newestRow()) === before ? [] : [`${code}: it is refused, and records something`]),
  ]
}

/**
 * Makes the call of a whole proof, by its route or by `handler`. Returns what it doesn't do; empty if it does
 * everything.
 */
export async function faultsOf(proof: Proof, handler?: RouteHandler): Promise<string[]> {
  if (proof.kind !== 'whole') throw new Error('only a whole proof makes its call')
  const { contract } = proof
  const caller = await callerFor(contract)
  const send = (input: Input, by = caller) => by.send(contract, input, handler ?? handlerOf(contract))
  const faults = gapsOf(proof)
  const cases = Object.entries(casesOf(proof))
  const refused = cases.length > 0 ? await proof.prepare(caller) : undefined
  // failures first, because a success may end the session of the call
  for (const [code, failing] of cases) {
    const [by, sent] = [await failing.by?.(), await failing.input(caller, refused)]
    const expected = { code, status: contract.errors?.[code], field: failing.field }
    const within = failing.within ?? ((work) => work())
    faults.push(...(await caseFaults(expected, () => within(() => send(sent, by)))))
  }
  return [...faults, ...(await (isReading(proof) ? readingFaults : writingFaults)(proof, caller, send))]
}
