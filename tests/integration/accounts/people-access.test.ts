import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  applications,
  contractors,
  dynamicFieldSubtypes,
  dynamicFields,
  dynamicFieldTabs,
  methods,
  organizations,
  roleMethods,
  roles,
  settings,
  userContractorRoles,
  userContractors,
  userIdentifiers,
  userRoles,
  users,
} from '@/db/schema'
import { accessOf } from '@/lib/access/roles/service'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { syncIdentifiers } from '@/lib/accounts/users/identifiers'
import { requiredFieldsEmpty } from '@/lib/accounts/users/service'
import { dropCached } from '@/lib/base/cache/cache'
import type { Ctx } from '@/lib/base/context/ctx'
import { createContext } from '../../factories/context'
import { createProvider } from '../../factories/recovery'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const one = <T>(rows: T[]): T => {
  const [row] = rows
  if (row === undefined) throw new Error('nothing was made')
  return row
}

let made = 0
async function roleWith(roleType: 'systemic' | 'organizational' | 'contractor', codes: string[]) {
  const role = one(
    await db()
      .insert(roles)
      .values({ name: `Роль ${++made}`, roleType })
      .returning(),
  )
  for (const code of codes) {
    const method = one(await db().select().from(methods).where(eq(methods.code, code)))
    await db().insert(roleMethods).values({ roleId: role.id, methodId: method.id })
  }
  return role.id
}

const newOrganization = async (enabled = true) =>
  one(
    await db()
      .insert(organizations)
      .values({ name: `Организация ${++made}`, enabled })
      .returning(),
  ).id
const newContractor = async (enabled = true) =>
  one(
    await db()
      .insert(contractors)
      .values({ name: `Контрагент ${++made}`, inn: String(++made), enabled })
      .returning(),
  ).id

async function applicationMethod() {
  const application = one(
    await db()
      .insert(applications)
      .values({ type: 'internal', code: `app-${++made}`, name: 'Приложение' })
      .returning(),
  )
  return one(
    await db()
      .insert(methods)
      .values({ code: `app-${made}.read`, name: 'Просмотр', kind: 'application', applicationId: application.id })
      .returning(),
  )
}

describe('the methods of a user', () => {
  test('are all for an administrator, none for a plain user', async () => {
    const all = await db().select().from(methods).where(eq(methods.kind, 'systemic'))
    const access = await accessOf((await createUser({ roles: ['administrator'] })).id)
    expect(access.methods).toEqual(new Set(all.map(({ code }) => code)))
    expect(access.methodIds).toEqual(new Set(all.map(({ id }) => id)))
    expect(await accessOf((await createUser()).id)).toEqual({ methods: new Set(), methodIds: new Set() })
  })

  test('come from roles of every type, with the methods that these imply', async () => {
    const user = await createUser({ roles: [] })
    const organizationId = await newOrganization()
    const contractorId = await newContractor()
    const method = await applicationMethod()
    await db()
      .insert(userRoles)
      .values({ userId: user.id, roleId: await roleWith('systemic', ['users.write']) })
    await db()
      .insert(userRoles)
      .values({ userId: user.id, roleId: await roleWith('organizational', [method.code]), organizationId })
    await db().insert(userContractors).values({ userId: user.id, contractorId })
    await db()
      .insert(userContractorRoles)
      .values({
        userId: user.id,
        contractorId,
        organizationId,
        roleId: await roleWith('contractor', ['masterAccountAccess']),
      })
    const access = await accessOf(user.id)
    expect(access.methods).toEqual(new Set(['users.write', 'users.read', 'usersAccess', 'masterAccountAccess']))
    expect(access.methodIds.has(method.id)).toBe(true)
    const readId = one(await db().select().from(methods).where(eq(methods.code, 'users.read'))).id
    expect(access.methodIds.has(readId)).toBe(true)
    expect(access.methodIds.size).toBe(5)
  })

  test('don’t come through a disabled organization or for a disabled contractor', async () => {
    const user = await createUser({ roles: [] })
    const [open, closed] = [await newOrganization(), await newOrganization(false)]
    const [active, former] = [await newContractor(), await newContractor(false)]
    const roleId = await roleWith('contractor', ['masterAccountAccess'])
    await db()
      .insert(userRoles)
      .values({ userId: user.id, roleId: await roleWith('organizational', ['roles.read']), organizationId: closed })
    await db()
      .insert(userContractors)
      .values([active, former].map((contractorId) => ({ userId: user.id, contractorId })))
    await db()
      .insert(userContractorRoles)
      .values([
        { userId: user.id, contractorId: former, organizationId: open, roleId },
        { userId: user.id, contractorId: active, organizationId: closed, roleId },
      ])
    expect((await accessOf(user.id)).methods).toEqual(new Set())
    await db()
      .insert(userContractorRoles)
      .values({ userId: user.id, contractorId: active, organizationId: open, roleId })
    expect((await accessOf(user.id)).methods).toEqual(new Set(['masterAccountAccess']))
  })
})

