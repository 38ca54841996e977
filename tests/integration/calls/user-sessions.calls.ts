import { expect } from 'vitest'
import { reportDevice } from '@/lib/my-account/device/contract'
import { endSession, endSessions, listSessions } from '@/lib/sign-in/own-sessions/contract'
import { Browser } from '../../factories/browser'
import type { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'
import { signInByPassword } from '../../factories/sign-in'
import { password } from '../../factories/users'

const sessionsOf = async (caller: Caller) => (await caller.call(listSessions, { query: {} })).sessions
/** Another session of the same person. */
const otherSession = async (caller: Caller) => {
  const { login } = await caller.serve(async ({ user }) => ({ login: user?.login ?? '' }))
  const other = new Browser()
  await signInByPassword(other, login, password)
  const session = (await sessionsOf(caller)).find(({ current, ip }) => !current && ip === other.ip)
  if (!session) throw new Error(`${login} has no other session`)
  return { id: session.id, ip: other.ip }
}

export default [
  proof(listSessions, {
    prepare: otherSession,
    input: () => ({ query: { meta: { perPage: 100 } } }),
    shows: ({ id, ip }) => ({ sessions: expect.arrayContaining([expect.objectContaining({ id, ip })]) }),
  }),
  proof(endSession, {
    makes: ['delete sessions'],
    prepare: otherSession,
    input: ({ id }) => ({ params: { sessionId: id } }),
    look: async (caller, { id }) => (await sessionsOf(caller)).filter((session) => session.id === id),
    shows: () => [],
  }),
  proof(endSessions, {
    makes: ['delete sessions'],
    prepare: otherSession,
    input: () => ({ query: { current: 'false' as const } }),
    look: sessionsOf,
    shows: () => [{ current: true }],
  }),
  proof(reportDevice, {
    unrecorded: 'how large the screen behind a session is',
    prepare: async () => ({ displaySize: '2560x1440', displayWindowSize: '1280x720', displayZoom: 2 }),
    input: (body) => ({ body }),
    look: sessionsOf,
    shows: (device) => [{ current: true, device }],
  }),
]
