import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AlreadyRunning, type Lock, lockFolder } from './embedded/lock'
import { startPostgres } from './embedded/postgres'
import { startRedis } from './embedded/redis'
import { readOrMakeSecrets } from './embedded/secrets'

export type Embedded = {
  /**
   * The environment with which child processes find the services: DATABASE_URL, DATABASE_OWNER_URL, REDIS_URL,
   * SECRET_KEYS.
   */
  env: { DATABASE_URL: string; DATABASE_OWNER_URL: string; REDIS_URL: string; SECRET_KEYS: string }
  /** Notes for the person who starts the services. */
  notes: string[]
  /** Sets the description that the next process sees when it tries to use the folder. */
  say: Lock['say']
  /** Stops the started services, Redis before PostgreSQL. */
  stop(): Promise<void>
}

type Options = {
  folder: string
  /** false makes the services faster, and empty at each start. */
  durable: boolean
  /** Services that this names are used and not started. */
  given?: Record<string, string | undefined>
}

/**
 * Starts the services that the environment doesn't name, with their data in the folder. Recovers data after an unclean
 * stop. Throws AlreadyRunning if another process uses the folder.
 */
export async function startEmbedded({ folder, durable, given = {} }: Options): Promise<Embedded> {
  const home = resolve(folder)
  await mkdir(home, { recursive: true })
  const lock = await lockFolder(home)
  const stops: (() => Promise<void>)[] = [() => lock.release()]
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const secrets = await readOrMakeSecrets(home)
    const notes: string[] = []
    const env = {
      DATABASE_URL: given.DATABASE_URL ?? '',
      DATABASE_OWNER_URL: given.DATABASE_OWNER_URL || given.DATABASE_URL || '',
      REDIS_URL: given.REDIS_URL ?? '',
      SECRET_KEYS: given.SECRET_KEYS || secrets.secretKeys,
    }
    if (!env.DATABASE_URL) {
      const postgres = await startPostgres({ folder: home, secrets, durable })
      stops.push(postgres.stop)
      notes.push(...postgres.notes)
      env.DATABASE_URL = postgres.appUrl
      env.DATABASE_OWNER_URL = postgres.ownerUrl
    }
    if (!env.REDIS_URL) {
      const redis = await startRedis({ folder: home, secrets, durable })
      stops.push(redis.stop)
      notes.push(...redis.notes)
      env.REDIS_URL = redis.url
    }
    return { env, notes, say: lock.say, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The same with the first folder that isn't in use, of `<folder>`, `<folder>-2` and so on, for parallel runs. */
export async function startEmbeddedBeside(options: Options): Promise<Embedded> {
  for (let number = 1; ; number++) {
    try {
      return await startEmbedded({ ...options, folder: number === 1 ? options.folder : `${options.folder}-${number}` })
    } catch (error) {
      if (!(error instanceof AlreadyRunning) || number === 20) throw error
    }
  }
}
