import { type SQL, sql } from 'drizzle-orm'
import type { DomainEvent, EventHandler, EventName } from './events'
import type { RecordedEvent } from './outbox'

/**
 * What a handler knows of its delivery. `id` is that of the event, the same at each try; an aborted `signal` asks it to
 * stop.
 */
export type DeliveryInfo = { id: number; attempt: number; signal: AbortSignal }
/** Receives an event after the commit, once or more often. If it throws, the event is delivered again. */
export type DeliveryHandler<E> = (event: E, info: DeliveryInfo) => Promise<void>

/**
 * How a delivery ended; `skipped`: the handler no longer wants it. `also` is SQL that runs in the statement that stores
 * it.
 */
export type DeliveryResult = { state: 'delivered' | 'skipped'; also?: SQL }

/** One delivery to a handler of a subscriber group. */
export type GroupDelivery = DeliveryInfo & { deliveryId: string; handler: string }
/**
 * Handlers that are rows of a table, such as webhooks: each is called `<group>:<id>` and has its own delivery queues.
 * They receive recorded changes.
 */
export type SubscriberGroup = {
  /** Returns SQL that selects the `handler` of each row that listens to such a change; null if none can. */
  listeners: (change: Pick<RecordedEvent, 'entity' | 'type'>) => SQL | null
  /** Like a DeliveryHandler. */
  work: (event: RecordedEvent, info: GroupDelivery) => Promise<DeliveryResult>
  /** Returns SQL of the name of a handler's owner: owners take turns. Handlers whose owner is null take no turns. */
  owner: (handler: SQL) => SQL
  tries: Tries
  /**
   * Returns SQL of the moment until which a handler is paused; a moment in the past, or null, means that it isn't
   * paused.
   */
  heldUntil: (handler: string) => SQL
  /** Runs before a delivery becomes dead, once or more often. A delivery that it ends itself doesn't become dead. */
  onDead: (handler: string) => Promise<void>
}
/** `most`: how often a delivery is tried. `wait`: the seconds to wait after so many tries. */
export type Tries = { most: number; wait: (tries: number) => number }

// each list holds the handlers of one event, which the type of a Map can not express
type Registry = {
  inTransaction: Map<EventName, unknown[]>
  /** The handlers after the commit: by topic, then by name. */
  delivered: Map<string, Map<string, DeliveryHandler<never>>>
  groups: Map<string, SubscriberGroup>
}

// one registry for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformHandlers?: Registry | undefined }

/**
 * Thrown when a process emits or records an event before compose() has registered the handlers: the event would be
 * lost.
 */
export class NotComposedError extends Error {
  override name = 'NotComposedError'
  constructor() {
    super('nobody in this process is registered to hear of events: it must call compose() of lib/wiring/compose')
  }
}

function registry(): Registry {
  if (!shared.platformHandlers) throw new NotComposedError()
  return shared.platformHandlers
}

/** Replaces all registrations with those that `register` makes; keeps the old ones if it throws. */
export function composeHandlers(register: () => void): void {
  const previous = shared.platformHandlers
  shared.platformHandlers = { inTransaction: new Map(), delivered: new Map(), groups: new Map() }
  try {
    register()
  } catch (error) {
    shared.platformHandlers = previous
    throw error
  }
}

/** Registers a handler that runs in the transaction of a domain event. */
export function onEvent<K extends EventName>(name: K, handler: EventHandler<K>): void {
  const { inTransaction } = registry()
  inTransaction.set(name, [...(inTransaction.get(name) ?? []), handler])
}

/**
 * Registers a handler that receives a domain event, or each recorded change of an entity, after the commit. The name
 * `handler` is stored and never changes; it has small letters and hyphens. One handler may listen to several topics;
 * the events of one object come in order.
 */
export function onDelivered<K extends EventName>(topic: K, handler: string, work: DeliveryHandler<DomainEvent<K>>): void
export function onDelivered(topic: string, handler: string, work: DeliveryHandler<RecordedEvent>): void
export function onDelivered(topic: string, handler: string, work: DeliveryHandler<never>): void {
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(handler)) throw new TypeError(`${handler} is no name of a handler`)
  const { delivered } = registry()
  const topicHandlers = delivered.get(topic) ?? new Map<string, DeliveryHandler<never>>()
  if (topicHandlers.has(handler)) throw new TypeError(`${handler} listens to ${topic} already`)
  delivered.set(topic, topicHandlers.set(handler, work))
}

/** Registers a subscriber group. Its name is stored, like that of a handler. */
export function onDeliveredToGroup(group: string, rules: SubscriberGroup): void {
  registry().groups.set(group, rules)
}

/**
 * Returns the subscriber group of a handler by the handler's name; undefined if it has none. Throws NotComposedError.
 */
export const groupOf = (handler: string): SubscriberGroup | undefined =>
  handler.includes(':') ? registry().groups.get(handler.slice(0, handler.indexOf(':'))) : undefined

/** Returns the names of the subscriber groups. Throws NotComposedError. */
export const groupNames = (): string[] => [...registry().groups.keys()]

/**
 * Returns SQL that selects the handlers of all groups for a change; null if none can listen. Throws NotComposedError.
 */
export function groupSubscribers(change: Pick<RecordedEvent, 'entity' | 'type'>): SQL | null {
  const selects = [...registry().groups.values()].flatMap((group) => group.listeners(change) ?? [])
  return selects.length > 0 ? sql.join(selects, sql` union all `) : null
}

/** Returns SQL of the owner of a handler, null for a handler without a group. Throws NotComposedError. */
export function ownerOf(handler: SQL): SQL {
  const ownerCases = [...registry().groups].map(
    ([name, { owner }]) => sql`when ${sql.raw(`'${name}'`)} then ${owner(handler)}`,
  )
  if (ownerCases.length === 0) return sql`null::text`
  return sql`case split_part(${handler}, ':', 1) ${sql.join(ownerCases, sql` `)} end`
}

/** Returns the handlers that run in the transaction of an event. Throws NotComposedError. */
export const eventHandlers = <K extends EventName>(name: K): readonly EventHandler<K>[] =>
  (registry().inTransaction.get(name) ?? []) as readonly EventHandler<K>[]

/** Returns the handlers of an entity or a domain event by name. Throws NotComposedError. */
export const deliveryHandlers = (topic: string): ReadonlyMap<string, DeliveryHandler<never>> =>
  registry().delivered.get(topic) ?? new Map()

/** Returns each handler of this process with each topic that it listens to. Throws NotComposedError. */
export const deliverySubscriptions = (): { handler: string; topic: string }[] =>
  [...registry().delivered].flatMap(([topic, handlers]) => [...handlers.keys()].map((handler) => ({ handler, topic })))
