import type { Task } from 'graphile-worker'

/** Milliseconds after which a turn was slow, and for how long its owner counts as slow then. */
const [slowFrom, slowFor] = [2_000, 10 * 60_000]
/** How many times as long as its turn an owner steps back, so that others come before its next one. */
const stepBack = 3
/** Milliseconds until a job is looked at again that was taken although it wasn't its owner's turn. */
const again = 1_000

type Owner = { running: number; quick: boolean; slowUntil: number; backUntil: number; knownUntil: number }
type Turn = { owner: Owner; begun: number }

/**
 * Shares the slots of a worker among owners, such as applications whose webhooks are called, so that none of them can
 * fill all slots with receivers that hang: an owner has one turn at once, and two after a quick one. After a slow turn,
 * and after one during which every slot was taken, it steps back; slow owners have half of the slots together.
 */
export function createFairShare(slots: number, now = () => performance.now()) {
  const owners = new Map<string, Owner>()
  const taken = new Set<Turn>()
  let fullAt = Number.NEGATIVE_INFINITY

  const isSlow = ({ slowUntil }: Owner) => slowUntil > now()
  /** Whether an owner has to wait. */
  function waits(owner: Owner) {
    if (owner.backUntil > now() || owner.running >= (owner.quick && !isSlow(owner) ? 2 : 1)) return true
    const slow = [...taken].filter((turn) => isSlow(turn.owner)).length
    return isSlow(owner) && slow >= slots / 2
  }

  return {
    /** Returns the owners that have to wait. */
    waiting(): string[] {
      for (const [name, { running, knownUntil }] of owners)
        if (running === 0 && knownUntil <= now()) owners.delete(name)
      return [...owners].flatMap(([name, owner]) => (waits(owner) ? [name] : []))
    },
    /** Begins a turn; null if its owner has to wait. */
    begin(name: string): Turn | null {
      const owner = owners.get(name) ?? { running: 0, quick: false, slowUntil: 0, backUntil: 0, knownUntil: 0 }
      if (waits(owner)) return null
      owners.set(name, owner)
      owner.running++
      const turn = { owner, begun: now() }
      taken.add(turn)
      if (taken.size >= slots) fullAt = now()
      return turn
    },
    end(turn: Turn) {
      const { owner, begun } = turn
      taken.delete(turn)
      owner.running--
      const took = now() - begun
      owner.quick = took < slowFrom
      owner.knownUntil = now() + slowFor
      if (!owner.quick) owner.slowUntil = now() + slowFor
      if (!owner.quick || fullAt >= begun) owner.backUntil = now() + stepBack * took
    },
  }
}

/** Runs a task in the turns of its jobs' flags, which name their owners; what comes too early is put back. */
export const inTurn =
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
    // others took its turn between the look at who has to wait and the job
    const runAt = new Date(Date.now() + again)
    const same = { flags: [owner], priority: job.priority, ...(job.key ? { jobKey: job.key } : {}) }
    await helpers.addJob(job.task_identifier, payload, { ...same, runAt })
  }
