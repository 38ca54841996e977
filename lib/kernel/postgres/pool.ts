import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { log } from '../log'
import { patiently } from '../patience'
import { DatabaseSilent, type Patience, PatientClient } from './client'
import { askDatabase } from './probe'

/**
 * Milliseconds: a connection may owe an answer for `silence` before PostgreSQL is asked over another one, which must
 * answer within `probe`; both together are less than the two seconds that a request may wait for a database that hangs.
 */
const silence = 900
const probe = 700
/**
 * Milliseconds for a connection to stand; to become free, which takes long while a slow disk or lock keeps the others
 * busy; between looks whether a database is back.
 */
const [connecting, queueing, pauseBetween] = [1_500, 5_000, 200]
/** So many may wait for a connection. */
const queueLimit = 1_000

type Options = Omit<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout' | 'Client' | 'connectionString'> & {
  connectionString: string
  max: number
  /** Milliseconds for one statement; none: as long as it takes. */
  statement_timeout?: number
  /** Called by whoever asks for a connection, before anything else; what it throws is the answer. */
  beforeTaking?: () => void
}
type Waiter = { go: () => void; fail: (error: Error) => void }
type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

const silent = () => new DatabaseSilent('PostgreSQL does not answer')

/**
 * A pool that tells a database which hangs from one that is slow. Nobody's query is cut short because it takes long:
 * only when a connection is silent, no other one hears anything, and a fresh one gets no answer either, is the
 * database away. Then every connection is given up, whoever asks is refused at once, and it is looked for until it
 * answers.
 */
export class PatientPool extends pg.Pool {
  private readonly clients = new Set<PatientClient>()
  private readonly waiting: Waiter[] = []
  private readonly address: string
  private readonly width: number
  private readonly beforeTaking: (() => void) | undefined
  private held = 0
  private answers = 0
  private away = false
  private asking = false
  private closed = false

  constructor(options: Options) {
    const { statement_timeout: limit } = options
    const patience: Patience = {
      connect: connecting,
      silence,
      onAnswer: () => {
        this.answers++
      },
      onSilence: (client, times) => {
        // the server itself would have ended it: this one connection is dead
        if (limit && times * silence > limit + 2_000) client.giveUp()
        else void this.suspect()
      },
    }
    super({ ...options, Client: PatientClient, patience } as object as pg.PoolConfig)
    this.address = options.connectionString
    this.width = options.max
    this.beforeTaking = options.beforeTaking
    this.on('connect', (client) => this.clients.add(client as unknown as PatientClient))
    this.on('remove', (client) => this.clients.delete(client as unknown as PatientClient))
    const lost = (error: Error) => log.warn({ err: error }, 'a database connection is lost')
    this.on('error', lost)
    this.on('connect', (client) => client.on('error', () => {}))
  }

  /** Gives a connection; throws when none becomes free in time, or the database is away. */
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const client = this.take()
    if (!callback) return client
    client.then(
      (given) => callback(undefined, given, given.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  private async take(): Promise<pg.PoolClient> {
    this.beforeTaking?.()
    if (this.away) throw silent()
    if (this.held >= this.width) await this.queue()
    else this.held++
    const before = this.answers
    try {
      return this.hold(await super.connect())
    } catch (error) {
      this.leave()
      // a new connection that gets no answer is as good a question as any
      if (error instanceof DatabaseSilent && this.answers === before) this.callAway()
      throw error
    }
  }

  private queue(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= queueLimit) return reject(new DatabaseSilent('too many wait for a connection'))
      const waiter: Waiter = {
        go() {
          done()
          resolve()
        },
        fail(error) {
          done()
          reject(error)
        },
      }
      const done = patiently(queueing, () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1)
        reject(new DatabaseSilent('no connection became free in time'))
      })
      this.waiting.push(waiter)
    })
  }

  /** Whoever leaves hands its place over, so that nobody slips in between. */
  private leave() {
    const next = this.waiting.shift()
    if (next) next.go()
    else this.held--
  }

  /** A connection that dies while it is out comes back by itself: not everybody who took one still can. */
  private hold(client: pg.PoolClient): pg.PoolClient {
    const { release } = client
    let out = true
    const back = (error?: Error | boolean) => {
      if (!out) return
      out = false
      client.off('error', back)
      release.call(client, error)
      this.leave()
    }
    client.once('error', back)
    client.release = back
    return client
  }

  private async suspect() {
    if (this.asking || this.away || this.closed) return
    this.asking = true
    const before = this.answers
    try {
      await askDatabase(this.address, probe)
    } catch {
      // one that others hear is only slow
      if (this.answers === before) this.callAway()
    } finally {
      this.asking = false
    }
  }

  private callAway() {
    if (this.away || this.closed) return
    this.away = true
    log.warn('the database does not answer')
    for (const waiter of this.waiting.splice(0)) waiter.fail(silent())
    for (const client of this.clients) client.giveUp()
    void this.lookForIt()
  }

  private async lookForIt() {
    while (!this.closed) {
      try {
        await askDatabase(this.address, probe)
        break
      } catch {
        await pause(pauseBetween, undefined, { ref: false })
      }
    }
    this.away = false
    log.info('the database answers again')
  }

  override end(callback?: () => void): Promise<void> {
    this.closed = true
    for (const waiter of this.waiting.splice(0)) waiter.fail(new DatabaseSilent('the pool is closed'))
    return (super.end as (callback?: () => void) => Promise<void>)(callback)
  }
}
