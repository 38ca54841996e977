type Options = {
  /** How many statements may run at once. */
  lanes?: number
  /** How many items a statement has at most. */
  most?: number
}

/**
 * Returns a function that collects items of the same turn, and items that arrive while statements run, into the next
 * statement, so that a busy process sends few statements with many rows. The statement of an item always begins after
 * the item was added. `run` returns an answer for each item, or throws for all of them.
 */
export function batched<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
  { lanes = 2, most: maxItems = 100 }: Options = {},
): (item: Item) => Promise<Answer> {
  const queue: { item: Item; done(answer: Answer): void; failed(error: unknown): void }[] = []
  let busy = 0

  async function send() {
    busy++
    await undefined
    while (queue.length > 0) {
      const batch = queue.splice(0, maxItems)
      try {
        const answers = await run(batch.map(({ item }) => item))
        for (const [index, { done }] of batch.entries()) done(answers[index] as Answer)
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    busy--
  }

  return (item) =>
    new Promise((done, failed) => {
      queue.push({ item, done, failed })
      if (busy < lanes) void send()
    })
}
