import { errors } from 'oidc-provider'
import { toAppError } from '@/lib/base/http/failure'
import { log } from '@/lib/base/runtime/log'

/** 503: a store that the answer needs can't be reached. */
class StoreUnavailable extends errors.OIDCProviderError {
  constructor() {
    super(503, 'temporarily_unavailable')
    this.error_description = 'a store is away; try again in a moment'
    this.expose = true
  }
}

/**
 * Runs work that uses a store. Throws StoreUnavailable if the store can't be reached; other errors stay as they are.
 */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof errors.OIDCProviderError || toAppError(error).status !== 503) throw error
    log.warn({ err: error }, 'the OpenID Provider can not reach a store')
    throw new StoreUnavailable()
  }
}
