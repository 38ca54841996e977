import type { Task } from 'graphile-worker'

/** Milliseconds from which on a turn is slow, and for which its owner then counts as slow. */
const [slowAfter, slowPeriod] = [2_000, 10 * 60_000]
/** By how many times the length of its turn an owner pauses, so that others come before its next turn. */
const pauseFactor = 3
/** Milliseconds until a job is tried again that was taken although its owner has to wait. */
const retryDelay = 1_000

type Owner = { running: number; quick: boolean; slowUntil: number; backUntil: number; knownUntil: number }
type Turn = { owner: Owner; begun: number }

/**
 * Shares the slots of a worker among owners, such as applications whose webhooks are called, so that none of them can
 * fill all slots with receivers that hang: an owner has one turn at once, and two after a quick one. After a slow turn,
 * and after one during which every slot was taken, it pauses. All slow owners share half of the slots.
 */
export function createFairShare(slots: number, now = () => performance.now()) {
  const owners = new Map<string, Owner>()
  const turns = new Set<Turn>()
  let fullAt = Number.NEGATIVE_INFINITY

  const isSlow = ({ slowUntil }: Owner) => slowUntil > now()
  /** Whether an owner has to wait. */
  function mustWait(owner: Owner) {
    if (owner.backUntil > now() || owner.running >= (owner.quick && !isSlow(owner) ? 2 : 1)) return true
    const slowTurns = [...turns].filter((turn) => isSlow(turn.owner)).length
    return isSlow(owner) && slowTurns >= slots / 2
  }

  return {
    /** Returns the owners that have to wait. */
    waiting(): string[] {
      for (const [name, { running, knownUntil }] of owners)
        if (running === 0 && knownUntil <= now()) owners.delete(name)
      return [...owners].flatMap(([name, owner]) => (mustWait(owner) ? [name] : []))
    },
    /** Begins a turn; null if its owner has to wait. */
    begin(name: string): Turn | null {
      const owner = owners.get(name) ?? { running: 0, quick: false, slowUntil: 0, backUntil: 0, knownUntil: 0 }
      if (mustWait(owner)) return null
      owners.set(name, owner)
      owner.running++
      const turn = { owner, begun: now() }
      turns.add(turn)
      if (turns.size >= slots) fullAt = now()
      return turn
    },
    end(turn: Turn) {
      const { owner, begun } = turn
      turns.delete(turn)
      owner.running--
      const duration = now() - begun
      owner.quick = duration < slowAfter
      owner.knownUntil = now() + slowPeriod
      if (!owner.quick) owner.slowUntil = now() + slowPeriod
      if (!owner.quick || fullAt >= begun) owner.backUntil = now() + pauseFactor * duration
    },
  }
}

/**
 * Runs a task's jobs in the turns of their owners, which their flags name; a job that comes too early is queued again.
 */
export const inOwnersTurn =
  ({ begin, end }: ReturnType<typeof createFairShare>, task: Task): Task =>
  async (payload, helpers) => {
    const { job } = helpers
    const [owner] = Object.keys(job.flags ?? {})
    if (owner === undefined) return task(payload, helpers)
    const turn = begin(owner)
    if (turn)
      try {
        return await task(payload, helpers)
      } finally {
        end(turn)
      }
    // other jobs took the owner's turns after this job was selected
    const runAt = new Date(Date.now() + retryDelay)
    const jobSpec = { flags: [owner], priority: job.priority, ...(job.key ? { jobKey: job.key } : {}) }
    await helpers.addJob(job.task_identifier, payload, { ...jobSpec, runAt })
  }
