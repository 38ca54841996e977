/** Runs the work thirty times at once, each with another number. Returns the results. */
export const thirty = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 30 }, (_, n) => work(n)))

/** The sorted statuses of thirty saves of the same version. */
export const oneOf30 = [200, ...Array.from({ length: 29 }, () => 409)]
