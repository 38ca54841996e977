import { randomUUID } from 'node:crypto'
import { eq, getTableName, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { versionedTables } from '@/db/migrate/versions'
import * as schema from '@/db/schema'
import { applications, deviceTypes, history, methods, networkAliases, oidcClients, users } from '@/db/schema'
import { newVersion } from '@/db/schema/columns'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { ApplicationInput } from '@/lib/applications/applications/contract'
import { createApplication, setApplicationEnabled } from '@/lib/applications/applications/service'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { requireUnchanged } from '@/lib/base/audit/change'
import { parseOrThrow } from '@/lib/base/http/read'
import { updateNetworkAlias } from '@/lib/network/network-aliases/contract'
import { CreateClientInput, UpdateClientInput } from '@/lib/openid/clients/contract'
import { createClient, updateClient } from '@/lib/openid/clients/service'
import { updateServiceMethods } from '@/lib/openid/service-accounts/service'
import { updateDeviceType } from '@/lib/site/device-types/contract'
import { signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { createContext } from '../../factories/context'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const putDeviceType = handlerOf(updateDeviceType)
const putAlias = handlerOf(updateNetworkAlias)

useTestDatabase()

/** Returns the status of a verb's refusal; 200 if it succeeded. */
const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: { status?: number }) => {
      if (!error.status) throw error
      return error.status
    },
  )
const administrator = () => createContext({ methods: [...systemicMethods] })

const random = caseNumbers(20_261)

