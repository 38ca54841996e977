import type { AppError } from '../runtime/errors'

/**
 * Returns the name of the unique or foreign key constraint that a write broke, from the error of PostgreSQL or its
 * causes; undefined for other errors.
 */
function brokenConstraint(error: unknown): string | undefined {
  for (let current = error, depth = 0; typeof current === 'object' && current !== null && depth < 4; depth++) {
    const { code, constraint, cause } = current as { code?: unknown; constraint?: unknown; cause?: unknown }
    if ((code === '23505' || code === '23503') && typeof constraint === 'string') return constraint
    current = cause
  }
  return undefined
}

/**
 * Runs a write and returns its result. If the write breaks a constraint that `answers` names, throws the error of that
 * constraint. Each module names its own constraints.
 */
export async function onBroken<T>(answers: Record<string, () => AppError>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw answers[brokenConstraint(error) ?? '']?.() ?? error
  }
}
