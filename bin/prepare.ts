import { and, eq } from 'drizzle-orm'
import { closeDatabase, db } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { domainAliases, domains } from '@/db/schema/platform'
import { seedDemo } from '@/db/seed/demo'
import { placeApplications } from '@/db/seed/demo/own-applications'
import { closeCache } from '@/lib/base/cache/cache'
import { env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { compose } from '@/lib/wiring/compose'
import { captureCrashes } from './last-words'
import { failStart } from './server/start-checks'

/** The message to bin/demo.ts: the first host of each further domain. */
export type Prepared = { hosts: string[] }

/**
 * Migrates the embedded database and loads the demo data if it is empty. `DEMO_APPLICATIONS` has the addresses of its
 * applications.
 */
async function main() {
  compose()
  const { DATABASE_OWNER_URL, DATABASE_URL } = env()
  await migrateDatabase({ ownerUrl: DATABASE_OWNER_URL ?? DATABASE_URL, appUrl: DATABASE_URL, log })
  await seedDemo()
  const { DEMO_APPLICATIONS } = process.env
  if (DEMO_APPLICATIONS) await db().transaction((tx) => placeApplications(tx, JSON.parse(DEMO_APPLICATIONS)))
  const hosts = await db()
    .selectDistinctOn([domainAliases.domainId], { host: domainAliases.host })
    .from(domainAliases)
    .innerJoin(domains, eq(domains.id, domainAliases.domainId))
    .where(and(eq(domains.enabled, true), eq(domains.base, false), eq(domains.type, 'other')))
    .orderBy(domainAliases.domainId, domainAliases.order)
  await closeCache()
  await closeDatabase()
  const prepared: Prepared = { hosts: hosts.map(({ host }) => host) }
  process.send?.(prepared)
  process.disconnect?.()
}

captureCrashes()
main().catch(failStart)
