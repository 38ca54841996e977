import { setTimeout as pause } from 'node:timers/promises'
import { context, DiagLogLevel, diag, trace } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { collectSpans } from '@/lib/base/runtime/tracing'
import { version } from '@/package.json'

/** Attributes that leave the process. Next adds the whole address of a page, which may be a secret link. */
const allowed =
  /^(?:http\.(?:request\.method|route|response\.status_code)|db\.[\w.]+|messaging\.message\.id|error\.type|platform\.\w+|next\.(?:span_type|route))$/

/** Returns the span as it may leave the process. Names of Next's spans may contain addresses, so their type replaces them. */
export function exportable(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(Object.entries(span.attributes).filter(([name]) => allowed.test(name)))
  const { 'next.span_type': type, 'next.route': route } = attributes
  const name = type ? [type, route].filter(Boolean).join(' ') : span.name
  const { code } = span.status
  return Object.create(span, {
    name: { value: name },
    attributes: { value: attributes },
    // a message may quote what a person sent
    status: { value: { code } },
    events: { value: [] },
  })
}

const strict = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(exportable), done),
  shutdown: () => exporter.shutdown(),
  ...(exporter.forceFlush ? { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() } : {}),
})

/** Milliseconds between two lines about a collector that doesn't take spans. */
const quiet = 60_000
/** Milliseconds that a stop waits for the collector. */
const lastPatience = 2_000

/**
 * Collects spans and sends them to OTEL_EXPORTER_OTLP_ENDPOINT, if it is set (docs/rules/operations.md#traces). Nothing
 * of OpenTelemetry's SDK is loaded otherwise. Returns a function that sends the rest and ends it; it never throws.
 */
export async function startTracing(config: Env, service: string): Promise<() => Promise<void>> {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return async () => {}
  const [{ AsyncLocalStorageContextManager }, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] =
    await Promise.all([
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ])
  let loggedAt = 0
  const report = (message: string) => {
    if (Date.now() - loggedAt < quiet) return
    loggedAt = Date.now()
    log.warn({ reason: message }, 'traces are not sent')
  }
  const silent = () => {}
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const root = new sdk.TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG)
  const provider = new sdk.TracerProvider({
    // the exporter reads its address and headers from the standard variables
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: strict(new OTLPTraceExporter()) })],
    sampler: new sdk.ParentBasedSampler({ root }),
    resource: resourceFromAttributes({
      'service.name': process.env.OTEL_SERVICE_NAME || service,
      'service.version': version,
    }),
  })
  trace.setGlobalTracerProvider(provider)
  collectSpans()
  return async () => {
    // a collector that hangs must not hold up the stop
    const rest = provider.shutdown().catch((error) => log.warn({ err: error }, 'the last traces are not sent'))
    await Promise.race([rest, pause(lastPatience, undefined, { ref: false })])
  }
}
