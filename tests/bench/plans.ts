import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readOrMakeSecrets } from '@/bin/embedded/secrets'

/** How many plans of a case are shown, the slowest first, from which milliseconds on, and how long their lines are. */
const [shown, least, longest] = [2, 0.5, 180]

/**
 * Lets PostgreSQL tell how it executes the statements of other processes: `explain (analyze, buffers)` of each, by its own
 * module auto_explain. Call it before the server starts: only later connections have the module. Returns a function that
 * returns the slowest plans of some work.
 */
export async function watchPlans(folder: string, ownerUrl: string) {
  const home = resolve(folder)
  const url = new URL(ownerUrl)
  const { superuserPassword } = await readOrMakeSecrets(home)
  Object.assign(url, { username: 'postgres', password: superuserPassword })
  const asked = async (...statements: string[]) => {
    const client = new pg.Client(url.href)
    await client.connect()
    for (const statement of ["load 'auto_explain'", ...statements]) await client.query(statement)
    await client.end()
  }
  const database = url.pathname.slice(1)
  await asked(
    `alter database ${database} set session_preload_libraries = 'auto_explain'`,
    ...['analyze', 'buffers'].map((what) => `alter database ${database} set auto_explain.log_${what} = on`),
    `alter database ${database} set auto_explain.log_parameter_max_length = 60`,
  )
  const log = join(home, 'postgres.log')
  const turn = async (statement: string) => {
    await asked(statement, 'select pg_reload_conf()')
    // the other processes read it a moment later
    await pause(500)
  }
  return async (work: () => Promise<unknown>): Promise<string[]> => {
    const { length } = await readFile(log)
    await turn('alter system set auto_explain.log_min_duration = 0')
    await work().catch((error: Error) => console.log(error.message))
    await turn('alter system reset auto_explain.log_min_duration')
    const text = (await readFile(log)).subarray(length).toString('utf8')
    const plans = [...text.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n?)+)/g)]
    return plans
      .map(([, duration, plan = '']) => ({ duration: Number(duration), plan }))
      .filter(({ duration, plan }) => duration >= least && !plan.includes('pg_reload_conf'))
      .toSorted((a, b) => b.duration - a.duration)
      .slice(0, shown)
      .map(
        ({ duration, plan }) =>
          `  ${duration} ms\n${plan.trimEnd().replace(new RegExp(`(?<=^.{${longest}}).+$`, 'gm'), '…')}`,
      )
  }
}
