import { createRequire } from 'node:module'
import { Redis, type RedisOptions } from 'ioredis'
import { noteStoreRead } from '../runtime/derivation'
import { env } from '../runtime/env'
import { log } from '../runtime/log'
import { setResponsiveTimeout } from '../runtime/timeouts'

type Command = Parameters<Redis['sendCommand']>[0]
type Stream = Parameters<Redis['sendCommand']>[1]

// one client for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformRedis?: Redis }

const options: RedisOptions = {
  connectTimeout: 2_000,
  // a command fails at once while Redis is away: callers handle that, and must not wait
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // a command that may have run must not run again: counters would count twice
  autoResendUnfulfilledCommands: false,
  retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2_000),
}

/** Milliseconds after which an answer counts as missing. */
const answerTimeout = 250

/**
 * Rejects a command without an answer in time. The timer of ioredis is not used: it counts time in which this process
 * was busy, and fires before answers that have already arrived.
 */
function limitAnswerTime(command: Command) {
  const cancelTimeout = setResponsiveTimeout(answerTimeout, () => {
    if (!command.isResolved) command.reject(new Error(timeoutMessage))
  })
  command.promise.then(cancelTimeout, cancelTimeout)
}
const timeoutMessage = 'Command timed out'

/**
 * A client that drops its connection when a command and then a PING both time out: Redis is too slow then. Later
 * commands fail at once until the server answers promptly again.
 */
class TimeoutRedis extends Redis {
  private probing = false

  override sendCommand(command: Command, stream?: Stream): unknown {
    const sent = super.sendCommand(command, stream)
    limitAnswerTime(command)
    command.promise.catch((error: Error) => {
      if (error.message === timeoutMessage && !this.probing) void this.probe()
    })
    return sent
  }

  private async probe() {
    this.probing = true
    await this.ping().catch(() => {
      if (this.status === 'ready') this.disconnect(true)
    })
    this.probing = false
  }
}

function logAvailability(client: Redis) {
  let isAway = false
  const onLost = (error?: Error) => {
    if (!isAway && shared.platformRedis === client) log.warn({ err: error }, 'redis is away')
    isAway = true
  }
  client.on('error', onLost)
  client.on('close', onLost)
  client.on('ready', () => {
    if (isAway) log.info('redis is back')
    isAway = false
  })
  return client
}

function connect(): Redis {
  const { REDIS_URL } = env()
  if (REDIS_URL !== 'mock:') return logAvailability(new TimeoutRedis(REDIS_URL, options))
  // resolved from the working directory, so that no bundler includes this development dependency
  const { default: RedisMock } = createRequire(`${process.cwd()}/package.json`)('ioredis-mock') as {
    default: typeof Redis
  }
  return new RedisMock()
}

/** Returns the Redis client of the process. Commands reject within a quarter of a second while Redis is away. */
export function redis(): Redis {
  noteStoreRead()
  shared.platformRedis ??= connect()
  return shared.platformRedis
}

/** Waits for the first connection when a process starts. Throws when there is none in time. */
export async function redisReady(timeout = 5_000): Promise<void> {
  const client = redis()
  if (client.status === 'ready') return
  let reason = 'no answer'
  const remember = (error: Error) => {
    reason = error.message || (error as NodeJS.ErrnoException).code || reason
  }
  client.on('error', remember)
  try {
    await new Promise<void>((resolve, reject) => {
      const cancelTimeout = setResponsiveTimeout(timeout, () => reject(new Error(reason)))
      client.once('ready', () => {
        cancelTimeout()
        resolve()
      })
    })
  } finally {
    client.off('error', remember)
  }
}

/** Returns whether Redis answers now. Never throws. */
export async function redisHealthy(): Promise<boolean> {
  try {
    return (await redis().ping()) === 'PONG'
  } catch {
    return false
  }
}

/** Closes the connection, before the process exits. */
export async function closeRedis(): Promise<void> {
  const client = shared.platformRedis
  shared.platformRedis = undefined
  if (!client) return
  await client.quit().catch(() => client.disconnect())
}