test('limit whom they may disable: nobody with a method that they don’t hold, systemic or of an application', async () => {
  const [all, method] = [await db().select().from(methods), await applicationMethod()]
  const holding = async (...codes: string[]) => {
    const user = await createUser({ roles: [] })
    await db()
      .insert(userRoles)
      .values({ userId: user.id, roleId: await roleWith('systemic', codes) })
    return user.id
  }
  const ctx = await createContext({ methods: ['users.write', 'users.read', 'usersAccess'] })
  const disable = async (by: Ctx, userId: string) => {
    const refused = await setUserEnabled(by, { userId, enabled: false }).then(
      () => 'allowed',
      ({ code }: { code: string }) => code,
    )
    const [row] = await db().select({ enabled: users.enabled }).from(users).where(eq(users.id, userId))
    expect(row?.enabled).toBe(refused !== 'allowed')
    return refused
  }
  expect(await disable(ctx, await holding('users.write'))).toBe('allowed')
  for (const { code } of all.filter(({ kind }) => kind === 'systemic'))
    if (!ctx.user?.methods.has(code)) expect(await disable(ctx, await holding(code)), code).toBe('forbiddenUser')
  const holder = await holding(method.code)
  expect(await disable(ctx, holder)).toBe('forbiddenUser')
  const equal = { ...ctx, user: ctx.user && { ...ctx.user, methodIds: new Set([method.id]) } }
  expect(await disable(equal, holder)).toBe('allowed')
  await expect(setUserEnabled(ctx, { userId: randomUUID(), enabled: false })).rejects.toMatchObject({ status: 404 })
})

