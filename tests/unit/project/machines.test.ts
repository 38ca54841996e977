import { expect, test } from 'vitest'
import { rateOf } from '../../bench/machines'

test('more server machines double the rate until the stores have no time left, and never use more than they have', () => {
  for (let round = 0; round < 1_000; round++) {
    const shares = { server: 0.1 + Math.random() * 50, stores: 0.1 + Math.random() * 50 }
    const cores = 1 + Math.floor(Math.random() * 16)
    const [one, two] = [rateOf(shares, 1, cores), rateOf(shares, 2, cores)]
    for (const [machines, { perSecond, storesBusy }] of [one, two].entries()) {
      expect(perSecond * shares.server).toBeLessThanOrEqual((machines + 1) * cores * 1_000 * (1 + 1e-9))
      expect(storesBusy).toBeLessThanOrEqual(1 + 1e-9)
    }
    expect(two.perSecond).toBeCloseTo(Math.min(2 * one.perSecond, (cores * 1_000) / shares.stores))
  }
})
