import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import pg from 'pg'
import { allowLongStatements } from '@/db/client'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { extendHistoryChain } from '@/lib/operations/history-chain/seal'
import { verifyHistory } from '@/lib/operations/history-chain/verify'

/** Names of the measurements. They run only on request; ROWS says how many rows the history has. */
export const sealing = 'sealing of the history'
export const exporting = 'export of the history'

/** Megabytes of memory of this process's children that run Node: the server and its workers. */
export function serverMemory(): number {
  const all = readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'latin1')
      const of = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
      return [{ pid: Number(entry), parent: Number(of('PPid')), name: of('Name'), kilobytes: Number(of('VmRSS')) }]
    } catch {
      // the process ended meanwhile
      return []
    }
  })
  const mine = new Set([process.pid])
  for (let size = 0; size !== mine.size; ) {
    size = mine.size
    for (const { pid, parent } of all) if (mine.has(parent)) mine.add(pid)
  }
  const counted = all.filter(({ pid, name }) => mine.has(pid) && pid !== process.pid && !/^(postgres|redis)/.test(name))
  return counted.reduce((sum, { kilobytes }) => sum + kilobytes / 1024, 0)
}

/** Downloads a file and throws it away. Returns its bytes, its seconds, and the most memory the server took meanwhile. */
function download(url: string, cookies: Map<string, string>) {
  const startedAt = Date.now()
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, serverMemory())
  }, 100)
  return new Promise<{ bytes: number; seconds: number; peak: number }>((resolve, reject) => {
    request(url, { headers: { cookie, 'sec-fetch-site': 'same-origin' } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.once('error', reject)
      answer.once('end', () => {
        if (answer.statusCode !== 200) return reject(new Error(`the export answered ${answer.statusCode}`))
        resolve({ bytes, seconds: (Date.now() - startedAt) / 1000, peak })
      })
    })
      .once('error', reject)
      .end()
  }).finally(() => clearInterval(watch))
}

/** Prints how much more memory the server takes for exports of a list of so many rows, the first one apart (P12). */
export async function measureExports(
  origin: string,
  administrator: Map<string, string>,
  { list, rows }: { list: 'history' | 'users'; rows: number },
) {
  for (const format of ['xlsx', 'csv', 'xlsx', 'csv']) {
    const before = serverMemory()
    const url = `${origin}/api/v1/platform/setting/${list}/export?format=${format}`
    const { bytes, seconds, peak } = await download(url, administrator)
    console.log(
      `P12 ${format} of ${rows} rows of ${list}: ${seconds.toFixed(1)} s, ${(bytes / 2 ** 20).toFixed(1)} MB, memory + ${(peak - before).toFixed(0)} MB of ${before.toFixed(0)} (<= 100)`,
    )
  }
}

/** Prints how fast the history is sealed and compared with its chain. */
export async function measureSealing(rows: number) {
  allowLongStatements()
  await loadPermanentKeys()
  const owner = new pg.Client(process.env.DATABASE_OWNER_URL)
  await owner.connect()
  try {
    await measureWith(owner, rows)
  } finally {
    await owner.end()
  }
}

async function measureWith(owner: pg.Client, rows: number) {
  const timed = async <T>(work: () => Promise<T>) => {
    const startedAt = Date.now()
    const result = await work()
    return { result, seconds: (Date.now() - startedAt) / 1000 }
  }
  const sealed = await timed(() => extendHistoryChain())
  const entries = (await owner.query('select count(*) from history_seals')).rows[0].count
  const size = (await owner.query(`select pg_size_pretty(pg_total_relation_size('history_seals')) as size`)).rows[0]
    .size
  console.log(
    `sealing of ${rows} rows: ${sealed.seconds.toFixed(1)} s, ${(rows / sealed.seconds).toFixed(0)} rows/s, ${entries} entries, ${size}`,
  )
  const before = process.memoryUsage().rss
  const { result, seconds } = await timed(() => verifyHistory())
  console.log(
    `history:verify of ${result.rows} rows: ${seconds.toFixed(1)} s, ${result.faults.length} faults, memory + ${((process.memoryUsage().rss - before) / 2 ** 20).toFixed(0)} MB`,
  )
}
