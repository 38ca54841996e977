/** As many rows as a statement is sure to get through in its time, whatever has piled up. */
export const batchSize = 2_000

/** Repeats a statement that works on at most so many rows and tells how many there were, until fewer are left. */
export async function inBatches(work: (limit: number) => Promise<number>, limit = batchSize): Promise<void> {
  while ((await work(limit)) >= limit);
}
