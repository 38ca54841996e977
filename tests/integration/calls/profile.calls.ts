import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { refreshSessions } from '@/lib/entry/sessions/service'
import { getProfile } from '@/lib/profile/personal/contract'
import type { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'

/** Another first name for the caller. */
const renamed = async (caller: Caller) => {
  const [firstName, { id }] = [randomUUID(), await caller.verb(async ({ user }) => ({ id: user?.id ?? '' }))]
  await db().update(users).set({ firstName }).where(eq(users.id, id))
  const refreshed = await refreshSessions(db(), id, new Date())
  await refreshed()
  return { firstName }
}

export default [
  proof(getProfile, {
    prepare: renamed,
    input: () => ({}),
    shows: (user) => ({ user, availableActions: { updatePassword: true, setPassword: false } }),
  }),
]
