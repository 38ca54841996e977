import type { AppError } from './errors'

/** The constraint that a write broke (unique or reference), from PostgreSQL's error or its cause; else undefined. */
function brokenConstraint(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 4; depth++) {
    const { code, constraint, cause } = at as { code?: unknown; constraint?: unknown; cause?: unknown }
    if ((code === '23505' || code === '23503') && typeof constraint === 'string') return constraint
    at = cause
  }
  return undefined
}

/** Runs a write; a broken constraint among `answers` throws what its name stands for. Each module owns its names. */
export async function onBroken<T>(answers: Record<string, () => AppError>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw answers[brokenConstraint(error) ?? '']?.() ?? error
  }
}
