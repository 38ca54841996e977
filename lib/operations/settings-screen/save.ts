import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '@/db/client'
import { keepingSignIn } from '@/lib/access/rights/last-administrator'
import { requireAssignable } from '@/lib/access/rights/service'
import { syncIdentifiers } from '@/lib/accounts/users/identifiers'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, type FieldError, fieldError } from '@/lib/base/runtime/errors'
import { isSafePattern } from '@/lib/base/text/safe-pattern'
import { keepingOwnAddress } from '@/lib/network/access-lists/own-address'
import { deviceTypes } from '@/lib/site/device-types/service'
import { definitions, type PasswordCustomRule, type SettingId, type Settings } from '@/lib/site/settings/definitions'
import { settingEntity } from '@/lib/site/settings/entity'
import { givenSettings } from '@/lib/site/settings/given'
import { parseSetting } from '@/lib/site/settings/parse'
import { brokenRelations } from '@/lib/site/settings/relations'
import { reservedAmong, reservedCode } from '@/lib/site/settings/reserved'
import { settingsIn } from '@/lib/site/settings/service'
import { fromWire, type WireSetting } from '@/lib/site/settings/wire'
import {
  modulesOf,
  type savePlatformSettings as platformCall,
  type Scope,
  type saveUsersSettings as usersCall,
} from './contract'
import {
  lockRole,
  lockSettings,
  lockUsers,
  selectAliasIds,
  selectIdentifiable,
  selectPeopleIds,
  selectRepeated,
  selectRows,
  selectUserRole,
  storeValues,
} from './queries'
import { versionOf } from './version'

type Sent = ServiceInput<typeof platformCall>['body'] | ServiceInput<typeof usersCall>['body']
type Values = ReadonlyMap<SettingId, unknown>

const refuse = (faults: FieldError[]) => {
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
}

const identification = {
  login: 'identificationLogin',
  email: 'identificationEmail',
  mobile: 'identificationMobile',
} as const
const kinds = ['login', 'email', 'mobile'] as const

/** Returns the values to store. Throws 400 by setting for values out of bounds and for settings of the environment. */
function valuesOf(body: Sent): Values {
  const newValues = new Map<SettingId, unknown>()
  const faults: FieldError[] = []
  const environmentSettings = givenSettings()
  for (const [name, sentValue] of Object.entries(body)) {
    if (name === 'updatedAt' || sentValue === undefined) continue
    const id = name as SettingId
    const { type, bounds } = definitions[id]
    const value = fromWire(type, sentValue as WireSetting)
    const parsed = parseSetting(id, value)
    if (id in environmentSettings) faults.push({ field: id, code: 'errorReadOnly' })
    else if ('code' in parsed)
      faults.push({ field: id, code: parsed.code, ...(bounds ? { params: { from: bounds.from, to: bounds.to } } : {}) })
    else newValues.set(id, value)
  }
  refuse(faults)
  return newValues
}

/**
 * Throws 400 for an unknown role, network alias or person in a new value, and 403 for a role that the caller may not
 * assign.
 */
async function requireReferences(tx: Transaction, ctx: Ctx, changed: Values, before: Record<string, unknown>) {
  const role = changed.get('defaultUserRole') as string | undefined
  if (role !== undefined) {
    const roleRow = await lockRole(tx, role)
    if (roleRow?.roleType !== 'systemic') refuse([{ field: 'defaultUserRole', code: 'errorRoleUnknown' }])
    await requireAssignable(tx, ctx, { roles: [role] }, 'forbiddenRole')
    // everybody who registers gets this role, without a decision
    if (roleRow?.administers) refuse([{ field: 'defaultUserRole', code: 'errorRoleStrong' }])
  }
  const aliases = changed.get('reverseProxy') as string[] | undefined
  if (aliases) {
    const existingIds = await selectAliasIds(tx, aliases)
    if (aliases.some((id) => !existingIds.has(id))) refuse([{ field: 'reverseProxy', code: 'errorAliasUnknown' }])
  }
  const recipients = changed.get('accessRequestsNotifyRecipients') as
    | Settings['accessRequestsNotifyRecipients']
    | undefined
  if (recipients) {
    // people without an account may stay in the list, so that other changes need no clean-up
    const previousIds = (before.accessRequestsNotifyRecipients as typeof recipients).users
    const added = recipients.users.filter((id) => !previousIds.includes(id))
    const existingIds = await selectPeopleIds(tx, added)
    if (added.some((id) => !existingIds.has(id)))
      refuse([{ field: 'accessRequestsNotifyRecipients', code: 'errorPersonUnknown' }])
  }
}

