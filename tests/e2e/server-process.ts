import { type ChildProcess, spawn } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { freePort } from '@/bin/embedded/process'

export type Started = {
  child: ChildProcess
  /** Its output so far. */
  output: () => string
  /** How it ended: the exit code, or the signal. */
  ended: Promise<number | string | null>
}
export type ServerProcess = Started & { address: string; metricsPort: number }

/** Collects the output of a process, which the test otherwise prints. */
export type Printed = { text: string }

async function start(script: string, env: Record<string, string>, printed: Printed | undefined): Promise<Started> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
      if (printed) printed.text += chunk
      else process.stdout.write(chunk)
    })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  )
  const early = await Promise.race([
    new Promise<undefined>((resolve) => child.once('message', () => resolve(undefined))),
    ended,
  ])
  if (early !== undefined) throw new Error(`${script} did not start (${early})${printed ? `: ${printed.text}` : ''}`)
  return { child, output: () => output, ended }
}

/** Starts the built server as in production, on the run's database and Redis, at its own port. */
export async function startServer(env: Record<string, string> = {}, printed?: Printed): Promise<ServerProcess> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) }
  const started = await start('dist/server.js', { ...ports, ...env }, printed)
  return { ...started, address: `http://127.0.0.1:${port}`, metricsPort }
}

/** Starts the built worker. */
export const startWorker = (env: Record<string, string> = {}, printed?: Printed) =>
  start('dist/worker.js', env, printed)

/** At most one address at which other machines reach this one. */
export const outsideAddresses = () =>
  Object.values(networkInterfaces())
    .flatMap((faces) => faces ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
    .slice(0, 1)

/** The status of the metrics at an address; `refused` if nothing answers there. */
export const metricsStatus = (host: string, port: number) =>
  fetch(`http://${host}:${port}/metrics`).then(
    ({ status }) => status,
    () => 'refused',
  )
