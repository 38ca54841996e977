import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { isSafePattern } from '@/lib/kernel/safe-pattern'
import { normalSubnet } from '@/lib/kernel/subnet'

const empty = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(empty, schema.optional())
const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** A key must look random: long enough, and not one character or word repeated. */
const isStrongKey = (key: string) => key.length >= 43 && new Set(key).size >= 16

type Checked = Partial<{
  PLATFORM_MODE: string
  PUBLIC_URL: string
  REDIS_URL: string
  SMTP_URL: string
  MAIL_FROM: string
  REQUEST_TIMEOUT: number
}>

/** Seconds in which a request must have arrived. */
const requestTimeout = 60

/** What production asks beside. A variable that is at fault already is named once. */
function productionFaults(env: Checked, check: z.RefinementCtx) {
  if (env.PLATFORM_MODE !== 'production') return
  const named = new Set(check.issues.map(({ path }) => path?.join('.')))
  const fault = (path: string, message: string) => {
    if (!named.has(path)) check.addIssue({ code: 'custom', path: [path], message })
  }
  if (!env.PUBLIC_URL?.startsWith('https://')) fault('PUBLIC_URL', 'must be https in production')
  if (env.REDIS_URL === 'mock:') fault('REDIS_URL', 'an in-process Redis is not for production')
  if (!env.SMTP_URL) fault('SMTP_URL', 'must be a smtp:// or smtps:// address in production')
  if (env.REQUEST_TIMEOUT !== requestTimeout) fault('REQUEST_TIMEOUT', 'is for tests alone')
  if (!env.MAIL_FROM) fault('MAIL_FROM', 'must be the sender of mails in production')
}

const Env = z
  .object({
    /** Anything but production may run on embedded services and shows the outbox. */
    PLATFORM_MODE: z.preprocess(empty, z.enum(['production', 'demo', 'development', 'test']).default('production')),
    PUBLIC_URL: z.url({
      protocol: /^https?$/,
      error: 'must be the address people open, such as https://id.example.com',
    }),
    /** Whom copyright and developer links lead to where a domain names no site of its own. */
    COPYRIGHT_URL: optional(z.url({ protocol: /^https$/, error: 'must be an https address' })),
    DEV_URL: optional(z.url({ protocol: /^https$/, error: 'must be an https address' })),
    HOST: z.preprocess(empty, z.string().default('0.0.0.0')),
    PORT: z.preprocess(empty, integer(0, 65535).default(3000)),
    /** Proxies whose X-Forwarded-For is believed from the first start on, besides those of the setting reverseProxy. */
    REVERSE_PROXY: z.preprocess(
      empty,
      z
        .string()
        .default('')
        .transform((list, check) => {
          const given = list
            .split(',')
            .map((subnet) => subnet.trim())
            .filter(Boolean)
          const subnets = given.map((subnet) => normalSubnet(subnet))
          const wrong = given.filter((_, at) => subnets[at] === undefined)
          if (wrong.length > 0)
            check.addIssue(
              `must be addresses or subnets separated by commas, such as 10.0.0.5, 10.1.0.0/16; not ${wrong.join(', ')}`,
            )
          return subnets.filter((subnet) => subnet !== undefined)
        }),
    ),
    /** For tests alone, which can't wait for a minute. */
    REQUEST_TIMEOUT: z.preprocess(empty, integer(10, requestTimeout).default(requestTimeout)),
    METRICS_PORT: optional(integer(0, 65535)),
    /** Where metrics are read from: this machine alone, unless another address of it is named. */
    METRICS_HOST: z.preprocess(empty, z.string().default('127.0.0.1')),
    PROCESSES: z.preprocess(empty, integer(1, 64).default(availableParallelism())),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }),
    DATABASE_OWNER_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
    DATABASE_POOL: z.preprocess(empty, integer(2, 100).default(10)),
    REDIS_URL: z
      .string({ error: 'must be a redis:// address' })
      .regex(/^(rediss?:\/\/.+|mock:)$/, 'must be a redis:// address'),
    SECRET_KEYS: z
      .string({ error: 'must hold at least one key; make one with: openssl rand -base64 48' })
      .transform((list) => list.split(',').map((key) => key.trim()))
      .refine((keys) => keys.length > 0 && keys.every(isStrongKey), {
        error: 'each key must be 43 or more random characters; make one with: openssl rand -base64 48',
      }),
    SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })),
    MAIL_FROM: optional(
      z.string().refine((from) => z.email().safeParse(/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()).success, {
        error: 'must be an e-mail address, such as no-reply@id.example.com',
      }),
    ),
    SMS_URL: optional(z.url({ protocol: /^https?$/ })),
    SMS_METHOD: z.preprocess(empty, z.enum(['POST', 'GET', 'PUT']).default('POST')),
    SMS_HEADERS: optional(
      z.string().transform((value, check) => {
        try {
          return z.record(z.string(), z.string()).parse(JSON.parse(value))
        } catch {
          check.addIssue('must be a JSON object of header names and values')
          return z.NEVER
        }
      }),
    ),
    SMS_BODY: optional(z.string()),
    /** What the body of a good answer must hold, for gateways that answer 200 with an error inside. */
    SMS_ACCEPTED: optional(
      z
        .string()
        .refine(isSafePattern, { error: 'must be a regular expression without look-around and nested repeats' })
        .transform((pattern) => new RegExp(pattern, 'u')),
    ),
    /** Seconds that the gateway may take. */
    SMS_TIMEOUT: z.preprocess(empty, integer(1, 30).default(10)),
    LOG_LEVEL: z.preprocess(empty, z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info')),
    ADMIN_LOGIN: optional(z.string().min(3)),
    ADMIN_EMAIL: optional(z.email()),
    ADMIN_PASSWORD: optional(z.string().min(12)),
  })
  // also when others are at fault: whoever mends them is not told of the next ones only then
  .superRefine(productionFaults, { when: () => true })
export type Env = z.output<typeof Env>

/** The environment is missing or wrong; `faults` names every variable and what it should be. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  constructor(readonly faults: { variable: string; message: string }[]) {
    super(`Configuration:\n${faults.map(({ variable, message }) => `  ${variable}: ${message}`).join('\n')}`)
  }
}

/** Checks a whole environment at once. Throws ConfigurationError. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const result = Env.safeParse(source)
  if (result.success) return result.data
  throw new ConfigurationError(
    result.error.issues.map((issue) => ({ variable: issue.path.join('.'), message: issue.message })),
  )
}

let parsed: Env | undefined

/** The process's configuration, checked once. Throws ConfigurationError. */
export function env(): Env {
  parsed ??= parseEnv(process.env)
  return parsed
}
