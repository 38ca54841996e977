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

/** Returns the ids in a value of a setting. */
function idsIn(id: SettingId, value: unknown): string[] {
  if (id === 'accessRequestsNotifyRecipients') return (value as StoredSetting<typeof id>).users
  return id === 'defaultUserRole' || id === 'reverseProxy' ? ([value].flat() as string[]) : []
}

type State = { given: boolean; reserved: boolean }

function settingView(
  id: SettingId,
  value: unknown,
  defaultValue: unknown,
  names: readonly Named[],
  state: State,
): Setting {
  const { type, bounds } = definitions[id] as { type: Setting['type']; bounds?: { advised?: number } }
  const proxies = env().REVERSE_PROXY
  const parts = {
    id,
    type,
    ...toWire(type, value),
    default: toWire(type, defaultValue),
    readonly: state.given,
    source: state.given ? givenBy : null,
    reserved: state.reserved,
    bounds: bounds ? { advised: null, ...bounds } : null,
    named: names.filter((named) => idsIn(id, value).includes(named.id)),
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
  const environmentSettings = givenSettings()
  const defaultOf = (id: SettingId) => (id === 'defaultUserRole' ? userRole : definitions[id].default)
  const stored = new Map(rows.map(({ id, value }) => [id, value]))
  const storedOf = (id: SettingId) =>
    id in environmentSettings ? environmentSettings[id] : stored.has(id) ? stored.get(id) : defaultOf(id)
  const idsOf = (id: SettingId) => (ids.includes(id) ? idsIn(id, storedOf(id)) : [])
  const names = await selectNamed(
    {
      roles: idsOf('defaultUserRole'),
      aliases: idsOf('reverseProxy'),
      people: idsOf('accessRequestsNotifyRecipients'),
    },
    ctx.locale,
  )
  const data = modules.map(({ id, settings }) => ({
    id,
    settings: settings.map((setting) =>
      settingView(setting.id, storedOf(setting.id), defaultOf(setting.id), names, {
        given: setting.id in environmentSettings,
        reserved: isReserved(setting.id) && !mayReadReserved,
      }),
    ),
  }))
  return { data, updatedAt: versionOf(rows).toISOString() }
}

/** Returns the settings of the platform by module. Needs settings.read. */
export const readPlatformSettings = (ctx: Ctx) => readSettings(ctx, 'platform')

/** Returns the settings of users by module. Needs settings.read. */
export const readUsersSettings = (ctx: Ctx) => readSettings(ctx, 'users')
