import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedBeside } from '@/bin/embedded'
import { browserOf } from './cases'
import { environmentOf, type Stage } from './platform'
import { end, must, startWorker } from './workers'

export const importing = 'accounts from a file'
const rows = Number(process.env.ROWS ?? 10_000)
const path = '/api/v1/platform/setting/users/import'

type Counts = {
  state: string
  done: number
  failed: number
  made: number
  companies: number
  given: number
  links: number
  mails: number
}

/**
 * Imports the accounts of one file, each with a role, a contractor and a first-entry link, kills the worker halfway and
 * starts two. Stops the benchmark unless each row then has one account with all that it says. Then imports the file again,
 * which changes nothing, and once with other names. Prints how long each took from the file to the last row.
 */
export async function measureImporting({ crew, open, failed }: Stage) {
  // an import that an earlier benchmark didn't end would refuse this one
  const folder = '.data/bench-importing'
  await rm(folder, { recursive: true, force: true })
  const services = await startEmbeddedBeside({ folder, durable: true })
  open.push(services)
  const env = await environmentOf(services.env, { PROCESSES: '1' })
  await crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env })
  await crew.keep({ name: 'the server of imports', args: ['dist/server.js'], env }, failed)
  const owner = new pg.Client(services.env.DATABASE_OWNER_URL)
  // after a failure the services end first: its reason counts, not that this connection is lost
  owner.on('error', () => {})
  await owner.connect()
  await owner.query(
    `insert into roles (name, code, role_type) values ('imported', 'imported', 'systemic') on conflict do nothing`,
  )
  const inns = (
    await owner.query<{ inn: string }>('select inn from contractors where inn is not null and enabled limit 12')
  ).rows
  const origin = `http://127.0.0.1:${env.PORT}`
  const cookies = await browserOf(origin, 'admin')
  const stamp = Date.now().toString(36)
  const targets = [
    'field.login',
    'field.email',
    'field.lastName',
    'field.firstName',
    'field.hiringDate',
    'roles',
    'contractors',
  ]

  const startRun = async (firstName: string) => {
    const lines = Array.from({ length: rows }, (_, n) =>
      [
        `${stamp}.${n}`,
        `${stamp}.${n}@polaris.example`,
        `Орлова-${n}`,
        firstName,
        '15.01.2026',
        'imported',
        inns[n % inns.length]?.inn,
      ].join(';'),
    )
    const form = new FormData()
    form.set('file', new File([[targets.join(';'), ...lines].join('\n')], 'people.csv'))
    for (const [name, value] of Object.entries({
      columns: JSON.stringify(targets),
      by: 'login',
      mode: 'both',
      sendLinks: 'true',
    }))
      form.set(name, value)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(origin + path, {
      method: 'POST',
      body: form,
      headers: { cookie, 'sec-fetch-site': 'same-origin', origin },
    })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`the file was answered with ${answer.status} ${body}`)
    return (JSON.parse(body) as { id: string }).id
  }
  const counts = async (id: string) => {
    const counted = await owner.query<Counts>(
      `with made as (select id from users where login like $2)
        select r.state, r.done, r.failed, (select count(*)::int from made) as made,
        (select count(*)::int from user_contractors where user_id in (select id from made)) as companies,
        (select count(*)::int from user_roles ur join roles on roles.id = ur.role_id and roles.code = 'imported'
          where ur.user_id in (select id from made)) as given,
        (select count(*)::int from links where user_id in (select id from made)) as links,
        (select count(*)::int from messages where recipient like $2) as mails
        from runs r where r.id = $1`,
      [id, `${stamp}.%`],
    )
    return counted.rows[0] as Counts
  }
  const until = async (id: string, reached: (run: { state: string; done: number }) => boolean) => {
    for (;;) {
      const [run] = (
        await owner.query<{ state: string; done: number }>('select state, done from runs where id = $1', [id])
      ).rows
      if (run && reached(run)) return
      await pause(100)
    }
  }
  const whole = {
    state: 'done',
    done: rows,
    failed: 0,
    made: rows,
    companies: rows,
    given: rows,
    links: rows,
    mails: rows,
  }

  const began = performance.now()
  const first = await startWorker(await environmentOf(services.env))
  const id = await startRun('Вера')
  const read = performance.now()
  await until(id, ({ done }) => done >= rows / 2)
  await end(first, 'SIGKILL')
  const { done, ...half } = await counts(id)
  must('after the kill', half, {
    state: 'running',
    failed: 0,
    made: done,
    companies: done,
    given: done,
    links: done,
    mails: done,
  })
  const workers = [
    await startWorker(await environmentOf(services.env)),
    await startWorker(await environmentOf(services.env)),
  ]
  await until(id, ({ state }) => state === 'done')
  const seconds = (from: number) => ((performance.now() - from) / 1_000).toFixed(1)
  console.log(
    `${importing}: ${rows} new ones in ${seconds(began)} s, killed after ${done}; the file was read and checked in ${((read - began) / 1_000).toFixed(1)} s of it (<= 120)`,
  )
  must('at the end', await counts(id), whole)
  for (const [what, name] of [
    ['the same file again', 'Вера'],
    ['with another first name', 'Нина'],
  ] as const) {
    const from = performance.now()
    const again = await startRun(name)
    await until(again, ({ state }) => state === 'done')
    console.log(`${importing}: ${what} in ${seconds(from)} s (<= 120)`)
    must(what, await counts(again), whole)
  }
  for (const worker of workers) await end(worker, 'SIGTERM')
  await owner.end()
}
