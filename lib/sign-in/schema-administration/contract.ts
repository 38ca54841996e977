import { z } from 'zod'
import { firstFlowIds } from '@/lib/access/authentication-schemas/flow-ids'
import { contract, Done, Id, LatinCode, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { FlowId } from '../attempts/contract'

/** The flow that the base schema can't turn off. */
export const baseFlow: FlowId = 'credentials'

/** Ids of flows, the preferred one first. A repeated flow counts once. */
const flows = z
  .array(FlowId)
  .max(10, 'errorTooMany')
  .transform((ids) => [...new Set(ids)])
const isFirst = (flow: FlowId) => firstFlowIds.some((id) => id === flow)
const ids = (maximum: number) =>
  z
    .array(Id)
    .max(maximum, 'errorTooMany')
    .transform((values) => [...new Set(values)])

const SchemaInput = z.strictObject({
  name: requiredLine(100),
  /** In English; if empty, `name` serves both languages. */
  nameEn: line(100).default(''),
  /** By default a new schema's code is made from its name. */
  code: LatinCode.optional(),
  comment: line(500).default(''),
  firstFactor: flows
    .refine((list) => list.length > 0, 'errorEmpty')
    .refine((list) => list.every(isFirst), 'errorFlowSecondOnly'),
  /** Empty: one factor is enough. */
  secondFactor: flows.default([]),
  /** Roles whose holders the schema applies to. */
  roles: ids(200).default([]),
})
export type SchemaInput = z.output<typeof SchemaInput>

const FactorFlow = z.strictObject({ id: FlowId, enabled: z.boolean() })
const Named = z.strictObject({ id: Id, name: z.string(), nameEn: z.string().nullable() })

const AuthenticationSchema = z.strictObject({
  id: Id,
  active: z.boolean(),
  /** Whether it is the base schema, which applies to everybody to whom no other schema applies. */
  base: z.boolean(),
  code: z.string(),
  name: z.string(),
  nameEn: z.string(),
  comment: z.string(),
  /** All flows that it may name: those of the factor first, the preferred one at the top. */
  firstFactor: z.array(FactorFlow),
  secondFactor: z.array(FactorFlow),
  roles: z.array(Named),
  /** How many people it applies to now. */
  usersCount: z.number().int(),
  /** How many accounts have it as their own schema. */
  ownCount: z.number().int(),
  /** 0 is the highest. */
  priority: z.number().int(),
  updatedAt: z.iso.datetime(),
})
export type AuthenticationSchema = z.output<typeof AuthenticationSchema>

const area = 'authentication-schemas'
const path = '/setting/authentication-schemas'
const calls = areaCalls(area, path, {
  one: 'AuthenticationSchema',
  many: 'AuthenticationSchemas',
  snackbar: 'authSchema',
})
const common = { tag: area, access: { area } } as const
/** The errors of a schema, and the errors of a change by which people could no longer sign in. */
const wrong = {
  errorFlowSecondOnly: 400,
  errorSchemaDeadEnd: 400,
  errorFlowsNotReady: 400,
  errorSchemaRole: 400,
  errorUnique: 400,
}
const lockouts = { forbiddenUser: 403, schemaLockout: 409, schemaOwnLockout: 409 }

export const listSchemaFlows = contract({
  ...common,
  name: 'listSchemaFlows',
  summary: 'The ways to prove who one is: which can be used now, which a schema names, which is always there',
  method: 'GET',
  path: `${path}/flows`,
  response: z.strictObject({
    flows: z.array(
      z.strictObject({
        id: FlowId,
        /** In the caller's language. */
        name: z.string(),
        /** Its transport is ready. */
        active: z.boolean(),
        /** A schema names it. */
        used: z.boolean(),
        /** It can't be turned off in the base schema. */
        base: z.boolean(),
      }),
    ),
  }),
})

export const listAuthenticationSchemas = contract({
  ...common,
  name: 'listAuthenticationSchemas',
  summary: 'All schemas, the highest priority first and the base schema last, with how many people each applies to now',
  method: 'GET',
  path,
  response: z.strictObject({ schemas: z.array(AuthenticationSchema) }),
})

export const createAuthenticationSchema = calls.create({
  summary: 'Creates a schema above the base schema; by default its code is made from the name',
  body: SchemaInput.extend({ active: z.boolean({ error: 'errorFormat' }).default(true) }),
  errors: { ...wrong, ...lockouts, schemasTooMany: 409 },
})

export const updateAuthenticationSchema = calls.update({
  summary: 'Changes a schema; with `updatedAt` as read only if nobody saved it meanwhile',
  body: SchemaInput.extend({ code: LatinCode, ...readVersion }),
  errors: { ...wrong, ...lockouts, errorImmutable: 400, errorFlowBase: 400 },
})

export const deleteAuthenticationSchema = calls.remove({
  summary: 'Deletes a schema that applies to nobody; the base schema stays',
  errors: { schemaBase: 409, schemaUsed: 409 },
})

export const activateAuthenticationSchema = contract({
  ...common,
  name: 'activateAuthenticationSchema',
  snackbar: 'authSchemaActive',
  summary: 'Switches a schema on, or off if it applies to nobody and isn’t the base schema',
  method: 'PUT',
  path: `${path}/{id}/active`,
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ active: z.boolean({ error: 'errorFormat' }), ...readVersion }),
  response: Done,
  errors: {
    notFound: 404,
    conflict: 409,
    schemaBase: 409,
    schemaUsed: 409,
    ...lockouts,
    errorFlowsNotReady: 400,
  },
})

