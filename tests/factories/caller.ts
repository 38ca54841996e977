import type { z } from 'zod'
import type { Ctx } from '@/lib/kernel/ctx'
import type { CallInput, CallOutput, Contract } from '@/lib/kernel/http/contract'
import type { RouteHandler } from '@/lib/kernel/http/route'
import { signedInWith } from './access'
import { type Answered, Browser } from './browser'
import { contextOf } from './invitations'
import { handlerOf } from './routes'

type Shape = z.ZodType | undefined
export type AnyContract = Contract<Shape, Shape, Shape, z.ZodType>
/** What a call is sent; each part as its contract says. */
export type Input = { params?: Record<string, string>; query?: object; body?: unknown }

/** `{ a: 1, filter: { b: 2 } }` as an address has it: a=1 and filter[b]=2. */
const searchOf = (query: object = {}): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([key, value]): [string, string | string[]][] => {
      if (value === undefined) return []
      if (Array.isArray(value)) return [[key, value.map(String)]]
      if (typeof value !== 'object') return [[key, String(value)]]
      return Object.entries(value).map(([name, each]) => [`${key}[${name}]`, String(each)])
    }),
  )

/** Somebody who makes calls by their contracts. */
export class Caller {
  /** How often they read something. */
  reads = 0
  constructor(readonly browser: Browser) {}

  send(contract: AnyContract, { params, query, body }: Input = {}, handler: RouteHandler = handlerOf(contract)) {
    return this.browser.send(handler, contract.method, {
      ...(params ? { params } : {}),
      query: searchOf(query),
      body,
    })
  }

  /** Makes a call that must be answered; returns the answer. */
  async call<C extends AnyContract>(
    contract: C,
    ...[input]: keyof CallInput<C> extends never ? [] : [CallInput<C>]
  ): Promise<CallOutput<C>> {
    const { status, body }: Answered = await this.send(contract, input as Input)
    if (status !== 200) throw new Error(`${contract.name} answers ${status} ${JSON.stringify(body)}`)
    if (contract.method === 'GET') this.reads++
    return body as CallOutput<C>
  }

  /** What a verb returns that no call reaches, such as a page's. */
  async verb<T>(verb: (ctx: Ctx) => Promise<T>): Promise<T> {
    this.reads++
    return verb(await contextOf(this.browser))
  }
}

const known = new Map<string, Browser>()
/**
 * Somebody who may make this call: with the rights of its area and no other. Those of one area are one person, whoever
 * needs an account and no right is a new one each time.
 */
export async function callerFor({ access }: Pick<Contract, 'access'>): Promise<Caller> {
  if (access === 'public') return new Caller(new Browser())
  if (access === 'user') return new Caller((await signedInWith()).browser)
  const area = 'areas' in access ? access.areas[0] : 'area' in access ? access.area : undefined
  const methods = 'method' in access ? [access.method] : [`${area}.read`, `${area}.write`]
  const browser = known.get(methods.join()) ?? (await signedInWith(methods)).browser
  known.set(methods.join(), browser)
  return new Caller(browser)
}
