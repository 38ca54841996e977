import { z } from 'zod'
import type { Factors } from '@/lib/access/authentication-schemas/factors'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import { isInteraction } from '@/lib/base/navigation/after-sign-in'
import { redis } from '@/lib/base/redis/redis'

/** Seconds for which a wish is stored: as long as the interaction that waits for the person. */
const storedFor = 3600
/** The key contains only the path: with another query it is the same page, and the wish must apply too. */
const keyOf = (path: string) => `sign-in:wanted:${path.split('?')[0]?.replace(/\/+$/, '')}`

/** The stored form of a wish: codes of schemas. */
export const WantedCodes = z.array(z.string())

/** Parses a stored wish; an invalid one is empty. */
function codesOf(kept: string): string[] {
  try {
    return WantedCodes.parse(JSON.parse(kept))
  } catch {
    return []
  }
}

/** Stores the schemas, best first, for a sign-in on the way to `path`. Throws without Redis. */
export const requestSchemas = async (path: string, codes: readonly string[]): Promise<void> =>
  void (await redis().set(keyOf(path), JSON.stringify(codes), 'EX', storedFor))

/** Returns the active schemas that are wanted on the way to `path`, best first. */
export async function requestedSchemas(path: string | null): Promise<Factors[]> {
  // an unreadable value is ignored: the code that stored it checks the result of the sign-in
  const kept =
    path && isInteraction(path)
      ? await redis()
          .get(keyOf(path))
          .catch(() => null)
      : null
  if (!kept) return []
  const codes = codesOf(kept)
  const schemas = await authenticationSchemas()
  return codes.flatMap((code) => schemas.find((schema) => schema.code === code) ?? [])
}
