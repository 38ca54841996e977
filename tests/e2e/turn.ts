import { test as base, expect } from '@playwright/test'
import { pieceOf } from '../setup/piece'
import { takeTurn } from '../setup/turn'
import { noteRan } from './ran'

export { expect }

/** A test of the servers alone; it opens no browser. Each test waits for its turn in the run that it is part of. */
export const test = base.extend<{ turn: undefined }, { ran: undefined }>({
  ran: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are asked for from the pattern
    async ({}, use) => {
      await use(undefined)
      await noteRan(undefined)
    },
    { auto: true, scope: 'worker' },
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
