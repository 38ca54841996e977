import { z } from 'zod'
import { contract, Done, Id, requiredLine } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'
import { CursorMeta, listQuery, many } from '@/lib/base/lists/lists'
import { testType, webhookTypes } from './types'

const common = { tag: 'applications', access: { area: 'applications' } } as const
const path = '/setting/applications/{id}/webhooks'
const webhookPath = `${path}/{webhookId}`
const OfApplication = z.strictObject({ id: Id })
const ById = z.strictObject({ id: Id, webhookId: Id })
const refusals = { forbiddenApplication: 403, applicationFixed: 409, notFound: 404 } as const

/** The most webhooks of an application. */
export const mostWebhooks = 20
/** Seconds for which the previous secret stays valid after a rotation. */
export const overlap = 24 * 3_600
/** Up to this number waiting messages are counted. */
export const mostCounted = 1_000
/** Days for which events are stored and can be replayed. */
export const replayDays = 7

/** http or https, without credentials and fragment; in production the service function requires https. */
const Address = requiredLine(2048).refine((address) => {
  if (!URL.canParse(address) || /[\s\\#]/.test(address)) return false
  const { protocol, username, password } = new URL(address)
  return (protocol === 'https:' || protocol === 'http:') && !username && !password
}, 'errorWebhookAddress')

const WebhookType = z.enum(webhookTypes, { error: 'errorOption' })

const fields = {
  name: requiredLine(100),
  url: Address,
  types: z
    .array(WebhookType)
    .min(1, 'errorEmpty')
    .max(webhookTypes.length, 'errorTooMany')
    .transform((types) => webhookTypes.filter((type) => types.includes(type))),
}

export const disabledReasons = ['gone', 'failed'] as const

export const deliveryStatuses = ['wait', 'success', 'failure', 'dropped'] as const

const Sent = {
  /** The status of the answer; null if none came. */
  httpStatus: z.number().int().nullable(),
  /** Milliseconds. */
  duration: z.number().int().nullable(),
  /** Why it failed: the code of an error. */
  fault: z.string().nullable(),
}

const Webhook = z.strictObject({
  id: Id,
  name: z.string(),
  /**
   * The whole address for callers who may change it; for others with `***` in place of the values of its parameters.
   */
  url: z.string(),
  types: z.array(z.string()),
  enabled: z.boolean(),
  /** Why the platform disabled it; null if a person did, and while it is enabled. */
  disabledReason: z.enum(disabledReasons).nullable(),
  /** The newest first, with the last characters of each; a whole secret is shown only when it is created. */
  secrets: z.array(z.strictObject({ tail: z.string(), since: z.iso.datetime(), until: z.iso.datetime().nullable() })),
  /** Since when every message failed; null if the last one arrived. */
  failingSince: z.iso.datetime().nullable(),
  /** How many messages wait, counted up to a thousand. */
  waiting: z.number().int(),
  /** The outcome of the newest message of its log; null if there is none. */
  last: z
    .strictObject({ status: z.enum(deliveryStatuses), type: z.string(), ...Sent, at: z.iso.datetime() })
    .nullable(),
  /** Subscribed types of which the application may no longer hear: nothing is sent for them. */
  forbiddenTypes: z.array(z.string()),
  updatedAt: z.iso.datetime(),
})
export type Webhook = z.output<typeof Webhook>

/** A type, and whether the application's service account holds the method that hearing of it needs. */
const TypeChoice = z.strictObject({ type: WebhookType, method: z.string(), allowed: z.boolean() })
export type TypeChoice = z.output<typeof TypeChoice>

export const listWebhooks = contract({
  ...common,
  name: 'listWebhooks',
  method: 'GET',
  path,
  summary: 'The webhooks of an application, and which types of events it may hear of',
  params: OfApplication,
  response: z.strictObject({ webhooks: z.array(Webhook), types: z.array(TypeChoice) }),
  errors: { notFound: 404 },
})

const faults = { errorWebhookAddress: 400, errorWebhookHttps: 400, errorWebhookType: 400 } as const

export const createWebhook = contract({
  ...common,
  name: 'createWebhook',
  method: 'POST',
  path,
  summary: 'Creates a webhook; its secret is in the answer, this once',
  snackbar: 'webhookCreate',
  sensitive: true,
  params: OfApplication,
  body: z.strictObject(fields),
  response: z.strictObject({ id: Id, secret: z.string() }),
  errors: { ...refusals, ...faults, webhookTooMany: 409 },
})

export const readWebhook = contract({
  ...common,
  name: 'readWebhook',
  method: 'GET',
  path: webhookPath,
  summary: 'A webhook, without its secrets',
  params: ById,
  response: z.strictObject({ webhook: Webhook }),
  errors: { notFound: 404 },
})

export const updateWebhook = contract({
  ...common,
  name: 'updateWebhook',
  method: 'PUT',
  path: webhookPath,
  summary: 'Replaces name, address and types of a webhook',
  snackbar: 'webhookUpdate',
  params: ById,
  body: z.strictObject({ ...fields, ...readVersion }),
  response: Done,
  errors: { ...refusals, ...faults, conflict: 409 },
})

export const deleteWebhook = contract({
  ...common,
  name: 'deleteWebhook',
  method: 'DELETE',
  path: webhookPath,
  summary: 'Deletes a webhook with its log; what waits isn’t sent',
  snackbar: 'webhookDelete',
  params: ById,
  response: Done,
  errors: refusals,
})

export const enableWebhook = contract({
  ...common,
  name: 'enableWebhook',
  method: 'PUT',
  path: `${webhookPath}/enabled`,
  summary: 'Enables or disables a webhook; a disabled one keeps nothing, and what waits is set aside',
  snackbar: 'webhookEnabled',
  params: ById,
  body: z.strictObject({ enabled: z.boolean({ error: 'errorFormat' }), ...readVersion }),
  response: Done,
  errors: { ...refusals, conflict: 409 },
})

export const rotateWebhookSecret = contract({
  ...common,
  name: 'rotateWebhookSecret',
  method: 'PUT',
  path: `${webhookPath}/secret`,
  summary: 'Makes a new secret; for 24 hours messages are signed with the previous one too',
  snackbar: 'webhookSecret',
  sensitive: true,
  params: ById,
  body: z.strictObject(readVersion),
  response: z.strictObject({ secret: z.string() }),
  errors: { ...refusals, conflict: 409 },
})

export const endPreviousWebhookSecret = contract({
  ...common,
  name: 'endPreviousWebhookSecret',
  method: 'DELETE',
  path: `${webhookPath}/secret`,
  summary: 'Ends the previous secret of a webhook before its time',
  snackbar: 'webhookSecretEnd',
  params: ById,
  response: Done,
  errors: refusals,
})

export const testWebhook = contract({
  ...common,
  name: 'testWebhook',
  method: 'POST',
  path: `${webhookPath}/test`,
  summary: 'Sends a message of the type `webhook.test` at once, also to a disabled webhook',
  snackbar: 'webhookTest',
  params: ById,
  response: z.strictObject({
    id: Id,
    ...Sent,
    /** The beginning of the answer. */
    response: z.string().nullable(),
  }),
  errors: { ...refusals, tooManyAttempts: 429 },
})

const Status = z.enum(deliveryStatuses, { error: 'errorOption' })

const Day = z.iso.date('errorFormat').optional()

/** The query of the log: the newest first, by cursor. */
export const WebhookDeliveryQuery = listQuery({
  filters: {
    status: many(Status).optional(),
    type: many(z.enum([...webhookTypes, testType], { error: 'errorOption' })).optional(),
    createdFrom: Day,
    createdTo: Day,
  },
  sorts: ['createdAt'],
  defaultSort: { by: 'createdAt', order: 'desc' },
  cursor: true,
})
export type WebhookDeliveryInput = z.output<typeof WebhookDeliveryQuery>

const WebhookDelivery = z.strictObject({
  id: Id,
  /** The value of the header `webhook-id`. */
  messageId: z.string(),
  type: z.string(),
  status: Status,
  attempts: z.number().int(),
  ...Sent,
  /** When it is tried again; null if it isn't. */
  nextAt: z.iso.datetime().nullable(),
  /** Whether it can be sent again. */
  replayable: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const listWebhookDeliveries = contract({
  ...common,
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: `${webhookPath}/deliveries`,
  summary: 'The log of a webhook: each message with how its sending went',
  params: ById,
  query: WebhookDeliveryQuery,
  response: z.strictObject({ deliveries: z.array(WebhookDelivery), meta: CursorMeta }),
  errors: { notFound: 404 },
})

export const readWebhookDelivery = contract({
  ...common,
  name: 'readWebhookDelivery',
  method: 'GET',
  path: `${webhookPath}/deliveries/{deliveryId}`,
  summary: 'A message of the log with what was sent and the beginning of what was answered',
  params: ById.extend({ deliveryId: Id }),
  response: z.strictObject({
    delivery: WebhookDelivery.extend({ request: z.string(), response: z.string().nullable() }),
  }),
  errors: { notFound: 404 },
})

export const replayWebhookDelivery = contract({
  ...common,
  name: 'replayWebhookDelivery',
  method: 'POST',
  path: `${webhookPath}/deliveries/{deliveryId}/replay`,
  summary: 'Sends a message once more, with the same id and all its tries',
  snackbar: 'webhookReplay',
  params: ById.extend({ deliveryId: Id }),
  response: Done,
  errors: { ...refusals, webhookDisabled: 409, webhookWaiting: 409, webhookEventGone: 409 },
})

export const replayWebhook = contract({
  ...common,
  name: 'replayWebhook',
  method: 'POST',
  path: `${webhookPath}/replay`,
  summary: 'Sends once more what happened from one moment to another, up to seven days back',
  snackbar: 'webhookReplaySpan',
  params: ById,
  body: z.strictObject({
    from: z.iso.datetime({ error: 'errorFormat' }),
    to: z.iso.datetime({ error: 'errorFormat' }),
  }),
  response: z.strictObject({ events: z.number().int() }),
  errors: { ...refusals, errorWebhookSpan: 400, webhookDisabled: 409, tooManyAttempts: 429 },
})
