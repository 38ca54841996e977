import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import {
  domains,
  dynamicFieldSubtypes,
  dynamicFields,
  dynamicFieldTabs,
  integrationSyncs,
  networkAliases,
  notifyMethods,
  providerSyncs,
  roles,
} from '@/db/schema'
import type { Ctx } from '@/lib/base/context/ctx'
import * as mapperCalls from '@/lib/directory-sync/provider-mappers/contract'
import * as mapperVerbs from '@/lib/directory-sync/provider-mappers/service'
import * as syncCalls from '@/lib/directory-sync/provider-sync/contract'
import { updateProviderSync } from '@/lib/directory-sync/provider-sync/service'
import * as providerCalls from '@/lib/directory-sync/providers/contract'
import * as providerVerbs from '@/lib/directory-sync/providers/service'
import * as exchangeCalls from '@/lib/exchanges/exchanges/contract'
import * as exchangeVerbs from '@/lib/exchanges/exchanges/service'
import * as fieldCalls from '@/lib/fields/dynamic-fields/contract'
import * as fieldVerbs from '@/lib/fields/dynamic-fields/service'
import * as blockVerbs from '@/lib/fields/dynamic-fields/subtypes'
import * as tabCalls from '@/lib/fields/field-tabs/contract'
import * as tabVerbs from '@/lib/fields/field-tabs/service'
import { fieldTypes } from '@/lib/fields/values/definition'
import { enableNotifyMethod } from '@/lib/messaging/channels/service'
import * as settingCalls from '@/lib/operations/settings-screen/contract'
import * as settingVerbs from '@/lib/operations/settings-screen/save'
import { definitions, type SettingId } from '@/lib/site/settings/definitions'
import { toWire } from '@/lib/site/settings/wire'
import { type At, parsed } from './random-values'

const owners = fieldCalls.fieldOwners

async function setFields(ctx: Ctx, { act, chance, few, flag, one, order, random, text }: At) {
  for (const type of owners) {
    const params = { type }
    for (const title of few(['Ещё', 'Прочее', 'Ещё']))
      await act('createFieldTab', () =>
        tabVerbs.createFieldTab(ctx, {
          params,
          body: parsed(tabCalls.createFieldTab, { title, titleEn: one(['', text()]) }),
        }),
      )
    const tabs = await db().select().from(dynamicFieldTabs).where(eq(dynamicFieldTabs.type, type))
    const kindCodes =
      type === 'personnel-actions' ? ['hiring', 'vacation', 'transfer'] : ['work', 'Extra_1', 'more-2', 'car']
    for (const code of order(few(kindCodes)))
      await act('createSubtype', () => {
        const given = { code, title: text(), titleEn: one(['', text()]), tab: one(tabs).id, active: flag() }
        return blockVerbs.createSubtype(ctx, { params, body: parsed(fieldCalls.createSubtype, given) })
      })
    const blocks = await db().select().from(dynamicFieldSubtypes).where(eq(dynamicFieldSubtypes.type, type))
    const codes = ['badge', 'grade', 'Size', 'hobby', 'note-1', 'shift']
    for (const code of order(few(codes))) {
      if (blocks.length === 0) break
      await act('createDynamicField', () => {
        const fieldType = one(fieldTypes)
        const listed = fieldType === 'dropbox' || fieldType === 'combobox'
        const items = order(['a', 'b', 'c.1', 'D']).slice(0, 1 + random(4))
        const given = {
          ...{ type, code, fieldType, subtype: one(blocks).code, title: text(), titleEn: one(['', text()]) },
          ...{ comment: one(['', text()]), active: flag(), adminRequired: chance(3), adminVisible: flag() },
          ...{ adminEdit: flag(), profileRequired: chance(3), profileVisible: flag(), profileEdit: flag() },
          ...{ integrationRequired: chance(4), unique: chance(5), multiple: chance(3), latin: chance(4) },
          ...{ pattern: one([null, '^[A-Z]', '']), minLength: one([null, 1]), maxLength: one([null, 20]) },
          items: listed ? items.map((item) => ({ code: item, value: text(), valueEn: one(['', text()]) })) : [],
        }
        return fieldVerbs.createDynamicField(ctx, { body: parsed(fieldCalls.createDynamicField, given) })
      })
    }
    for (const tab of tabs) {
      const inTab = { type, tab: tab.id }
      if (chance(3))
        await act('activateFieldTab', () =>
          fieldVerbs.activateFieldTab(ctx, { params: inTab, body: { active: flag() } }),
        )
      if (chance(2))
        await act('orderFields', async () => {
          const { tab: profileTab } = await fieldVerbs.readFieldTab(ctx, { params: inTab })
          const all = order(profileTab.subtypes.flatMap(({ fields }) => fields))
          await fieldVerbs.orderFields(ctx, {
            params: inTab,
            body: { order: all.map(({ id }, place) => ({ id, order: place })) },
          })
        })
    }
    await act('orderFieldTabs', () =>
      fieldVerbs.orderFieldTabs(ctx, {
        params,
        body: { order: order(tabs).map(({ id }, place) => ({ id, order: place })) },
      }),
    )
    for (const field of few(await db().select().from(dynamicFields).where(eq(dynamicFields.type, type)))) {
      if (!chance(3)) continue
      await act('activateDynamicField', () =>
        fieldVerbs.activateDynamicField(ctx, { params: { type, id: field.id }, body: { active: flag() } }),
      )
    }
  }
}

