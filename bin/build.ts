import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fingerprint, isBuilt, markBuilt } from './build/fingerprint'

/** Leaves out the pages for developers, which demo and tests need. */
const isProduction = process.argv.includes('--production')

function buildPages(): Promise<void> {
  const next = createRequire(join(process.cwd(), 'package.json')).resolve('next/dist/bin/next')
  const pages = { WITHOUT_DEV_PAGES: isProduction ? '1' : '' }
  const env = { ...process.env, ...pages, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn(process.execPath, [next, 'build'], { stdio: 'inherit', env })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`next build ended with ${code}`))))
  })
}

/** Builds the pages and bundles the commands; with --if-needed, only when sources or --production have changed. */
async function main() {
  const from = `${await fingerprint()}${isProduction ? ' production' : ''}`
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
