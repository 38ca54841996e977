import { trace } from '@opentelemetry/api'
import { endFailed, isTracing, startSpan } from '../runtime/tracing'

const longest = 1_000

/** Returns the text of a statement without literals: values are parameters, but a text may quote some. */
const withoutLiterals = (text: string) =>
  text
    .slice(0, longest)
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

type Query = (...given: unknown[]) => unknown
const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | undefined)?.text ?? '')

/**
 * Runs a query of pg as a span below the open one, for both ways to call it: with a callback and with a promise.
 * Without an open span it only runs it, or the queue's own questions would be traces.
 */
export function tracedQuery(given: unknown[], run: Query): unknown {
  if (!isTracing() || !trace.getActiveSpan()) return run(...given)
  const { name, attributes } = statementSpan(textOf(given[0]))
  const span = startSpan(name, { kind: 'client', attributes })
  const last = given.at(-1)
  if (typeof last === 'function') {
    const answered = (error: unknown, ...rest: unknown[]) => {
      if (error) endFailed(span, error)
      else span.end()
      last(error, ...rest)
    }
    return run(...given.slice(0, -1), answered)
  }
  const result = run(...given)
  if (result instanceof Promise)
    result.then(
      () => span.end(),
      (error) => endFailed(span, error),
    )
  // a cursor: its rows are fetched by others
  else span.end()
  return result
}
