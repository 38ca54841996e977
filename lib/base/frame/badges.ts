import type { Area, SystemicMethod } from '../access/access-methods'
import { cached } from '../cache/cache'
import { holdsMethod } from '../context/access'
import type { CtxUser } from '../context/ctx'
import { isOpenTo, type ScreenName, screenNamed } from '../navigation/screens'
import { log } from '../runtime/log'
import { withTimeout } from '../runtime/timeouts'

type Viewer = Pick<CtxUser, 'id' | 'methods'>

/** A page of the menus, or a tab of such a page: `PlatformUsers.requests`. */
export type BadgeName = ScreenName | `${ScreenName}.${string}`

/** How the number next to a page or tab is counted; 0 shows no number. */
export type Counter<T = unknown> = {
  /**
   * The name under which the result of `load` is cached for some seconds. To update the number at once, call
   * `invalidate` with it.
   */
  cache: string
  load: (userId: string) => Promise<T>
  /** Set if the result depends on the person: then it is cached for each person. */
  own?: true
  /** Returns how much of the result this person may see. */
  count: (loaded: T, viewer: Viewer) => number
  /** The area whose readers see the number; by default everybody who may open the page. */
  area?: Area | 'any'
  /** The method that a person needs to see the number. */
  method?: SystemicMethod
}

const counters = new Map<BadgeName, Counter>()
const quietUntil = new Map<BadgeName, number>()

/**
 * Milliseconds: for which a count is cached, for which a page waits for it, and for which further failures are not
 * logged.
 */
const [cacheMilliseconds, timeout, quietMilliseconds] = [5_000, 1_000, 60_000]

/** Registers the counter of a page or tab. Subjects register their own, because menus and tabs import no subject. */
export const registerBadge = <T>(name: BadgeName, counter: Counter<T>) => void counters.set(name, counter as Counter)

/** Returns the data from which a counter counts, loaded once for all requests of some seconds. */
export const loaded = <T>({ cache, own, load }: Pick<Counter<T>, 'cache' | 'own' | 'load'>, userId = ''): Promise<T> =>
  cached(own ? `${cache}:${userId}` : cache, () => load(userId), cacheMilliseconds)

const isShownTo = (name: BadgeName, { area, method }: Counter, { methods }: Viewer) => {
  const screen = screenNamed(name.split('.')[0] ?? '')
  const hasMethod = method === undefined || holdsMethod({ methods }, method)
  return screen !== undefined && hasMethod && isOpenTo(screen, methods) && isOpenTo({ area }, methods)
}

/**
 * Returns the number next to a page or tab; null for none. Never throws: after an error or the timeout the page is
 * shown without the number.
 */
export async function badgeOf(name: BadgeName, viewer: Viewer): Promise<number | null> {
  const counter = counters.get(name)
  if (!counter || !isShownTo(name, counter, viewer)) return null
  try {
    const loadedData = await withTimeout(timeout, loaded(counter, viewer.id), () => new Error('it takes too long'))
    return counter.count(loadedData, viewer) || null
  } catch (error) {
    if (Date.now() > (quietUntil.get(name) ?? 0)) {
      quietUntil.set(name, Date.now() + quietMilliseconds)
      log.warn({ err: error, badge: name }, 'a badge was not counted')
    }
    return null
  }
}

/** Returns the badges with a number, by name. */
export async function badgesOf<N extends BadgeName>(names: readonly N[], viewer: Viewer): Promise<Map<N, number>> {
  const badges = await Promise.all(names.map(async (name) => [name, await badgeOf(name, viewer)] as const))
  return new Map(badges.flatMap(([name, count]) => (count === null ? [] : [[name, count] as const])))
}
