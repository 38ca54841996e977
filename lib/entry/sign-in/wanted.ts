import { z } from 'zod'
import { isInteraction } from '@/lib/kernel/navigation/after-sign-in'
import { redis } from '@/lib/kernel/redis'
import type { Factors } from '@/lib/platform/authentication-schemas/factors'
import { authenticationSchemas } from '@/lib/platform/authentication-schemas/service'

/** Seconds for which a wish holds: as long as what waits for the person. */
const heldFor = 3600
/** By the page alone: a query would lead to the same place without the wish. */
const keyOf = (path: string) => `sign-in:wanted:${path.split('?')[0]?.replace(/\/+$/, '')}`

/** What is kept of a wish. */
export const WantedCodes = z.array(z.string())

/** A wish of another form is none. */
function codesOf(kept: string): string[] {
  try {
    return WantedCodes.parse(JSON.parse(kept))
  } catch {
    return []
  }
}

/** Notes by which schemas, best first, whoever signs in on the way to `path` should do so. Throws without Redis. */
export const wantSchemas = async (path: string, codes: readonly string[]): Promise<void> =>
  void (await redis().set(keyOf(path), JSON.stringify(codes), 'EX', heldFor))

/** The active schemas that are wanted on the way to `path`, best first. */
export async function wantedSchemas(path: string | null): Promise<Factors[]> {
  // a wish that can't be read is none: what asked for it looks at the outcome
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
