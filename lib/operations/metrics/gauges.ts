import { databasePool } from '@/db/client'
import { cached } from '@/lib/base/cache/cache'
import { addSharedGauge } from '@/lib/base/cache/shared-gauge'
import { hashLoad } from '@/lib/base/crypto/hash-workers'
import { redis } from '@/lib/base/redis/redis'
import { addGauge } from '@/lib/base/runtime/metrics'
import { allStandings, lastTurn } from '../monitoring/service'
import { countLiveSessions, selectJobs } from './queries'

/** What several gauges are made of is read once for all of them. */
const jobs = () => cached('gauges:jobs', selectJobs, 1_000)
const standings = () => cached('gauges:checks', allStandings, 1_000)

/** Adds the gauges that operators watch to the metrics of the process (docs/rules/operations.md#metrics). */
export function addOperationGauges(): void {
  addGauge({
    name: 'platform_database_connections',
    help: 'Connections of the pool: in use, and requests that wait for one',
    labelNames: ['state'],
    across: 'sum',
    read: () => {
      const { used, waiting } = databasePool().load()
      return [
        { labels: { state: 'used' }, value: used },
        { labels: { state: 'waiting' }, value: waiting },
      ]
    },
  })
  addGauge({
    name: 'platform_database_up',
    help: 'Whether PostgreSQL answers this process',
    across: 'min',
    read: () => [{ value: databasePool().load().away ? 0 : 1 }],
  })
  addGauge({
    name: 'platform_redis_up',
    help: 'Whether this process is connected to Redis',
    across: 'min',
    read: () => [{ value: redis().status === 'ready' ? 1 : 0 }],
  })
  addGauge({
    name: 'platform_hashes',
    help: 'Password hashes that are being made, and that wait',
    labelNames: ['state'],
    across: 'sum',
    read: () => Object.entries(hashLoad()).map(([state, value]) => ({ labels: { state }, value })),
  })
  addSharedGauge({
    name: 'platform_jobs',
    help: 'Jobs by task: waiting for their time, due, running, given up',
    labelNames: ['task', 'state'],
    read: async () => (await jobs()).map(({ task, state, count }) => ({ labels: { task, state }, value: count })),
  })
  addSharedGauge({
    name: 'platform_jobs_oldest_seconds',
    help: 'For how long the oldest job has been due',
    read: async () => [{ value: Math.max(0, ...(await jobs()).map(({ oldest }) => oldest)) }],
  })
  addSharedGauge({
    name: 'platform_sessions',
    help: 'Live sessions',
    read: async () => [{ value: await countLiveSessions() }],
  })
  const ofChecks = (name: string, help: string, value: (standing: Standing) => number | null) =>
    addSharedGauge({
      name,
      help,
      labelNames: ['key', 'critical'],
      read: async () =>
        (await standings()).flatMap((standing) => {
          const number = value(standing)
          return number === null
            ? []
            : [{ labels: { key: standing.key, critical: String(standing.critical) }, value: number }]
        }),
    })
  ofChecks('platform_check_up', 'Whether a check of the monitoring is up', ({ status }) => (status === 'up' ? 1 : 0))
  ofChecks('platform_check_stuck', 'How much a check found stuck', ({ stuckCount }) => stuckCount)
  ofChecks('platform_check_seconds', 'How long the last answer took', ({ latency }) =>
    latency === null ? null : latency / 1_000,
  )
  addSharedGauge({
    name: 'platform_checks_done_timestamp_seconds',
    help: 'When checks ran last',
    read: async () => {
      const done = await lastTurn()
      return done ? [{ value: done.getTime() / 1_000 }] : []
    },
  })
}

type Standing = Awaited<ReturnType<typeof allStandings>>[number]
