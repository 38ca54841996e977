/** Returns the id of an error in the server's log; undefined for an error of the browser. */
export const digestOf = (error: unknown): string | undefined =>
  error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : undefined
