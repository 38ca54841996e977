import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEmbeddedBeside } from '@/bin/embedded'
import { freePort } from '@/bin/embedded/process'
import { leanServer, leanWorker } from '@/bin/lean'
import { createCrew } from '@/bin/processes'
import { newKeys } from '@/lib/operations/license/format'
import { countryDatabase } from '../factories/country-database'

type Stack = { env: Record<string, string>; stop: () => Promise<void> }

/** The environment in which processes tell which of our files they run (tests/setup/tell-executed.ts). */
const telling = (sockets: string) => ({
  NODE_OPTIONS: `--import=${pathToFileURL('tests/setup/tell-executed.ts')}`,
  TEST_MAP_SOCKETS: sockets,
})

/** Starts the build with the demo data, with its own services and port. */
export async function startStack(): Promise<Stack> {
  const crew = createCrew()
  const sockets = process.env.TEST_MAP ? await mkdtemp(join(tmpdir(), 'platform-ran-')) : undefined
  const embedded = await startEmbeddedBeside({ folder: '.data/e2e', durable: false })
  // with its whole path, because some tests start a server in another folder
  const countries = resolve(`.data/e2e-countries-${randomUUID()}.mmdb`)
  const stop = async () => {
    await crew.stop()
    if (sockets) await rm(sockets, { recursive: true, force: true })
    await embedded.stop()
    await rm(countries, { force: true })
  }
  try {
    const port = await freePort()
    // the platform assigns a country to this machine
    await writeFile(countries, countryDatabase({ '127.0.0.0/8': { country: { iso_code: 'RU' } } }))
    const { privateKey, publicKey } = newKeys()
    const env = {
      ...embedded.env,
      NODE_ENV: 'production',
      PLATFORM_MODE: 'test',
      PUBLIC_URL: `http://localhost:${port}`,
      HOST: '127.0.0.1',
      PORT: String(port),
      PROCESSES: '1',
      LOG_LEVEL: 'error',
      COUNTRY_DATABASE: countries,
      // all tests register from one address
      SETTINGS: JSON.stringify({ registrationsPerIp: 1000 }),
      LICENSE_PUBLIC_KEY: publicKey,
      // for the tests, which issue licenses
      TEST_LICENSE_KEY: privateKey,
      ...(sockets ? telling(sockets) : {}),
    }
    await crew.run({ name: 'loading the demo data', args: ['dist/prepare.js'], env })
    const failed = (error: Error) => console.error(error.message)
    // what tells which files it runs needs more than its limits allow
    const [worker, server] = sockets ? [['dist/worker.js'], ['dist/server.js']] : [leanWorker, leanServer]
    await crew.keep({ name: 'the worker', args: worker, env }, failed)
    await crew.keep({ name: 'the server', args: server, env }, failed)
    return { env, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
