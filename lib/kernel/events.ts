import type { Transaction } from '@/db/client'
import { changerOf } from './access'
import type { Ctx } from './ctx'
import { storeEvent } from './delivery/store'
import { deliveryHandlers, eventHandlers } from './handlers'
import { log } from './log'

/** What happens in a lower wing and matters to a higher one. */
export type DomainEvents = {
  /** An account may not be used any more. */
  userDisabled: { userId: string }
  /** Somebody registered by themselves. The e-mail is proven, in lower case. */
  accountCreated: { userId: string; email: string }
}
export type EventName = keyof DomainEvents

/**
 * Runs inside the transaction of the cause; what it throws undoes the cause. What it returns runs after the commit,
 * once at most: what must not be lost is a job or a delivery instead.
 */
export type EventHandler<K extends EventName> = (
  tx: Transaction,
  ctx: Ctx,
  event: DomainEvents[K],
) => Promise<(() => Promise<void>) | undefined>

/** A domain event as a handler gets it after the commit. */
export type DomainEvent<K extends EventName> = {
  name: K
  data: DomainEvents[K]
  changerId: string | null
  requestId: string
  date: Date
}

/** The object of each event: it is delivered in one order with the recorded changes of that object. */
const objects: { [K in EventName]: (event: DomainEvents[K]) => { entity: string; entityId: string } } = {
  userDisabled: ({ userId }) => ({ entity: 'users', entityId: userId }),
  accountCreated: ({ userId }) => ({ entity: 'users', entityId: userId }),
}

/** Runs what was left for after a commit, all of it: the cause is done, so a failure is logged and fails nobody. */
async function runAll(name: EventName, work: readonly (() => Promise<void>)[]) {
  for (const each of work)
    await each().catch((error: unknown) => log.error({ err: error, event: name }, 'what follows an event failed'))
}

/**
 * Tells the handlers in the same transaction, and stores the event for those that hear of it after the commit. Gives
 * what must be called once it is committed; that never throws. Throws NotComposedError, and what a handler throws.
 */
export async function emit<K extends EventName>(tx: Transaction, ctx: Ctx, name: K, event: DomainEvents[K]) {
  const after: (() => Promise<void>)[] = []
  for (const handler of eventHandlers(name)) {
    const then = await handler(tx, ctx, event)
    if (then) after.push(then)
  }
  const listeners = [...deliveryHandlers(name).keys()]
  if (listeners.length > 0)
    await storeEvent(
      tx,
      {
        topic: name,
        type: null,
        ...objects[name](event),
        payload: event,
        changerId: changerOf(ctx),
        requestId: ctx.requestId,
        date: ctx.now(),
      },
      listeners,
    )
  return () => runAll(name, after)
}
