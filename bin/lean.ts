/**
 * Options of Node for a worker in production. Under load V8 would let the young generation grow to 128 MB of garbage,
 * three times as much as a worker keeps (ADR 87).
 */
export const workerOptions = ['--max-semi-space-size=4', '--enable-source-maps']

/**
 * Options of Node for a process with a heap limit in megabytes. A limit makes V8 collect earlier: without one each process
 * uses twice the memory. V8 counts the young generation towards the limit: as large as it may grow by default, it would
 * leave so little that V8 collects without a pause.
 */
const lean = (megabytes: number) => [`--max-old-space-size=${megabytes}`, ...workerOptions]

/** The server keeps about 250 MB once every screen was opened; the sweep of the tests opens them all under this limit. */
export const leanServer = [...lean(512), 'dist/server.js']
export const leanWorker = [...lean(160), 'dist/worker.js']
