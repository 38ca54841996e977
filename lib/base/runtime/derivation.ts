import { AsyncLocalStorage } from 'node:async_hooks'

/** A value that is being made: until when what it was made of counts, and whether it read a store directly. */
export type Derivation = {
  /** On the monotonic clock. */
  until: number
  /** Gets each cached value that was read. */
  uses?: (part: Derivation) => void
  readsStores?: boolean
}

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformDerivations?: AsyncLocalStorage<Derivation> }
shared.platformDerivations ??= new AsyncLocalStorage()

/** The value that the running code makes. */
export const derivations = shared.platformDerivations

/** Records that the running code asks PostgreSQL or Redis: no cache says when the answer has changed. */
export function noteStoreRead() {
  const derivation = derivations.getStore()
  if (derivation) derivation.readsStores = true
}
