import { AppError } from '../runtime/errors'

type UnknownError = {
  name?: unknown
  status?: unknown
  code?: unknown
  cause?: unknown
  message?: unknown
  errors?: unknown
  previousErrors?: unknown
}

/**
 * SQLSTATEs and socket errors after which trying again makes sense: connection or server gone (08, 57P0x, 25P03,
 * 58000), resources exhausted (53), statement too slow or cancelled (57014, 55P03), conflict with another one (40).
 */
const awayCodes =
  /^(08\w{3}|57P0[1-5]|57014|53\w{3}|55P03|25P0[34]|40001|40P01|58000|58030|E(?:CONN\w+|NOTFOUND|PIPE|TIMEDOUT|NOENT|AI_AGAIN|HOSTUNREACH|NETUNREACH))$/
const awayMessages =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|Query read timeout|Command timed out|Connection is closed|Connection is in subscriber mode|Stream isn't writeable|max retries per request/i
/** Refusals of Redis: full, without its master, starting, busy with a script, too many clients, unable to write. */
const redisRefusals =
  /\b(?:OOM command not allowed|READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|MISCONF|NOREPLICAS|max number of clients)\b/

function isAway(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  const { name, status, code, cause, message, errors, previousErrors } = error as UnknownError
  // an AppError of another bundle's copy of the class
  if (name === 'AppError') return status === 503
  if (typeof code === 'string' && awayCodes.test(code)) return true
  if (typeof message === 'string' && awayMessages.test(message)) return true
  if (name === 'ReplyError' && typeof message === 'string' && redisRefusals.test(message)) return true
  return [cause, ...partsOf(errors), ...partsOf(previousErrors)].some((part) => isAway(part, depth + 1))
}

const partsOf = (parts: unknown): unknown[] =>
  Array.isArray(parts) ? parts : typeof parts === 'object' && parts !== null ? Object.values(parts) : []

/** Returns the AppError for a thrown value: the value itself if it is one, 503 if a service is away, otherwise 500. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return isAway(error) ? new AppError(503, undefined, {}, 1) : new AppError(500)
}
