import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { lastNotices, listNotices, readNotices } from '@/lib/news/notifications/contract'
import { Browser } from '../../factories/browser'
import type { Caller } from '../../factories/caller'
import { runJobs } from '../../factories/messages'
import { proof } from '../../factories/proofs'
import { signInByPassword } from '../../factories/sign-in'
import { password } from '../../factories/users'

const device = { kind: 'newDevice', read: false, link: '/platform/profile/sessions' }

/** A notice of a sign-in with another browser. Returns its id. */
async function someNotices(caller: Caller) {
  const { login } = await caller.serve(async ({ user }) => ({ login: user?.login ?? '' }))
  const other = new Browser()
  await signInByPassword(other, login, password)
  await runJobs()
  const { notices } = await caller.call(lastNotices)
  const [notice] = notices
  if (!notice) throw new Error(`${login} was told nothing`)
  return { id: notice.id, ip: other.ip }
}

export default [
  proof(listNotices, {
    prepare: someNotices,
    input: () => ({ query: { filter: { unread: 'true' as const } } }),
    shows: ({ id, ip }) => ({
      notices: expect.arrayContaining([
        expect.objectContaining({ ...device, id, values: expect.objectContaining({ ip }) }),
      ]),
    }),
  }),
  proof(lastNotices, {
    prepare: someNotices,
    input: () => ({}),
    shows: ({ id }) => ({ notices: expect.arrayContaining([expect.objectContaining({ ...device, id })]) }),
  }),
  proof(readNotices, {
    unrecorded: 'what a person has read',
    prepare: someNotices,
    input: ({ id }) => ({ body: { id } }),
    look: (caller) => caller.call(lastNotices),
    shows: ({ id }) => ({ notices: expect.arrayContaining([expect.objectContaining({ id, read: true })]) }),
    errors: { notFound: { input: () => ({ body: { id: randomUUID() } }) } },
  }),
]
