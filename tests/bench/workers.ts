import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { workerOptions } from '@/bin/lean'

type Env = Record<string, string>

/** Starts a worker of the built platform as production does. */
export async function startWorker(env: Env): Promise<ChildProcess> {
  const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc']
  const worker = spawn(process.execPath, [...workerOptions, 'dist/worker.js'], {
    env: { ...process.env, ...env },
    stdio,
  })
  await once(worker, 'message')
  return worker
}

/** Ends a worker, and waits until it is gone. */
export async function end(worker: ChildProcess, signal: NodeJS.Signals) {
  worker.kill(signal)
  await once(worker, 'exit')
}

/** Stops the benchmark unless both are equal. */
export const must = (what: string, actual: object, right: object) => {
  if (JSON.stringify(actual) !== JSON.stringify(right))
    throw new Error(`${what}: ${JSON.stringify(actual)} where ${JSON.stringify(right)} is right`)
}
