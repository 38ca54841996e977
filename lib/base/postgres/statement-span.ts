import { trace } from '@opentelemetry/api'
import { endFailed, isTracing, startSpan } from '../runtime/tracing'

const maxLength = 1_000

/** Returns the text of a statement without literals: values are parameters, but a text may quote some. */
const withoutLiterals = (text: string) =>
  text
    .slice(0, maxLength)
    // the last one may be cut off
    .replace(/'(?:[^']|'')*(?:'|$)/g, '?')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns name and attributes of a statement by the conventions of OpenTelemetry for databases. */
export function statementSpan(text: string) {
  const query = withoutLiterals(text)
  const operation = /^\w+/.exec(query)?.[0].toUpperCase() ?? 'QUERY'
  const table = /\b(?:from|into|update|join)\s+(?:"?\w+"?\.)?"?(\w+)"?/i.exec(query)?.[1]
  return {
    name: table ? `${operation} ${table}` : operation,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': query,
      ...(table ? { 'db.collection.name': table } : {}),
    },
  }
}

type Query = (...args: unknown[]) => unknown
const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | undefined)?.text ?? '')

/**
 * Runs a query of pg in a span below the active one, for both ways to call it: with a callback and with a promise.
 * Without an active span it only runs the query: otherwise the job queue's own queries would become traces.
 */
export function tracedQuery(args: unknown[], run: Query): unknown {
  if (!isTracing() || !trace.getActiveSpan()) return run(...args)
  const { name, attributes } = statementSpan(textOf(args[0]))
  const span = startSpan(name, { kind: 'client', attributes })
  const last = args.at(-1)
  if (typeof last === 'function') {
    const onAnswer = (error: unknown, ...results: unknown[]) => {
      if (error) endFailed(span, error)
      else span.end()
      last(error, ...results)
    }
    return run(...args.slice(0, -1), onAnswer)
  }
  const result = run(...args)
  if (result instanceof Promise)
    result.then(
      () => span.end(),
      (error) => endFailed(span, error),
    )
  // a cursor: its rows are fetched later
  else span.end()
  return result
}
