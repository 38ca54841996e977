import { type ChildProcess, spawn } from 'node:child_process'
import { sourceFaults } from './sources'
import { vocabularyFaults } from './vocabulary'

/** A part of the check: tools of node_modules that run one after another, or a function that returns what it finds. */
type Part = { name: string; mends?: string } & ({ commands: string[][] } | { faults: () => string[] })
export type Result = { name: string; well: boolean; seconds: number }

/** Generates the types of routes and messages; `next build` generates them too. */
export const generateTypes: Part = { name: 'generated types', commands: [['next', 'typegen']] }
// TypeScript 7 finds the same in a quarter of the time; Next and dependency-cruiser need the API of 6. What it keeps from
// before doesn't notice new texts
export const types: Part = {
  name: 'types',
  commands: [['../typescript-7/bin/tsc', '--noEmit', '--incremental', 'false']],
}
export const style: Part[] = [
  { name: 'generated indexes', commands: [['tsx', 'bin/generate.ts', '--check']] },
  { name: 'file lengths, barrel files', faults: sourceFaults },
  { name: 'vocabulary', faults: vocabularyFaults },
  { name: 'format and lint', commands: [['biome', 'ci', '--colors=off', '.']], mends: 'npm run format' },
  {
    name: 'who imports whom',
    commands: [
      ['depcruise', 'app', 'bin', 'components', 'db', 'lib', 'middleware.ts'],
      ['depcruise', '--config', '.dependency-cruiser.folders.cjs', 'lib'],
    ],
  },
  { name: 'unused code', commands: [['knip', '--no-progress']] },
]

const running = new Set<ChildProcess>()
let interrupted = false

// the type check hears Ctrl+C only when it is through
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interrupted = true
    for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL')
  })

/** Runs a tool of node_modules, in its own process group, until it ends. */
function run([name = '', ...args]: string[]): Promise<{ code: number | null; output: string }> {
  if (interrupted) return Promise.resolve({ code: 1, output: 'interrupted' })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn(`node_modules/.bin/${name}`, args, { env, detached: true })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: 1, output: message }))
    child.once('exit', () => running.delete(child))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Returns what a part finds, or undefined if it finds nothing. */
async function findings(part: Part): Promise<string | undefined> {
  if ('faults' in part) return part.faults().join('\n') || undefined
  for (const command of part.commands) {
    const { code, output } = await run(command)
    if (code !== 0) return output.trim()
  }
  return undefined
}

/** Runs a part and prints what it found. Returns whether it passed and how long it took. */
export async function check(part: Part): Promise<Result> {
  const { name, mends } = part
  const startedAt = Date.now()
  const output = await findings(part)
  const seconds = (Date.now() - startedAt) / 1000
  console.log(
    output === undefined
      ? `✓ ${name} (${seconds.toFixed(1)} s)`
      : `✗ ${name}\n${output}\n${mends ? `Most of it is mended by ${mends}.\n` : ''}`,
  )
  return { name, well: output === undefined, seconds }
}

/** Runs parts one after another; a failure doesn't stop the others. */
export async function checkAll(parts: Part[]): Promise<Result[]> {
  const results: Result[] = []
  for (const part of parts) results.push(await check(part))
  return results
}

export const isWell = (results: readonly Result[]) => results.every(({ well }) => well)
