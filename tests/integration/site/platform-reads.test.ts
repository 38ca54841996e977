import { and, eq, inArray } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import {
  accessListEntries,
  applicationDomains,
  applications,
  authenticationSchemaRoles,
  authenticationSchemas,
  deviceTypes as deviceTypeRows,
  locales,
  methods,
  networkAliases,
  networkAliasIps,
  roles,
  settings,
} from '@/db/schema'
import { authenticationSchemas as activeSchemas } from '@/lib/access/authentication-schemas/service'
import { userServices } from '@/lib/applications/menu/service'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { log } from '@/lib/base/runtime/log'
import { accessRules } from '@/lib/network/access-lists/service'
import { verdictOf } from '@/lib/network/access-lists/verdict'
import { trustedProxies } from '@/lib/network/trusted-proxies/service'
import { deviceTypes } from '@/lib/site/device-types/service'
import { domainByHost } from '@/lib/site/domains/service'
import { enabledLocales } from '@/lib/site/locales/service'
import { platformSettings } from '@/lib/site/settings/service'
import { createDomainWith, first, store } from '../../factories/platform'
import { createRole, createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { eventually } from '../../setup/eventually'

useTestDatabase()
afterEach(() => vi.restoreAllMocks())

describe('settings', () => {
  test('are the stored values over the defaults, and the default if a value is corrupt', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    await store('passwordMin', 10)
    await store('authCodeDigits', 'six')
    await store('sessionAlive', { value: 2, unit: 'days' })
    const values = await platformSettings()
    expect(values).toMatchObject({ passwordMin: 10, authCodeDigits: 4, sessionAlive: 172_800 })
    expect(values.defaultUserRole).toBe(first(await db().select().from(roles).where(eq(roles.code, 'user'))).id)
    expect(warn).toHaveBeenCalledWith({ setting: 'authCodeDigits', fault: 'errorFormat' }, expect.any(String))
    await store('authCodeDigits', 4)
  })

  test('apply in this process when another one has changed them', async () => {
    await platformSettings()
    await db().transaction(async (tx) => {
      await tx.insert(settings).values({ id: 'uiNavMini', value: true })
      await invalidate(tx, 'settings')
    })
    await eventually(async () => expect((await platformSettings()).uiNavMini).toBe(true))
  })
})

describe('authentication schemas', () => {
  test('are the active ones, highest priority first, with the people to whom each applies', async () => {
    const make = async (
      code: string,
      values: Partial<typeof authenticationSchemas.$inferInsert>,
      roleCode?: string,
    ) => {
      const { id } = first(
        await db()
          .insert(authenticationSchemas)
          .values({ code, name: code, firstFactor: ['credentials'], ...values })
          .returning(),
      )
      const role = roleCode && first(await db().select().from(roles).where(eq(roles.code, roleCode)))
      if (role) await db().insert(authenticationSchemaRoles).values({ schemaId: id, roleId: role.id })
      return id
    }
    const role = await createRole()
    await make('low', { priority: 5 }, role)
    await make('high', { priority: 1, secondFactor: ['email_code'] }, role)
    const ownSchema = await make('own', { priority: 9 })
    const off = await make('off', { priority: 0, active: false }, role)
    await createUser({ roles: [role, 'user'] })
    await createUser({ roles: [role], authenticationSchemaId: ownSchema })
    await createUser({ roles: [], authenticationSchemaId: off })
    await createUser({ roles: ['user'], enabled: false })
    dropCached('authentication-schemas')
    expect(await activeSchemas()).toMatchObject([
      { code: 'high', secondFactor: ['email_code'], usersCount: 1, base: false, roleIds: [expect.any(String)] },
      { code: 'low', usersCount: 0, roleIds: [expect.any(String)] },
      { code: 'own', usersCount: 1, roleIds: [] },
      { code: 'base', usersCount: 2, base: true, firstFactor: ['credentials', 'email_code'] },
    ])
  })
})

