import { setImmediate } from 'node:timers/promises'

/** How many items of long work are done before other work of the process gets its turn. */
const itemsPerTurn = 50

/** Yields the items of long work; other work of the process gets its turn between some of them. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0
  for (const item of items) {
    if (++count % itemsPerTurn === 0) await setImmediate()
    yield item
  }
}
