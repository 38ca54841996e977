import { startEmbeddedBeside } from '@/bin/embedded'
import { freePort } from '@/bin/embedded/process'
import { createCrew } from '@/bin/processes'

/**
 * Starts what was built, with the demo data, on services and a port of its own. The tests find it, and may read
 * its database, by the environment that is set here.
 */
export default async function setup() {
  const crew = createCrew()
  const embedded = await startEmbeddedBeside({ folder: '.data/e2e', durable: false })
  const stop = async () => {
    await crew.stop()
    await embedded.stop()
  }
  try {
    const port = await freePort()
    const env = {
      ...embedded.env,
      NODE_ENV: 'production',
      PLATFORM_MODE: 'test',
      PUBLIC_URL: `http://localhost:${port}`,
      HOST: '127.0.0.1',
      PORT: String(port),
      PROCESSES: '1',
      LOG_LEVEL: 'error',
    }
    Object.assign(process.env, env)
    await crew.run({ name: 'the build', args: ['--import', 'tsx', 'bin/build.ts', '--if-needed'], env })
    await crew.run({ name: 'loading the demo data', args: ['dist/prepare.js'], env })
    const failed = (error: Error) => console.error(error.message)
    await crew.keep({ name: 'the worker', args: ['dist/worker.js'], env }, failed)
    await crew.keep({ name: 'the server', args: ['dist/server.js'], env }, failed)
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