/** Throws 400 for a new pattern that costs too much; patterns that were already stored may stay. */
function requireSafePatterns(changed: Values, before: Record<string, unknown>) {
  const rulesIn = (value: unknown) => (Array.isArray(value) ? (value as PasswordCustomRule[]) : [])
  const previousPatterns = new Set(rulesIn(before.passwordCustomRules).map(({ pattern }) => pattern))
  const newRules = rulesIn(changed.get('passwordCustomRules')).filter(({ pattern }) => !previousPatterns.has(pattern))
  if (!newRules.every(({ pattern }) => isSafePattern(pattern)))
    refuse([{ field: 'passwordCustomRules', code: 'errorPattern' }])
}

/**
 * Throws 400 if neither the caller nor, without one, any administrator could sign in with the remaining kinds of
 * identifier.
 */
async function requireOwnIdentifier(tx: Transaction, ctx: Ctx, settings: Settings, changes: Values) {
  const types = await deviceTypes()
  const typeId = types.find(({ code }) => code === ctx.deviceType)?.id
  const limit = typeId ? ctx.domain.devicesIdAttributes[typeId] : undefined
  const enabledKinds = kinds.filter((kind) => settings[identification[kind]] && (!limit || limit.includes(kind)))
  if (await selectIdentifiable(tx, ctx.user?.id ?? null, enabledKinds)) return
  const field = kinds.map((kind) => identification[kind]).find((id) => changes.get(id) === false)
  if (field) refuse([{ field, code: 'errorIdentificationOwn' }])
}

/**
 * Returns the errors for kinds of identifier that several people share; with values only for a caller who may read
 * users.
 */
async function sharedIdentifiers(tx: Transaction, ctx: Ctx, turnedOn: readonly ('email' | 'mobile')[]) {
  const mayRead = holdsMethod(ctx, 'users.read')
  const faultsByKind = await Promise.all(
    turnedOn.map(async (kind) =>
      (await selectRepeated(tx, kind)).map(({ value, count }) => ({
        field: identification[kind],
        code: 'errorShared',
        params: { count, value: mayRead ? value : '' },
      })),
    ),
  )
  return faultsByKind.flat()
}

/** Stores the kinds of identifier and claims the identifiers of all accounts anew. */
async function storeIdentification(tx: Transaction, ctx: Ctx, changed: Values, store: () => Promise<unknown>) {
  await lockUsers(tx)
  const turnedOn = (['email', 'mobile'] as const).filter((kind) => changed.get(identification[kind]) === true)
  const shared = await sharedIdentifiers(tx, ctx, turnedOn)
  if (shared.length > 0) throw new AppError(400, 'errorNotUnique', { uniqueErrors: shared })
  await store()
  await requireOwnIdentifier(tx, ctx, await settingsIn(tx), changed)
  await syncIdentifiers(tx, 'all')
}

const hasAny = (changed: Values, ...ids: SettingId[]) => ids.some((id) => changed.has(id))

/** Returns the error for a change after which the caller, or every administrator, couldn't sign in. */
const lockoutError = (newValues: Values) => (person: 'caller' | 'administrators') => {
  const field = Object.values(identification).find((id) => newValues.get(id) === false) ?? identification.login
  return fieldError(field, person === 'caller' ? 'errorIdentificationOwn' : 'errorIdentificationLockout')
}

async function saveInTransaction(tx: Transaction, ctx: Ctx, scope: Scope, { updatedAt, ...body }: Sent) {
  const newValues = valuesOf(body as Sent)
  const work = () => storeSettings(tx, ctx, scope, { wanted: newValues, updatedAt })
  const changesIdentifiers = hasAny(newValues, ...Object.values(identification))
  return changesIdentifiers ? keepingSignIn(tx, ctx.user?.id ?? null, lockoutError(newValues), work) : work()
}

/** Throws 400 if no password could satisfy the changed rules together with the unchanged ones. */
async function requireFulfillable(next: Settings, changed: Values) {
  if (![...changed.keys()].some((id) => id.startsWith('password'))) return
  // loaded on demand: the automata are large, and few processes ever save rules
  const { isContradiction, passwordRuleIds } = await import('@/lib/site/settings/password-contradiction')
  const field = passwordRuleIds.find((id) => changed.has(id))
  if (field && isContradiction(next)) refuse([{ field, code: 'errorPasswordContradiction' }])
}

