import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { handleOidc } from '@/bin/server/oidc'
import { databasePool } from '@/db/client'
import { digest } from '@/lib/base/crypto/encryption'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { send } from './load'

type Statement = { text: string; name?: string; values: unknown[] }
type Recorded = {
  statements: Statement[]
  /** Digests of the used token and of the new tokens. */
  used: string
  made: { refresh: string; access: string }
}

/** Waits until this process sends nothing more to PostgreSQL. */
async function settled() {
  const pool = databasePool()
  do await new Promise(setImmediate)
  while (pool.idleCount < pool.totalCount || pool.waitingCount > 0)
}

/** Collects the statements that `work` sends to PostgreSQL and the rows that it leaves. */
async function recording(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const query = prototype.query
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [config, given] = args as [string | { text: string; name?: string; values?: unknown[] }, unknown]
    const asked = typeof config === 'string' ? { text: config } : config
    const values = (typeof config === 'string' ? undefined : config.values) ?? (Array.isArray(given) ? given : [])
    statements.push({ ...(asked.name ? { name: asked.name } : {}), text: asked.text, values })
    return query.apply(this, args)
  }
  try {
    await work()
    await settled()
  } finally {
    prototype.query = query
  }
  return statements
}

/** Renews tokens in this process and records the statements of a renewal when everything is cached. */
export async function recordRefresh(refreshToken: string, authorization: string): Promise<Recorded> {
  await loadPermanentKeys()
  const server = createServer((req, res) => {
    req.headers['x-platform-ip'] = '203.0.113.7'
    req.headers['x-forwarded-proto'] = 'http'
    handleOidc(req, res, async () => void res.writeHead(400).end()).catch((error) =>
      res.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const renew = async (refresh_token: string) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token })
    const answer = await send(origin, { method: 'POST', path: '/oidc/token', headers: { authorization }, body })
    if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.body}`)
    return JSON.parse(answer.body)
  }
  try {
    let refresh_token = refreshToken
    // caches stay filled only once this process listens for changes
    for (let n = 0; n < 3; n++) {
      ;({ refresh_token } = await renew(refresh_token))
      await settled()
    }
    let made = { refresh_token: '', access_token: '' }
    const statements = await recording(async () => {
      made = await renew(refresh_token)
    })
    return {
      statements,
      used: digest(`RefreshToken:${refresh_token}`),
      made: {
        refresh: digest(`RefreshToken:${made.refresh_token}`),
        access: digest(`AccessToken:${made.access_token}`),
      },
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/**
 * Repeats recorded statements over its own connections, as pgbench does: each loop uses the token that it made before
 * and makes the next one.
 */
export async function replay({ statements, used, made }: Recorded, width: number) {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: width })
  const random = () => randomBytes(32).toString('base64url')
  const free: string[] = []
  for (let n = 0; n < width; n++) {
    const id = random()
    await pool.query(
      `insert into oidc_records (id_hash, model, payload, grant_id, session_uid, account_id, client_id, expires_at)
       select $1, model, payload, grant_id, session_uid, account_id, client_id, expires_at
       from oidc_records where id_hash = $2`,
      [id, made.refresh],
    )
    free.push(id)
  }
  return {
    async once() {
      const now = new Map([
        [used, free.pop() ?? ''],
        [made.refresh, random()],
        [made.access, random()],
      ])
      const current = (value: unknown): unknown =>
        Array.isArray(value) ? value.map(current) : (now.get(value as string) ?? value)
      const connection = await pool.connect()
      try {
        for (const { values, ...statement } of statements)
          await connection.query({ ...statement, values: values.map(current) })
      } finally {
        connection.release()
      }
      free.push(now.get(made.refresh) ?? '')
      return 1
    },
    stop: () => pool.end(),
  }
}
