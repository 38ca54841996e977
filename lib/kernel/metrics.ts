import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

type Metrics = { registry: Registry; requests: Histogram<'route' | 'method' | 'status'> }

// one registry for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformMetrics?: Metrics }

function create(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return { registry, requests }
}

/** Returns the registry of the process, and the histogram of requests. */
export function metrics(): Metrics {
  shared.platformMetrics ??= create()
  return shared.platformMetrics
}
