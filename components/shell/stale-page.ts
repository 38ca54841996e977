/** Errors of a page from before a new version, which requests scripts that don't exist any more. */
export const isMissingChunk = (error: unknown) => error instanceof Error && error.name === 'ChunkLoadError'

const key = 'reloaded'
/** Milliseconds within which a page isn't reloaded a second time, because then its age isn't the reason. */
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
