import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fingerprint, isBuilt, markBuilt } from './build/fingerprint'

function buildPages(): Promise<void> {
  const next = createRequire(join(process.cwd(), 'package.json')).resolve('next/dist/bin/next')
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn(process.execPath, [next, 'build'], { stdio: 'inherit', env })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`next build ended with ${code}`))))
  })
}

/** Builds the pages and bundles the commands; with --if-needed, only when the sources have changed. */
async function main() {
  const from = await fingerprint()
  if (process.argv.includes('--if-needed') && (await isBuilt(from))) return
  await buildPages()
  const { bundle } = await import('./build/bundle')
  await bundle()
  await markBuilt(from)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
