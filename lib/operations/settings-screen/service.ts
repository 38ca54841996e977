import { db } from '@/db/client'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import { env } from '@/lib/base/runtime/env'
import { definitions, type SettingId, type StoredSetting } from '@/lib/site/settings/definitions'
import { givenBy, givenSettings } from '@/lib/site/settings/given'
import { isReserved } from '@/lib/site/settings/reserved'
import { toWire } from '@/lib/site/settings/wire'
import { modulesOf, type Scope, type Setting, type SettingModule } from './contract'
import { selectNamed, selectRows, selectUserRole } from './queries'
import { versionOf } from './version'

type Named = { id: string; name: string }

/** The ids that a value names. */
function idsIn(id: SettingId, value: unknown): string[] {
  if (id === 'accessRequestsNotifyRecipients') return (value as StoredSetting<typeof id>).users
  return id === 'defaultUserRole' || id === 'reverseProxy' ? ([value].flat() as string[]) : []
}

type State = { given: boolean; reserved: boolean }

function shown(id: SettingId, value: unknown, preset: unknown, names: readonly Named[], state: State): Setting {
  const { type, bounds } = definitions[id] as { type: Setting['type']; bounds?: { advised?: number } }
  const proxies = env().REVERSE_PROXY
  const parts = {
    id,
    type,
    ...toWire(type, value),
    default: toWire(type, preset),
    readonly: state.given,
    source: state.given ? givenBy : null,
    reserved: state.reserved,
    bounds: bounds ? { advised: null, ...bounds } : null,
    named: names.filter((one) => idsIn(id, value).includes(one.id)),
    added: id === 'reverseProxy' && proxies.length > 0 ? { source: 'REVERSE_PROXY', values: proxies } : null,
  }
  return parts as Setting
}

/** Returns the settings of a scope by module, and their version. */
async function readSettings(ctx: Ctx, scope: Scope): Promise<{ data: SettingModule[]; updatedAt: string }> {
  requireMethod(ctx, 'settings.read')
  const modules = modulesOf(scope)
  const ids = modules.flatMap(({ settings }) => settings.map(({ id }) => id))
  const [rows, userRole, mayReadReserved] = await Promise.all([
    selectRows(db(), ids),
    selectUserRole(db()),
    isAdministrator(db(), ctx),
  ])
  const given = givenSettings()
  const presetOf = (id: SettingId) => (id === 'defaultUserRole' ? userRole : definitions[id].default)
  const stored = new Map(rows.map(({ id, value }) => [id, value]))
  const storedOf = (id: SettingId) => (id in given ? given[id] : stored.has(id) ? stored.get(id) : presetOf(id))
  const of = (id: SettingId) => (ids.includes(id) ? idsIn(id, storedOf(id)) : [])
  const names = await selectNamed(
    { roles: of('defaultUserRole'), aliases: of('reverseProxy'), people: of('accessRequestsNotifyRecipients') },
    ctx.locale,
  )
  const data = modules.map(({ id, settings }) => ({
    id,
    settings: settings.map((one) =>
      shown(one.id, storedOf(one.id), presetOf(one.id), names, {
        given: one.id in given,
        reserved: isReserved(one.id) && !mayReadReserved,
      }),
    ),
  }))
  return { data, updatedAt: versionOf(rows).toISOString() }
}

/** Returns the settings of the platform by module. Needs settings.read. */
export const readPlatformSettings = (ctx: Ctx) => readSettings(ctx, 'platform')

/** Returns the settings of users by module. Needs settings.read. */
export const readUsersSettings = (ctx: Ctx) => readSettings(ctx, 'users')
