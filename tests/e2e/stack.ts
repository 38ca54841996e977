import { startEmbeddedBeside } from '@/bin/embedded'
import { freePort } from '@/bin/embedded/process'
import { createCrew } from '@/bin/processes'

type Stack = { env: Record<string, string>; stop: () => Promise<void> }

/** What was built, with the demo data, on services and a port of its own. */
export async function startStack(): Promise<Stack> {
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
    await crew.run({ name: 'loading the demo data', args: ['dist/prepare.js'], env })
    const failed = (error: Error) => console.error(error.message)
    await crew.keep({ name: 'the worker', args: ['dist/worker.js'], env }, failed)
    await crew.keep({ name: 'the server', args: ['dist/server.js'], env }, failed)
    return { env, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
