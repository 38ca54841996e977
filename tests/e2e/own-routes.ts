import { spawn } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Calls that take and return files, at addresses that the server process serves. */
const calls = `
import { z } from 'zod'
import { route } from '@/lib/context/route'
import { contract, Done, Id } from '@/lib/kernel/http/contract'
import { file, fileAnswer } from '@/lib/kernel/http/file'

const odd = { tag: 'files', summary: '' } as const
const max = 8 * 1024 * 1024
const picture = file({ types: ['image/png', 'text/plain'], max })
const state = globalThis as typeof globalThis & { open?: number; made?: number }

export const take = route(
  contract({
    ...odd, name: 'take', method: 'POST', path: '/setting/network-aliases', access: 'public',
    body: z.strictObject({ title: z.string(), picture: picture.optional() }),
    response: z.strictObject({ name: z.string(), size: z.number(), digest: z.string(), open: z.number(), made: z.number() }),
  }),
  async (_, { body: { picture } }) => ({
    name: picture?.name ?? '', size: picture?.size ?? 0, digest: picture?.digest ?? '', open: state.open ?? 0, made: state.made ?? 0,
  }),
)
export const put = route(
  contract({
    ...odd, name: 'put', method: 'PUT', path: '/setting/network-aliases/{id}', access: 'user',
    params: z.strictObject({ id: Id }), body: picture, response: Done,
  }),
  async () => ({}),
)
const row = 'Строка;' + 'x'.repeat(1000) + '\\n'
async function* rows(count: number, failAt: number) {
  state.open = (state.open ?? 0) + 1
  try {
    for (let n = 0; n < count; n++) {
      if (n === failAt) throw new Error('the source is gone')
      state.made = (state.made ?? 0) + 1
      yield row
    }
  } finally {
    state.open -= 1
  }
}
const number = z.coerce.number().int()
export const give = route(
  contract({
    ...odd, name: 'give', method: 'GET', path: '/setting/network-aliases', access: 'public',
    query: z.strictObject({ rows: number, failAt: number.optional() }),
    response: fileAnswer({ types: ['text/csv'] }),
  }),
  async (_, { query }) => ({
    name: 'Список «людей».csv', type: 'text/csv', size: query.rows * Buffer.byteLength(row),
    chunks: rows(query.rows, query.failAt ?? -1),
  }),
)
`

const files: Record<string, string> = {
  'app/layout.tsx':
    'export default function Layout({ children }) {\n  return <html lang="ru"><body>{children}</body></html>\n}\n',
  'app/calls.ts': calls,
  'app/api/v1/platform/setting/network-aliases/route.ts': "export { give as GET, take as POST } from '@/app/calls'\n",
  'app/api/v1/platform/setting/network-aliases/[id]/route.ts': "export { put as PUT } from '@/app/calls'\n",
}

/**
 * Builds the platform with a test's own calls in place of all others. Returns the environment in which the built server
 * runs it.
 */
export async function buildOwnRoutes(folder: string): Promise<Record<string, string>> {
  const root = resolve('.')
  const to = resolve(folder)
  await rm(join(to, 'app'), { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  for (const name of ['lib', 'db', 'messages', 'package.json', 'tsconfig.json', 'assets.d.ts', 'global.d.ts'])
    await cp(name, join(to, name), { recursive: true })
  const rooted = `turbopack: { root: ${JSON.stringify(root)} },\n  outputFileTracingRoot: ${JSON.stringify(root)},\n`
  const config = await readFile('next.config.ts', 'utf8')
  await writeFile(
    join(to, 'next.config.ts'),
    config.replace('  poweredByHeader: false,', `  poweredByHeader: false,\n  ${rooted}`),
  )
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(to, name, '..'), { recursive: true })
    await writeFile(join(to, name), text)
  }
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn(process.execPath, [join(root, 'node_modules/next/dist/bin/next'), 'build'], {
    cwd: to,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((done) => child.once('exit', done))
  if (code !== 0) throw new Error(`next build ended with ${code}`)
  const there = `data:text/javascript,process.chdir(${encodeURIComponent(JSON.stringify(to))})`
  return { NODE_OPTIONS: `--import=${there}`, PROCESSES: '1' }
}
