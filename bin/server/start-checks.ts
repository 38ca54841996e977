import { tablesWithoutVersions } from '@/db/migrate/versions'
import { lacksVisits } from '@/db/migrate/visits'
import journal from '@/db/migrations/meta/_journal.json'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { countryFault } from '@/lib/base/limits/country'
import { TimeoutClient } from '@/lib/base/postgres/client'
import { redisReady } from '@/lib/base/redis/redis'
import { ConfigurationError, type Env } from '@/lib/base/runtime/env'
import { errorText } from '@/lib/base/runtime/error-record'
import { givenSettings } from '@/lib/site/settings/given'
import { missingKeys } from '../secrets/registry'
import { StartFault } from '../start-fault'

const place = (address: string) => {
  const { host, pathname } = new URL(address)
  return `${host}${pathname === '/' ? '' : pathname}`
}
const reason = (error: unknown) => {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || 'no answer').split('\n')[0]
}

async function databaseFault(url: string): Promise<string | undefined> {
  const client = new TimeoutClient({ connectionString: url, timeouts: { connect: 5_000, silence: 5_000 } })
  client.on('error', () => {})
  try {
    await client.connect()
    const newest = Math.max(...journal.entries.map(({ when }) => when))
    const done = await client
      .query('select 1 from drizzle.__drizzle_migrations where created_at >= $1 limit 1', [newest])
      .then(
        async ({ rowCount }) =>
          rowCount === 1 && (await tablesWithoutVersions(client)).length === 0 && !(await lacksVisits(client)),
      )
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

/**
 * Checks what a command needs before its work: a database that answers and is migrated, and its keys. Throws
 * StartFault.
 */
export async function checkDatabase({ DATABASE_URL }: Env): Promise<void> {
  const fault = await databaseFault(DATABASE_URL)
  if (fault) throw new StartFault(fault)
  await checkKeys()
}

/**
 * Checks what a process needs before it takes work: services that answer, files that can be read, and the keys of stored data. Throws
 * StartFault that names everything that is missing, and ConfigurationError for faults of the settings that it gives.
 */
export async function checkServices(config: Env): Promise<void> {
  givenSettings()
  const faults = await Promise.all([
    databaseFault(config.DATABASE_URL),
    redisFault(config.REDIS_URL),
    countryFault(config.COUNTRY_DATABASE),
  ])
  const named = faults.filter((fault) => fault !== undefined)
  if (named.length > 0) throw new StartFault(named.join('\n'))
  await checkKeys()
}

/** Checks that each key that stored data needs is present, and reads the stored keys. Throws StartFault. */
async function checkKeys(): Promise<void> {
  const missing = await missingKeys()
  if (missing.length > 0) throw new StartFault(missing.join('\n'))
  await loadPermanentKeys()
}

/** Prints why a process couldn't start, one line for a StartFault, and exits. */
export function failStart(error: unknown): never {
  const isExpected = error instanceof StartFault || error instanceof ConfigurationError
  process.stderr.write(`${isExpected ? error.message : errorText(error)}\n`)
  process.exit(1)
}
