import { z } from 'zod'
import type { Area } from '@/lib/base/access/access-methods'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'

/**
 * The entities of which webhooks hear: their name in event types, and the area whose `<area>.read` the application must
 * hold.
 */
const webhookEntities = {
  users: { name: 'user', area: 'users' },
  roles: { name: 'role', area: 'roles' },
  organizations: { name: 'organization', area: 'organizations' },
  contractors: { name: 'contractor', area: 'contractors' },
  'access-requests': { name: 'access-request', area: 'contractors' },
  invitations: { name: 'invitation', area: 'contractors' },
  applications: { name: 'application', area: 'applications' },
  oidcClients: { name: 'client', area: 'applications' },
  domains: { name: 'domain', area: 'domains' },
  documents: { name: 'document', area: 'libraries' },
  banners: { name: 'banner', area: 'libraries' },
  'dynamic-fields': { name: 'dynamic-field', area: 'dynamic-fields' },
  'device-types': { name: 'device-type', area: 'device-types' },
  'network-aliases': { name: 'network-alias', area: 'network-aliases' },
  'access-lists': { name: 'access-list', area: 'access-lists' },
  'authentication-schemas': { name: 'authentication-schema', area: 'authentication-schemas' },
  providers: { name: 'provider', area: 'providers' },
} as const satisfies { [E in EntityName]?: { name: string; area: Area } }

const eventNames = { create: 'created', update: 'updated', delete: 'deleted' } as const
type ChangeType = keyof typeof eventNames
type WebhookEntity = keyof typeof webhookEntities

/** An event type of webhooks, such as `user.created`. */
export type WebhookType = `${(typeof webhookEntities)[WebhookEntity]['name']}.${(typeof eventNames)[ChangeType]}`

const allTypes = Object.entries(webhookEntities).flatMap(([entity, { name, area }]) =>
  (Object.keys(eventNames) as ChangeType[]).map((act) => ({
    type: `${name}.${eventNames[act]}` as WebhookType,
    entity,
    act,
    area,
  })),
)
const byType = new Map<string, (typeof allTypes)[number]>(allTypes.map((entry) => [entry.type, entry]))

/** All event types, in the order in which screens offer them. */
export const webhookTypes = allTypes.map(({ type }) => type) as [WebhookType, ...WebhookType[]]

/**
 * The objects of which webhooks hear, with their types and the needed method, in the order in which screens offer them.
 */
export const webhookObjects = Object.values(webhookEntities).map(({ name, area }) => ({
  name,
  method: `${area}.read` as const,
  types: (Object.keys(eventNames) as ChangeType[]).map((act) => `${name}.${eventNames[act]}` as WebhookType),
}))
export type WebhookObject = (typeof webhookObjects)[number]['name']

/** Returns the two parts of a type, by which screens name it: the object, and the event. */
export const partsOf = (type: WebhookType) => type.split('.') as [WebhookObject, (typeof eventNames)[ChangeType]]

/** Returns whether a text is a type of webhooks; logs may have types of other versions. */
export const isType = (type: string): type is WebhookType => byType.has(type)

/** The type of the message that a person asks for to try a webhook. */
export const testType = 'webhook.test'

/** Returns the type of an audit event; null if webhooks don't hear of it. */
export const typeOf = ({ entity, type }: { entity: string; type: string }): WebhookType | null =>
  Object.hasOwn(webhookEntities, entity) && type in eventNames
    ? `${webhookEntities[entity as WebhookEntity].name}.${eventNames[type as ChangeType]}`
    : null

/** Returns the method that hearing of a type needs (docs/rules/webhooks.md#what-an-application-may-hear). */
export const methodOf = (type: WebhookType) => `${byType.get(type)?.area as Area}.read` as const

/** Returns the topics and types under which the event outbox stores events of these types. */
export const topicsOf = (types: readonly string[]) =>
  types.flatMap((type) => {
    const entry = byType.get(type)
    return entry ? [{ topic: entry.entity, type: entry.act }] : []
  })

const Message = <T extends string>(type: T, entity: string) =>
  z.strictObject({
    type: z.literal(type),
    /** The moment of the change. */
    timestamp: z.iso.datetime(),
    data: z.strictObject({
      /** The id of the object. */
      id: z.string(),
      entity: z.literal(entity),
      /** Names of the fields that differ, without their values. */
      changedFields: z.array(z.string()),
    }),
  })

/** The schema of each message by its type. Messages contain ids and names of fields, but no values. */
export const webhookMessages: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...allTypes.map(({ type, entity }) => [type, Message(type, entity)] as const),
  [testType, Message(testType, 'webhooks')],
])
