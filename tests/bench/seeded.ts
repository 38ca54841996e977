import pg from 'pg'

/** How much a seeded database has. */
export type Amounts = { users: number; history: number; sessions: number; signIns: number }

/** The folder of the seeded databases below .data (SEED); the small one has the number 0, the large one 1. */
export const seedFolder = process.env.SEED ?? 'bench-seed'
export const seedSides = ['small', 'large'] as const

const { USERS = 1_000_000, HISTORY = 5_000_000, SESSIONS = 1_000_000, SIGN_INS = 10_000_000 } = process.env
const large: Amounts = {
  users: Number(USERS),
  history: Number(HISTORY),
  sessions: Number(SESSIONS),
  signIns: Number(SIGN_INS),
}
const shareOf = (share: number) =>
  Object.fromEntries(Object.entries(large).map(([of, amount]) => [of, Math.ceil(amount * share)])) as Amounts

/** How much the small and the large database get: USERS, HISTORY, SESSIONS and SIGN_INS are those of the large one. */
export const seedAmounts = { small: shareOf(0.01), large } as const

/** Returns how much a database has; undefined unless its seed was finished. */
export async function seededAmounts(ownerUrl: string): Promise<Amounts | undefined> {
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  const { rows } = await owner
    .query<{ said: string | null }>(
      `select shobj_description(oid, 'pg_database') as said from pg_database where datname = current_database()`,
    )
    .finally(() => owner.end())
  return rows[0]?.said ? JSON.parse(rows[0].said) : undefined
}