describe('a version', () => {
  test('exists in every table whose rows a screen edits', () => {
    const edited = [
      'accessListEntries',
      'applications',
      'authenticationSchemas',
      'banners',
      'contractors',
      'deviceTypes',
      'documents',
      'domains',
      'dynamicFieldSubtypes',
      'dynamicFields',
      'dynamicFieldTabs',
      'invitations',
      'locales',
      'networkAliases',
      'oidcClients',
      'organizations',
      'providers',
      'roles',
      'settings',
      'users',
    ]
    const tables = new Map(Object.entries(schema))
    expect(versionedTables()).toEqual(
      expect.arrayContaining(edited.map((name) => getTableName(tables.get(name) as typeof schema.users))),
    )
  })

  test('is set by PostgreSQL in each of them, by its catalogue', async () => {
    const { rows } = await db().execute<{ name: string }>(sql`
      select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      where t.tgname = 'set_updated_at' and t.tgenabled = 'O' and p.proname = 'platform_set_updated_at' order by 1`)
    expect(rows.map(({ name }) => name)).toEqual(versionedTables().sort())
  })

  test('rises by a millisecond or more at each write, whatever value is written', async () => {
    const id = randomUUID()
    await db().insert(deviceTypes).values({ id, code: id, name: 'Киоск' })
    const read = async () => (await db().select().from(deviceTypes).where(eq(deviceTypes.id, id)))[0]?.updatedAt as Date
    const writes: (() => Promise<unknown>)[] = [
      async () => db().update(deviceTypes).set({ name: 'Киоск' }).where(eq(deviceTypes.id, id)),
      async () =>
        db()
          .update(deviceTypes)
          .set({ updatedAt: new Date(random(2_000_000_000) * 1000) })
          .where(eq(deviceTypes.id, id)),
      async () => db().update(deviceTypes).set(newVersion).where(eq(deviceTypes.id, id)),
      () => db().execute(sql`update device_types set updated_at = updated_at where id = ${id}`),
      () => db().execute(sql`update device_types set updated_at = '-infinity'::timestamptz where id = ${id}`),
      () =>
        db().execute(sql`insert into device_types (id, code, name) values (${id}, ${id}, 'x')
          on conflict (id) do update set name = excluded.name`),
    ]
    let before = await read()
    for (const _ of eachRound(300)) {
      await writes[random(writes.length)]?.()
      const after = await read()
      expect(after.getTime()).toBeGreaterThan(before.getTime())
      expect(() => requireUnchanged({ updatedAt: after }, before.toISOString())).toThrow()
      before = after
    }
  })

  test('differs after each of many writes within one statement’s time', async () => {
    const id = randomUUID()
    await db().insert(deviceTypes).values({ id, code: id, name: 'Киоск' })
    const seen = await db().transaction(async (tx) => {
      const moments: number[] = []
      for (let n = 0; n < 50; n++) {
        const [row] = await tx
          .update(deviceTypes)
          .set({ name: `${n}` })
          .where(eq(deviceTypes.id, id))
          .returning({ at: deviceTypes.updatedAt })
        moments.push(row?.at.getTime() ?? 0)
      }
      return moments
    })
    expect(new Set(seen).size).toBe(50)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  test('has no more digits than a form sends back', async () => {
    for (const name of versionedTables()) {
      const { rows } = await db().execute<{ default: string }>(sql`
        select column_default as default from information_schema.columns
        where table_schema = 'public' and table_name = ${name} and column_name = 'updated_at'`)
      expect(rows[0]?.default, name).toMatch(/^date_trunc\('milliseconds'/)
    }
    // an older row may have more of them until it is saved
    const id = randomUUID()
    const older = sql<Date>`'2026-01-02 03:04:05.678912+00'::timestamptz`
    await db().insert(deviceTypes).values({ id, code: id, name: 'Киоск', updatedAt: older })
    const [row] = await db().select().from(deviceTypes).where(eq(deviceTypes.id, id))
    expect(requireUnchanged(row, row?.updatedAt.toISOString())).toBe(row)
  })
})

describe('of thirty who save the same version at once one wins, the others get 409', () => {
  test('a device type', async () => {
    const { browser } = await signedInWith(['device-types.write'])
    const [type] = await db().insert(deviceTypes).values({ code: randomUUID(), name: 'Киоск' }).returning()
    if (!type) throw new Error('no type')
    const body = { code: type.code, nameEn: '', updatedAt: type.updatedAt.toISOString() }
    const answers = await thirty((n) =>
      browser.copy().send(putDeviceType, 'PUT', { params: { id: type.id }, body: { ...body, name: `Киоск ${n}` } }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
    expect(await db().$count(history, eq(history.entityId, type.id))).toBe(1)
  })

  test('a network alias of which only the addresses differ', async () => {
    const { browser } = await signedInWith(['network-aliases.write'])
    const [alias] = await db()
      .insert(networkAliases)
      .values({ name: `Сеть ${randomUUID()}` })
      .returning()
    if (!alias) throw new Error('no alias')
    const body = { name: alias.name, comment: '', updatedAt: alias.updatedAt.toISOString() }
    const answers = await thirty((n) =>
      browser.copy().send(putAlias, 'PUT', {
        params: { id: alias.id },
        body: { ...body, ips: [{ ip: `192.0.2.${n}`, comment: '' }] },
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
  })

  test('a client', async () => {
    const ctx = await administrator()
    const { code } = await createApplication(
      ctx,
      parseOrThrow(ApplicationInput, { type: 'external', name: 'Графики', url: 'https://charts.example/' }),
    )
    const [application] = await db().select().from(applications).where(eq(applications.code, code))
    const values = {
      name: 'Графики',
      applicationType: 'web',
      idTokenAlg: 'RS256',
      redirectUris: ['https://charts.example/callback'],
      postLogoutRedirectUris: [],
      backchannelLogoutUri: null,
      grantTypes: ['authorization_code'],
      accessTokenLifespan: null,
      refreshTokenLifespan: null,
    }
    const clientId = `client-${randomUUID()}`
    const more = { applicationId: application?.id, clientId, authMethod: 'client_secret_basic' }
    await createClient(ctx, parseOrThrow(CreateClientInput, { ...values, ...more }))
    const [client] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
    const updatedAt = client?.updatedAt.toISOString()
    const statuses = await thirty((n) =>
      statusOf(
        updateClient(ctx, parseOrThrow(UpdateClientInput, { ...values, clientId, updatedAt, name: `Графики ${n}` })),
      ),
    )
    expect(statuses.sort()).toEqual(oneOf30)
  })

  test('a user', async () => {
    const [ctx, user] = [await administrator(), await createUser()]
    const [row] = await db().select().from(users).where(eq(users.id, user.id))
    const updatedAt = row?.updatedAt.toISOString() ?? ''
    const statuses = await thirty(() => statusOf(setUserEnabled(ctx, { userId: user.id, enabled: false, updatedAt })))
    expect(statuses.sort()).toEqual(oneOf30)
    const [after] = await db().select().from(users).where(eq(users.id, user.id))
    expect(after?.enabled).toBe(false)
    // nothing uses the former version number, which the previous release still increases
    expect(after?.version).toBe(row?.version)
  })
})

test('a row has a new version when its dependent rows change', async () => {
  const ctx = await administrator()
  const made = parseOrThrow(ApplicationInput, { type: 'external', name: 'Отчёты', url: 'https://reports.example/' })
  const { id } = await createApplication(ctx, made)
  const read = async () => (await db().select().from(applications).where(eq(applications.id, id)))[0]?.updatedAt as Date
  const before = await read()
  const [method] = await db().select().from(methods).where(eq(methods.code, 'history.read'))
  await updateServiceMethods(ctx, { applicationId: id, methodIds: [method?.id ?? ''] })
  const after = await read()
  expect(after.getTime()).toBeGreaterThan(before.getTime())
  const stale = setApplicationEnabled(ctx, { id, enabled: false, updatedAt: before.toISOString() })
  await expect(stale).rejects.toMatchObject({ status: 409 })
  await setApplicationEnabled(ctx, { id, enabled: false, updatedAt: after.toISOString() })
  expect((await read()).getTime()).toBeGreaterThan(after.getTime())
})
