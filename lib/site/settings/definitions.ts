import { z } from 'zod'
import type { Secrets, SecretsOf } from '@/lib/base/audit/entity'
import { requiredLine } from '@/lib/base/contracts/contract'
import { toEmail } from '@/lib/base/text/email'
import { isStoredPattern } from '@/lib/base/text/safe-pattern'
import { type DurationUnit, inSeconds, type StoredDuration, secondsIn } from './duration'

const sec = (value: number): StoredDuration => ({ value, unit: 'seconds' })
const min = (value: number): StoredDuration => ({ value, unit: 'minutes' })
const hour = (value: number): StoredDuration => ({ value, unit: 'hours' })
const day = (value: number): StoredDuration => ({ value, unit: 'days' })

export type Kind =
  | 'integer'
  | 'string'
  | 'switch'
  | 'duration'
  | 'days'
  | 'url'
  | 'rules'
  | 'role'
  | 'networkAliases'
  | 'recipients'

/** The bounds of a number, for a duration in seconds. `advised`: a smaller value is allowed, but weak. */
type Bounds = { from: number; to: number; advised?: number }

/**
 * How a setting is stored, checked and read: `schema` turns the stored value into the one that code reads. `secrets`
 * names the parts that the history must not show. The setting's label is a text under `settings.names`.
 */
export type Definition<Stored, Value> = {
  type: Kind
  default: Stored
  schema: z.ZodType<Value>
  secrets?: Secrets
  bounds?: Bounds
}
type Options<Stored> = { secrets?: SecretsOf<Stored>; bounds?: Bounds }
const define = <Stored, Value>(
  type: Kind,
  value: Stored,
  schema: z.ZodType<Value>,
  options: Options<Stored> = {},
): Definition<Stored, Value> => ({
  type,
  default: value,
  schema,
  ...(options as { secrets?: Secrets; bounds?: Bounds }),
})

const wholeNumber = (from: number, to: number) =>
  z.number({ error: 'errorFormat' }).int('errorFormat').min(from, 'errorRange').max(to, 'errorRange')

const integer = (value: number, from: number, to: number, advised?: number) =>
  define('integer', value, wholeNumber(from, to), { bounds: { from, to, ...(advised ? { advised } : {}) } })
const days = (value: number, from: number) =>
  define('days', value, wholeNumber(from, 36_500), { bounds: { from, to: 36_500 } })
const toggle = (value: boolean) => define('switch', value, z.boolean({ error: 'errorFormat' }))

const duration = (value: StoredDuration, from: StoredDuration, to: StoredDuration) =>
  define(
    'duration',
    value,
    z
      .strictObject({
        value: wholeNumber(1, Number.MAX_SAFE_INTEGER),
        unit: z.enum(Object.keys(secondsIn) as [DurationUnit, ...DurationUnit[]]),
      })
      .transform(inSeconds)
      .refine((seconds) => seconds >= inSeconds(from) && seconds <= inSeconds(to), 'errorRange'),
    { bounds: { from: inSeconds(from), to: inSeconds(to) } },
  )

const Symbols = z
  .string()
  .max(64, 'errorTooLong')
  // with a letter or a digit among them, every password would need one
  .regex(/^[^\s\p{C}\p{L}\p{N}]*$/u, 'errorChars')
  .refine((text) => new Set(text).size === [...text].length, 'errorUnique')

const CustomRule = z.strictObject({
  // a save checks new patterns more strictly
  pattern: z.string().refine(isStoredPattern, 'errorPattern'),
  /** By locale code. */
  title: z.record(z.string().min(2).max(35), requiredLine(200)),
})
export type PasswordCustomRule = z.output<typeof CustomRule>

const HttpsAddress = z.union([
  z.literal('').transform(() => null),
  z.null(),
  z.url({ protocol: /^https$/, error: 'errorUrl' }).max(2048, 'errorTooLong'),
])

const Recipients = z.strictObject({
  users: z.array(z.guid('errorFormat').toLowerCase()).max(100),
  emails: z.array(z.string('errorEmail').transform(toEmail)).max(100),
})

