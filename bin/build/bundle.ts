import { readFile, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const commands = ['server', 'worker', 'markup-thread', 'prepare', 'migrate', 'platform']

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

/**
 * Bundles modules of the platform so that Node runs them without a TypeScript loader. `entryPoints` are paths of this
 * project; each bundle has its path below `outdir`, without `bin/` if `outbase` is `bin`.
 */
export async function bundleModules(entryPoints: string[], outdir: string, outbase = '.') {
  await build({
    entryPoints,
    outdir,
    outbase,
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

/** The files of the commands and of the thread that production starts. */
export const commandFiles = commands.map((name) => `bin/${name}.ts`)

/** Bundles the commands into dist/. */
export async function bundle() {
  await rm('dist', { recursive: true, force: true })
  await bundleModules(commandFiles, 'dist', 'bin')
}
