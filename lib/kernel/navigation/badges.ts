import type { Area } from '../access-methods'
import { cached } from '../cache'
import type { CtxUser } from '../ctx'
import { log } from '../log'
import { within } from '../patience'
import { isOpenTo, type ScreenName, screenNamed } from './screens'

type Viewer = Pick<CtxUser, 'id' | 'methods'>

/** A page of the menus, or a tab of one: `PlatformUsers.requests`. */
export type BadgeName = ScreenName | `${ScreenName}.${string}`

/** How the things that wait at a page or tab are counted; 0 shows nothing. */
export type Counter<T = unknown> = {
  /** The name under which `load`'s answer is kept for some seconds; `invalidate` of it counts anew at once. */
  cache: string
  load: (userId: string) => Promise<T>
  /** What is loaded is the person's own, and kept for each apart. */
  own?: true
  /** Of what was loaded, what this person may see. */
  count: (loaded: T, viewer: Viewer) => number
  /** Who may see it, where not everybody who may open the page may. */
  area?: Area | 'any'
}

const counters = new Map<BadgeName, Counter>()
const quietUntil = new Map<BadgeName, number>()

/** Milliseconds that a count is kept, that a page waits for one, and that the log is spared the next failure. */
const [kept, patience, quiet] = [5_000, 1_000, 60_000]

/** Lets a wing count for the menus and tabs, which know none of them. */
export const countBadge = <T>(name: BadgeName, counter: Counter<T>) => void counters.set(name, counter as Counter)

/** What a counter counts from, read once for everybody who asks within some seconds. */
export const loaded = <T>({ cache, own, load }: Pick<Counter<T>, 'cache' | 'own' | 'load'>, userId = ''): Promise<T> =>
  cached(own ? `${cache}:${userId}` : cache, () => load(userId), kept)

const isShownTo = (name: BadgeName, { area }: Counter, { methods }: Viewer) => {
  const screen = screenNamed(name.split('.')[0] ?? '')
  return screen !== undefined && isOpenTo(screen, methods) && isOpenTo({ area }, methods)
}

/** The number beside a page or tab, or null for none. Never throws and never takes long: a page goes without it then. */
export async function badgeOf(name: BadgeName, viewer: Viewer): Promise<number | null> {
  const counter = counters.get(name)
  if (!counter || !isShownTo(name, counter, viewer)) return null
  try {
    const answer = await within(patience, loaded(counter, viewer.id), () => new Error('it takes too long'))
    return counter.count(answer, viewer) || null
  } catch (error) {
    if (Date.now() > (quietUntil.get(name) ?? 0)) {
      quietUntil.set(name, Date.now() + quiet)
      log.warn({ err: error, badge: name }, 'a badge was not counted')
    }
    return null
  }
}

/** Badges by name, of those that show a number. */
export async function badgesOf<N extends BadgeName>(names: readonly N[], viewer: Viewer): Promise<Map<N, number>> {
  const counted = await Promise.all(names.map(async (name) => [name, await badgeOf(name, viewer)] as const))
  return new Map(counted.flatMap(([name, count]) => (count === null ? [] : [[name, count] as const])))
}
