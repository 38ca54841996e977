import { afterAll, expect, vi } from 'vitest'
import { kindOf, pieceOf } from './piece'
import { takeTurn } from './turn'

const piece = pieceOf(expect.getState().testPath ?? '')
const endTurn = await takeTurn(kindOf(piece), piece)
afterAll(endTurn)

/**
 * Test files share two processes, which load each package once. Before each file this renews what files could leave to
 * each other: our own modules with their state, the environment, the clock and globals.
 */
const shared = globalThis as typeof globalThis & { environmentAtStart?: NodeJS.ProcessEnv }
shared.environmentAtStart ??= { ...process.env }
for (const name of Object.keys(process.env)) if (!(name in shared.environmentAtStart)) delete process.env[name]
Object.assign(process.env, shared.environmentAtStart)
vi.useRealTimers()
vi.unstubAllGlobals()
vi.restoreAllMocks()
vi.resetModules()
