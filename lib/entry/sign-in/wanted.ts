import { redis } from '@/lib/kernel/redis'
import { authenticationSchemas } from '@/lib/platform/authentication-schemas/service'

/** Seconds for which a wish holds: as long as what waits for the person. */
const heldFor = 3600
const keyOf = (path: string) => `sign-in:wanted:${path}`

export type Factors = { firstFactor: readonly string[]; secondFactor: readonly string[] }

/** Notes by which schemas, best first, whoever signs in on the way to `path` should do so. Throws without Redis. */
export const wantSchemas = async (path: string, codes: readonly string[]): Promise<void> =>
  void (await redis().set(keyOf(path), JSON.stringify(codes), 'EX', heldFor))

/** The active schemas that are wanted on the way to `path`, best first. */
export async function wantedSchemas(path: string | null): Promise<Factors[]> {
  // a wish that can't be read is none: what asked for it looks at the outcome
  const kept = path
    ? await redis()
        .get(keyOf(path))
        .catch(() => null)
    : null
  if (!kept) return []
  const codes: string[] = JSON.parse(kept)
  const schemas = await authenticationSchemas()
  return codes.flatMap((code) => schemas.find((schema) => schema.code === code) ?? [])
}

const common = (one: readonly string[], other: readonly string[]) => one.filter((flow) => other.includes(flow))

/** The factors that satisfy both schemas: who could choose between them could choose the weaker. */
export function both(own: Factors, wanted: Factors): Factors {
  const [first, second] = [own.secondFactor, wanted.secondFactor]
  return {
    firstFactor: common(own.firstFactor, wanted.firstFactor),
    secondFactor: first.length > 0 && second.length > 0 ? common(first, second) : first.length > 0 ? first : second,
  }
}

/** Whether what was proven, in this order, is what a schema asks for. */
export function satisfies(proven: readonly string[], { firstFactor, secondFactor }: Factors): boolean {
  const [first = '', second = ''] = proven
  return firstFactor.includes(first) && (secondFactor.length === 0 || secondFactor.includes(second))
}
