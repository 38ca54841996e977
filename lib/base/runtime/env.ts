import { createPublicKey } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { spelledEmail } from '../text/email'
import { isStoredPattern } from '../text/safe-pattern'
import { normalSubnet } from './subnet'

const empty = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(empty, schema.optional())
const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** A key must look random: long enough, and not one character or word repeated. */
const isStrongKey = (key: string) => key.length >= 43 && new Set(key).size >= 16

function isLicenseKey(text: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

type CheckedEnv = Partial<{
  PLATFORM_MODE: string
  PUBLIC_URL: string
  REDIS_URL: string
  SMTP_URL: string
  MAIL_FROM: string
  REQUEST_TIMEOUT: number
}>

/** Seconds in which a request must have arrived. */
const requestTimeout = 60

/** Adds the faults that count in production only. A variable that already has a fault gets no second one. */
function productionFaults(env: CheckedEnv, check: z.RefinementCtx) {
  if (env.PLATFORM_MODE !== 'production') return
  const faultyNames = new Set(check.issues.map(({ path }) => path?.join('.')))
  const addFault = (path: string, message: string) => {
    if (!faultyNames.has(path)) check.addIssue({ code: 'custom', path: [path], message })
  }
  if (!env.PUBLIC_URL?.startsWith('https://')) addFault('PUBLIC_URL', 'must be https in production')
  if (env.REDIS_URL === 'mock:') addFault('REDIS_URL', 'an in-process Redis is not for production')
  if (!env.SMTP_URL) addFault('SMTP_URL', 'must be a smtp:// or smtps:// address in production')
  if (env.REQUEST_TIMEOUT !== requestTimeout) addFault('REQUEST_TIMEOUT', 'is for tests alone')
  if (!env.MAIL_FROM) addFault('MAIL_FROM', 'must be the sender of mails in production')
}

const Env = z
  .object({
    /** Every mode but production may run on embedded services and shows the sent messages. */
    PLATFORM_MODE: z.preprocess(empty, z.enum(['production', 'demo', 'development', 'test']).default('production')),
    PUBLIC_URL: z.url({
      protocol: /^https?$/,
      error: 'must be the address people open, such as https://id.example.com',
    }),
    /** Where copyright and developer links lead on domains that name no site of their own. */
    COPYRIGHT_URL: optional(z.url({ protocol: /^https$/, error: 'must be an https address' })),
    DEV_URL: optional(z.url({ protocol: /^https$/, error: 'must be an https address' })),
    HOST: z.preprocess(empty, z.string().default('0.0.0.0')),
    PORT: z.preprocess(empty, integer(0, 65535).default(3000)),
    /**
     * Proxies whose X-Forwarded-For is trusted from the first start, in addition to those of the setting reverseProxy.
     */
    REVERSE_PROXY: z.preprocess(
      empty,
      z
        .string()
        .default('')
        .transform((list, check) => {
          const entries = list
            .split(',')
            .map((subnet) => subnet.trim())
            .filter(Boolean)
          const subnets = entries.map((subnet) => normalSubnet(subnet))
          const wrongEntries = entries.filter((_, index) => subnets[index] === undefined)
          if (wrongEntries.length > 0)
            check.addIssue(
              `must be addresses or subnets separated by commas, such as 10.0.0.5, 10.1.0.0/16; not ${wrongEntries.join(', ')}`,
            )
          return subnets.filter((subnet) => subnet !== undefined)
        }),
    ),
    /**
     * Settings by id, as they are stored. They can't be changed in the administration (docs/rules/settings.md#given).
     */
    SETTINGS: z.preprocess(
      empty,
      z
        .string()
        .default('{}')
        .transform((value, check): Record<string, unknown> => {
          try {
            return z.record(z.string(), z.unknown()).parse(JSON.parse(value))
          } catch {
            check.addIssue('must be a JSON object of settings, such as {"passwordMin":12}')
            return z.NEVER
          }
        }),
    ),
    /** Only for tests, which can't wait for a minute. */
    REQUEST_TIMEOUT: z.preprocess(empty, integer(10, requestTimeout).default(requestTimeout)),
    METRICS_PORT: optional(integer(0, 65535)),
    /** Health and metrics of a worker. */
    WORKER_METRICS_PORT: optional(integer(0, 65535)),
    /** The address that serves metrics: by default this machine only. */
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
      z.string().refine((from) => spelledEmail(/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from) !== null, {
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
    /** What the body of a successful answer must match, for gateways that answer 200 with an error inside. */
    SMS_ACCEPTED: optional(
      z
        .string()
        .refine(isStoredPattern, { error: 'must be a regular expression without look-around and nested repeats' })
        .transform((pattern) => new RegExp(pattern, 'u')),
    ),
    /** Seconds after which a call of the gateway fails. */
    SMS_TIMEOUT: z.preprocess(empty, integer(1, 30).default(10)),
    /** A local file in the MMDB format, from which the list of sessions takes the country of an address. */
    COUNTRY_DATABASE: optional(z.string()),
    /**
     * Recommended versions by `platform`, `node`, `postgresql`, `redis` or the code of an application, in place of
     * those that ship with the platform.
     */
    RECOMMENDED_VERSIONS: z.preprocess(
      empty,
      z
        .string()
        .default('{}')
        .transform((value, check): Record<string, string> => {
          try {
            return z.record(z.string(), z.string().regex(/^v?\d[\w.+-]{0,63}$/)).parse(JSON.parse(value))
          } catch {
            check.addIssue('must be a JSON object of versions, such as {"platform":"1.4.0","shop":"2.1"}')
            return z.NEVER
          }
        }),
    ),
    /**
     * The key by which licenses are checked: an Ed25519 public key, the Base64 of its SPKI
     * (docs/rules/monitoring.md#license).
     */
    LICENSE_PUBLIC_KEY: optional(
      z.string().refine(isLicenseKey, {
        error: 'must be the public key that npm run platform -- license issue --new-key prints',
      }),
    ),
    /** The address of a collector that takes traces by OTLP over HTTP; without one there are no traces. */
    OTEL_EXPORTER_OTLP_ENDPOINT: optional(
      z.url({ protocol: /^https?$/, error: 'must be an http address, such as http://collector:4318' }),
    ),
    /** The share of requests whose trace is kept, 0 to 1. */
    OTEL_TRACES_SAMPLER_ARG: z.preprocess(empty, z.coerce.number().min(0).max(1).default(1)),
    LOG_LEVEL: z.preprocess(empty, z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info')),
    ADMIN_LOGIN: optional(z.string().min(3)),
    ADMIN_EMAIL: optional(
      z.string().refine((text) => spelledEmail(text) !== null, { error: 'must be an e-mail address' }),
    ),
    ADMIN_PASSWORD: optional(z.string().min(12)),
  })
  // runs even when other variables have faults, so that all faults are reported at once
  .superRefine(productionFaults, { when: () => true })
export type Env = z.output<typeof Env>

/** Thrown when the environment is incomplete or wrong; `faults` names every variable and what it should be. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  constructor(readonly faults: { variable: string; message: string }[]) {
    super(`Configuration:\n${faults.map(({ variable, message }) => `  ${variable}: ${message}`).join('\n')}`)
  }
}

/** Checks a whole environment and returns it. Throws ConfigurationError with all faults. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const result = Env.safeParse(source)
  if (result.success) return result.data
  throw new ConfigurationError(
    result.error.issues.map((issue) => ({ variable: issue.path.join('.'), message: issue.message })),
  )
}

let parsed: Env | undefined

/** Returns the configuration of the process, checked once. Throws ConfigurationError. */
export function env(): Env {
  parsed ??= parseEnv(process.env)
  return parsed
}
