import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { errorRecord } from './error-record'

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformTraces?: boolean }

/** Switches the collection of spans on in this process. Until then all functions here only run their work. */
export const collectSpans = () => {
  shared.platformTraces = true
}

/** Whether spans are collected in this process. */
export const isTracing = () => shared.platformTraces === true

const tracer = () => trace.getTracer('platform')

type SpanOptions = {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  attributes?: Attributes
  /**
   * The parent span, as `traceparent` returned it; `none` begins a trace. By default the active span.
   */
  parent?: string
}

/** A `traceparent` of version 00 (W3C Trace Context 3.2). */
const pattern = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

/** Reads a `traceparent`. Returns undefined for anything else. */
export function spanContextOf(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = pattern.exec(text ?? '') ?? []
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

/** Returns the `traceparent` of the active span, for work that another process does later; undefined without one. */
export function traceparent(): string | undefined {
  const active = isTracing() ? trace.getActiveSpan()?.spanContext() : undefined
  return active && `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`
}

/** Starts a span, which its caller ends. `attributes` must hold nothing that the log may not hold. */
export function startSpan(name: string, { kind = 'internal', attributes = {}, parent }: SpanOptions = {}): Span {
  const parentContext = spanContextOf(parent)
  const baseContext = parent === undefined ? context.active() : ROOT_CONTEXT
  const kinds = SpanKind[kind.toUpperCase() as keyof typeof SpanKind]
  return tracer().startSpan(
    name,
    { kind: kinds, attributes },
    parentContext ? trace.setSpanContext(baseContext, parentContext) : baseContext,
  )
}

/** Ends a span as failed, with the class and the code of the error: its message may quote what a person sent. */
export function endFailed(span: Span, error: unknown) {
  const { type, code } = errorRecord(error)
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttributes({ 'error.type': type, ...(code === undefined ? {} : { 'platform.error_code': code }) })
  span.end()
}

/** Runs the work with a span as the active one. The caller ends the span. */
export const withSpan = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(context.active(), span), work)

/** Runs the work in a span of its own, if spans are collected. Throws what the work throws. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!isTracing()) return work()
  const span = startSpan(name, options)
  try {
    const result = await withSpan(span, work)
    span.end()
    return result
  } catch (error) {
    endFailed(span, error)
    throw error
  }
}
