/** The state of a check: `doubts` counts the latest results in a row that contradict the status. */
export type Standing = { status: 'up' | 'down'; doubts: number; countedAt: Date | null }

/** The state of a check without a target. */
export const unconnectedStanding: Standing = { status: 'up', doubts: 0, countedAt: null }

/** The number of results in a row that change a status: a single slow or failed result is no alarm. */
const neededDoubts = { up: 3, down: 2 } as const
/** The milliseconds between two results that count; a result before that isn't counted. */
const countedEvery = 5_000

/**
 * Returns the state of a check after a result (docs/rules/monitoring.md#states): down after three failures in a row, up
 * again after two successes, each at least five seconds after the one before.
 */
export function nextStanding({ status, doubts, countedAt }: Standing, success: boolean, at: Date): Standing {
  if (success === (status === 'up')) return { status, doubts: 0, countedAt: null }
  if (countedAt && at.getTime() - countedAt.getTime() < countedEvery) return { status, doubts, countedAt }
  if (doubts + 1 < neededDoubts[status]) return { status, doubts: doubts + 1, countedAt: at }
  return { status: status === 'up' ? 'down' : 'up', doubts: 0, countedAt: null }
}

type CheckView = { status: Standing['status']; stuckCount: number; checkedAt: string | null; connected: boolean }

/** Returns the state that people see: `up` only for a check that has a target and a result. */
export function shownState({ status, stuckCount, checkedAt, connected }: CheckView) {
  if (status === 'down') return 'down'
  if (!connected) return 'unconnected'
  if (stuckCount > 0) return 'stuck'
  return checkedAt ? 'up' : 'unseen'
}
