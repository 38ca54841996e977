import { expect, test } from 'vitest'
import { createFairShare } from '@/lib/base/events/delivery/fair-share'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const [slots, hang] = [8, 15_000]

/**
 * Runs jobs in the order in which they were added: each is its owner and how long it takes. Returns how long each one
 * of `watched` waited for its slot.
 */
function simulated(jobs: { owner: string; added: number; took: number }[], watched: string): number[] {
  let clock = 0
  const shared = createFairShare(slots, () => clock)
  const [queue, waited] = [jobs.toSorted((a, b) => a.added - b.added), [] as number[]]
  let active: { until: number; turn: NonNullable<ReturnType<typeof shared.begin>>; owner: string }[] = []
  const most = new Map<string, number>()
  while (queue.length > 0) {
    for (const each of active) if (each.until <= clock) shared.end(each.turn)
    active = active.filter(({ until }) => until > clock)
    while (active.length < slots) {
      const waiting = new Set(shared.waiting())
      const at = queue.findIndex(({ owner, added }) => added <= clock && !waiting.has(owner))
      const [job] = at < 0 ? [] : queue.splice(at, 1)
      if (!job) break
      const turn = shared.begin(job.owner)
      if (!turn) throw new Error(`${job.owner} had to wait`)
      active.push({ until: clock + job.took, turn, owner: job.owner })
      const ownJobs = active.filter(({ owner }) => owner === job.owner).length
      most.set(job.owner, Math.max(ownJobs, most.get(job.owner) ?? 0))
      if (job.owner === watched) waited.push(clock - job.added)
    }
    clock += 50
  }
  for (const mostJobs of most.values()) expect(mostJobs).toBeLessThanOrEqual(2)
  return waited
}

test('whoever has hung waits behind whoever answers, however many owners and jobs hang', () => {
  const random = caseNumbers(61)
  for (const _ of eachRound(60)) {
    const [owners, each] = [1 + random(7), 1 + random(20)]
    const hanging = Array.from({ length: owners * each }, (__, n) => ({
      owner: `hostile ${Math.floor(n / each)}`,
      added: 0,
      took: hang,
    }))
    const honest = Array.from({ length: 30 }, (__, n) => ({ owner: 'honest', added: n * 3_000, took: 100 }))
    for (const wait of simulated([...hanging, ...honest], 'honest')) expect(wait).toBeLessThanOrEqual(1_000)
  }
})

test('thirty owners that hang delay others once: then half of the slots are kept from them', () => {
  const hanging = Array.from({ length: 600 }, (_, n) => ({ owner: `hostile ${n % 30}`, added: 0, took: hang }))
  const honest = Array.from({ length: 100 }, (_, n) => ({ owner: 'honest', added: n * 3_000, took: 100 }))
  const waited = simulated([...hanging, ...honest], 'honest')
  // until each of the thirty has hung once
  const from = (hang * 30) / (slots / 2) / 3_000
  for (const wait of waited.slice(from)) expect(wait).toBeLessThanOrEqual(1_000)
})

test('who answers slowly but soon enough steps back while every slot is taken', () => {
  const many = Array.from({ length: 240 }, (_, n) => ({ owner: `busy ${Math.floor(n / 40)}`, added: 0, took: 1_900 }))
  const waited = simulated([...many, { owner: 'honest', added: 50, took: 100 }], 'honest')
  expect(waited[0]).toBeLessThanOrEqual(4_000)
})

test('nobody waits longer than for their own turns when nobody else has any', () => {
  const jobs = Array.from({ length: 20 }, () => ({ owner: 'alone', added: 0, took: 100 }))
  expect(Math.max(...simulated(jobs, 'alone'))).toBeLessThanOrEqual(2_000)
})
