import { z } from 'zod'
import type { Area } from '@/lib/base/access/access-methods'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'

/** What webhooks hear of: the name in event types, and the area whose `<area>.read` its application must hold. */
const heard = {
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

const acts = { create: 'created', update: 'updated', delete: 'deleted' } as const
type Act = keyof typeof acts
type Heard = keyof typeof heard

/** An event type of webhooks, such as `user.created`. */
export type WebhookType = `${(typeof heard)[Heard]['name']}.${(typeof acts)[Act]}`

const all = Object.entries(heard).flatMap(([entity, { name, area }]) =>
  (Object.keys(acts) as Act[]).map((act) => ({ type: `${name}.${acts[act]}` as WebhookType, entity, act, area })),
)
const byType = new Map<string, (typeof all)[number]>(all.map((each) => [each.type, each]))

/** All event types, in the order in which screens offer them. */
export const webhookTypes = all.map(({ type }) => type) as [WebhookType, ...WebhookType[]]

/** What webhooks hear of, each with its types and the method that hearing of it needs, in the order in which screens offer it. */
export const webhookObjects = Object.values(heard).map(({ name, area }) => ({
  name,
  method: `${area}.read` as const,
  types: (Object.keys(acts) as Act[]).map((act) => `${name}.${acts[act]}` as WebhookType),
}))
export type WebhookObject = (typeof webhookObjects)[number]['name']

/** Returns the two parts of a type, by which screens name it: what it is about, and what happened. */
export const partsOf = (type: WebhookType) => type.split('.') as [WebhookObject, (typeof acts)[Act]]

/** Returns whether a text is a type of webhooks; logs may have types of other versions. */
export const isType = (type: string): type is WebhookType => byType.has(type)

/** The type of the message that a person asks for to try a webhook. */
export const testType = 'webhook.test'

/** Returns the type of a recorded change; null if webhooks hear nothing of it. */
export const typeOf = ({ entity, type }: { entity: string; type: string }): WebhookType | null =>
  Object.hasOwn(heard, entity) && type in acts ? `${heard[entity as Heard].name}.${acts[type as Act]}` : null

/** Returns the method that hearing of a type needs (docs/rules/webhooks.md#what-an-application-may-hear). */
export const methodOf = (type: WebhookType) => `${byType.get(type)?.area as Area}.read` as const

/** Returns where changes of these types stand in the outbox. */
export const topicsOf = (types: readonly string[]) =>
  types.flatMap((type) => {
    const found = byType.get(type)
    return found ? [{ topic: found.entity, type: found.act }] : []
  })

const Message = <T extends string>(type: T, entity: string) =>
  z.strictObject({
    type: z.literal(type),
    /** When it happened. */
    timestamp: z.iso.datetime(),
    data: z.strictObject({
      /** Of the object. */
      id: z.string(),
      entity: z.literal(entity),
      /** Names of the fields that differ, without their values. */
      changedFields: z.array(z.string()),
    }),
  })

/** The schema of each message by its type. Messages have ids and names of fields, and no values. */
export const webhookMessages: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...all.map(({ type, entity }) => [type, Message(type, entity)] as const),
  [testType, Message(testType, 'webhooks')],
])
