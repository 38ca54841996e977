import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { startEmbeddedBeside } from '@/bin/embedded'
import { freePort } from '@/bin/embedded/process'
import { createCrew } from '@/bin/processes'
import { restClient } from '../e2e/rest-client'
import { startServer, startWorker } from '../e2e/server-process'
import { emptyDatabase } from '../factories/empty-database'

export const adminPassword = 'Instance-Horse-2026'

type Answer<T> = { status: number; body: T }

/**
 * Starts the build as in production, but in the mode `test`, with services of its own, one server and one worker. Whoever
 * calls it stops it. `name` is the login of its administrator, as whom `as` makes calls; two instances need two hosts, because
 * cookies don't know ports.
 */
export async function startInstance(name: string, host = 'localhost') {
  const embedded = await startEmbeddedBeside({ folder: `.data/instance-${name}`, durable: true })
  await emptyDatabase(embedded.env.DATABASE_OWNER_URL)
  const port = String(await freePort())
  const env = {
    ...embedded.env,
    NODE_ENV: 'production',
    PLATFORM_MODE: 'test',
    PUBLIC_URL: `http://${host}:${port}`,
    HOST: '127.0.0.1',
    PORT: port,
    PROCESSES: '1',
    LOG_LEVEL: 'error',
    SECRET_KEYS: randomBytes(48).toString('base64'),
    ADMIN_LOGIN: name,
    ADMIN_EMAIL: `${name}@example.com`,
    ADMIN_PASSWORD: adminPassword,
  }
  await createCrew().run({ name: 'the migration', args: ['dist/migrate.js'], env })
  const server = await startServer(env)
  let worker = await startWorker({ ...env, WORKER_METRICS_PORT: String(await freePort()) })
  const client = restClient(env.PUBLIC_URL)
  const status = await client.signIn(name, adminPassword)
  if (status !== 200) throw new Error(`the administrator can't sign in: ${status}`)

  return {
    url: env.PUBLIC_URL,
    env,
    /** Makes a call as the administrator. */
    async as<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
      const answer = await client.send(method, path, body)
      return { status: answer.status, body: (await answer.json().catch(() => null)) as T }
    },
    /** Asks its database. */
    async rows<T>(text: string, values: unknown[] = []): Promise<T[]> {
      const asking = new pg.Client({ connectionString: env.DATABASE_URL })
      await asking.connect()
      const { rows } = await asking.query(text, values).finally(() => asking.end())
      return rows as T[]
    },
    /** The most memory that the worker has had, in MiB; NaN where the system doesn't tell. */
    async workerMemory(): Promise<number> {
      const text = await readFile(`/proc/${worker.child.pid}/status`, 'utf8').catch(() => '')
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? Number.NaN) / 1_024)
    },
    /** Kills the worker as a crash would, and starts another one. */
    async killWorker() {
      worker.child.kill('SIGKILL')
      await worker.ended
      worker = await startWorker({ ...env, WORKER_METRICS_PORT: String(await freePort()) })
    },
    async stop() {
      for (const { child, ended } of [worker, server]) {
        child.kill('SIGTERM')
        await ended
      }
      await embedded.stop()
    },
  }
}
export type Instance = Awaited<ReturnType<typeof startInstance>>
