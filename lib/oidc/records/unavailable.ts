import { errors } from 'oidc-provider'
import { log } from '@/lib/kernel/log'

/** 503: the store that an answer needs is away. */
class StoreUnavailable extends errors.OIDCProviderError {
  constructor() {
    super(503, 'temporarily_unavailable')
    this.error_description = 'a store is away; try again in a moment'
    this.expose = true
  }
}

/** Runs what talks to a store: its failures become 503, what OAuth has a word for stays. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) throw error
    log.warn({ err: error }, 'the OpenID Provider can not reach a store')
    throw new StoreUnavailable()
  }
}
