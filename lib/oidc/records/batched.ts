type Options = {
  /** How many statements may be under way at once. */
  lanes?: number
  /** How many a statement holds at most. */
  most?: number
}

/**
 * Joins what is asked for in the same turn, and while earlier statements are under way, into the next statement: a
 * busy process sends few statements of many rows. Whoever asks waits for the statement that holds their own, which
 * begins after they asked; `run` gives an answer for each, or throws for all of them.
 */
export function batched<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
  { lanes = 2, most = 100 }: Options = {},
): (item: Item) => Promise<Answer> {
  const waiting: { item: Item; done(answer: Answer): void; failed(error: unknown): void }[] = []
  let busy = 0

  async function send() {
    busy++
    await undefined
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      try {
        const answers = await run(batch.map(({ item }) => item))
        for (const [n, { done }] of batch.entries()) done(answers[n] as Answer)
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    busy--
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed })
      if (busy < lanes) void send()
    })
}
