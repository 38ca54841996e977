/** How a check stands: `doubts` counts results in a row that contradict the status. */
export type Standing = { status: 'up' | 'down'; doubts: number; countedAt: Date | null }

/** How a check stands of something that isn't there. */
export const unfailing: Standing = { status: 'up', doubts: 0, countedAt: null }

/** Results in a row that change a status: one slow or failed look alone is no alarm. */
const enough = { up: 3, down: 2 } as const
/** Milliseconds between two results that count: looks at once are one look. */
const apart = 5_000

/**
 * Returns how a check stands after a look (docs/rules/monitoring.md#states): down after three failures in a row, up
 * again after two good looks, each at least five seconds after the one before.
 */
export function stand({ status, doubts, countedAt }: Standing, good: boolean, at: Date): Standing {
  if (good === (status === 'up')) return { status, doubts: 0, countedAt: null }
  if (countedAt && at.getTime() - countedAt.getTime() < apart) return { status, doubts, countedAt }
  if (doubts + 1 < enough[status]) return { status, doubts: doubts + 1, countedAt: at }
  return { status: status === 'up' ? 'down' : 'up', doubts: 0, countedAt: null }
}

type Seen = { status: Standing['status']; stuckCount: number; checkedAt: string | null; connected: boolean }

/** Returns what people read of a check: `up` only of what was looked at and is there. */
export function shownState({ status, stuckCount, checkedAt, connected }: Seen) {
  if (status === 'down') return 'down'
  if (!connected) return 'unconnected'
  if (stuckCount > 0) return 'stuck'
  return checkedAt ? 'up' : 'unseen'
}
