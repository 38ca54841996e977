import type { RouteHandler } from '@/lib/base/http/route'
import { type Answered, Browser } from './browser'
import { type AnyContract, Caller, type Input, searchOf } from './caller'
import { handlerOf } from './routes'
import { callAs } from './service-accounts'

/** A program that makes calls by their contracts, with a token. */
export class Program extends Caller {
  constructor(readonly token: string) {
    super(new Browser('localhost:3000', undefined, 'warehouse-sync/1.0'))
  }

  override send(
    contract: AnyContract,
    { params, query, body }: Input = {},
    handler: RouteHandler = handlerOf(contract),
  ): Promise<Answered> {
    const sent = { ...(params ? { params } : {}), query: searchOf(query), body }
    return callAs(this.token, handler, contract, { ...sent, browser: this.browser })
  }
}
