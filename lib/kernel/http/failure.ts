import { AppError } from '../errors'

type Maybe = { code?: unknown; cause?: unknown; message?: unknown }

/** SQLSTATE classes and socket errors that mean: the database or Redis is away, try again. */
const awayCodes = /^(08...|57P0[1-3]|53300|55P03|ECONN\w+|ENOTFOUND|EPIPE|ETIMEDOUT|ENOENT)$/
const awayMessages =
  /timeout exceeded when trying to connect|Connection terminated|Command timed out|Connection is closed|Stream isn't writeable|max retries per request/i

function isAway(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  const { code, cause, message } = error as Maybe
  if (typeof code === 'string' && awayCodes.test(code)) return true
  if (typeof message === 'string' && awayMessages.test(message)) return true
  return isAway(cause, depth + 1)
}

/** What a thrown value answers: itself if on purpose, 503 if a service is away, else 500. */
export function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  return isAway(error) ? new AppError(503, undefined, {}, 1) : new AppError(500)
}
