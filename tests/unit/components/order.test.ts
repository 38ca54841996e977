import { describe, expect, test } from 'vitest'
import { inPlaceOf, moved } from '@/components/order/moved'
import { caseNumbers, eachRound } from '../../factories/random-cases'

describe('an order', () => {
  test('changes by one place, and not beyond its ends', () => {
    expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b'], 'x', 1)).toEqual(['a', 'b'])
  })

  test('puts what is dropped beside the other one, and keeps the order of the rest', () => {
    const below = caseNumbers(7)
    for (const _ of eachRound(300)) {
      const order = Array.from({ length: 2 + below(6) }, (_, at) => `item ${at}`)
      const one = () => order[below(order.length)] ?? ''
      const [id, other, edge] = [one(), one(), below(2) === 0 ? ('top' as const) : ('bottom' as const)]
      const result = inPlaceOf(order, id, other, edge)
      expect([...result].sort()).toEqual([...order].sort())
      if (id === other) {
        expect(result).toEqual(order)
        continue
      }
      expect(result.indexOf(id) - result.indexOf(other)).toBe(edge === 'top' ? -1 : 1)
      const rest = (list: string[]) => list.filter((each) => each !== id)
      expect(rest(result)).toEqual(rest(order))
    }
  })
})
