import type { Transaction } from '@/db/client'
import type { Ctx } from './ctx'

/** What happens in a lower wing and matters to a higher one. */
export type DomainEvents = {
  /** An account may not be used any more. */
  userDisabled: { userId: string }
  /** Somebody registered by themselves. The e-mail is proven, in lower case. */
  accountCreated: { userId: string; email: string }
}

/** Runs inside the transaction of the cause; what it returns runs after the commit. */
export type EventHandler<K extends keyof DomainEvents> = (
  tx: Transaction,
  ctx: Ctx,
  event: DomainEvents[K],
) => Promise<(() => Promise<void>) | undefined>

type Handlers = { [K in keyof DomainEvents]?: EventHandler<K>[] }
const handlers: Handlers = {}

export function onEvent<K extends keyof DomainEvents>(name: K, handler: EventHandler<K>) {
  const list = (handlers[name] ?? []) as EventHandler<K>[]
  ;(handlers as Record<K, EventHandler<K>[]>)[name] = [...list, handler]
}

/** Tells the handlers, in the same transaction. Gives what must be done once it is committed. */
export async function emit<K extends keyof DomainEvents>(tx: Transaction, ctx: Ctx, name: K, event: DomainEvents[K]) {
  const after: (() => Promise<void>)[] = []
  for (const handler of handlers[name] ?? []) {
    const then = await handler(tx, ctx, event)
    if (then) after.push(then)
  }
  return async () => {
    for (const then of after) await then()
  }
}
