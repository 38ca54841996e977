import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas, userRoles, users } from '@/db/schema'
import * as schemas from '@/lib/entry/authentication-schemas/contract'
import type { FlowId } from '@/lib/entry/sign-in/contract'
import { systemicMethods } from '@/lib/kernel/access-methods'
import { forget } from '@/lib/kernel/cache'
import * as calls from '@/lib/people/user-administration/contract'
import { signedInWith } from '../factories/access'
import { Caller } from '../factories/caller'
import { shippedRole } from '../factories/roles'
import { createUser } from '../factories/users'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

/** Holds what administrators hold, and isn't one. */
let careless: Caller
let carelessId = ''
let role = ''
beforeAll(async () => {
  const { user, browser } = await signedInWith(systemicMethods)
  careless = new Caller(browser)
  carelessId = user.id
  role = await shippedRole('administrator')
})
beforeEach(async () => {
  await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
  forget('authentication-schemas')
})

/** Leaves these the only enabled administrators. */
async function alone(...ids: string[]) {
  const holders = db().select({ id: userRoles.userId }).from(userRoles).where(eq(userRoles.roleId, role))
  await db()
    .update(users)
    .set({ enabled: false })
    .where(and(inArray(users.id, holders), notInArray(users.id, ids)))
}
const administrator = (wishes: Parameters<typeof createUser>[0]) => createUser({ roles: ['administrator'], ...wishes })
async function schemaOf(firstFactor: FlowId[], secondFactor: FlowId[] = []) {
  const code = crypto.randomUUID()
  const body = { name: code, code, firstFactor, secondFactor, roles: [] }
  return (await careless.call(schemas.createAuthenticationSchema, { body })).id
}
const refused = { status: 409, body: { code: 'lastAdministrator' } }
const prepared = () => ({ preparedBy: carelessId, preparedSince: new Date(0) })
const isEnabled = async (id: string) => (await db().$count(users, and(eq(users.id, id), eq(users.enabled, true)))) === 1

/** Administrators who are there and can't sign in, because somebody else has prepared how. */
const doubtful: Record<string, () => Promise<Parameters<typeof createUser>[0]>> = {
  'whose account is in doubt and has no e-mail': async () => ({ email: null, ...prepared() }),
  'whose own schema is the word of somebody with less, while that of their role asks for what they lack': async () => {
    const authenticationSchemaId = await schemaOf(['credentials'])
    const code = crypto.randomUUID()
    const body = { name: code, code, firstFactor: ['sms_code' as const], secondFactor: [], roles: [role] }
    await careless.call(schemas.createAuthenticationSchema, { body })
    return { mobile: null, authenticationSchemaId, schemaEnteredBy: carelessId }
  },
  'whose mobile somebody with less entered, so that two codes would go to one e-mail': async () => ({
    authenticationSchemaId: await schemaOf(['sms_code'], ['email_code']),
    mobileEnteredBy: carelessId,
  }),
}

test.each(Object.keys(doubtful))('an administrator %s doesn’t count among those who could sign in', async (which) => {
  const [last, other] = [await administrator({}), await administrator(await doubtful[which]?.())]
  await alone(last.id, other.id)
  const shown = await careless.call(schemas.previewAuthenticationSchema, { query: { userId: other.id } })
  expect(shown.stuck).toBe(true)
  const params = { id: last.id }
  expect(await careless.send(calls.enableUser, { params, body: { enabled: false } })).toMatchObject(refused)
  expect(await careless.send(calls.deleteUser, { params })).toMatchObject(refused)
  expect(await careless.send(calls.setUserRoles, { params, body: { roles: [] } as never })).toMatchObject(refused)
  expect(await isEnabled(last.id)).toBe(true)
  // one in doubt who can prove the e-mail counts
  await administrator(prepared())
  expect((await careless.send(calls.enableUser, { params, body: { enabled: false } })).status).toBe(200)
})
