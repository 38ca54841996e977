import { spawn } from 'node:child_process'

type Part = { name: string; commands: string[][] }

/** Routes and messages have generated types, which `next build` makes too. */
export const generateTypes: Part = { name: 'generated types', commands: [['next', 'typegen']] }
export const types: Part = { name: 'types', commands: [['tsc', '--noEmit']] }
export const style: Part[] = [
  { name: 'format and lint', commands: [['biome', 'ci', '--colors=off', '.']] },
  {
    name: 'who imports whom',
    commands: [['depcruise', 'app', 'bin', 'components', 'db', 'lib', 'middleware.ts']],
  },
  { name: 'unused code', commands: [['knip', '--no-progress']] },
]

/** Runs a tool of node_modules to its end. */
function run([name = '', ...args]: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(`node_modules/.bin/${name}`, args, { env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: 1, output: message }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Runs a part of the checks, and prints what it found. Returns true if it found nothing. */
export async function check({ name, commands }: Part): Promise<boolean> {
  const startedAt = Date.now()
  for (const command of commands) {
    const { code, output } = await run(command)
    if (code === 0) continue
    console.log(`✗ ${name}\n${output.trim()}\n`)
    return false
  }
  console.log(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
  return true
}

/** Runs all parts one after another, even if one fails. */
export async function checkAll(parts: Part[]): Promise<boolean> {
  let well = true
  for (const part of parts) well = (await check(part)) && well
  return well
}
