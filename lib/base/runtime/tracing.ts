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

/** Says that spans are collected in this process. Until then all functions here only run their work. */
export const collectSpans = () => {
  shared.platformTraces = true
}

/** Whether spans are collected in this process. */
export const isTracing = () => shared.platformTraces === true

const tracer = () => trace.getTracer('platform')

type Wishes = {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  attributes?: Attributes
  /** The span that caused this one, as `traceparent` returned it; `none` begins a trace. By default the span around it. */
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

/** Returns what names the open span for work that another process does later; undefined without one. */
export function traceparent(): string | undefined {
  const open = isTracing() ? trace.getActiveSpan()?.spanContext() : undefined
  return open && `00-${open.traceId}-${open.spanId}-${open.traceFlags.toString(16).padStart(2, '0')}`
}

/** Starts a span, which its caller ends. `attributes` must hold nothing that the log may not hold. */
export function startSpan(name: string, { kind = 'internal', attributes = {}, parent }: Wishes = {}): Span {
  const known = spanContextOf(parent)
  const around = parent === undefined ? context.active() : ROOT_CONTEXT
  const kinds = SpanKind[kind.toUpperCase() as keyof typeof SpanKind]
  return tracer().startSpan(name, { kind: kinds, attributes }, known ? trace.setSpanContext(around, known) : around)
}

/** Ends a span as failed, with the class and the code of the error: its message may quote what a person sent. */
export function endFailed(span: Span, error: unknown) {
  const { type, code } = errorRecord(error)
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttributes({ 'error.type': type, ...(code === undefined ? {} : { 'platform.error_code': code }) })
  span.end()
}

/** Runs the work inside a span that somebody else ends. */
export const within = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(context.active(), span), work)

/** Runs the work as a span, if spans are collected. Throws what the work throws. */
export async function inSpan<T>(name: string, wishes: Wishes, work: () => Promise<T>): Promise<T> {
  if (!isTracing()) return work()
  const span = startSpan(name, wishes)
  try {
    const result = await within(span, work)
    span.end()
    return result
  } catch (error) {
    endFailed(span, error)
    throw error
  }
}
