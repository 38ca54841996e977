/** How many rows one statement handles at most, so that it ends in time however many rows have accumulated. */
export const batchSize = 2_000

/** Repeats a statement that handles at most `limit` rows and returns their number, until it handles fewer. */
export async function inBatches(work: (limit: number) => Promise<number>, limit = batchSize): Promise<void> {
  while ((await work(limit)) >= limit);
}
