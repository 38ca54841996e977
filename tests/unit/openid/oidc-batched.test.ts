import { expect, test } from 'vitest'
import { batched } from '@/lib/openid/token-store/batched'

/** A statement that ends when the test says so. */
function statements() {
  const sent: { items: number[]; answer(): void; fail(): void }[] = []
  const run = (items: number[]) =>
    new Promise<string[]>((resolve, reject) => {
      const answer = () => resolve(items.map((item) => `row ${item}`))
      sent.push({ items, answer, fail: () => reject(new Error('away')) })
    })
  return { sent, run }
}
const turn = () => new Promise(setImmediate)

test('statements of one turn are sent together, and later ones with the next free connection', async () => {
  const { sent, run } = statements()
  const ask = batched(run, { lanes: 1, most: 3 })
  const first = [ask(1), ask(2)]
  await turn()
  const later = [3, 4, 5, 6].map(ask)
  await turn()
  expect(sent.map(({ items }) => items)).toEqual([[1, 2]])
  sent[0]?.answer()
  expect(await Promise.all(first)).toEqual(['row 1', 'row 2'])
  await turn()
  sent[1]?.answer()
  await turn()
  sent[2]?.answer()
  expect(await Promise.all(later)).toEqual(['row 3', 'row 4', 'row 5', 'row 6'])
  expect(sent.map(({ items }) => items)).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('a failure affects only its own statement', async () => {
  const { sent, run } = statements()
  const ask = batched(run)
  const [one, other] = [ask(1), ask(2)]
  await turn()
  const next = ask(3)
  await turn()
  expect(sent.map(({ items }) => items)).toEqual([[1, 2], [3]])
  sent[0]?.fail()
  sent[1]?.answer()
  await expect(one).rejects.toThrow('away')
  await expect(other).rejects.toThrow('away')
  expect(await next).toBe('row 3')
})