export const orderAuthenticationSchemas = contract({
  ...common,
  name: 'orderAuthenticationSchemas',
  snackbar: 'authSchemaPriority',
  summary: 'Orders the schemas above the base schema; names each of them with its place',
  method: 'PATCH',
  path: `${path}/priority`,
  list: 'priority',
  body: z.strictObject({
    priority: z
      .array(
        z.strictObject({ id: Id, priority: z.number({ error: 'errorFormat' }).int('errorFormat').min(0).max(10_000) }),
      )
      .max(200, 'errorTooMany'),
    /** Their ids in the order that the caller has read. Answers 409 if the order has changed since. */
    read: z.array(Id).max(200, 'errorTooMany').optional(),
  }),
  response: Done,
  errors: { conflict: 409, ...lockouts },
})

export const previewAuthenticationSchema = contract({
  ...common,
  name: 'previewAuthenticationSchema',
  summary: 'What sign-in would offer to a person, or shows to anybody who types an identifier; sends nothing',
  method: 'GET',
  path: `${path}/preview`,
  query: z
    .strictObject({
      userId: Id.optional(),
      /** An e-mail, a mobile or a login as somebody would type it. */
      identifier: line(255).optional(),
    })
    .refine(({ userId, identifier }) => Boolean(userId) !== Boolean(identifier), {
      path: ['identifier'],
      error: 'errorPersonOrIdentifier',
    }),
  response: z.strictObject({
    schema: Named,
    /** Why this one: the person’s own, by a role, the base schema, or as for every identifier without an account. */
    by: z.enum(['own', 'role', 'base', 'identifier']),
    role: Named.nullable(),
    /** The first step: the flows that are offered, and whether the person can use each; null if that isn’t shown. */
    first: z.array(z.strictObject({ id: FlowId, usable: z.boolean().nullable() })),
    /** After each flow that the person can use, the flows of the second step; none: it is done. */
    second: z.array(z.strictObject({ after: FlowId, flows: z.array(FlowId) })),
    /** Whether the person can’t sign in at all; null if that isn’t shown. */
    stuck: z.boolean().nullable(),
  }),
  errors: { errorPersonOrIdentifier: 400, notFound: 404 },
})
export type SchemaPreview = z.output<(typeof previewAuthenticationSchema)['response']>
