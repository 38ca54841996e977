import { readFile, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const commands = [
  'server',
  'worker',
  'prepare',
  'migrate',
  'admin-create',
  'role-grant',
  'application-create',
  'client-create',
  'client-secret',
  'access-open',
  'secrets-reseal',
]

/**
 * Node parses a package.json again for each module that it loads from the package. Drizzle's has 180 KB, which cost 0.3
 * s and 200 MB of garbage at every start.
 */
const inlined = ['drizzle-orm']

async function externals() {
  const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, object>
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !inlined.includes(name))
  return names.flatMap((name) => [name, `${name}/*`])
}

/** Bundles the commands into dist/, so that production starts them without a TypeScript loader. */
export async function bundle() {
  await rm('dist', { recursive: true, force: true })
  await build({
    entryPoints: Object.fromEntries(commands.map((name) => [name, `bin/${name}.ts`])),
    outdir: 'dist',
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: await externals(),
    alias: { '@': process.cwd() },
    jsx: 'automatic',
    sourcemap: true,
    logLevel: 'warning',
  })
}
