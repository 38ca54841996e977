import type { Transaction } from '@/db/client'
import { afterCommit } from '@/db/scope'
import { changerOf } from '../context/access'
import type { Ctx, IdAttributeName } from '../context/ctx'
import { log } from '../runtime/log'
import { storeEvents } from './delivery/store'
import { deliveryHandlers, eventHandlers } from './handlers'

/** Events that a lower subject emits and a higher one may handle. */
export type DomainEvents = {
  /** An account has been disabled. */
  userDisabled: { userId: string }
  /** Somebody has registered. The e-mail is proven and in lower case. */
  accountCreated: { userId: string; email: string }
  /** Somebody deletes their account; it is deleted afterwards in the same transaction. */
  accountDeleted: { userId: string }
  /** Somebody has signed in with a device that the account had not used before. */
  deviceUsed: { userId: string; device: string; ip: string }
  /** Somebody who has an account is invited to a company. */
  invitationSent: { userId: string; company: string }
  /** Somebody has set a new password for their account. */
  passwordChanged: { userId: string; device: string; ip: string }
  /** A person has ended `count` of their sessions on other devices. */
  sessionsEnded: { userId: string; count: number }
  /** An identity provider is deleted; its row is deleted afterwards in the same transaction. */
  providerDeleted: { providerId: string }
  /** The effective methods of these people have changed; null means everybody, if the list would be too long. */
  rightsChanged: { userIds: string[] | null }
  /** Somebody requests access to companies; these accounts may decide. */
  accessRequested: { userIds: string[]; person: string }
  /** An access request of this person is decided. */
  accessDecided: { userId: string; status: 'approved' | 'failure' | 'duplicate'; company: string }
  /** Somebody reminded this person of an agreement, called so in their language. */
  agreementReminded: { userId: string; document: string }
  /** A role was given to these people, or taken from them, by somebody else. */
  roleHolders: { userIds: string[]; given: boolean; role: string; roleEn: string | null }
  /**
   * A role, an organization or a contractor was switched on or off by somebody else; these people have methods by it.
   */
  accessSwitched: {
    userIds: string[]
    of: 'role' | 'organization' | 'contractor'
    id: string
    enabled: boolean
    name: string
    nameEn: string | null
  }
  /** A webhook was disabled, because its receiver is gone or has failed for too long; these people may change it. */
  webhookDisabled: {
    userIds: string[]
    applicationId: string
    webhook: string
    application: string
    applicationEn: string | null
    reason: 'gone' | 'failed'
  }
  /** One administrator gave a domain host names; these people are the other administrators. */
  hostsAdded: { userIds: string[]; domainId: string; domain: string; hosts: string[] }
  /** Contractors of these people were merged into this company by somebody else. */
  companiesMerged: { userIds: string[]; contractorId: string; company: string }
  /** Contractors are merged into another one; they are deleted afterwards in the same transaction. */
  contractorsMerged: { targetId: string; sourceIds: string[] }
  /**
   * A domain offers fewer kinds of identifier. `before`: the kinds that any domain offered before; `own`: the kinds
   * that it still offers for the caller's device type, null if it isn't the caller's domain.
   */
  identifiersLimited: { domainId: string; before: IdAttributeName[]; own: IdAttributeName[] | null }
}
export type EventName = keyof DomainEvents

/**
 * Runs in the transaction of the cause; an error rolls the cause back. A returned function runs after the commit, at
 * most once; use a job or a delivery for work that must not be lost.
 */
export type EventHandler<K extends EventName> = (
  tx: Transaction,
  ctx: Ctx,
  event: DomainEvents[K],
) => Promise<(() => Promise<void>) | undefined>

/** A domain event as a handler receives it after the commit. */
export type DomainEvent<K extends EventName> = {
  name: K
  data: DomainEvents[K]
  changerId: string | null
  requestId: string
  date: Date
}

