import { AsyncLocalStorage } from 'node:async_hooks'

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformCause?: AsyncLocalStorage<string> }
shared.platformCause ??= new AsyncLocalStorage()
const { platformCause: cause } = shared

/** Runs the work of a request, or of a job that a request has queued. Its log lines and jobs get the request's id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => cause.run(requestId, work)

/** Returns the id of the request that has caused the running code; undefined without one. */
export const currentRequestId = (): string | undefined => cause.getStore() || undefined
