import type { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import type { CallInput, CallOutput, Contract } from '@/lib/base/contracts/contract'
import type { RouteHandler } from '@/lib/base/http/route'
import { signedInAsAdministrator, signedInWith } from './access'
import { type Answered, Browser } from './browser'
import { contextOf } from './invitations'
import { handlerOf } from './routes'

type Shape = z.ZodType | undefined
export type AnyContract = Contract<Shape, Shape, Shape, z.ZodType>
/** The input of a call, with the parts that its contract has. */
export type Input = { params?: Record<string, string>; query?: object; body?: unknown }

/** Encodes `{ a: 1, filter: { b: 2 } }` as in an address: a=1 and filter[b]=2. */
export const searchOf = (query: object = {}): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([key, value]): [string, string | string[]][] => {
      if (value === undefined) return []
      if (Array.isArray(value)) return [[key, value.map(String)]]
      if (typeof value !== 'object') return [[key, String(value)]]
      return Object.entries(value).map(([name, each]) => [
        `${key}[${name}]`,
        Array.isArray(each) ? each.map(String) : String(each),
      ])
    }),
  )

/** A person who makes calls by their contracts. */
export class Caller {
  /** How many reads the person made. */
  reads = 0
  constructor(readonly browser: Browser) {}

  send(contract: AnyContract, { params, query, body }: Input = {}, handler: RouteHandler = handlerOf(contract)) {
    return this.browser.send(handler, contract.method, {
      ...(params ? { params } : {}),
      query: searchOf(query),
      body,
    })
  }

  /** Makes a call that must succeed. Returns the answer. */
  async call<C extends AnyContract>(
    contract: C,
    ...[input]: keyof CallInput<C> extends never ? [] : [CallInput<C>]
  ): Promise<CallOutput<C>> {
    const { status, body }: Answered = await this.send(contract, input as Input)
    if (status !== 200) throw new Error(`${contract.name} answers ${status} ${JSON.stringify(body)}`)
    if (contract.method === 'GET') this.reads++
    return body as CallOutput<C>
  }

  /** Returns the result of a verb that no call reaches, such as one of a page. */
  async serve<T>(work: (ctx: Ctx) => Promise<T>): Promise<T> {
    this.reads++
    return work(await contextOf(this.browser))
  }
}

const browsers = new Map<string, Browser>()
/**
 * Returns a person who may make this call, with the rights of its area and no others, but an administrator for domains,
 * because nobody else adds host names. One person serves all calls of an area; a call that needs an account and no right
 * gets a new person each time.
 */
export async function callerFor({ access }: Pick<Contract, 'access'>): Promise<Caller> {
  if (access === 'public') return new Caller(new Browser())
  if (access === 'user') return new Caller((await signedInWith()).browser)
  const area = 'areas' in access ? access.areas[0] : 'area' in access ? access.area : undefined
  const methods = 'method' in access ? [access.method] : [`${area}.read`, `${area}.write`]
  // a new one each time: some tests end the ways in of all administrators but one
  if (area === 'domains') return new Caller((await signedInAsAdministrator()).browser)
  const browser = browsers.get(methods.join()) ?? (await signedInWith(methods)).browser
  browsers.set(methods.join(), browser)
  return new Caller(browser)
}
