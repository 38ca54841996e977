import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedBeside } from '@/bin/embedded'
import { browserOf } from './cases'
import { type CpuTimes, cpuBetween, cpuTimes } from './cpu'
import { send } from './load'
import { environmentOf, type Stage } from './platform'
import { end, must, startWorker } from './workers'

export const inviting = 'invitations from a file'
const rows = Number(process.env.ROWS ?? 5_000)

type Counts = {
  state: string
  done: number
  invited: number
  people: number
  mails: number
  sent: number
  roles: number
}

const perRow = (before: CpuTimes | undefined, after: CpuTimes | undefined, count: number) => {
  if (!before || !after) return ''
  const { server, postgres } = cpuBetween(before, after)
  return `, CPU ms of each: worker ${(server / count).toFixed(1)}, postgres ${(postgres / count).toFixed(1)}`
}

/**
 * Sends the invitations of one file, kills the worker halfway and starts two. Stops the benchmark unless each row then has
 * one invitation with its roles, one mail that was sent, and one result. Prints how fast the second half was.
 */
export async function measureInviting({ crew, open, failed }: Stage) {
  const services = await startEmbeddedBeside({ folder: '.data/bench-inviting', durable: true })
  open.push(services)
  const env = await environmentOf(services.env, { PROCESSES: '1' })
  await crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env })
  await crew.keep({ name: 'the server of invitations', args: ['dist/server.js'], env }, failed)
  const owner = new pg.Client(services.env.DATABASE_OWNER_URL)
  await owner.connect()
  const { rows: heldRoles } = await owner.query<{ contractor: string; organization: string; role: string }>(`
    select contractor_id as contractor, organization_id as organization, role_id as role from user_contractor_roles
    where user_id = (select id from users where login = 'manager') limit 1`)
  const stamp = Date.now().toString(36)
  const text = Array.from({ length: rows }, (_, n) => `${stamp}.${n}@polaris.example`).join('\n')
  const access = [{ organizationId: heldRoles[0]?.organization, roles: [heldRoles[0]?.role] }]
  const origin = `http://127.0.0.1:${env.PORT}`
  const { status, body } = await send(origin, {
    method: 'POST',
    path: '/api/v1/platform/master-account/invitations/import',
    body: { text, contractorId: heldRoles[0]?.contractor, access },
    cookies: await browserOf(origin, 'manager'),
  })
  if (status !== 200) throw new Error(`the file was answered with ${status} ${body}`)
  const { id } = JSON.parse(body) as { id: string }
  const counts = async () => {
    const counted = await owner.query<Counts>(
      `select r.state, r.done, i.*, m.*, g.* from runs r,
        (select count(*)::int as invited, count(distinct email)::int as people from invitations where email like $2) i,
        (select count(*)::int as mails, count(*) filter (where status = 'sent')::int as sent from messages where recipient like $2) m,
        (select count(*)::int as roles from invitation_roles join invitations v on v.id = invitation_id where v.email like $2) g
        where r.id = $1`,
      [id, `${stamp}.%`],
    )
    return counted.rows[0] as Counts
  }
  const until = async (reached: (now: Counts) => boolean) => {
    for (;;) {
      const now = await counts()
      if (reached(now)) return now
      await pause(100)
    }
  }

  const first = await startWorker(await environmentOf(services.env))
  await until(({ done }) => done >= rows / 2)
  await end(first, 'SIGKILL')
  const { done, sent, ...half } = await counts()
  must('after the kill', half, { state: 'running', invited: done, people: done, mails: done, roles: done })
  console.log(`killed after ${done} of ${rows} rows, of whose mails ${sent} were sent`)

  const workers = [
    await startWorker(await environmentOf(services.env)),
    await startWorker(await environmentOf(services.env)),
  ]
  const [began, before] = [performance.now(), cpuTimes()]
  await until(({ state }) => state === 'done')
  const rowsDone = performance.now()
  const all = { state: 'done', done: rows, invited: rows, people: rows, mails: rows, sent: rows, roles: rows }
  const right = await until((now) => now.sent === rows)
  const [finished, after] = [performance.now(), cpuTimes()]
  must('at the end', right, all)
  const rate = (count: number, ms: number) => ((count * 1_000) / ms).toFixed(0)
  console.log(
    `${inviting}: ${rate(rows - done, rowsDone - began)} rows a second, then ${rate(rows - sent, finished - began)} mails a second${perRow(before, after, rows - done)}`,
  )
  for (const worker of workers) await end(worker, 'SIGTERM')
  await owner.end()
}