describe('empty required fields', () => {
  const store = async (id: string, value: unknown) => {
    await db().insert(settings).values({ id, value }).onConflictDoUpdate({ target: settings.id, set: { value } })
    dropCached('settings')
  }

  test('are none for a person with a name and an e-mail', async () => {
    expect(await requiredFieldsEmpty((await createUser()).id)).toEqual([])
  })

  test('are the full name or its parts, by the setting', async () => {
    const user = await createUser({ fio: ' ', lastName: '', middleName: '' })
    expect(await requiredFieldsEmpty(user.id)).toEqual(['fio'])
    await store('useUserFio', false)
    expect(await requiredFieldsEmpty(user.id)).toEqual(['lastName'])
    await store('useUserFio', true)
  })

  test('are found among columns and among values', async () => {
    await db()
      .insert(dynamicFields)
      .values([
        {
          type: 'users',
          subtype: 'additional',
          code: 'position',
          title: 'Должность',
          fieldType: 'input',
          profileRequired: true,
          order: 50,
        },
        {
          type: 'users',
          subtype: 'additional',
          code: 'skills',
          title: 'Навыки',
          fieldType: 'combobox',
          profileRequired: true,
          order: 51,
        },
        {
          type: 'users',
          subtype: 'additional',
          code: 'gone',
          title: 'Нет',
          fieldType: 'input',
          profileRequired: true,
          active: false,
        },
      ])
    await db()
      .insert(dynamicFieldSubtypes)
      .values({ type: 'users', code: 'off', tabId: 'users_main', title: 'Блок', active: false })
    await db().insert(dynamicFields).values({
      type: 'users',
      subtype: 'off',
      code: 'hidden',
      title: 'Скрыто',
      fieldType: 'input',
      profileRequired: true,
    })
    dropCached('dynamic-fields')
    const empty = await createUser({ email: null, values: { position: '', skills: [] } })
    expect(await requiredFieldsEmpty(empty.id)).toEqual(['email', 'position', 'skills'])
    const full = await createUser({ values: { position: 'Инженер', skills: ['ru'] } })
    expect(await requiredFieldsEmpty(full.id)).toEqual([])
    await db().update(dynamicFieldTabs).set({ active: false })
    dropCached('dynamic-fields')
    expect(await requiredFieldsEmpty(empty.id)).toEqual([])
    await db().update(dynamicFieldTabs).set({ active: true })
    await db()
      .delete(dynamicFields)
      .where(inArray(dynamicFields.code, ['position', 'skills', 'gone', 'hidden']))
    dropCached('dynamic-fields')
  })

  test('are those that the person can fill in: none of a locked account, and of a directory’s none of the directory', async () => {
    const incomplete = { fio: ' ', lastName: '', middleName: '', email: null }
    expect(await requiredFieldsEmpty((await createUser(incomplete)).id)).toEqual(['fio', 'email'])
    expect(await requiredFieldsEmpty((await createUser({ ...incomplete, isEditable: false })).id)).toEqual([])
    const { id: providerId } = await createProvider()
    expect(await requiredFieldsEmpty((await createUser({ ...incomplete, providerId })).id)).toEqual([])
  })

  test('are read only for an existing user', async () => {
    await expect(requiredFieldsEmpty('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({ status: 404 })
  })
})

describe('identifiers', () => {
  const identifiersOf = async (userId: string) =>
    Object.fromEntries(
      (await db().select().from(userIdentifiers).where(eq(userIdentifiers.userId, userId))).map(({ kind, value }) => [
        kind,
        value,
      ]),
    )
  const sync = (ids: string[] | 'all') => db().transaction((tx) => syncIdentifiers(tx, ids))
  const store = (id: string, value: boolean) =>
    db().insert(settings).values({ id, value }).onConflictDoUpdate({ target: settings.id, set: { value } })

  test('are the login, the e-mail and the mobile in their normalized form', async () => {
    const user = await createUser({ login: ' Иван.ПЕТРОВ ', email: 'Ivan@Polaris.Example', mobile: '+79161234567' })
    expect(await identifiersOf(user.id)).toEqual({
      login: 'иван.петров',
      email: 'ivan@polaris.example',
      mobile: '+79161234567',
    })
    await db().update(users).set({ email: null, mobile: '+79161234568' }).where(eq(users.id, user.id))
    await sync([user.id])
    expect(await identifiersOf(user.id)).toEqual({ login: 'иван.петров', mobile: '+79161234568' })
  })

  test('are stored for the kinds that the settings allow, and always for the login', async () => {
    const user = await createUser()
    const other = await createUser()
    await store('identificationEmail', false)
    await store('identificationLogin', false)
    await sync('all')
    expect(await identifiersOf(user.id)).toEqual({ login: user.login, mobile: user.mobile })
    expect(await identifiersOf(other.id)).toEqual({ login: other.login, mobile: other.mobile })
    await store('identificationEmail', true)
    await sync([user.id])
    expect(await identifiersOf(user.id)).toHaveProperty('email', user.email)
    expect(await identifiersOf(other.id)).not.toHaveProperty('email')
    await sync('all')
    expect(await identifiersOf(other.id)).toHaveProperty('email', other.email)
    await store('identificationLogin', true)
  })

  test('can be swapped between two people, and are unique', async () => {
    const [one, other] = [await createUser(), await createUser()]
    await db().transaction(async (tx) => {
      await tx.update(users).set({ email: other.email }).where(eq(users.id, one.id))
      await tx.update(users).set({ email: one.email }).where(eq(users.id, other.id))
      await syncIdentifiers(tx, [one.id, other.id])
    })
    expect((await identifiersOf(one.id)).email).toBe(other.email)
    await db().update(users).set({ email: one.email?.toUpperCase() }).where(eq(users.id, one.id))
    await expect(sync([one.id])).rejects.toMatchObject({
      cause: { code: '23505', constraint: 'user_identifiers_kind_value' },
    })
    expect((await identifiersOf(one.id)).email).toBe(other.email)
  })
})