/** The object of each domain event. Domain events and recorded changes of one object are delivered in order. */
const objects: { [K in EventName]: (event: DomainEvents[K]) => { entity: string; entityId: string } } = {
  userDisabled: ({ userId }) => ({ entity: 'users', entityId: userId }),
  accountCreated: ({ userId }) => ({ entity: 'users', entityId: userId }),
  accountDeleted: ({ userId }) => ({ entity: 'users', entityId: userId }),
  deviceUsed: ({ userId }) => ({ entity: 'users', entityId: userId }),
  invitationSent: ({ userId }) => ({ entity: 'users', entityId: userId }),
  passwordChanged: ({ userId }) => ({ entity: 'users', entityId: userId }),
  sessionsEnded: ({ userId }) => ({ entity: 'users', entityId: userId }),
  providerDeleted: ({ providerId }) => ({ entity: 'providers', entityId: providerId }),
  rightsChanged: ({ userIds }) => ({ entity: 'rights', entityId: userIds?.length === 1 ? (userIds[0] ?? '') : '' }),
  accessRequested: ({ userIds }) => ({ entity: 'access-requests', entityId: userIds[0] ?? '' }),
  accessDecided: ({ userId }) => ({ entity: 'users', entityId: userId }),
  agreementReminded: ({ userId }) => ({ entity: 'users', entityId: userId }),
  roleHolders: ({ userIds }) => ({ entity: 'users', entityId: userIds.length === 1 ? (userIds[0] ?? '') : '' }),
  accessSwitched: ({ id }) => ({ entity: 'rights', entityId: id }),
  webhookDisabled: ({ applicationId }) => ({ entity: 'applications', entityId: applicationId }),
  companiesMerged: ({ contractorId }) => ({ entity: 'contractors', entityId: contractorId }),
  contractorsMerged: ({ targetId }) => ({ entity: 'contractors', entityId: targetId }),
  hostsAdded: ({ domainId }) => ({ entity: 'domains', entityId: domainId }),
  identifiersLimited: ({ domainId }) => ({ entity: 'domains', entityId: domainId }),
}

/**
 * Runs the functions that handlers returned, after the commit. The cause is already committed, so a failure is logged
 * and not thrown.
 */
async function runAfterCommit(name: EventName, work: readonly (() => Promise<void>)[]) {
  for (const callback of work)
    await callback().catch((error: unknown) => log.error({ err: error, event: name }, 'what follows an event failed'))
}

/**
 * Runs the handlers of a domain event in the transaction, and stores the event for the handlers that receive it after
 * the commit. Returns the function to call after the commit; that function never throws. Throws NotComposedError, and
 * what a handler throws.
 */
export async function emit<K extends EventName>(tx: Transaction, ctx: Ctx, name: K, event: DomainEvents[K]) {
  const callbacks: (() => Promise<void>)[] = []
  for (const handler of eventHandlers(name)) {
    const callback = await handler(tx, ctx, event)
    if (callback) callbacks.push(callback)
  }
  await storeDomainEvent(tx, ctx, name, event)
  return () => afterCommit(() => runAfterCommit(name, callbacks))
}

/**
 * Stores a domain event for the handlers that receive it after the commit. Meant for jobs, which have no whole context
 * and whose events no handler receives in the transaction. Throws NotComposedError.
 */
export async function storeDomainEvent<K extends EventName>(
  tx: Transaction,
  ctx: Pick<Ctx, 'requestId' | 'now'> & Partial<Pick<Ctx, 'user' | 'service'>>,
  name: K,
  event: DomainEvents[K],
): Promise<void> {
  const listeners = [...deliveryHandlers(name).keys()]
  if (listeners.length > 0)
    await storeEvents(
      tx,
      [
        {
          topic: name,
          type: null,
          ...objects[name](event),
          payload: event,
          changerId: changerOf(ctx),
          requestId: ctx.requestId,
          date: ctx.now(),
        },
      ],
      listeners,
    )
}
