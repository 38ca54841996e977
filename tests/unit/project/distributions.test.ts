import { expect, test } from 'vitest'
import { compareTimes } from '../../bench/distributions'

const times = (count: number, from: number) => Array.from({ length: count }, (_, n) => from + ((n * 37) % count))

test('equal distributions can’t be distinguished', () => {
  const { longer, z, ratios } = compareTimes(times(200, 10), times(200, 10))
  expect(longer).toBeCloseTo(0.5)
  expect(z).toBeCloseTo(0)
  expect(ratios.p50).toBe(1)
})

test('a shift by a tenth of the spread is found, with its direction', () => {
  expect(compareTimes(times(400, 50), times(400, 10)).z).toBeGreaterThan(3)
  expect(compareTimes(times(400, 10), times(400, 50)).z).toBeLessThan(-3)
  expect(compareTimes([5, 6, 7], [1, 2, 3]).longer).toBe(1)
})
