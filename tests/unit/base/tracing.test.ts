import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { describe, expect, test } from 'vitest'
import { exportable } from '@/bin/tracing'
import { statementSpan } from '@/lib/base/postgres/statement-span'
import { inSpan, isTracing, spanContextOf, traceparent } from '@/lib/base/runtime/tracing'

describe('a traceparent', () => {
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  test('names a trace and a span', () => {
    expect(spanContextOf(`00-${trace}-${span}-01`)).toEqual({
      traceId: trace,
      spanId: span,
      traceFlags: 1,
      isRemote: true,
    })
  })
  test.each([
    undefined,
    'none',
    `01-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${trace}-${span}`,
  ])('%s names none', (text) => {
    expect(spanContextOf(text)).toBeUndefined()
  })
})

test('without a collector work runs as it is, and a job gets no trace', async () => {
  expect(isTracing()).toBe(false)
  expect(await inSpan('work', {}, async () => traceparent() ?? 'none')).toBe('none')
  await expect(inSpan('work', {}, () => Promise.reject(new Error('it fails')))).rejects.toThrow('it fails')
})

test.each([
  ['select "id" from "users" where "login" = $1', 'SELECT users', 'select "id" from "users" where "login" = $1'],
  [
    `insert into "messages" ("a") values ('it''s me', $1)`,
    'INSERT messages',
    'insert into "messages" ("a") values (?, $1)',
  ],
  ['update "platform"."users" set "a" = $1', 'UPDATE users', 'update "platform"."users" set "a" = $1'],
  ['begin', 'BEGIN', 'begin'],
  [`select 1 where 'cut off`, 'SELECT', 'select 1 where ?'],
  ['', 'QUERY', ''],
])('the span of %s has no literals', (text, name, query) => {
  const span = statementSpan(text)
  expect([span.name, span.attributes['db.query.text']]).toEqual([name, query])
})

test('a long statement is cut off, and no literal escapes by that', () => {
  const { attributes } = statementSpan(`select ${'x, '.repeat(310)} '${'secret'.repeat(100)}'`)
  expect(attributes['db.query.text'].length).toBeLessThanOrEqual(1_000)
  expect(attributes['db.query.text']).not.toContain('secret')
})

test('what Next says of an address, an event and the message of an error stay in the process', () => {
  const span = {
    name: 'GET /platform/invitation/3f6c',
    kind: 1,
    attributes: {
      'http.target': '/platform/invitation/3f6c',
      'next.span_name': 'GET /platform/invitation/3f6c',
      'next.span_type': 'BaseServer.handleRequest',
      'next.route': '/platform/invitation/[id]',
      'db.query.text': 'select 1',
      'error.type': 'TypeError',
    },
    status: { code: 2, message: 'no ivan@example.com' },
    events: [{ name: 'exception', attributes: { 'exception.message': 'no ivan@example.com' } }],
    spanContext: () => ({ traceId: 'a', spanId: 'b', traceFlags: 1 }),
  } as unknown as ReadableSpan
  const sent = exportable(span)
  expect({ name: sent.name, attributes: sent.attributes, status: sent.status, events: sent.events }).toEqual({
    name: 'BaseServer.handleRequest /platform/invitation/[id]',
    attributes: {
      'next.span_type': 'BaseServer.handleRequest',
      'next.route': '/platform/invitation/[id]',
      'db.query.text': 'select 1',
      'error.type': 'TypeError',
    },
    status: { code: 2 },
    events: [],
  })
  expect(sent.spanContext().traceId).toBe('a')
})