describe('the service menu', () => {
  test('shows services that are enabled, visible, on this domain and open to the user, in order', async () => {
    const domainId = await createDomainWith({ hosts: [] })
    const { id: baseId } = await domainByHost('')
    const app = (code: string, order: number, values: Partial<typeof applications.$inferInsert> = {}) => ({
      type: 'internal' as const,
      code,
      name: code,
      url: `https://${code}.example/`,
      menuVisible: true,
      order,
      ...values,
    })
    const rows = await db()
      .insert(applications)
      .values([
        app('open', 3, { nameEn: 'Open' }),
        app('guarded', 1),
        app('closed', 2),
        app('elsewhere', 0),
        app('off', 0, { enabled: false }),
        app('hidden', 0, { menuVisible: false }),
        app('nowhere', 0, { url: null }),
        app('draft', 0, { type: 'draft' }),
        app('external', 0, { type: 'external' }),
        app('tile', 4, { type: 'link' }),
      ])
      .returning()
    const idOf = (code: string) => first(rows.filter((row) => row.code === code)).id
    const [heldMethod, other] = await db()
      .insert(methods)
      .values(
        ['guarded', 'closed'].map((code) => ({
          code: `${code}.read`,
          name: code,
          kind: 'application' as const,
          applicationId: idOf(code),
        })),
      )
      .returning()
    await db()
      .insert(applicationDomains)
      .values({ applicationId: idOf('elsewhere'), domainId })
    await db()
      .update(applications)
      .set({ menuVisible: true, url: 'https://platform.example/' })
      .where(eq(applications.code, 'platform'))
    dropCached('applications')

    const codes = async (methodIds: string[], domain: string) =>
      (await userServices({ methodIds: new Set(methodIds) }, { id: domain })).map(({ code }) => code)
    expect(await codes([heldMethod?.id ?? ''], baseId)).toEqual(['guarded', 'open', 'tile'])
    expect(await codes([], baseId)).toEqual(['open', 'tile'])
    expect(await codes([heldMethod?.id ?? '', other?.id ?? ''], domainId)).toEqual([
      'elsewhere',
      'guarded',
      'closed',
      'open',
      'tile',
    ])
    const [service] = (await userServices({ methodIds: new Set() }, { id: baseId })).filter(
      ({ code }) => code === 'open',
    )
    expect(service).toEqual({
      id: idOf('open'),
      code: 'open',
      title: 'open',
      titleEn: 'Open',
      serviceUrl: 'https://open.example/',
    })
  })
})

describe('addresses', () => {
  const now = new Date('2026-11-16T12:00:00Z')
  const changed = () => dropCached('network-aliases')

  test('are denied by subnets and aliases of the blacklist, but not by disabled entries', async () => {
    const { id } = first(await db().insert(networkAliases).values({ name: 'Чужие' }).returning())
    await db()
      .insert(networkAliasIps)
      .values([
        { aliasId: id, ip: '198.51.100.0/24' },
        { aliasId: id, ip: '2001:db8::/32' },
      ])
    await db()
      .insert(accessListEntries)
      .values([
        { list: 'blacklist', ip: '203.0.113.0/24', dateFrom: now },
        { list: 'blacklist', aliasId: id },
        { list: 'blacklist', ip: '192.0.2.0/24', enabled: false },
      ])
    changed()
    const verdicts = async (list: string[], at = now) => {
      const rules = await accessRules()
      if (!rules) throw new Error('there are no rules')
      return list.map((ip) => verdictOf(rules.lists, rules.whitelistMode, ip, at))
    }
    expect(await verdicts(['203.0.113.5', '198.51.100.9', '2001:db8::1', '::ffff:198.51.100.9'])).toEqual(
      Array(4).fill('denied'),
    )
    expect(await verdicts(['192.0.2.1', '2001:db9::1'])).toEqual(['allowed', 'allowed'])
    expect(await verdicts(['203.0.113.5'], new Date(now.getTime() - 1))).toEqual(['allowed'])
    await db().insert(accessListEntries).values({ list: 'whitelist', ip: '192.0.2.128/25' })
    changed()
    await store('whitelistMode', true)
    expect(await verdicts(['192.0.2.1', '192.0.2.200', '198.51.100.9'])).toEqual(['denied', 'allowed', 'denied'])
    await store('whitelistMode', false)
  })

  test('are trusted as proxies if the setting names their alias', async () => {
    const rows = await db()
      .insert(networkAliases)
      .values([{ name: 'Балансировщик' }, { name: 'Офис' }])
      .returning()
    const [proxy, office] = rows.map(({ id }) => id) as [string, string]
    await db()
      .insert(networkAliasIps)
      .values([
        { aliasId: proxy, ip: '10.1.0.0/16', order: 1 },
        { aliasId: proxy, ip: '10.0.0.1', order: 0 },
        { aliasId: office, ip: '10.2.0.0/16' },
      ])
    changed()
    expect(await trustedProxies()).toEqual([])
    await store('reverseProxy', [proxy])
    expect(await trustedProxies()).toEqual(['10.0.0.1', '10.1.0.0/16'])
    await store('reverseProxy', [])
  })
})

test('locales are the enabled ones, device types are all, both by name', async () => {
  await db().insert(locales).values({ code: 'de', name: 'Deutsch', enabled: false })
  await db().insert(deviceTypeRows).values({ code: 'kiosk', name: 'Киоск' })
  dropCached('locales')
  dropCached('device-types')
  expect((await enabledLocales()).map(({ code }) => code)).toEqual(['en', 'ru'])
  expect((await deviceTypes()).map(({ code }) => code).sort()).toEqual(['desktop', 'kiosk', 'mobile', 'tablet'])
  const shipped = await db()
    .select()
    .from(deviceTypeRows)
    .where(and(eq(deviceTypeRows.immutable, true), inArray(deviceTypeRows.code, ['desktop', 'mobile', 'tablet'])))
  expect(shipped).toHaveLength(3)
})
