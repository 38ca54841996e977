import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { log } from '../runtime/log'
import { setResponsiveTimeout } from '../runtime/timeouts'
import { DatabaseTimeout, TimeoutClient, type Timeouts } from './client'
import { askDatabase } from './probe'

/**
 * Milliseconds: after `silence` without an answer to a query the pool probes PostgreSQL over another connection, which
 * must answer within `probeTimeout`. Their sum is below the two seconds that a request may wait for a database that
 * hangs.
 */
const silence = 900
const probeTimeout = 700
/**
 * Milliseconds: for connecting; for waiting until a connection is free, which takes long while a slow disk or a lock
 * delays the others; between probes whether the database answers again.
 */
const [connectTimeout, queueTimeout, probePause] = [1_500, 5_000, 200]
/** The most requests that wait for a connection. */
const queueLimit = 1_000

type Options = Omit<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout' | 'Client' | 'connectionString'> & {
  connectionString: string
  max: number
  /** Milliseconds for one statement; without it there is no limit. */
  statement_timeout?: number
  /** Called before a connection is requested; the request fails with what it throws. */
  beforeTaking?: () => void
}
type Waiter = { go: () => void; fail: (error: Error) => void }
type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

const noAnswerError = () => new DatabaseTimeout('PostgreSQL does not answer')

/**
 * A pool that distinguishes a database that hangs from a slow one. A query is not cancelled because it takes long. The
 * database only counts as away when one connection gets no answer in time, no other one receives anything, and a new
 * one gets no answer either. Then all connections are destroyed, requests are refused at once, and the pool probes the
 * database until it answers.
 */
export class TimeoutPool extends pg.Pool {
  private readonly clients = new Set<TimeoutClient>()
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
    const timeouts: Timeouts = {
      connect: connectTimeout,
      silence,
      onAnswer: () => {
        this.answers++
      },
      onSilence: (client, times) => {
        // the server would have cancelled the statement itself: this connection is dead
        if (limit && times * silence > limit + 2_000) client.giveUp()
        else void this.suspect()
      },
    }
    super({ ...options, Client: TimeoutClient, timeouts } as object as pg.PoolConfig)
    this.address = options.connectionString
    this.width = options.max
    this.beforeTaking = options.beforeTaking
    this.on('connect', (client) => this.clients.add(client as unknown as TimeoutClient))
    this.on('remove', (client) => this.clients.delete(client as unknown as TimeoutClient))
    const logLoss = (error: Error) => log.warn({ err: error }, 'a database connection is lost')
    this.on('error', logLoss)
    this.on('connect', (client) => client.on('error', () => {}))
  }

  /** Returns a connection. Throws when none becomes free in time, or when the database is away. */
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const client = this.take()
    if (!callback) return client
    client.then(
      (freeClient) => callback(undefined, freeClient, freeClient.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  private async take(): Promise<pg.PoolClient> {
    this.beforeTaking?.()
    if (this.away) throw noAnswerError()
    if (this.held >= this.width) await this.queue()
    else this.held++
    const answersBefore = this.answers
    try {
      return this.watchReturn(await super.connect())
    } catch (error) {
      this.leave()
      // a new connection without an answer proves as much as a probe
      if (error instanceof DatabaseTimeout && this.answers === answersBefore) this.markAway()
      throw error
    }
  }

  private queue(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= queueLimit) return reject(new DatabaseTimeout('too many wait for a connection'))
      const waiter: Waiter = {
        go() {
          cancelTimeout()
          resolve()
        },
        fail(error) {
          cancelTimeout()
          reject(error)
        },
      }
      const cancelTimeout = setResponsiveTimeout(queueTimeout, () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1)
        reject(new DatabaseTimeout('no connection became free in time'))
      })
      this.waiting.push(waiter)
    })
  }

  /** Hands the place to the next waiter, so that no newcomer takes it. */
  private leave() {
    const next = this.waiting.shift()
    if (next) next.go()
    else this.held--
  }

  /**
   * Makes a connection return to the pool by itself when it dies while it is in use, because its user may not be able
   * to return it.
   */
  private watchReturn(client: pg.PoolClient): pg.PoolClient {
    const { release } = client
    let inUse = true
    const returnOnce = (error?: Error | boolean) => {
      if (!inUse) return
      inUse = false
      client.off('error', returnOnce)
      release.call(client, error)
      this.leave()
    }
    client.once('error', returnOnce)
    client.release = returnOnce
    return client
  }

  /** Returns how many connections are in use and how many requests wait for one. */
  load() {
    return { used: this.held, waiting: this.waiting.length, most: this.width, away: this.away }
  }

  private async suspect() {
    if (this.asking || this.away || this.closed) return
    this.asking = true
    const answersBefore = this.answers
    try {
      await askDatabase(this.address, probeTimeout)
    } catch {
      // a database that answers other connections is only slow
      if (this.answers === answersBefore) this.markAway()
    } finally {
      this.asking = false
    }
  }

  private markAway() {
    if (this.away || this.closed) return
    this.away = true
    log.warn('the database does not answer')
    for (const waiter of this.waiting.splice(0)) waiter.fail(noAnswerError())
    for (const client of this.clients) client.giveUp()
    void this.waitUntilBack()
  }

  private async waitUntilBack() {
    while (!this.closed) {
      try {
        await askDatabase(this.address, probeTimeout)
        break
      } catch {
        await pause(probePause, undefined, { ref: false })
      }
    }
    this.away = false
    log.info('the database answers again')
  }

  override end(callback?: () => void): Promise<void> {
    this.closed = true
    for (const waiter of this.waiting.splice(0)) waiter.fail(new DatabaseTimeout('the pool is closed'))
    return (super.end as (callback?: () => void) => Promise<void>)(callback)
  }
}
