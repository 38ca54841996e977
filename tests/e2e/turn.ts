import { test as base, expect } from '@playwright/test'
import { closeDatabase } from '@/db/client'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { closeRedis } from '@/lib/base/redis/redis'
import { compose } from '@/lib/wiring/compose'
import { pieceOf } from '../setup/piece'
import { takeTurn } from '../setup/turn'
import { noteRan } from './ran'
import { type Printed, type ServerProcess, startServer } from './server-process'

export { expect }

/**
 * A test of the servers alone; it opens no browser. Each test waits for its turn in the run that it is part of. Its
 * process can call services and factories on the database of the tested platform.
 */
export const test = base.extend<{ turn: undefined }, { database: undefined; ran: undefined; second: ServerProcess }>({
  ran: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are asked for from the pattern
    async ({}, use) => {
      await use(undefined)
      await noteRan(undefined)
    },
    { auto: true, scope: 'worker' },
  ],

  database: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      // services that tests call record what they do
      compose()
      await loadPermanentKeys()
      await use(undefined)
      await Promise.all([closeDatabase(), closeRedis()])
    },
    { scope: 'worker', auto: true },
  ],

  /** A second server of the platform, besides that of the run: for tests about two of them, or about outages. */
  second: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const printed: Printed = { text: '' }
      const server = await startServer({}, printed)
      await use(server)
      server.child.kill('SIGKILL')
      await server.ended
    },
    { scope: 'worker' },
  ],

  turn: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use, { project, file, titlePath }) => {
      const end = await takeTurn(project.name, `${pieceOf(file)} › ${titlePath.slice(1).join(' › ')}`)
      await noteRan(file)
      await use(undefined)
      end()
    },
    // what it waits for isn't the test's own time
    { auto: true, timeout: 0 },
  ],
})