/** Every setting by scope and module, in the order in which the administration shows them. */
export const settingModules = {
  platform: {
    password: {
      passwordMin: integer(8, 8, 128),
      /** Null: no upper bound is shown, and 256 applies. */
      passwordMax: define('integer', 128 as number | null, wholeNumber(8, 256).nullable(), {
        bounds: { from: 8, to: 256 },
      }),
      passwordSymbols: define('string', '!@#$%^&*()_+-=?', Symbols),
      passwordUppercase: toggle(true),
      passwordLowercase: toggle(true),
      passwordNumbers: toggle(true),
      passwordGenerate: toggle(true),
      passwordCustomRules: define('rules', [] as PasswordCustomRule[], z.array(CustomRule).max(20)),
      passwordHistory: integer(5, 0, 24),
      passwordRefreshAttempts: integer(5, 1, 50),
    },
    code: {
      authCodeDigits: integer(4, 4, 8, 6),
      authCodeAlive: duration(min(10), sec(31), hour(1)),
      authCodeResendAlive: duration(min(1), sec(30), hour(1)),
      authCodeDailyLimit: integer(10, 1, 100),
      authCodeAttempts: integer(5, 1, 10),
    },
    identification: {
      identificationLogin: toggle(true),
      identificationEmail: toggle(true),
      identificationMobile: toggle(true),
    },
    clientIdentification: {
      clientAccessTokenLifespan: duration(min(10), sec(1), day(7)),
    },
    authorization: {
      accessTokenLifespan: duration(min(10), sec(1), day(7)),
      refreshTokenLifespan: duration(day(7), sec(1), day(7)),
      sessionAlive: duration(day(7), min(1), day(30)),
      sessionIdleAlive: duration(day(1), min(1), day(30)),
      agreementsAtOnce: toggle(true),
    },
    license: {
      licenseCheckPeriod: duration(day(1), hour(1), day(30)),
    },
    logs: {
      historyRetention: days(365, 45),
      integrationLogRetention: days(30, 14),
      providerApiLogRetention: days(14, 7),
      providerSyncLogRetention: days(14, 7),
      interactionRetention: days(30, 30),
      integrationJournalRetention: days(14, 7),
    },
    metrics: {
      metricsScript: define('url', null as string | null, HttpsAddress),
    },
    monitoring: {
      monitoringPeriod: duration(min(1), sec(30), hour(1)),
      monitoringStuckAfter: duration(min(15), min(1), day(1)),
    },
    network: {
      /** Ids of network aliases. */
      reverseProxy: define('networkAliases', [] as string[], z.array(z.guid('errorFormat').toLowerCase()).max(100)),
      whitelistMode: toggle(false),
    },
    notify: {
      sendAccessNotify: toggle(true),
      accessRequestsNotifyRecipients: define('recipients', { users: [], emails: [] }, Recipients),
    },
    ui: {
      headerVisible: toggle(true),
      uiNavMini: toggle(false),
      editNavMini: toggle(true),
      navMiniTitle: toggle(true),
      useUserFio: toggle(true),
      localNotifies: toggle(true),
      accessRequests: toggle(true),
      cookie: toggle(true),
    },
  },
  users: {
    registration: {
      registrationEnabled: toggle(true),
      registrationAlive: duration(day(1), min(5), day(30)),
      registrationsPerIp: integer(20, 1, 1000),
      mobileVerifyAlive: duration(min(5), min(1), hour(1)),
      mobileVerifyAttempts: integer(5, 1, 10),
      inviteAlive: duration(day(7), hour(1), day(90)),
      /** Id of a systemic role; by default that of the shipped role `user`. */
      defaultUserRole: define('role', null as string | null, z.guid('errorFormat').toLowerCase()),
    },
    recovery: {
      refreshAlive: duration(hour(1), min(5), day(1)),
      firstRefreshAlive: duration(day(3), hour(1), day(30)),
    },
    providers: {
      syncPeriod: duration(hour(6), min(15), hour(24)),
    },
  },
} as const

type Merge<U> = (U extends unknown ? (u: U) => void : never) extends (all: infer I) => void ? I : never
type ModulesOf<S> = S[keyof S]
type Definitions = Merge<ModulesOf<(typeof settingModules)['platform']> | ModulesOf<(typeof settingModules)['users']>>

export type SettingId = keyof Definitions
/** A setting's value as it is stored. */
export type StoredSetting<I extends SettingId> = Definitions[I]['default']
/** Every setting as code reads it: durations in seconds, retentions in days. */
export type Settings = { [I in SettingId]: Definitions[I] extends Definition<infer _, infer Value> ? Value : never }

/** Every setting by id. */
export const definitions = Object.assign(
  {},
  ...Object.values(settingModules).flatMap((modules) => Object.values(modules)),
) as Definitions
