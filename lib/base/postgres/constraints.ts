import type { AppError } from '../runtime/errors'

/**
 * Returns the name of the unique or foreign key constraint that a write broke, from the error of PostgreSQL or its
 * causes; else undefined.
 */
function brokenConstraint(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 4; depth++) {
    const { code, constraint, cause } = at as { code?: unknown; constraint?: unknown; cause?: unknown }
    if ((code === '23505' || code === '23503') && typeof constraint === 'string') return constraint
    at = cause
  }
  return undefined
}

/**
 * Runs a write and returns its result. If it breaks a constraint in `answers`, throws the error under that name. Each
 * module names its own constraints.
 */
export async function onBroken<T>(answers: Record<string, () => AppError>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw answers[brokenConstraint(error) ?? '']?.() ?? error
  }
}
