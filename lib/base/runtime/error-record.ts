import { types } from 'node:util'
import { originalFrame } from './original-frames'
import { beginning, redact as scrubAll } from './redact'

/** What a log holds of an error. Only these fields are logged, because libraries attach anything to their errors. */
export type ErrorRecord = {
  type: string
  message: string
  code?: string | number
  status?: number
  /** The text of a failed statement, without its parameters. */
  statement?: string
  /** The name of a failed Redis command. */
  command?: string
  digest?: string
  stack?: string
  cause?: ErrorRecord
  errors?: ErrorRecord[]
} & Partial<Record<(typeof identifiers)[number], string>>

/** Fields in which PostgreSQL, sockets and SMTP put identifiers of ours or of the protocol. */
const identifiers = ['severity', 'constraint', 'schema', 'table', 'column', 'dataType', 'routine', 'syscall'] as const

type Fields = Record<string, unknown>

const depthLimit = 5
const listLimit = 10

/**
 * Returns a text as it may be logged: without secrets and without control characters, which PostgreSQL refuses and
 * terminals obey.
 */
const loggableText = (text: string): string =>
  scrubAll(
    beginning(text)
      .toWellFormed()
      .replace(/[^\P{Cc}\n\t]/gu, ' '),
  )

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w$. -]{1,128}$/.test(value) && loggableText(value) === value
const isCode = (value: unknown): value is string =>
  isIdentifier(value) && (/^[a-z]\w*$/i.test(value) || isSqlState(value))
const isSqlState = (value: unknown): value is string => typeof value === 'string' && /^[0-9A-Z]{5}$/.test(value)

/** Returns whether PostgreSQL itself reported the error. */
const isDatabaseError = (error: Fields) => isSqlState(error.code) && ('severity' in error || 'routine' in error)
const isQueryError = (error: Fields) => typeof error.query === 'string' && 'params' in error
const isRedisError = (error: Fields) =>
  error.name === 'ReplyError' || (typeof error.command === 'object' && !!error.command)

/**
 * Classes of SQLSTATE whose messages are about connections, statements and the server. Messages of other classes hold
 * input: "invalid input syntax for type uuid: …".
 */
const messagesWithoutInput = /^(08|25|26|28|3D|3F|40|42|53|54|55|57|58|XX)/

function messageOf(error: Fields): string {
  if (isQueryError(error)) return 'a query failed'
  const message = typeof error.message === 'string' ? error.message : ''
  if (isDatabaseError(error))
    return messagesWithoutInput.test(String(error.code)) ? loggableText(message) : `PostgreSQL refused (${error.code})`
  // Redis quotes an unknown command with its arguments
  if (isRedisError(error)) return loggableText(message.split(/[`'"]/, 1)[0] ?? '').trim()
  return loggableText(message)
}

/**
 * Returns the frames of a stack, with their places in the sources. The message above them is a copy of the error's own and
 * is left out.
 */
function stackOf({ stack }: Fields): string | undefined {
  if (typeof stack !== 'string') return undefined
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return frames.length > 0 ? frames.slice(0, 30).map(originalFrame).join('\n') : undefined
}

export const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value)

function nameOf(error: Fields): string {
  const name = isIdentifier(error.name) ? error.name : 'Error'
  const className = (error as object).constructor?.name
  return name === 'Error' && isIdentifier(className) ? className : name
}

/**
 * Returns a thrown value as a log may show it: codes, constraints, statements and stack, and nothing that people sent.
 */
export function errorRecord(thrown: unknown, depth = 0): ErrorRecord {
  if (typeof thrown !== 'object' || thrown === null)
    return { type: typeof thrown, message: loggableText(String(thrown)).slice(0, 1_000) }
  const error = thrown as Fields
  const record: ErrorRecord = { type: nameOf(error), message: messageOf(error).slice(0, 1_000) }
  // only errors have known fields; those of a plain object could hold anything
  if (!isError(thrown)) return record
  // Next shows the digest to the person
  if (typeof error.digest === 'string' && /^\d{1,20}$/.test(error.digest)) record.digest = error.digest
  for (const name of identifiers) if (isIdentifier(error[name])) record[name] = error[name]
  const { code, status, statusCode, command, query, cause, errors } = error
  if (typeof code === 'number' || isCode(code)) record.code = code
  for (const number of [status, statusCode]) if (typeof number === 'number') record.status = number
  const commandName = typeof command === 'object' ? (command as Fields | null)?.name : command
  if (isIdentifier(commandName)) record.command = commandName
  if (isQueryError(error)) record.statement = loggableText(String(query)).slice(0, 2_000)
  const stack = stackOf(error)
  if (stack) record.stack = stack
  if (depth >= depthLimit) return record
  if (cause !== undefined && cause !== null) record.cause = errorRecord(cause, depth + 1)
  if (Array.isArray(errors)) record.errors = errors.slice(0, listLimit).map((each) => errorRecord(each, depth + 1))
  return record
}

/** Returns the record of a thrown value as lines of text, for the terminal of a command. */
export function errorText(thrown: unknown): string {
  const { type, message, code, stack, cause, statement, constraint } = errorRecord(thrown)
  const details = [code, constraint, statement].filter((part) => part !== undefined).join(' ')
  const lines = [`${type}: ${message}${details ? ` (${details})` : ''}`, stack]
  if (cause) lines.push(`caused by ${cause.type}: ${cause.message}${cause.code ? ` (${cause.code})` : ''}`)
  return lines.filter(Boolean).join('\n')
}
