import type { WorkerEvents } from 'graphile-worker'
import { TimeoutClient } from '@/lib/base/postgres/client'
import { log } from '@/lib/base/runtime/log'
import { selectLocks } from '../graphile-internals'

const every = 5_000
/** The first key of our advisory locks: the letters "work". */
const lockClass = 0x776f_726b

// a job that was just taken may be visible before the lock of its worker
const freeDead = `
  select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from (${selectLocks}) as held
  where locked_at < now() - interval '3 seconds' and not exists (
    select from pg_locks
    where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
      and classid = $1::bigint and objid::bigint = (hashtext(held.locked_by)::bigint & 4294967295)
  )
  having count(*) > 0`

/**
 * Shows the other worker processes which workers run, and frees the jobs of dead ones. Each worker id is an advisory
 * lock on a connection that ends with the process, on any machine.
 */
export async function signOfLife(databaseUrl: string, events: WorkerEvents) {
  const ids = new Set<string>()
  let client: TimeoutClient | undefined
  // one query at a time on the one connection
  let last: Promise<unknown> = Promise.resolve()

  function query(text: string, values: unknown[]) {
    const result = last.then(() => client?.query(text, values))
    last = result.catch(() => {})
    return result
  }
  const lock = (id: string) => query('select pg_advisory_lock($1::integer, hashtext($2))', [lockClass, id])

  async function connect() {
    const fresh = new TimeoutClient({
      connectionString: databaseUrl,
      timeouts: { connect: 2_000, silence: 5_000 },
      keepAlive: true,
      application_name: 'platform worker life',
    })
    const lost = () => {
      if (client === fresh) client = undefined
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    await fresh.connect()
    client = fresh
    for (const id of ids) await lock(id)
  }

  function show(id: string) {
    ids.add(id)
    lock(id).catch((error) => log.warn({ err: error }, 'this process gives no sign of life'))
  }
  // locked_by contains the id of the pool, not of its workers
  events.on('pool:create', ({ workerPool }) => show(workerPool.id))

  async function look() {
    try {
      if (!client) await connect()
      const freed = await query(freeDead, [lockClass])
      if (freed?.rowCount) log.warn('jobs of dead workers are free again')
    } catch (error) {
      log.warn({ err: error }, 'dead workers are not looked for')
    }
  }

  await connect()
  await look()
  const timer = setInterval(look, every)
  return {
    async stop() {
      clearInterval(timer)
      await client?.end()
    },
  }
}
