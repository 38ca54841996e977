import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const files = {
  'app/layout.tsx':
    'import { cookies } from \'next/headers\'\nexport default async function Layout({ children }) {\n  await cookies()\n  return <html lang="ru"><body>{children}</body></html>\n}\n',
  'app/platform/login/page.tsx': 'export default function Page() {\n  return <main><h1>Bare</h1></main>\n}\n',
  // at an address that the server process leaves to Next, and that the middleware doesn't see
  'app/style/bare/route.ts': 'export const GET = () => Response.json({ ok: true })\n',
}

/**
 * Writes the application that the platform is compared with: the same server, middleware and versions, with only a bare
 * dynamic page and a bare route handler. Returns its folder.
 */
export async function layOutBaseline(folder: string): Promise<string> {
  const root = resolve('.')
  await rm(join(folder, 'app'), { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const name of ['lib', 'db', 'middleware.ts', 'package.json', 'tsconfig.json'])
    await cp(name, join(folder, name), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const packages = ['pg', 'ioredis', 'ioredis-mock', 'graphile-worker', 'pino', '@node-rs/argon2', 'nodemailer']
  const config = {
    poweredByHeader: false,
    serverExternalPackages: packages,
    typescript: { ignoreBuildErrors: true },
    turbopack: { root },
    outputFileTracingRoot: root,
  }
  await writeFile(join(folder, 'next.config.mjs'), `export default ${JSON.stringify(config, null, 2)}\n`)
  return folder
}
