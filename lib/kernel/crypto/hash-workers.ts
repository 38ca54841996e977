import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import { env } from '../env'
import { createGate } from '../gate'

type Order = { password: string; stored: string } | { password: string; cost: Options }
type Answer = { result: string | boolean } | { error: string }

/**
 * What a thread runs, as text: so it is found however this file is bundled. It steps back behind the threads that
 * answer requests, so that pages stay quick while passwords are hashed; elsewhere than on Linux it can't.
 */
const source = `
const { createRequire } = require('node:module')
const { readlinkSync } = require('node:fs')
const { setPriority } = require('node:os')
const { parentPort, workerData } = require('node:worker_threads')
const { hashSync, verifySync } = createRequire(workerData.from)('@node-rs/argon2')
try {
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), 10)
} catch {}
parentPort.on('message', ({ password, stored, cost }) => {
  try {
    parentPort.postMessage({ result: cost ? hashSync(password, cost) : verifySync(stored, password) })
  } catch (error) {
    parentPort.postMessage({ error: String(error) })
  }
})`

function startWorker() {
  const worker = new Worker(source, { eval: true, workerData: { from: `${process.cwd()}/package.json` } })
  // it doesn't keep a process that has nothing else to do
  worker.unref()
  let dead = false
  worker.once('exit', () => {
    dead = true
  })
  return {
    isDead: () => dead,
    /** One order at a time. Throws when the thread fails. */
    run: (order: Order) =>
      new Promise<string | boolean>((resolve, reject) => {
        const ended = () => settle(() => reject(new Error('a hash thread ended')))
        const failed = (error: Error) => settle(() => reject(error))
        const answered = (answer: Answer) =>
          settle(() => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer.result)))
        const settle = (how: () => void) => {
          worker.off('message', answered).off('error', failed).off('exit', ended)
          how()
        }
        worker.on('message', answered).on('error', failed).on('exit', ended)
        worker.postMessage(order)
      }),
  }
}

/**
 * As many threads as this process has cores: more would not be done sooner, only crowd everything else off them.
 * So many orders may wait as are done in some five seconds.
 */
function createHashWorkers() {
  const cores = availableParallelism()
  const gate = createGate(() => Math.max(1, Math.floor(cores / env().PROCESSES)), 500)
  const idle: ReturnType<typeof startWorker>[] = []
  return (order: Order) =>
    gate(async () => {
      let worker = idle.pop()
      while (worker?.isDead()) worker = idle.pop()
      worker ??= startWorker()
      try {
        return await worker.run(order)
      } finally {
        if (!worker.isDead()) idle.push(worker)
      }
    })
}

// one set a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformHashWorkers?: ReturnType<typeof createHashWorkers> }

/** Hashes or verifies on a thread of its own. Throws 503 when too many wait, and what argon2 throws. */
export function runHash(order: Order): Promise<string | boolean> {
  shared.platformHashWorkers ??= createHashWorkers()
  return shared.platformHashWorkers(order)
}
