import pg from 'pg'
import { patiently } from '../patience'

/** PostgreSQL said nothing for longer than it may: 503 for whoever asked. */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent'
  readonly code = 'ETIMEDOUT'
}

export type Patience = {
  /** Milliseconds in which a connection must stand. */
  connect: number
  /** Milliseconds that it may be silent while it owes an answer. */
  silence: number
  /** What then happens; without it the connection is given up. `silent` counts how often in a row. */
  onSilence?: (client: PatientClient, silent: number) => void
  /** Called for each answer. */
  onAnswer?: () => void
}

export type PatientConfig = Omit<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> & { patience: Patience }

type Wire = { on(event: string, listener: () => void): void; stream: { destroy(error: Error): void } }

/**
 * A connection that doesn't wait for ever, by the clock of this process's own leisure: pg's timers count what the
 * process itself was busy for. A connection that is given up is destroyed with all it owes, so that nobody reads
 * an answer which was meant for somebody else.
 */
export class PatientClient extends pg.Client {
  private readonly patience: Patience
  private silent = 0
  private ended = false
  private stop: (() => void) | undefined

  constructor(config: PatientConfig) {
    super(config)
    this.patience = config.patience
    this.on('end', () => {
      this.ended = true
      this.rest()
    })
    this.on('drain', () => this.rest())
    // here and not as a method: pg's has a dozen signatures, which all come to the same
    this.query = ((...given: unknown[]) => {
      const result = (pg.Client.prototype.query as (...all: unknown[]) => unknown).apply(this, given)
      this.wait()
      return result
    }) as pg.Client['query']
  }

  private get wire() {
    return (this as unknown as { connection: Wire }).connection
  }

  /** Ends the connection at once; what it owes fails. */
  giveUp(error: Error = new DatabaseSilent('PostgreSQL does not answer')) {
    this.rest()
    this.wire.stream.destroy(error)
  }

  private rest() {
    this.stop?.()
    this.stop = undefined
  }

  private wait() {
    // what is asked of a connection that has ended fails at once, and nothing more ends the wait
    if (this.ended) return
    this.stop ??= patiently(this.patience.silence, () => {
      this.stop = undefined
      this.silent++
      const { onSilence } = this.patience
      if (!onSilence) return this.giveUp()
      this.wait()
      onSilence(this, this.silent)
    })
  }

  override connect(callback?: unknown): Promise<this> {
    const connected = patiently(this.patience.connect, () => this.giveUp())
    this.once('connect', connected)
    this.once('end', connected)
    this.wire.on('readyForQuery', () => {
      this.silent = 0
      this.patience.onAnswer?.()
      if (!this.stop) return
      this.rest()
      // the next query has its own time; if there is none, `drain` follows
      this.wait()
    })
    return (super.connect as (callback?: unknown) => Promise<this>)(callback)
  }
}
