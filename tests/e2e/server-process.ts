import { type ChildProcess, spawn } from 'node:child_process'
import { freePort } from '@/bin/embedded/process'

export type ServerProcess = {
  child: ChildProcess
  address: string
  metricsPort: number
  /** How it ended: the exit code, or the signal. */
  ended: Promise<number | string | null>
}

/** Starts the built server as production would, on the database and Redis of the run, at a port of its own. */
export async function startServer(env: Record<string, string> = {}): Promise<ServerProcess> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  if (!port || !metricsPort) throw new Error('no port is free')
  const child = spawn(process.execPath, ['dist/server.js'], {
    env: { ...process.env, PORT: String(port), METRICS_PORT: String(metricsPort), ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  )
  const early = await Promise.race([
    new Promise<undefined>((resolve) => child.once('message', () => resolve(undefined))),
    ended,
  ])
  if (early !== undefined) throw new Error(`the server did not start (${early})`)
  return { child, address: `http://127.0.0.1:${port}`, metricsPort, ended }
}
