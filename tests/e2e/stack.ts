import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { startEmbeddedBeside } from '@/bin/embedded'
import { freePort } from '@/bin/embedded/process'
import { leanServer, leanWorker } from '@/bin/lean'
import { createCrew } from '@/bin/processes'
import { newKeys } from '@/lib/operations/license/format'
import { countryDatabase } from '../factories/country-database'

type Stack = { env: Record<string, string>; stop: () => Promise<void> }

/** Starts the build with the demo data, with its own services and port. */
export async function startStack(): Promise<Stack> {
  const crew = createCrew()
  const embedded = await startEmbeddedBeside({ folder: '.data/e2e', durable: false })
  // with its whole path, because some tests start a server in another folder
  const countries = resolve(`.data/e2e-countries-${randomUUID()}.mmdb`)
  const stop = async () => {
    await crew.stop()
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
    }
    await crew.run({ name: 'loading the demo data', args: ['dist/prepare.js'], env })
    const failed = (error: Error) => console.error(error.message)
    await crew.keep({ name: 'the worker', args: leanWorker, env }, failed)
    await crew.keep({ name: 'the server', args: leanServer, env }, failed)
    return { env, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
