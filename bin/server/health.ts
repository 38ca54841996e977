import type { ServerResponse } from 'node:http'
import { askDatabase } from '@/lib/base/postgres/probe'
import { redisHealthy } from '@/lib/base/redis/redis'

type Answer = {
  status: 'ready' | 'degraded' | 'unavailable' | 'draining'
  database: 'up' | 'down'
  redis: 'up' | 'down'
}

/** Uses its own connection: the pool may be exhausted while the database works. */
const databaseAnswers = (connectionString: string): Promise<boolean> =>
  askDatabase(connectionString, 1_000).then(
    (refusal) => refusal === undefined,
    () => false,
  )

/**
 * Answers `/health/live` and `/health/ready`. Without Redis the platform is degraded, without its database it isn't
 * ready.
 */
export function createHealth(databaseUrl: string, isDraining: () => boolean) {
  let last: { at: number; services: Promise<[boolean, boolean]> } | undefined
  const look = () => {
    if (!last || Date.now() - last.at > 1_000)
      last = { at: Date.now(), services: Promise.all([databaseAnswers(databaseUrl), redisHealthy()]) }
    return last.services
  }
  const send = (res: ServerResponse, status: number, body: object) => {
    res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    res.end(JSON.stringify(body))
  }
  return async (path: string, res: ServerResponse) => {
    if (path === '/health/live') return send(res, 200, { status: 'live' })
    if (path !== '/health/ready') return send(res, 404, { status: 'unknown' })
    const [database, redis] = await look()
    const up = isDraining() ? 'draining' : redis ? 'ready' : 'degraded'
    const status = database ? up : 'unavailable'
    const answer: Answer = { status, database: database ? 'up' : 'down', redis: redis ? 'up' : 'down' }
    send(res, status === 'ready' || status === 'degraded' ? 200 : 503, answer)
  }
}
