import type { Area, SystemicMethod } from '../access/access-methods'
import { cached } from '../cache/cache'
import { holdsMethod } from '../context/access'
import type { CtxUser } from '../context/ctx'
import { isOpenTo, type ScreenName, screenNamed } from '../navigation/screens'
import { log } from '../runtime/log'
import { withTimeout } from '../runtime/timeouts'

type Viewer = Pick<CtxUser, 'id' | 'methods'>

/** A page of the menus, or a tab of one: `PlatformUsers.requests`. */
export type BadgeName = ScreenName | `${ScreenName}.${string}`

/** How the number beside a page or tab is counted; 0 shows nothing. */
export type Counter<T = unknown> = {
  /**
   * The name under which the result of `load` is cached for some seconds; `invalidate` of it updates the number at
   * once.
   */
  cache: string
  load: (userId: string) => Promise<T>
  /** The result belongs to the person, and is cached for each person. */
  own?: true
  /** Returns how much of the result this person may see. */
  count: (loaded: T, viewer: Viewer) => number
  /** Who may see the number, if not everybody who may open the page. */
  area?: Area | 'any'
  /** The method without which there is nothing to count. */
  method?: SystemicMethod
}

const counters = new Map<BadgeName, Counter>()
const quietUntil = new Map<BadgeName, number>()

/**
 * Milliseconds: how long a count is cached, how long a page waits for it, and how long further failures are not logged.
 */
const [kept, patience, quiet] = [5_000, 1_000, 60_000]

/** Registers the counter of a page or tab. Subjects register theirs, because menus and tabs import none of them. */
export const countBadge = <T>(name: BadgeName, counter: Counter<T>) => void counters.set(name, counter as Counter)

/** Returns what a counter counts from, loaded once for all requests of some seconds. */
export const loaded = <T>({ cache, own, load }: Pick<Counter<T>, 'cache' | 'own' | 'load'>, userId = ''): Promise<T> =>
  cached(own ? `${cache}:${userId}` : cache, () => load(userId), kept)

const isShownTo = (name: BadgeName, { area, method }: Counter, { methods }: Viewer) => {
  const screen = screenNamed(name.split('.')[0] ?? '')
  const holds = method === undefined || holdsMethod({ methods }, method)
  return screen !== undefined && holds && isOpenTo(screen, methods) && isOpenTo({ area }, methods)
}

/**
 * Returns the number beside a page or tab; null for none. Never throws and never takes long: a page is shown without
 * the number then.
 */
export async function badgeOf(name: BadgeName, viewer: Viewer): Promise<number | null> {
  const counter = counters.get(name)
  if (!counter || !isShownTo(name, counter, viewer)) return null
  try {
    const answer = await withTimeout(patience, loaded(counter, viewer.id), () => new Error('it takes too long'))
    return counter.count(answer, viewer) || null
  } catch (error) {
    if (Date.now() > (quietUntil.get(name) ?? 0)) {
      quietUntil.set(name, Date.now() + quiet)
      log.warn({ err: error, badge: name }, 'a badge was not counted')
    }
    return null
  }
}

/** Returns the badges with a number, by name. */
export async function badgesOf<N extends BadgeName>(names: readonly N[], viewer: Viewer): Promise<Map<N, number>> {
  const counted = await Promise.all(names.map(async (name) => [name, await badgeOf(name, viewer)] as const))
  return new Map(counted.flatMap(([name, count]) => (count === null ? [] : [[name, count] as const])))
}
