import { migrateDatabase } from '@/db/migrate'
import { env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { captureCrashes } from './last-words'
import { failStart } from './server/start-checks'
import { StartFault } from './start-fault'

async function main() {
  const { DATABASE_OWNER_URL, DATABASE_URL } = env()
  await migrateDatabase({ ownerUrl: DATABASE_OWNER_URL ?? DATABASE_URL, appUrl: DATABASE_URL, log }).catch(
    (error: Error) => {
      // the message names the database; a stack would add nothing
      throw error.message.startsWith('the database ') ? new StartFault(error.message) : error
    },
  )
}

captureCrashes()
main().catch(failStart)
