import { randomUUID } from 'node:crypto'
import { eq, inArray, like } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { roles, userRoles, users } from '@/db/schema/people'
import { authenticationSchemas } from '@/db/schema/platform'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import {
  activateAuthenticationSchema,
  createAuthenticationSchema,
  deleteAuthenticationSchema,
  listAuthenticationSchemas,
  listSchemaFlows,
  orderAuthenticationSchemas,
  previewAuthenticationSchema,
  updateAuthenticationSchema,
} from '@/lib/sign-in/schema-administration/contract'
import { mostSchemas } from '@/lib/sign-in/schema-administration/service'
import { createRoleWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { inProduction } from '../../factories/oidc-clients'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'
import { shippedRole } from '../../factories/roles'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'

const byPassword: FlowId[] = ['credentials']
const bySms: FlowId[] = ['sms_code']
const bodyOf = (more: object = {}) => ({
  name: 'Бухгалтеры',
  nameEn: 'Accountants',
  code: randomUUID(),
  comment: 'Платят',
  firstFactor: byPassword,
  secondFactor: ['email_code'] as FlowId[],
  roles: [] as string[],
  ...more,
})
const newSchema = async (caller: Caller, more: object = {}) => {
  const body = bodyOf(more)
  return { ...body, ...(await caller.call(createAuthenticationSchema, { body })) }
}
const schemas = async (caller: Caller) => (await caller.call(listAuthenticationSchemas)).schemas
const schemaOf = async (caller: Caller, id: string) => (await schemas(caller)).find((schema) => schema.id === id)
const baseOf = async (caller: Caller) => first((await schemas(caller)).filter(({ base }) => base))
/** What changes a schema, as it is but for `more`. */
const change = ({ id, code }: { id: string; code: string }, more: object = {}) => ({
  params: { id },
  body: bodyOf({ code, ...more }),
})
const enabled = (...flows: FlowId[]) => flows.map((id) => ({ id, enabled: true }))

/** A role, and somebody who holds it. */
async function heldRole(methods: string[] = []) {
  const code = await createRoleWith(methods)
  const user = await createUser({ roles: [code] })
  return { id: first(await db().select({ id: roles.id }).from(roles).where(eq(roles.code, code))).id, user }
}
/** A role of somebody who holds more than who changes schemas. */
const strongRole = async () => [(await heldRole(['users.write'])).id]
const weak = { firstFactor: bySms, secondFactor: [] as FlowId[] }
/** A schema that applies to one person. */
const usedSchema = async (caller: Caller) => newSchema(caller, { roles: [(await heldRole()).id] })

/** Somebody who may change schemas and has no mobile, and the id of their role. */
async function withoutMobile() {
  const code = await createRoleWith(['authentication-schemas.read', 'authentication-schemas.write'])
  const user = await createUser({ roles: [code] })
  const browser = new Browser()
  await signInByPassword(browser, user.login, password)
  await db().update(users).set({ mobile: null }).where(eq(users.id, user.id))
  return { caller: new Caller(browser), role: first(await db().select().from(roles).where(eq(roles.code, code))).id }
}
let somebody: Awaited<ReturnType<typeof withoutMobile>> | undefined
const ownWay = {
  by: async () => {
    somebody = await withoutMobile()
    return somebody.caller
  },
}
const ownRole = () => (somebody ? [somebody.role] : [])

/** No administrator has a mobile; there is one at least. */
async function administratorsWithoutMobile() {
  await createUser({ roles: ['administrator'] })
  const role = await shippedRole('administrator')
  const holders = db().select({ id: userRoles.userId }).from(userRoles).where(eq(userRoles.roleId, role))
  await db().update(users).set({ mobile: null }).where(inArray(users.id, holders))
  return [role]
}
/** The ids of the schemas above the base schema in another order than theirs, with `top` first. */
async function order(caller: Caller, top: readonly string[]) {
  const ids = (await schemas(caller)).flatMap(({ id, base }) => (base ? [] : [id]))
  const newOrder = [...top, ...ids.filter((id) => !top.includes(id))]
  return { read: ids, priority: newOrder.map((id, priority) => ({ id, priority })) }
}

const wrongFields = {
  errorFlowSecondOnly: { field: 'firstFactor', more: { firstFactor: ['credentials', 'totp'] as FlowId[] } },
  errorSchemaDeadEnd: { field: 'secondFactor', more: { secondFactor: byPassword } },
  errorFlowsNotReady: { field: 'firstFactor', more: { firstFactor: bySms, secondFactor: [] }, within: inProduction },
  errorSchemaRole: { field: 'roles.0', more: { roles: [randomUUID()] } },
} as const

export default [
  proof(listSchemaFlows, {
    prepare: async (caller) => {
      const { flows } = await caller.call(listSchemaFlows)
      const used = flows.some(({ id, used: named }) => id === 'sms_code' && named)
      if (used) await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
      else await newSchema(caller, { firstFactor: bySms, secondFactor: [] })
      return !used
    },
    input: () => ({}),
    shows: (used) => ({
      flows: [
        { id: 'credentials', name: 'Пароль', active: true, used: true, base: true },
        { id: 'email_code', name: expect.stringMatching(/^Код из\sписьма$/), active: true, base: false },
        { id: 'sms_code', name: expect.stringMatching(/^Код из\sСМС$/), used, base: false },
        { id: 'totp', name: expect.stringMatching(/^Код из\sприложения$/), active: true, base: false },
        { id: 'passkey', name: expect.stringMatching(/^Ключ\sдоступа$/), active: true, base: false },
      ],
    }),
  }),
  proof(listAuthenticationSchemas, {
    prepare: usedSchema,
    input: () => ({}),
    shows: ({ id }) => ({ schemas: expect.arrayContaining([expect.objectContaining({ id, usersCount: 1 })]) }),
  }),
  proof(createAuthenticationSchema, {
    makes: ['create authentication-schemas'],
    prepare: async () => bodyOf({ roles: [(await heldRole()).id] }),
    input: (body) => ({ body }),
    look: schemas,
    shows: ({ code, name, nameEn, comment, roles: [id] }) =>
      expect.arrayContaining([
        expect.objectContaining({
          ...{ code, name, nameEn, comment, active: true, base: false, usersCount: 1 },
          firstFactor: expect.arrayContaining(enabled('credentials')),
          secondFactor: expect.arrayContaining(enabled('email_code')),
          roles: [expect.objectContaining({ id })],
        }),
      ]),
    errors: {
      ...Object.fromEntries(
        Object.entries(wrongFields).map(([code, { more, ...failing }]) => [
          code,
          { ...failing, input: () => ({ body: bodyOf(more) }) },
        ]),
      ),
      errorUnique: {
        field: 'code',
        input: async (caller) => ({ body: bodyOf({ code: (await newSchema(caller)).code }) }),
      },
      schemaOwnLockout: {
        ...ownWay,
        input: () => ({ body: bodyOf({ firstFactor: bySms, roles: ownRole() }) }),
      },
      forbiddenUser: { input: async () => ({ body: bodyOf({ ...weak, roles: await strongRole() }) }) },
      schemaLockout: {
        input: async () => ({ body: bodyOf({ firstFactor: bySms, roles: await administratorsWithoutMobile() }) }),
      },
      schemasTooMany: {
        within: async (work) => {
          const rows = Array.from({ length: mostSchemas }, (_, at) => ({
            ...{ code: `many-${at}`, name: 'Ещё одна', firstFactor: ['credentials'], active: false },
          }))
          await db().insert(authenticationSchemas).values(rows)
          return work().finally(() =>
            db().delete(authenticationSchemas).where(like(authenticationSchemas.code, 'many-%')),
          )
        },
        input: () => ({ body: bodyOf() }),
      },
    },
  }),
  proof(updateAuthenticationSchema, {
    makes: ['update authentication-schemas'],
    prepare: newSchema,
    input: (schema) =>
      change(schema, { name: 'Кассиры', firstFactor: ['email_code', 'credentials'], secondFactor: [] }),
    look: (caller, { id }) => schemaOf(caller, id),
    shows: ({ id }) => ({
      ...{ id, name: 'Кассиры' },
      firstFactor: [
        ...enabled('email_code', 'credentials'),
        { id: 'sms_code', enabled: false },
        { id: 'passkey', enabled: false },
      ],
      secondFactor: expect.not.arrayContaining([expect.objectContaining({ enabled: true })]),
    }),
    errors: {
      ...Object.fromEntries(
        Object.entries(wrongFields).map(([code, { more, ...failing }]) => [
          code,
          { ...failing, input: async (caller: Caller) => change(await newSchema(caller), more) },
        ]),
      ),
      errorUnique: {
        field: 'code',
        input: async (caller, { id }) => change({ id, code: (await newSchema(caller)).code }),
      },
      errorImmutable: {
        field: 'code',
        input: async (caller) => change({ ...(await baseOf(caller)), code: randomUUID() }),
      },
      errorFlowBase: {
        field: 'firstFactor',
        input: async (caller) =>
          change(await baseOf(caller), { firstFactor: ['email_code'] as FlowId[], secondFactor: [] }),
      },
      schemaOwnLockout: {
        ...ownWay,
        input: async (caller) =>
          change(await newSchema(caller, { roles: ownRole() }), { firstFactor: bySms, roles: ownRole() }),
      },
      forbiddenUser: {
        input: async (caller) => {
          const roles = await strongRole()
          return change(await newSchema(caller, { roles }), { secondFactor: [], roles })
        },
      },
      schemaLockout: {
        input: async (caller, schema) =>
          change(schema, {
            firstFactor: bySms,
            roles: (await baseOf(caller)) && (await administratorsWithoutMobile()),
          }),
      },
    },
  }),
  proof(deleteAuthenticationSchema, {
    makes: ['delete authentication-schemas'],
    prepare: newSchema,
    input: ({ id }) => ({ params: { id } }),
    look: async (caller, { id }) => ({ found: (await schemaOf(caller, id)) !== undefined }),
    shows: () => ({ found: false }),
    errors: {
      schemaBase: { input: async (caller) => ({ params: { id: (await baseOf(caller)).id } }) },
      schemaUsed: { input: async (caller) => ({ params: { id: (await usedSchema(caller)).id } }) },
    },
  }),
  proof(activateAuthenticationSchema, {
    makes: ['update authentication-schemas'],
    prepare: newSchema,
    input: ({ id }) => ({ params: { id }, body: { active: false } }),
    look: (caller, { id }) => schemaOf(caller, id),
    shows: ({ id }) => ({ id, active: false }),
    errors: {
      schemaBase: { input: async (caller) => ({ params: { id: (await baseOf(caller)).id }, body: { active: false } }) },
      schemaUsed: {
        input: async (caller) => ({ params: { id: (await usedSchema(caller)).id }, body: { active: false } }),
      },
      errorFlowsNotReady: {
        field: 'firstFactor',
        within: inProduction,
        input: async (caller) => {
          const { id } = await newSchema(caller, { firstFactor: bySms, secondFactor: [], active: false })
          return { params: { id }, body: { active: true } }
        },
      },
      schemaOwnLockout: {
        ...ownWay,
        input: async (caller) => {
          const { id } = await newSchema(caller, { firstFactor: bySms, roles: ownRole(), active: false })
          return { params: { id }, body: { active: true } }
        },
      },
      forbiddenUser: {
        input: async (caller) => {
          const { id } = await newSchema(caller, { ...weak, roles: await strongRole(), active: false })
          return { params: { id }, body: { active: true } }
        },
      },
      schemaLockout: {
        input: async (caller) => {
          const admins = await administratorsWithoutMobile()
          const { id } = await newSchema(caller, { firstFactor: bySms, roles: admins, active: false })
          return { params: { id }, body: { active: true } }
        },
      },
    },
  }),
  proof(orderAuthenticationSchemas, {
    makes: ['update authentication-schemas'],
    prepare: async (caller) => {
      await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
      const ids = [(await newSchema(caller)).id, (await newSchema(caller)).id]
      return { ids, body: await order(caller, [...ids].reverse()) }
    },
    input: ({ body }) => ({ body }),
    look: schemas,
    shows: ({ ids: [one, other] }) => [{ id: other, priority: 0 }, { id: one, priority: 1 }, { base: true }],
    errors: {
      conflict: {
        input: async (caller) => {
          const body = await order(caller, [(await newSchema(caller)).id])
          return { body: { ...body, read: [...body.read].reverse() } }
        },
      },
      schemaOwnLockout: {
        ...ownWay,
        input: async (caller) => {
          await newSchema(caller, { roles: ownRole() })
          const { id } = await newSchema(caller, { firstFactor: bySms, roles: ownRole() })
          return { body: await order(caller, [id]) }
        },
      },
      forbiddenUser: {
        input: async (caller) => {
          const roles = await strongRole()
          await newSchema(caller, { roles })
          const { id } = await newSchema(caller, { ...weak, roles })
          return { body: await order(caller, [id]) }
        },
      },
      schemaLockout: {
        input: async (caller) => {
          const admins = await administratorsWithoutMobile()
          await newSchema(caller, { roles: admins, secondFactor: [] })
          const { id } = await newSchema(caller, { firstFactor: bySms, roles: admins })
          return { body: await order(caller, [id]) }
        },
      },
    },
  }),
  proof(previewAuthenticationSchema, {
    prepare: async (caller) => {
      const { id: role, user } = await heldRole()
      return { role, userId: user.id, schema: await newSchema(caller, { roles: [role] }) }
    },
    input: ({ userId }) => ({ query: { userId } }),
    shows: ({ role, schema: { id } }) => ({
      ...{ schema: { id }, by: 'role', role: { id: role }, stuck: false },
      first: [{ id: 'credentials', usable: true }],
      second: [{ after: 'credentials', flows: ['email_code'] }],
    }),
    errors: {
      errorPersonOrIdentifier: { field: 'identifier', input: () => ({ query: {} }) },
      notFound: { input: () => ({ query: { userId: randomUUID() } }) },
    },
  }),
]