async function setProviders(ctx: Ctx, { act, chance, few, flag, one, order, random, text }: At) {
  const served = await db().select().from(domains)
  const kinds = [
    ['Каталог «Север»', 'keycloak'],
    ['Платформа', 'wapps'],
    ['OpenID', 'oidc'],
  ] as const
  for (const [name, type] of few(kinds))
    await act('createProvider', async () => {
      const given = {
        ...{
          name,
          type,
          url: one(['https://id.example', 'https://login.example/base']),
          clientId: one(['portal', 'sso_1']),
        },
        ...{
          realm: type === 'keycloak' ? one(['main', 'staff']) : '',
          clientSecret: one(['secret one', 'secret two']),
        },
        ...{ scopes: type === 'oidc' ? few(['profile', 'email', 'phone']) : [] },
        ...{ emailDomains: few(['one.example', 'two.example']), domains: few(served).map(({ id }) => id) },
      }
      const { id } = await providerVerbs.createProvider(ctx, { body: parsed(providerCalls.createProvider, given) })
      const [sync] = await db().select().from(providerSyncs).where(eq(providerSyncs.providerId, id))
      if (!sync) return
      const syncId = sync.id
      if (chance(3)) await mapperVerbs.addBaseMappers(ctx, { params: { syncId } })
      const systemic = await db().select().from(roles).where(eq(roles.roleType, 'systemic'))
      const fields = await db().select().from(dynamicFields).where(eq(dynamicFields.type, 'users'))
      for (const title of order(few(['Почта', 'Имя', 'Роли', 'Отдел'])))
        await act('createProviderMapper', () => {
          const access = title === 'Роли'
          const pairs = order(['admins', 'people']).map((attribute) => ({
            attribute,
            value: access ? one(systemic).id : text(),
          }))
          const body = parsed(mapperCalls.createProviderMapper, {
            ...{ name: title, type: access ? 'users-access' : 'users-base', enabled: flag() },
            ...{ before: access ? 'roles' : 'email', customAttributes: !access || flag() },
            absent: flag() ? ('keep' as const) : ('clear' as const),
            ...{ after: access ? 'role' : one(fields).code, attributes: access || flag() ? pairs : [] },
          })
          return mapperVerbs.createProviderMapper(ctx, { params: { syncId }, body })
        })
      await act('updateProviderSync', () => {
        const given = { enabled: type !== 'oidc' && flag(), syncLimit: 10 + random(490) }
        const [periodUnit, periodAmount] = one([
          [0, 'hours'],
          [6, 'hours'],
          [2, 'days'],
          [45, 'minutes'],
        ] as const)
        const body = parsed(syncCalls.updateProviderSync, { ...given, periodUnit, periodAmount })
        return updateProviderSync(ctx, { params: { id, syncId }, body })
      })
      if (flag()) await providerVerbs.enableProvider(ctx, { params: { id }, body: { enabled: true } })
    })
  for (const { id } of few(await db().select().from(integrationSyncs))) {
    await act('updateIntegrationSync', () => {
      const auth = one(['none', 'bearer', 'basic', 'header'] as const)
      const [periodUnit, periodAmount] = one([
        [0, 'hours'],
        [10, 'minutes'],
        [2, 'days'],
      ] as const)
      const given = {
        ...{ url: one(['https://erp.example/api', 'https://hr.example/people']), auth, periodUnit, periodAmount },
        ...{ authName: auth === 'header' ? 'X-Key' : auth === 'basic' ? 'portal' : '' },
        ...{ secret: auth === 'none' ? '' : one(['erp secret', 'hr secret']), pageSize: 1 + random(1_000) },
      }
      return exchangeVerbs.updateIntegrationSync(ctx, {
        params: { id },
        body: parsed(exchangeCalls.updateIntegrationSync, given),
      })
    })
    await act('enableIntegrationSync', () =>
      exchangeVerbs.enableIntegrationSync(ctx, { params: { id }, body: { enabled: flag() } }),
    )
  }
}

