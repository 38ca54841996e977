import pg from 'pg'
import { setResponsiveTimeout } from '../runtime/timeouts'
import { destroySocket, onReadyForQuery } from './pg-internals'
import { tracedQuery } from './statement-span'

/** Thrown when PostgreSQL does not answer in time; answered as 503. */
export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  readonly code = 'ETIMEDOUT'
}

export type Timeouts = {
  /** Milliseconds for connecting. */
  connect: number
  /** Milliseconds without an answer to a query. */
  silence: number
  /**
   * Called after this timeout; by default the connection is destroyed. `silent` counts the timeouts in a row.
   */
  onSilence?: (client: TimeoutClient, silent: number) => void
  /** Called for each answer. */
  onAnswer?: () => void
}

export type TimeoutConfig = Omit<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> & { timeouts: Timeouts }

/**
 * A connection with timeouts that ignore time in which this process was busy, unlike those of pg. After a timeout the
 * connection is destroyed with its unanswered queries, so that no query gets the answer of another one.
 */
export class TimeoutClient extends pg.Client {
  private readonly timeouts: Timeouts
  private silent = 0
  private ended = false
  private stop: (() => void) | undefined

  constructor(config: TimeoutConfig) {
    super(config)
    this.timeouts = config.timeouts
    this.on('end', () => {
      this.ended = true
      this.rest()
    })
    this.on('drain', () => this.rest())
    // set here and not as a method, because pg declares a dozen signatures
    this.query = ((...args: unknown[]) => {
      const result = tracedQuery(args, (...queryArgs) =>
        (pg.Client.prototype.query as (...parameters: unknown[]) => unknown).apply(this, queryArgs),
      )
      this.wait()
      return result
    }) as pg.Client['query']
  }

  /** Destroys the connection; its unanswered queries fail. */
  giveUp(error: Error = new DatabaseTimeout('PostgreSQL does not answer')) {
    this.rest()
    destroySocket(this, error)
  }

  private rest() {
    this.stop?.()
    this.stop = undefined
  }

  private wait() {
    // queries on a closed connection fail at once, and no event would cancel the timeout
    if (this.ended) return
    this.stop ??= setResponsiveTimeout(this.timeouts.silence, () => {
      this.stop = undefined
      this.silent++
      const { onSilence } = this.timeouts
      if (!onSilence) return this.giveUp()
      this.wait()
      onSilence(this, this.silent)
    })
  }

  override connect(callback?: unknown): Promise<this> {
    const cancelTimeout = setResponsiveTimeout(this.timeouts.connect, () => this.giveUp())
    this.once('connect', cancelTimeout)
    this.once('end', cancelTimeout)
    onReadyForQuery(this, () => {
      this.silent = 0
      this.timeouts.onAnswer?.()
      if (!this.stop) return
      this.rest()
      // the next query gets a timeout of its own; if there is none, `drain` follows and cancels it
      this.wait()
    })
    return (super.connect as (callback?: unknown) => Promise<this>)(callback)
  }
}
