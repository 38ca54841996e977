import { availableParallelism, cpus, totalmem } from 'node:os'
import { isNull, sql } from 'drizzle-orm'
import { freePort } from '@/bin/embedded/process'
import { createCrew } from '@/bin/processes'
import { closeDatabase, db } from '@/db/client'
import { users } from '@/db/schema'
import { trustForwarded } from './trust'

type Services = Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'REDIS_URL' | 'SECRET_KEYS', string>

/** The environment of a platform as in production, with ports of its own, over these services. */
export async function environmentOf(services: Services, more: Record<string, string> = {}) {
  const port = await freePort()
  return {
    ...services,
    NODE_ENV: 'production' as const,
    PLATFORM_MODE: 'test',
    PUBLIC_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(await freePort()),
    PROCESSES: String(availableParallelism()),
    LOG_LEVEL: 'error',
    ...more,
  }
}
export type Environment = Awaited<ReturnType<typeof environmentOf>>

/** The address at which the load reaches a platform. */
export const originOf = ({ PORT }: Record<string, string>) => `http://127.0.0.1:${PORT}`

/** The processes of a benchmark, and what must be stopped at its end; `stop` also ends this process's connections. */
export function createStage() {
  const crew = createCrew()
  const open: { stop(): unknown }[] = []
  return {
    crew,
    open,
    failed: (error: Error) => console.error(error.message),
    async build() {
      await crew.run({ name: 'the build', args: ['--import', 'tsx', 'bin/build.ts', '--if-needed'], env: {} })
    },
    async stop() {
      await closeDatabase()
      await crew.stop()
      for (const each of open.toReversed()) await each.stop()
    },
  }
}
export type Stage = ReturnType<typeof createStage>

/** Prepares the demo data of this process's database for load. Returns the logins of its people. */
export async function prepareForLoad(): Promise<string[]> {
  await trustForwarded()
  // e-mail is the first flow, so that unknown identifiers are offered codes; nobody needs a second factor
  await db().execute(sql`delete from authentication_schema_roles`)
  await db().execute(sql`update authentication_schemas set first_factor = '{credentials,email_code}'`)
  const people = await db().select({ login: users.login }).from(users).where(isNull(users.providerId))
  await db().execute(sql`update users set enabled = true, password_change_required = false`)
  // as where an office has entered its people's mobiles: each sign-in then asks whether that is in doubt
  if (process.env.MARKED)
    await db().execute(sql`update users set mobile_entered_by = (
      select ur.user_id from user_roles ur order by ur.user_id limit 1
    ) where mobile is not null`)
  return people.map(({ login }) => login)
}

/** The machine, for the head of results. */
export const machine = () =>
  `${cpus()[0]?.model}, ${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`
