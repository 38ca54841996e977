import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import { createConcurrencyLimit } from '../runtime/concurrency-limit'
import { env } from '../runtime/env'
import { AppError } from '../runtime/errors'
import { log } from '../runtime/log'
import type { HashFormat } from './hash-formats'

type HashTask =
  | { password: string; stored: string; format: HashFormat }
  /** Makes a hash. */
  | { password: string; cost: Options }
type Answer = { result: string | boolean } | { error: string }

/** Thrown when a stored hash can't be read. */
class UnreadableHash extends Error {
  override name = 'UnreadableHash'
}
// compared by name, because another bundle may have its own copy of the class
export const isUnreadableHash = (error: unknown) => error instanceof Error && error.name === 'UnreadableHash'

/**
 * The code of a thread, as text, so that it does not depend on bundling. It lowers its priority below that of the
 * threads that answer requests, so that pages stay quick while passwords are hashed; that works on Linux only.
 */
const source = `
const { createRequire } = require('node:module')
const { pbkdf2Sync, timingSafeEqual } = require('node:crypto')
const { readlinkSync } = require('node:fs')
const { setPriority } = require('node:os')
const { parentPort, workerData } = require('node:worker_threads')
const load = createRequire(workerData.from)
const { hashSync, verifySync } = load('@node-rs/argon2')
const right = (password, stored, format) => {
  if (format.kind === 'argon2id') return verifySync(stored, password)
  // loaded with its first use: few platforms have such hashes
  if (format.kind === 'bcrypt') return load('@node-rs/bcrypt').verifySync(password, stored)
  const { digest, iterations, salt, hash } = format
  return timingSafeEqual(pbkdf2Sync(password, salt, iterations, hash.length, digest), hash)
}
try {
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), 10)
} catch {}
parentPort.on('message', ({ password, stored, format, cost }) => {
  try {
    parentPort.postMessage({ result: cost ? hashSync(password, cost) : right(password, stored, format) })
  } catch (error) {
    parentPort.postMessage({ error: String(error) })
  }
})`

function startWorker() {
  const worker = new Worker(source, { eval: true, workerData: { from: `${process.cwd()}/package.json` } })
  // does not keep the process alive
  worker.unref()
  let hasEnded = false
  const markEnded = () => {
    hasEnded = true
  }
  // always handled: an unhandled error would end the process
  worker.on('error', markEnded).once('exit', markEnded)
  return {
    isDead: () => hasEnded,
    /** Runs one task at a time. Throws when the thread fails. */
    run: (task: HashTask) =>
      new Promise<string | boolean>((resolve, reject) => {
        const ended = () => settle(() => reject(new Error('a hash thread ended')))
        const failed = (error: Error) => settle(() => reject(error))
        const answered = (answer: Answer) =>
          settle(() => ('error' in answer ? reject(new UnreadableHash(answer.error)) : resolve(answer.result)))
        const settle = (finish: () => void) => {
          worker.off('message', answered).off('error', failed).off('exit', ended)
          finish()
        }
        worker.on('message', answered).on('error', failed).on('exit', ended)
        worker.postMessage(task)
      }),
  }
}

/**
 * Creates one thread for each core of this process: more would not be faster and would slow everything else. As many
 * tasks may wait as take about five seconds.
 */
function createHashWorkers() {
  const cores = availableParallelism()
  const runLimited = createConcurrencyLimit(() => Math.max(1, Math.floor(cores / env().PROCESSES)), 500)
  const idle: ReturnType<typeof startWorker>[] = []
  const hash = (task: HashTask) =>
    runLimited(async () => {
      let worker = idle.pop()
      while (worker?.isDead()) worker = idle.pop()
      worker ??= startWorker()
      try {
        return await worker.run(task)
      } finally {
        if (!worker.isDead()) idle.push(worker)
      }
    })
  return Object.assign(hash, { load: runLimited.load })
}

// one set for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformHashWorkers?: ReturnType<typeof createHashWorkers> }

/** Hashes or verifies a password in a thread. Throws UnreadableHash, and 503 when too many wait or the thread fails. */
export async function runHash(task: HashTask): Promise<string | boolean> {
  shared.platformHashWorkers ??= createHashWorkers()
  try {
    return await shared.platformHashWorkers(task)
  } catch (error) {
    if (error instanceof AppError || isUnreadableHash(error)) throw error
    log.error({ err: error }, 'a hash thread failed')
    throw new AppError(503)
  }
}

/** Returns how many hashes are made now, and how many wait. */
export const hashLoad = () => shared.platformHashWorkers?.load() ?? { running: 0, waiting: 0 }
