import { shellContext } from '@/bin/operator'
import { db } from '@/db/client'
import { joining } from '@/db/scope'
import type { Ctx } from '@/lib/base/context/ctx'
import { setApplications } from './random-applications'
import { setPlatform } from './random-configuration'
import { setPeople } from './random-people'
import { randomValues } from './random-values'

class Undo extends Error {}

/** Runs work in a database that is afterwards as it was. */
export async function passing<T>(work: () => Promise<T>): Promise<T> {
  let result: T | undefined
  await db()
    .transaction(async () => {
      result = (await joining(work)).result
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return result as T
}

/** A clock of which no two readings are the same: administrators are slower than a millisecond. */
async function clockedContext(): Promise<Ctx> {
  let last = 0
  const now = () => {
    last = Math.max(Date.now(), last + 1)
    return new Date(last)
  }
  return { ...(await shellContext()), now }
}

type Counts = Parameters<typeof randomValues>[1]

/** Sets everything that administrators set at random, by their own calls; without `raising` no agreement gets a new version. */
export async function administered(
  seed: number,
  { raising = false, counts }: { raising?: boolean; counts?: Counts } = {},
) {
  const at = randomValues(seed * 7_919, counts)
  await setPlatform(await clockedContext(), at, { raising })
  await setApplications(await clockedContext(), at)
  await setPeople(await clockedContext(), at)
}
