import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

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

/** The counters by name: what each counts, and its labels. */
const counters = {
  platform_sign_ins_total: [
    'Steps of sign-ins by outcome: success, or why refused; and by factor',
    'outcome',
    'factor',
  ],
  platform_codes_total: ['Codes that were made and entered, by what came of it', 'event', 'outcome'],
  platform_limited_total: ['Requests that a limit refused (429), by the limit', 'limit'],
  platform_tokens_total: ['Tokens that the OpenID Provider gave out, by the grant', 'grant'],
  platform_token_reuses_total: ['Refresh tokens and codes that were used again, by what it was', 'of'],
  platform_drawings_total: ['Texts that were to be drawn, by what came of it', 'outcome'],
  platform_logout_notices_total: ['Notices of sign-outs to applications, by what came of each try', 'outcome'],
} as const
type Counters = typeof counters
type LabelsOf<N extends keyof Counters> = Counters[N] extends readonly [string, ...infer L extends string[]] ? L : never

/** Adds one to a counter. Labels have few values: nothing that people type becomes one. */
export function countUp<N extends keyof Counters>(name: N, labels: Record<LabelsOf<N>[number], string>): void {
  const { registry } = metrics()
  const [help, ...labelNames] = counters[name] as readonly [string, ...string[]]
  const existing = registry.getSingleMetric(name) as Counter<string> | undefined
  const counter = existing ?? new Counter({ name, help, labelNames, registers: [registry] })
  counter.inc(labels as Record<string, string>)
}

export type GaugeValue = { labels?: Record<string, string>; value: number }
export type GaugeOptions = {
  name: string
  help: string
  labelNames?: readonly string[]
  /** How the values of a cluster's processes become one: `max` where each process reads the same rows. */
  across: 'sum' | 'max' | 'min'
  read: () => GaugeValue[] | Promise<GaugeValue[]>
}

/** Adds a gauge whose values are read at each request for metrics. A gauge that can't be read is left out then. */
export function addGauge({ name, help, labelNames = [], across, read }: GaugeOptions): void {
  const { registry } = metrics()
  if (registry.getSingleMetric(name)) return
  const gauge = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    aggregator: across,
    async collect() {
      const values = await Promise.resolve()
        .then(read)
        .catch(() => [])
      gauge.reset()
      // a gauge without labels would be 0 now
      if (labelNames.length === 0) gauge.remove()
      for (const { labels = {}, value } of values) gauge.set(labels, value)
    },
  })
}