/** Throws 403 forbiddenSetting by setting for changes that only an administrator may make. */
async function requireReserved(tx: Transaction, ctx: Ctx, ids: readonly SettingId[]) {
  if (ids.length === 0 || (await isAdministrator(tx, ctx))) return
  throw new AppError(403, 'forbiddenSetting', { errorList: ids.map((field) => ({ field, code: reservedCode(field) })) })
}

type SettingsChange = { wanted: Values; updatedAt: Sent['updatedAt'] }

async function storeSettings(
  tx: Transaction,
  ctx: Ctx,
  scope: Scope,
  { wanted: newValues, updatedAt }: SettingsChange,
) {
  await lockSettings(tx)
  const ids = modulesOf(scope).flatMap(({ settings }) => settings.map(({ id }) => id))
  const rows = await selectRows(tx, ids)
  const stored = new Map(rows.map(({ id, value }) => [id, value]))
  const userRole = await selectUserRole(tx)
  const defaultOf = (id: SettingId) => (id === 'defaultUserRole' ? userRole : definitions[id].default)
  const before = Object.fromEntries(ids.map((id) => [id, stored.has(id) ? stored.get(id) : defaultOf(id)]))
  const row = { ...before, updatedAt: versionOf(rows) }
  await requireVersion(tx, ctx, settingEntity, { id: ids, row, updatedAt })
  const changed = new Map([...newValues].filter(([id, value]) => !isDeepStrictEqual(value, before[id])))
  if (changed.size === 0) return row.updatedAt
  const parsed = [...changed].map(([id, value]) => {
    const setting = parseSetting(id, value)
    return [id, 'value' in setting ? setting.value : value]
  })
  requireSafePatterns(changed, before)
  const current = await settingsIn(tx)
  const nextSettings = { ...current, ...Object.fromEntries(parsed) } as Settings
  await requireReserved(tx, ctx, reservedAmong([...changed.keys()], current, nextSettings))
  refuse(brokenRelations(nextSettings, [...changed.keys()]).map(({ id, code }) => ({ field: id, code })))
  await requireFulfillable(nextSettings, changed)
  const store = async () => {
    await requireReferences(tx, ctx, changed, before)
    const storeChanges = () => storeValues(tx, changed, row.updatedAt)
    if (hasAny(changed, ...Object.values(identification))) await storeIdentification(tx, ctx, changed, storeChanges)
    else await storeChanges()
  }
  const [networkSetting] = (['reverseProxy', 'whitelistMode'] as const).filter((id) => changed.has(id))
  await (networkSetting ? keepingOwnAddress(tx, ctx, networkSetting, store) : store())
  for (const [id, value] of changed)
    await audit(tx, ctx, settingEntity, id, { [id]: before[id] } as never, { [id]: value } as never)
  return versionOf(await selectRows(tx, ids))
}

/**
 * The error for a value that one person already has, where SQL's lower case found nothing: the database's locale may
 * know fewer letters.
 */
const constraintErrors = {
  user_identifiers_kind_value: () =>
    new AppError(400, 'errorNotUnique', { uniqueErrors: [{ field: identification.email, code: 'errorShared' }] }),
}

async function save(ctx: Ctx, scope: Scope, body: Sent) {
  requireMethod(ctx, 'settings.write')
  const updatedAt = await onBroken(constraintErrors, () =>
    changing('settings', (tx) => saveInTransaction(tx, ctx, scope, body)),
  )
  return { updatedAt: updatedAt.toISOString() }
}

/**
 * Changes settings of the platform; they take effect at once in every process. Needs settings.write. Throws 400 by
 * setting, 403 forbiddenSetting by setting for those that only an administrator may change
 * (docs/rules/access.md#administrators-alone), 400 errorNotUnique with `uniqueErrors` if people share an identifier,
 * 400 for a change that would lock the caller out or misread their address, and 409 if somebody has saved settings of
 * the platform since `updatedAt`.
 */
export const savePlatformSettings = (ctx: Ctx, { body }: ServiceInput<typeof platformCall>) =>
  save(ctx, 'platform', body)

/**
 * Changes settings of users; they take effect at once in every process. Needs settings.write. Throws 400 by setting,
 * 403 forbiddenSetting as above, 403 forbiddenRole for a default role with a method that the caller may not assign, and
 * 409 as above.
 */
export const saveUsersSettings = (ctx: Ctx, { body }: ServiceInput<typeof usersCall>) => save(ctx, 'users', body)
