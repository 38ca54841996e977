import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { sessions, userAgreements, users } from '@/db/schema'
import {
  forgetUserBrowser,
  listUserAgreements,
  listUserBrowsers,
  listUserInvitations,
  listUserRequests,
} from '@/lib/account-administration/card-links/contract'
import { createRoleWith } from '../../factories/access'
import { newInn, requester } from '../../factories/access-requests'
import { Browser } from '../../factories/browser'
import type { Caller } from '../../factories/caller'
import { plantInvitation } from '../../factories/companies'
import { createAgreement } from '../../factories/domains'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'

/** Somebody who has signed in with two browsers, and with one of them twice. */
const withBrowsers = async (roles: string[] = []) => {
  const person = await createUser({ roles })
  const [one, other] = [new Browser(), new Browser()]
  for (const browser of [one, other, one]) await signInByPassword(browser, person.login, password)
  const rows = await db().select().from(sessions).where(eq(sessions.userId, person.id)).orderBy(sessions.createdAt)
  return { ...person, sessionId: first(rows).id, keptId: rows[1]?.id ?? '' }
}
const browsers = async (caller: Caller, id: string) =>
  (await caller.call(listUserBrowsers, { params: { id } })).browsers.map((each) => each.id)

export default [
  proof(listUserBrowsers, {
    prepare: () => withBrowsers(),
    input: ({ id }) => ({ params: { id } }),
    shows: ({ keptId }) => ({ browsers: [{}, { id: keptId, type: 'desktop' }] }),
  }),
  proof(forgetUserBrowser, {
    makes: ['update users'],
    prepare: () => withBrowsers(),
    // the earlier one of the two sessions in a browser names it too
    input: ({ id, sessionId }) => ({ params: { id, browserId: sessionId } }),
    look: (caller, { id }) => browsers(caller, id),
    shows: ({ keptId }) => [keptId],
    errors: {
      notFound: { input: (_, { id }) => ({ params: { id, browserId: randomUUID() } }) },
      forbiddenUser: {
        input: async () => {
          const { id, sessionId } = await withBrowsers([await createRoleWith(['license.write'])])
          return { params: { id, browserId: sessionId } }
        },
      },
    },
  }),
  proof(listUserAgreements, {
    prepare: async () => {
      const [person, documentId] = [await createUser(), await createAgreement()]
      const values = { userId: person.id, documentId, ip: '203.0.113.7' }
      await db()
        .insert(userAgreements)
        .values([1, 2].map((version) => ({ ...values, version })))
      return { ...person, documentId }
    },
    input: ({ id }) => ({ params: { id } }),
    shows: ({ documentId }) => ({
      agreements: [{ id: documentId, agreedVersion: 2, ip: '203.0.113.7', refusedAt: null }],
    }),
  }),
  proof(listUserRequests, {
    prepare: async () => {
      const inn = newInn()
      return { inn, ...(await requester(inn)) }
    },
    input: ({ userId }) => ({ params: { id: userId }, query: {} }),
    shows: ({ requestId, inn }) => ({
      requests: [{ requestId, requestCompanyInn: inn, status: 'considered' }],
      meta: { total: 1 },
    }),
  }),
  proof(listUserInvitations, {
    prepare: async () => {
      const person = await createUser()
      const email = `${randomUUID()}@polaris.example`
      await db().update(users).set({ email: email.toUpperCase(), emailVerifiedAt: null }).where(eq(users.id, person.id))
      return { person, ...(await plantInvitation({ email })) }
    },
    input: ({ person }) => ({ params: { id: person.id }, query: {} }),
    shows: ({ id, contractor }) => ({ invitations: [{ id, company: contractor.name, status: 'active' }] }),
  }),
]
