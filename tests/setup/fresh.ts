import { afterAll, beforeAll, expect, vi } from 'vitest'
import { watchExecuted } from './executed'
import { kindOf, pieceOf } from './piece'
import { takeTurn, tellRun } from './turn'

/** A full run notes which files each test file runs, for `npm run test:changed`. */
const watched = globalThis as typeof globalThis & { executed?: ReturnType<typeof watchExecuted> }
if (process.env.TEST_MAP) watched.executed ??= watchExecuted()
const executed = await watched.executed

const shared = globalThis as typeof globalThis & { environmentAtStart?: NodeJS.ProcessEnv; endTurn?: () => void }

// the hook below isn't called for a file whose tests are all left out
shared.endTurn?.()
const piece = pieceOf(expect.getState().testPath ?? '')
shared.endTurn = await takeTurn(kindOf(piece), piece)
// what runs while files are loaded would be everything that they import
if (executed) beforeAll(async () => void (await executed()))
afterAll(async () => {
  if (executed) tellRun({ ran: (await executed()).map(({ path }) => path), by: piece })
  shared.endTurn?.()
})

if (!shared.environmentAtStart)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      // a signal alone ends the process without this event, by which services that a test has started are stopped
      process.emit('exit', 130)
      process.kill(process.pid, 'SIGKILL')
    })

/**
 * Test files share a few processes, which load each package once. Before each file this renews what files could leave to
 * each other: our own modules with their state, the environment, the clock and globals.
 */
shared.environmentAtStart ??= { ...process.env }
for (const name of Object.keys(process.env)) if (!(name in shared.environmentAtStart)) delete process.env[name]
Object.assign(process.env, shared.environmentAtStart)
vi.useRealTimers()
vi.unstubAllGlobals()
vi.restoreAllMocks()
vi.resetModules()
