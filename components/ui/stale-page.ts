/** Errors of a page that is older than the running version: it requests scripts that no longer exist. */
export const isMissingChunk = (error: unknown) => error instanceof Error && error.name === 'ChunkLoadError'

const key = 'reloaded'
/** A page isn't reloaded twice within these milliseconds, because its age isn't the cause of the second error. */
const pause = 60_000

/** Returns whether the page may reload itself: true once a minute, and never without storage. */
export function mayReload(storage: () => Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  try {
    const store = storage()
    if (now - Number(store.getItem(key)) < pause) return false
    store.setItem(key, String(now))
    return true
  } catch {
    return false
  }
}
