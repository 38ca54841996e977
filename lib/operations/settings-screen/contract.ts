import { z } from 'zod'
import { contract, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'
import { type Definition, type Kind, type SettingId, settingModules } from '@/lib/site/settings/definitions'
import { durationUnits } from '@/lib/site/settings/duration'

const kinds = [
  'integer',
  'string',
  'switch',
  'duration',
  'days',
  'url',
  'rules',
  'role',
  'networkAliases',
  'recipients',
] as const satisfies readonly Kind[]

const Unit = z.enum(durationUnits, { error: 'errorFormat' })
const Rule = z.strictObject({
  pattern: requiredLine(200),
  /** By locale code. */
  title: z.record(line(35), requiredLine(200)),
})
const number = z.number({ error: 'errorFormat' })
const Recipients = z.strictObject({
  users: z.array(Id).max(100, 'errorTooMany'),
  emails: z.array(requiredLine(320)).max(100, 'errorTooMany'),
})

/** The schema of each kind of setting in a call; the service checks the bounds. */
const schemaByKind = {
  integer: z.strictObject({ value: number.nullable() }),
  days: z.strictObject({ value: number }),
  string: z.strictObject({ value: line(64) }),
  url: z.strictObject({ value: line(2048).nullable() }),
  switch: z.strictObject({ value: z.boolean({ error: 'errorFormat' }) }),
  duration: z.strictObject({ value: number, value_props: z.strictObject({ unit: Unit }) }),
  rules: z.strictObject({ value: z.array(Rule).max(20, 'errorTooMany') }),
  role: z.strictObject({ value_props: z.strictObject({ value: Id }) }),
  networkAliases: z.strictObject({ value_props: z.strictObject({ value: z.array(Id).max(100, 'errorTooMany') }) }),
  recipients: z.strictObject({ value_props: Recipients }),
} satisfies Record<Kind, z.ZodType>

export type Scope = keyof typeof settingModules
type SentSetting = z.ZodType<{ value?: unknown; value_props?: unknown }>

/** The settings of a scope by module, in order. */
export const modulesOf = (scope: Scope) =>
  Object.entries(settingModules[scope] as Record<string, Record<string, Definition<unknown, unknown>>>).map(
    ([id, settings]) => ({
      id,
      settings: Object.entries(settings).map(([name, definition]) => ({ id: name as SettingId, definition })),
    }),
  )

type Modules<S extends Scope> = (typeof settingModules)[S]
type IdsOf<S extends Scope> = { [M in keyof Modules<S>]: keyof Modules<S>[M] }[keyof Modules<S>]

const bodyOf = <S extends Scope>(scope: S) => {
  const settings = modulesOf(scope).flatMap((module) => module.settings)
  const shape = Object.fromEntries(settings.map(({ id, definition }) => [id, schemaByKind[definition.type].optional()]))
  return z.strictObject({ ...(shape as unknown as Record<IdsOf<S>, z.ZodOptional<SentSetting>>), ...readVersion })
}

const ShownValue = z.union([number, z.string(), z.boolean(), z.array(Rule)]).nullable()
const ShownProps = z.union([
  z.strictObject({ unit: Unit }),
  z.strictObject({ value: z.union([z.array(Id), Id]).nullable() }),
  Recipients,
])
const Setting = z.strictObject({
  id: z.string(),
  type: z.enum(kinds),
  value: ShownValue,
  value_props: ShownProps.nullable(),
  /** The value until somebody changes it, in the same form. */
  default: z.strictObject({ value: ShownValue, value_props: ShownProps.nullable() }),
  /** Set by the environment, so that it can't be changed here; `source` names the variable. */
  readonly: z.boolean(),
  source: z.string().nullable(),
  /** Only an administrator may change it, and the caller isn't one. */
  reserved: z.boolean(),
  /** The smallest and the largest number; for a duration in seconds. A value below `advised` is weak. */
  bounds: z.strictObject({ from: number, to: number, advised: number.nullable() }).nullable(),
  /** Names of the objects that the value refers to by id. */
  named: z.array(z.strictObject({ id: Id, name: z.string() })),
  /** Values that the environment adds, such as the first proxies of REVERSE_PROXY. */
  added: z.strictObject({ source: z.string(), values: z.array(z.string()) }).nullable(),
})
export type Setting = z.output<typeof Setting>

const Module = z.strictObject({ id: z.string(), settings: z.array(Setting) })
export type SettingModule = z.output<typeof Module>

const ModuleList = z.strictObject({ data: z.array(Module), updatedAt: z.iso.datetime() })
const Saved = z.strictObject({ updatedAt: z.iso.datetime() })

const common = { tag: 'settings', access: { area: 'settings' } } as const
const path = '/setting/application/settings'
const cross = { errorReadOnly: 400, conflict: 409 }

export const readPlatformSettings = contract({
  ...common,
  name: 'readPlatformSettings',
  summary: 'The settings of the platform by module, with their defaults, bounds and sources',
  method: 'GET',
  path: `${path}/modules/platform`,
  response: ModuleList,
})

export const readUsersSettings = contract({
  ...common,
  name: 'readUsersSettings',
  summary: 'The settings of users by module, with their defaults, bounds and sources',
  method: 'GET',
  path: `${path}/modules/users`,
  response: ModuleList,
})

export const savePlatformSettings = contract({
  ...common,
  name: 'savePlatformSettings',
  snackbar: 'settings',
  summary: 'Changes the settings of the platform that the body names; they act at once in every process',
  method: 'PATCH',
  path: `${path}/platform`,
  body: bodyOf('platform'),
  response: Saved,
  errors: {
    ...cross,
    forbiddenSetting: 403,
    errorPasswordMax: 400,
    errorPasswordContradiction: 400,
    errorAuthCodeAlive: 400,
    errorIdentification: 400,
    errorIdentificationOwn: 400,
    errorIdentificationLockout: 400,
    errorRefreshTokenLifespan: 400,
    errorSessionIdleAlive: 400,
    errorAliasUnknown: 400,
    errorPersonUnknown: 400,
    errorNotUnique: 400,
    ownAddressDenied: 400,
    ownAddressDeniedLater: 400,
    ownAddressMisread: 400,
  },
})

export const saveUsersSettings = contract({
  ...common,
  name: 'saveUsersSettings',
  snackbar: 'settings',
  summary: 'Changes the settings of users that the body names; they act at once in every process',
  method: 'PATCH',
  path: `${path}/users`,
  body: bodyOf('users'),
  response: Saved,
  errors: { ...cross, forbiddenSetting: 403, errorRoleUnknown: 400, errorRoleStrong: 400, forbiddenRole: 403 },
})
