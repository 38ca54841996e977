import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { startEmbeddedBeside } from '@/bin/embedded'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { compareTimes } from './distributions'
import { median, type Reply, send } from './load'
import { createStage, environmentOf, originOf } from './platform'
import { anyAddress, trustForwarded } from './trust'

/**
 * The number of calls of each kind; there are some 400 known e-mails. Only the cases whose name matches this pattern
 * run.
 */
const samples = Number(process.env.SAMPLES ?? 400)
const { ONLY = '' } = process.env

type Ask = (origin: string, email: string) => Promise<Reply>
const post =
  (path: string, body: (email: string) => object): Ask =>
  (origin, email) =>
    send(origin, {
      method: 'POST',
      path: `/api/v1/platform${path}`,
      headers: { 'x-forwarded-for': anyAddress() },
      body: body(email),
    })

/** Calls that must take the same time for an e-mail that has an account and for one that has none. */
const cases: Record<string, Ask> = {
  'password/link': post('/password/link', (email) => ({ email })),
  'registration/link': post('/registration/link', (email) => ({ email, fio: 'Ковалёва Ольга Игоревна' })),
}

/** E-mails of accounts that get a link, in a random order. */
async function knownEmails(): Promise<string[]> {
  const rows = await db()
    .select({ email: sql<string>`lower(${users.email})` })
    .from(users)
    .where(
      and(
        eq(users.enabled, true),
        isNull(users.providerId),
        isNotNull(users.email),
        sql`not exists (select from providers where enabled and split_part(lower(${users.email}), '@', 2) = any (email_domains))`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(samples + 20)
  return rows.map(({ email }) => email)
}

/** Unknown e-mails, each as long as a known one. */
const unknownLike = (email: string) =>
  email.replace(/^[^@]+/, (local) =>
    Math.random().toString(36).slice(2).padEnd(local.length, 'x').slice(0, local.length),
  )

/** Waits until the worker has done its work for earlier calls. */
async function settled() {
  for (;;) {
    const { rows } = await db().execute(sql`select 1 from graphile_worker.jobs where run_at <= now() limit 1`)
    if (rows.length === 0) return
  }
}

/** Returns the milliseconds for known and unknown e-mails, one call at a time in a random order. */
async function timesOf(ask: Ask, origin: string, emails: string[]) {
  const times = { known: [] as number[], unknown: [] as number[] }
  const asked = emails.flatMap((email) => [
    { kind: 'known' as const, email, at: Math.random() },
    { kind: 'unknown' as const, email: unknownLike(email), at: Math.random() },
  ])
  asked.sort((one, other) => one.at - other.at)
  for (const [n, { kind, email }] of asked.entries()) {
    await settled()
    const began = performance.now()
    const { status, body } = await ask(origin, email)
    const took = performance.now() - began
    if (status !== 200) throw new Error(`the benchmark itself failed: ${status} ${body}`)
    // the first few warm everything up
    if (n >= 40) times[kind].push(took)
  }
  return times
}

const stage = createStage()
const embedded = await startEmbeddedBeside({ folder: '.data/bench', durable: true })
stage.open.push(embedded)
const { crew, failed } = stage
try {
  const env = await environmentOf(embedded.env, { PROCESSES: '1' })
  Object.assign(process.env, env)
  await stage.build()
  await crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env })
  await trustForwarded()
  // the worker runs too: its work for a known e-mail must not show in the time of the answer
  await crew.keep({ name: 'the worker', args: ['dist/worker.js'], env }, failed)
  await crew.keep({ name: 'the server', args: ['dist/server.js'], env }, failed)
  for (const [name, ask] of Object.entries(cases).filter(([name]) => new RegExp(ONLY).test(name))) {
    const { known, unknown } = await timesOf(ask, originOf(env), await knownEmails())
    const { longer, z, ratios } = compareTimes(known, unknown)
    console.log(`${name}: ${known.length} known and ${unknown.length} unknown e-mails`)
    console.log(`  median ${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms`)
    console.log(`  a known one takes longer with chance ${longer.toFixed(3)} (z ${z.toFixed(1)}; it tells beyond 3)`)
    console.log(
      `  known / unknown: ${Object.entries(ratios)
        .map(([q, ratio]) => `${q} ${ratio.toFixed(2)}`)
        .join(', ')}`,
    )
    if (Math.abs(z) > 3) process.exitCode = 1
  }
} finally {
  await stage.stop()
}
