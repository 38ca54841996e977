import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Redis } from 'ioredis'
import { endLeftBehind, freePort, startService, untilUp } from './process'
import type { Secrets } from './secrets'

export type EmbeddedRedis = { url: string; notes: string[]; stop(): Promise<void> }
type Options = { folder: string; secrets: Secrets; durable: boolean }

export const redisServerPath = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'redis-server'))
    .find((path) => existsSync(path))

/** Starts a private redis-server from the PATH with its data in the folder. Returns `mock:` if the machine has none. */
export async function startRedis({ folder, secrets, durable }: Options): Promise<EmbeddedRedis> {
  const server = redisServerPath()
  if (!server)
    return {
      url: 'mock:',
      notes: ['no redis-server on the PATH: an imitation inside each process stands in'],
      stop: async () => {},
    }

  const home = join(folder, 'redis')
  const config = join(home, 'redis.conf')
  const log = join(folder, 'redis.log')
  await mkdir(home, { recursive: true, mode: 0o700 })
  const pid = await readFile(join(home, 'redis.pid'), 'utf8').catch(() => '')
  await endLeftBehind(Number(pid.trim()), config, 'SIGTERM')

  const port = await freePort()
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir "${home}"`,
    `pidfile "${join(home, 'redis.pid')}"`,
    `requirepass ${secrets.redisPassword}`,
    `databases ${durable ? 1 : 1024}`,
    'save ""',
    `appendonly ${durable ? 'yes' : 'no'}`,
    'daemonize no',
    // by default the title of a Redis process is its address, which doesn't show the folder
    'proc-title-template "{title} {config-file}"',
  ]
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 })
  const service = await startService(server, [config], { log, cwd: home, signal: 'SIGTERM' })
  const url = `redis://:${secrets.redisPassword}@127.0.0.1:${port}`
  await untilUp('Redis', service, log, async () => {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.ping()
    } finally {
      client.disconnect()
    }
  })
  return { url, notes: [], stop: service.stop }
}
