import { z } from 'zod'
import type { Factors } from '@/lib/access/authentication-schemas/factors'
import { requestableSchemas } from '@/lib/access/authentication-schemas/service'
import { isInteraction } from '@/lib/base/navigation/after-sign-in'
import { redis } from '@/lib/base/redis/redis'

/** Seconds for which requested schemas are stored: as long as the interaction that waits for the person. */
const storedFor = 3600
/** The key contains only the path, because the same page with another query needs the same schemas. */
const keyOf = (path: string) => `sign-in:wanted:${path.split('?')[0]?.replace(/\/+$/, '')}`

/** The stored form of requested schemas: their codes. */
export const RequestedCodes = z.array(z.string())

/** Parses stored codes of schemas. Returns none for an invalid text. */
function codesOf(text: string): string[] {
  try {
    return RequestedCodes.parse(JSON.parse(text))
  } catch {
    return []
  }
}

/**
 * Stores the schemas that an application requests, best first, for a sign-in on the way to `path`. Throws without
 * Redis.
 */
export const requestSchemas = async (path: string, codes: readonly string[]): Promise<void> =>
  void (await redis().set(keyOf(path), JSON.stringify(codes), 'EX', storedFor))

/** Returns the active schemas that are requested for a sign-in on the way to `path`, best first. */
export async function requestedSchemas(path: string | null): Promise<Factors[]> {
  // an unreadable value is ignored: the function that stored it also checks the result of the sign-in
  const storedCodes =
    path && isInteraction(path)
      ? await redis()
          .get(keyOf(path))
          .catch(() => null)
      : null
  if (!storedCodes) return []
  const codes = codesOf(storedCodes)
  const schemas = await requestableSchemas()
  return codes.flatMap((code) => schemas.find((schema) => schema.code === code) ?? [])
}
