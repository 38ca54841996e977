import { and, eq, inArray } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { methods, organizations, roles, userRoles, users } from '@/db/schema'
import { saveAdministrator } from '@/lib/accounts/users/administrator'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { dropCached } from '@/lib/base/cache/cache'
import { enableOrganization } from '@/lib/companies/organizations/service'
import { overview } from '@/lib/operations/overview/service'
import { createContext } from '../../factories/context'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** A caller without an account who holds every systemic method, and so may disable anybody. */
async function disabler() {
  const all = await db().select({ code: methods.code }).from(methods)
  return createContext({ methods: all.map(({ code }) => code) })
}
const disable = (ctx: Awaited<ReturnType<typeof disabler>>, userId: string) =>
  setUserEnabled(ctx, { userId, enabled: false }).then(
    () => 'disabled',
    ({ code }: { code: string }) => code,
  )

async function roleId() {
  const [role] = await db().select({ id: roles.id }).from(roles).where(eq(roles.code, 'administrator'))
  return role?.id ?? ''
}
async function organization(enabled: boolean) {
  const [row] = await db().insert(organizations).values({ name: 'Polaris', enabled }).returning()
  return row?.id ?? ''
}

beforeEach(async () => {
  const holders = db().select({ id: userRoles.userId }).from(userRoles)
  await db().update(users).set({ enabled: false }).where(inArray(users.id, holders))
})

test('the only administrator, who also has the role in an organization, can’t be disabled', async () => {
  const user = await createUser({ roles: ['administrator'] })
  await db()
    .insert(userRoles)
    .values({ userId: user.id, roleId: await roleId(), organizationId: await organization(true) })
  expect(await disable(await disabler(), user.id)).toBe('lastAdministrator')
})

test('a role in a disabled organization gives nothing, so its holder isn’t another administrator', async () => {
  const user = await createUser({ roles: ['administrator'] })
  const other = await createUser({ roles: [] })
  await db()
    .insert(userRoles)
    .values({ userId: other.id, roleId: await roleId(), organizationId: await organization(false) })
  expect(await disable(await disabler(), user.id)).toBe('lastAdministrator')
})

test('an organization stays enabled while the only administrator is one by a role in it', async () => {
  const user = await createUser({ roles: [] })
  const organizationId = await organization(true)
  await db()
    .insert(userRoles)
    .values({ userId: user.id, roleId: await roleId(), organizationId })
  const ctx = await disabler()
  const switchTo = (enabled: boolean) =>
    enableOrganization(ctx, { params: { id: organizationId }, body: { enabled } }).then(
      () => 'done',
      ({ code }: { code: string }) => code,
    )
  expect(await switchTo(false)).toBe('lastAdministrator')
  expect(await db().select().from(organizations).where(eq(organizations.id, organizationId))).toMatchObject([
    { enabled: true },
  ])
  const other = await createUser({ roles: ['administrator'] })
  expect(await switchTo(false)).toBe('done')
  expect(await disable(ctx, other.id)).toBe('lastAdministrator')
  expect(await switchTo(true)).toBe('done')
  expect(await disable(ctx, other.id)).toBe('disabled')
})

test('and the overview doesn’t count them as one', async () => {
  await createUser({ roles: ['administrator'] })
  const other = await createUser({ roles: [] })
  await db()
    .insert(userRoles)
    .values({ userId: other.id, roleId: await roleId(), organizationId: await organization(false) })
  dropCached('overview')
  const { matters } = await overview({ methods: new Set(['users.read']) })
  expect(matters.map(({ code }) => code)).toContain('oneAdministrator')
})

test('of thirty administrators disabled at once one stays, even if a command saves one of them meanwhile', async () => {
  const ctx = await disabler()
  const people = await Promise.all(Array.from({ length: 30 }, () => createUser({ roles: ['administrator'] })))
  const [saved] = people
  if (!saved) throw new Error('nobody was made')
  const { login, email, passwordHash } = saved
  const administrator = { login, email, passwordHash: passwordHash ?? '', passwordChangeRequired: false }
  const save = () => db().transaction((tx) => saveAdministrator(tx, ctx, administrator))
  // in waves, and few beside the thirty: a request waits five seconds for a connection, and one after the other has it
  for (const wave of [1, 2, 3]) {
    await db()
      .update(users)
      .set({ enabled: true })
      .where(
        inArray(
          users.id,
          people.map(({ id }) => id),
        ),
      )
    const answers = await Promise.allSettled([
      ...Array.from({ length: 5 }, save),
      ...people.map(({ id }) => disable(ctx, id)),
      ...Array.from({ length: 5 }, () => disable(ctx, saved.id)),
    ])
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(answers).toContainEqual({ status: 'fulfilled', value: 'disabled' })
    for (const answer of answers)
      if (answer.status === 'fulfilled' && ['disabled', 'lastAdministrator'].includes(answer.value)) continue
      else expect(answer).toMatchObject({ value: saved.id })
    const administratorsLeft = await db()
      .select({ id: users.id })
      .from(users)
      .innerJoin(userRoles, eq(userRoles.userId, users.id))
      .where(and(eq(userRoles.roleId, await roleId()), eq(users.enabled, true)))
    expect(administratorsLeft.length, `wave ${wave}`).toBeGreaterThanOrEqual(1)
  }
})