/** A random value of a setting, most of them within its bounds. */
function randomSetting(
  id: SettingId,
  { chance, few, flag, one, order, random, text }: At,
  named: { roles: string[]; nets: string[] },
): unknown {
  const {
    type,
    default: preset,
    bounds,
  } = definitions[id] as {
    type: string
    default: unknown
    bounds?: { from: number; to: number }
  }
  const within = () => (bounds ? bounds.from + random(bounds.to - bounds.from + 1) : 0)
  switch (type) {
    case 'integer':
    case 'days':
      return within()
    case 'duration': {
      const seconds = within()
      return seconds % 60 === 0 && flag()
        ? { value: seconds / 60, unit: 'minutes' }
        : { value: seconds, unit: 'seconds' }
    }
    case 'switch':
      return !preset
    case 'string':
      return one(['', '!@#', '_-'])
    case 'url':
      return one([null, '', 'https://metrics.example/script.js'])
    case 'rules':
      return few([1, 2]).map(() => ({
        pattern: one(['^[^q]+$', '\\d']),
        title: { ru: text(), ...(chance(2) ? { en: text() } : {}) },
      }))
    case 'role':
      return one(named.roles)
    case 'networkAliases':
      return order(few(named.nets))
    default:
      return { users: [], emails: few(['ops@polaris.example', 'help@polaris.example']) }
  }
}

async function setSettings(ctx: Ctx, at: At) {
  const named = {
    roles: (await db().select().from(roles).where(eq(roles.roleType, 'systemic'))).map(({ id }) => id),
    nets: (await db().select().from(networkAliases)).map(({ id }) => id),
  }
  for (const id of at.few(Object.keys(definitions) as SettingId[]))
    await at.act(`setting ${id}`, () => {
      const { type } = definitions[id]
      const { value, value_props: props } = toWire(type, randomSetting(id, at, named))
      const wire =
        props === null ? { value } : type === 'duration' ? { value, value_props: props } : { value_props: props }
      const platform = settingCalls.modulesOf('platform').some((module) => module.settings.some((one) => one.id === id))
      const call = platform ? settingCalls.savePlatformSettings : settingCalls.saveUsersSettings
      const save = platform ? settingVerbs.savePlatformSettings : settingVerbs.saveUsersSettings
      return save(ctx, { body: parsed({ body: call.body as never }, { [id]: wire }) as never })
    })
  for (const { id } of at.few(await db().select().from(notifyMethods)))
    await at.act('enableNotifyMethod', () => enableNotifyMethod(ctx, { params: { id }, body: { enabled: at.flag() } }))
}

/** What administrators set of people: fields, providers, exchanges, settings, at random. */
export async function setPeople(ctx: Ctx, at: At): Promise<void> {
  await setFields(ctx, at)
  await setProviders(ctx, at)
  await setSettings(ctx, at)
}
