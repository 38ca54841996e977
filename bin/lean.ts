/**
 * Options of Node for a process with a heap limit in megabytes. A limit makes V8 collect earlier: without one each process
 * uses twice the memory. V8 counts the young generation towards the limit: as large as it may grow by default, it would
 * leave so little that V8 collects without a pause.
 */
const lean = (megabytes: number) => [`--max-old-space-size=${megabytes}`, '--max-semi-space-size=4']

/** Of a worker in production: ten times what it keeps, so that only garbage is limited (ADR 87). */
export const workerOptions = lean(512)

/** The server keeps about 250 MB once every screen was opened; the sweep of the tests opens them all under this limit. */
export const leanServer = [...lean(512), 'dist/server.js']
export const leanWorker = [...lean(160), 'dist/worker.js']
