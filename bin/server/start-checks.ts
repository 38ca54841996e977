import pg from 'pg'
import journal from '@/db/migrations/meta/_journal.json'
import { ConfigurationError, type Env } from '@/lib/kernel/env'
import { redisReady } from '@/lib/kernel/redis'

/** A fault that the operator can mend: its message is the one line to print. */
export class StartFault extends Error {
  override name = 'StartFault'
}

const place = (address: string) => {
  const { host, pathname } = new URL(address)
  return `${host}${pathname === '/' ? '' : pathname}`
}
const reason = (error: unknown) => {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || 'no answer').split('\n')[0]
}

async function databaseFault(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const newest = Math.max(...journal.entries.map(({ when }) => when))
    const done = await client
      .query('select 1 from drizzle.__drizzle_migrations where created_at >= $1 limit 1', [newest])
      .then(({ rowCount }) => rowCount === 1)
      .catch((error: { code?: string }) => {
        if (error.code === '42P01' || error.code === '3F000') return false
        throw error
      })
    return done ? undefined : `PostgreSQL at ${place(url)} is not migrated: run npm run migrate first`
  } catch (error) {
    return `PostgreSQL does not answer at ${place(url)} (DATABASE_URL): ${reason(error)}`
  } finally {
    client.end().catch(() => {})
  }
}

async function redisFault(url: string): Promise<string | undefined> {
  try {
    await redisReady()
  } catch (error) {
    return `Redis does not answer at ${place(url)} (REDIS_URL): ${reason(error)}`
  }
}

/** What a process needs before it takes work. Throws StartFault naming everything that is missing. */
export async function checkServices(config: Env): Promise<void> {
  const faults = await Promise.all([databaseFault(config.DATABASE_URL), redisFault(config.REDIS_URL)])
  const named = faults.filter((fault) => fault !== undefined)
  if (named.length > 0) throw new StartFault(named.join('\n'))
}

/** Prints what kept a process from starting, a line a fault where it is one, and ends it. */
export function failStart(error: unknown): never {
  const known = error instanceof StartFault || error instanceof ConfigurationError
  process.stderr.write(`${known ? error.message : ((error as Error).stack ?? String(error))}\n`)
  process.exit(1)
}
