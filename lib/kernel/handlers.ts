import type { DomainEvent, EventHandler, EventName } from './events'
import type { RecordedEvent } from './outbox'

/** What a handler knows of its delivery. `id` is the event's, the same at each try; `signal`: stop what you do. */
export type DeliveryInfo = { id: number; attempt: number; signal: AbortSignal }
/** Takes an event after its commit, once or more often. What it throws makes it come again. */
export type DeliveryHandler<E> = (event: E, info: DeliveryInfo) => Promise<void>

// each list holds the handlers of its own name's events, which a Map's type can't tell
type Registry = {
  inTransaction: Map<EventName, unknown[]>
  /** By what they listen to, then by their name. */
  delivered: Map<string, Map<string, DeliveryHandler<never>>>
}

// one registry a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformHandlers?: Registry | undefined }

/** A process is about to lose what happened: nobody was registered to hear of it. */
export class NotComposedError extends Error {
  override name = 'NotComposedError'
  constructor() {
    super('nobody in this process is registered to hear of events: it must call compose() of lib/context/compose')
  }
}

function registry(): Registry {
  if (!shared.platformHandlers) throw new NotComposedError()
  return shared.platformHandlers
}

/** Takes what `register` registers in place of what there was; if it throws, all stays as it was. */
export function composeHandlers(register: () => void): void {
  const before = shared.platformHandlers
  shared.platformHandlers = { inTransaction: new Map(), delivered: new Map() }
  try {
    register()
  } catch (error) {
    shared.platformHandlers = before
    throw error
  }
}

/** Names who hears of a domain event in the transaction of its cause. */
export function onEvent<K extends EventName>(name: K, handler: EventHandler<K>): void {
  const { inTransaction } = registry()
  inTransaction.set(name, [...(inTransaction.get(name) ?? []), handler])
}

/**
 * Names who gets a domain event, or each recorded change of an entity, after the commit. `handler` is stored: it is
 * of small letters and hyphens, and stays. One handler may listen to several; what concerns one object comes in order.
 */
export function onDelivered<K extends EventName>(topic: K, handler: string, work: DeliveryHandler<DomainEvent<K>>): void
export function onDelivered(topic: string, handler: string, work: DeliveryHandler<RecordedEvent>): void
export function onDelivered(topic: string, handler: string, work: DeliveryHandler<never>): void {
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(handler)) throw new TypeError(`${handler} is no name of a handler`)
  const { delivered } = registry()
  const listening = delivered.get(topic) ?? new Map<string, DeliveryHandler<never>>()
  if (listening.has(handler)) throw new TypeError(`${handler} listens to ${topic} already`)
  delivered.set(topic, listening.set(handler, work))
}

/** Who hears of a domain event in its transaction. Throws NotComposedError. */
export const eventHandlers = <K extends EventName>(name: K): readonly EventHandler<K>[] =>
  (registry().inTransaction.get(name) ?? []) as readonly EventHandler<K>[]

/** Who listens to an entity or a domain event, by name. Throws NotComposedError. */
export const deliveryHandlers = (topic: string): ReadonlyMap<string, DeliveryHandler<never>> =>
  registry().delivered.get(topic) ?? new Map()

/** Every handler of this process with each topic that it listens to. Throws NotComposedError. */
export const listening = (): { handler: string; topic: string }[] =>
  [...registry().delivered].flatMap(([topic, handlers]) => [...handlers.keys()].map((handler) => ({ handler, topic })))
