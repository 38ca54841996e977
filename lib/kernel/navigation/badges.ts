import type { CtxUser } from '../ctx'
import type { ScreenName } from './screens'

/** How many things wait for somebody at a page; 0 shows nothing. */
type BadgeCount = (user: CtxUser) => Promise<number>

const counts = new Map<ScreenName, BadgeCount>()

/** Lets a wing count for the menu, which knows none of them. */
export const countBadge = (name: ScreenName, count: BadgeCount) => void counts.set(name, count)

/** The number beside an entry of the menu, or null for none. */
export async function badgeOf(name: ScreenName, user: CtxUser): Promise<number | null> {
  return (await counts.get(name)?.(user)) || null
}
