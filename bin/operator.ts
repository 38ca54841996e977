import { createTranslator } from 'next-intl'
import { closeDatabase, db } from '@/db/client'
import { methods } from '@/db/schema/people'
import { applicationId } from '@/lib/applications/applications/service'
import { closeCache } from '@/lib/base/cache/cache'
import type { Ctx } from '@/lib/base/context/ctx'
import { loadMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'
import { closeRedis, redisReady } from '@/lib/base/redis/redis'
import { type Env, env } from '@/lib/base/runtime/env'
import { AppError } from '@/lib/base/runtime/errors'
import { defaultTimeZone } from '@/lib/base/text/time-zone'
import { domainByHost } from '@/lib/site/domains/service'
import { compose } from '@/lib/wiring/compose'
import { captureCrashes } from './last-words'
import { checkDatabase, failStart } from './server/start-checks'
import { StartFault } from './start-fault'

compose()

/** The caller of an operator's command: no user, no address, the base domain. */
export async function commandContext(): Promise<Ctx> {
  return {
    requestId: '',
    ip: '',
    userAgent: '',
    domain: await domainByHost(''),
    locale: 'ru',
    timeZone: defaultTimeZone,
    deviceType: 'desktop',
    session: null,
    user: null,
    service: null,
    cookies: { get: () => undefined, set: () => {} },
    now: () => new Date(),
  }
}

/**
 * The context in which a command changes data. The caller is the platform's own application, which holds every method,
 * because a person with this shell has the keys and the database anyway. Throws StartFault before migrations.
 */
export async function shellContext(): Promise<Ctx> {
  const [ctx, id, all] = await Promise.all([
    commandContext(),
    applicationId('platform'),
    db().select({ id: methods.id, code: methods.code, kind: methods.kind }).from(methods),
  ])
  if (!id) throw new StartFault('the platform has no data yet: run npm run migrate first')
  const codes = all.flatMap(({ code, kind }) => (kind === 'systemic' ? [code] : []))
  const service = {
    applicationId: id,
    clientId: '',
    methods: new Set(codes),
    methodIds: new Set(all.map((method) => method.id)),
    shell: true as const,
  }
  return { ...ctx, requestId: 'shell', service }
}

type Texts = { errors: object; added: Record<string, { errors?: object }> }

/** Returns why a verb refused, in English, one line for each field. */
async function refusalOf({ code, data }: AppError, optionOf: (field: string) => string): Promise<string> {
  const { errors: shared, added } = (await loadMessages('en')) as unknown as Texts
  const errors = Object.assign({}, shared, ...Object.values(added).map((file) => file.errors))
  const words = wordsOf(createTranslator({ locale: 'en', messages: { errors }, namespace: 'errors' }))
  // a terminal needs no non-breaking spaces, and nobody who searches its output types them
  const textOf = (of: string, params = {}) => (words.has(of) ? words(of, params).replaceAll('\u00a0', ' ') : of)
  const faults = [...(data.errorList ?? []), ...(data.uniqueErrors ?? [])]
  if (faults.length === 0) return textOf(code)
  return faults.map((fault) => `${optionOf(fault.field)}: ${textOf(fault.code, fault.params)}`).join('\n')
}

type Running = {
  /** Names the option in which a field was given, because the person at the shell knows no other name. */
  optionOf?: (field: string) => string
  /** What must answer before the command runs; by default PostgreSQL. */
  check?: (config: Env) => Promise<void>
}

/** Runs a command: opens and closes its stores, and prints why it can't run. */
export async function runCommand(
  work: () => Promise<void>,
  { optionOf = (field) => field, check = checkDatabase }: Running = {},
): Promise<void> {
  const main = async () => {
    const config = env()
    // a command's change applies at once if Redis answers, otherwise within a minute
    await redisReady(2_000).catch(() => {})
    try {
      await check(config)
      await work()
    } catch (error) {
      throw error instanceof AppError ? new StartFault(await refusalOf(error, optionOf)) : error
    } finally {
      await closeCache()
      await Promise.all([closeDatabase(), closeRedis()])
    }
  }
  captureCrashes()
  await main().catch(failStart)
}
