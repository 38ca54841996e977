/** Errors of a page that is older than the running version: it requests scripts that no longer exist. */
export const isMissingChunk = (error: unknown) => error instanceof Error && error.name === 'ChunkLoadError'

const key = 'reloaded'
/** A page isn't reloaded twice within these milliseconds, because then its age isn't the reason of the error. */
const pause = 60_000

/** Returns whether the page may reload itself: true once a minute, and never without storage. */
export function mayReload(storage: () => Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  try {
    const kept = storage()
    if (now - Number(kept.getItem(key)) < pause) return false
    kept.setItem(key, String(now))
    return true
  } catch {
    return false
  }
}
