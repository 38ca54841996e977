import pino from 'pino'
import { errorRecord, isError } from './error-record'
import { redact, redactSecrets } from './redact'
import { currentRequestId } from './request-id'

const secretName =
  /^(code|login|email|mobile|phone|identifier|params|args|payload|detail|body|key|link|otp|pin|state|nonce)$|passw|secret|token|cookie|authorization|credential|hash|digest$/i
const depthLimit = 6

/** Cleans a value for the log: errors become records, secrets and data of people are removed, at any depth. */
function clean(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactSecrets(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value
  if (isError(value)) return errorRecord(value)
  if (value instanceof Date) return value.toISOString()
  if (depth >= depthLimit) return '[deeper]'
  if (Array.isArray(value)) return value.map((each) => clean(each, depth + 1))
  const prototype = Object.getPrototypeOf(value)
  // other objects (requests, maps, clients) may hold anything
  if (prototype !== Object.prototype && prototype !== null) return `[${prototype.constructor?.name ?? 'object'}]`
  return cleanFields(value as Record<string, unknown>, depth + 1)
}

function cleanFields(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    // anything can be thrown, not only an Error
    if (/^(err|error|cause|thrown)$/.test(name) && value) cleaned[name] = errorRecord(value)
    else
      cleaned[name] =
        secretName.test(name) && value !== null && value !== undefined ? '[redacted]' : clean(value, depth)
  }
  return cleaned
}

/** Writes JSON lines. No line holds a secret, a hash, an e-mail or a query parameter, whatever is logged. */
export const log = pino({
  level: process.env.LOG_LEVEL || (process.env.PLATFORM_MODE === 'test' ? 'silent' : 'info'),
  base: { pid: process.pid },
  timestamp: pino.stdTimeFunctions.isoTime,
  // each line that a request causes has the id of the request
  mixin() {
    const requestId = currentRequestId()
    return requestId ? { requestId } : {}
  },
  formatters: { log: (fields) => cleanFields(fields) },
  // errors are records already before pino serializes them
  serializers: { err: (record) => record },
  hooks: {
    logMethod([first, ...args], write) {
      const text = (part: unknown) => (typeof part === 'string' ? redact(part) : clean(part))
      const words = args.map(text)
      if (typeof first === 'string') write.apply(this, [redact(first), ...words] as never)
      else if (isError(first)) write.apply(this, [{ err: first }, ...(words.length > 0 ? words : ['failed'])] as never)
      else write.apply(this, [first, ...words] as never)
    },
  },
})

const { child } = log
log.child = function (this: typeof log, bindings: object, options: object) {
  return child.call(this, cleanFields({ ...bindings }), options)
} as typeof log.child
