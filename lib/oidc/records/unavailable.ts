import { errors } from 'oidc-provider'
import { failureOf } from '@/lib/kernel/http/failure'
import { log } from '@/lib/kernel/log'

/** 503: the store that an answer needs is away. */
class StoreUnavailable extends errors.OIDCProviderError {
  constructor() {
    super(503, 'temporarily_unavailable')
    this.error_description = 'a store is away; try again in a moment'
    this.expose = true
  }
}

/** Runs what talks to a store: 503 when that is away; everything else stays what it is. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof errors.OIDCProviderError || failureOf(error).status !== 503) throw error
    log.warn({ err: error }, 'the OpenID Provider can not reach a store')
    throw new StoreUnavailable()
  }
}
