import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  applications,
  documents,
  fieldPictures,
  history,
  invitations,
  oidcClients,
  oidcConsents,
  userAgreements,
  users,
} from '@/db/schema'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { createNetworkAlias } from '@/lib/network/network-aliases/contract'
import * as verbs from '@/lib/network/network-aliases/service'
import { route } from '@/lib/request/route'
import { listSessions } from '@/lib/sign-in/own-sessions/contract'
import { contracts } from '@/lib/wiring/contracts'
import { breaches, browserOf, describeAccess, expectations } from '../../factories/access-matrix'
import { membersOf, requester, requestRow } from '../../factories/access-requests'
import { Browser } from '../../factories/browser'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { defineField } from '../../factories/fields'
import { byName, handlerOf } from '../../factories/routes'
import { sampleBody, sampleParams, sampleQuery } from '../../factories/samples'
import { shardOf } from '../../factories/shards'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { csv, fileCalls } from '../../factories/uploads'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const ownSessions = handlerOf(listSessions)

useTestDatabase()

const guarded = contracts.filter(({ access }) => access !== 'public')

describeAccess(shardOf(contracts, import.meta.filename))

describe('the test of access', () => {
  test('also tests calls that take and return files', async () => {
    const { take, put, give } = fileCalls({ area: 'network-aliases' })
    const guard = (ctx: Ctx, level: 'read' | 'write' = 'write') => requireMethod(ctx, `network-aliases.${level}`)
    const taking = route(take, async (ctx, { body }) => {
      guard(ctx)
      const { length: size } = await body.picture.bytes()
      return size > 0 ? { size } : Promise.reject(new Error('no file'))
    })
    const putting = route(put, async (ctx, { body }) => {
      guard(ctx)
      return body.size > 0 ? {} : Promise.reject(new Error('no file'))
    })
    const giving = route(give, async (ctx) => {
      guard(ctx, 'read')
      return { name: 'a.csv', type: 'text/csv', chunks: csv() }
    })
    const careless = route(give, async () => ({ name: 'a.csv', type: 'text/csv', chunks: csv() }))
    expect(await breaches(take, taking)).toEqual([])
    expect(await breaches(put, putting)).toEqual([])
    expect(await breaches(give, giving)).toEqual([])
    expect(await breaches(give, careless)).toEqual([
      expect.stringMatching(/^nobody: the verb/),
      expect.anything(),
      expect.anything(),
    ])
  })

  test('finds a verb that checks another right, or none', async () => {
    const elsewhere = route(createNetworkAlias, async (ctx, input) => {
      requireMethod(ctx, 'settings.write')
      return verbs.createNetworkAlias(ctx, input)
    })
    expect(await breaches(createNetworkAlias, elsewhere)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^network-aliases.write: the (call|verb) answers 403/)]),
    )
    const open = route(createNetworkAlias, async () => ({ id: crypto.randomUUID() }))
    expect(await breaches(createNetworkAlias, open)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^nobody: the verb answers 200/)]),
    )
  })
})

describe('ids of other people', () => {
  /** Creates an object of another person for a path parameter; `same` returns whether it is unchanged. */
  const others: Record<string, () => Promise<{ id: string; same: () => Promise<boolean> }>> = {
    async sessionId() {
      const { login } = await createUser()
      const browser = new Browser()
      await signInByPassword(browser, login, password)
      const { body } = await browser.send(ownSessions, 'GET')
      const [{ id = '' } = {}] = body.sessions as { id: string }[]
      return { id, same: async () => (await signedInStatus(browser)) === 200 }
    },
    async fileId() {
      const { id: userId } = await createUser()
      const code = await defineField({ fieldType: 'picture' })
      const bytes = Buffer.from('picture')
      const row = { userId, code, small: bytes, large: bytes }
      const [picture] = await db().insert(fieldPictures).values(row).returning()
      const id = picture?.id ?? ''
      await db()
        .update(users)
        .set({ values: { [code]: id } })
        .where(eq(users.id, userId))
      return { id, same: async () => (await db().$count(fieldPictures, eq(fieldPictures.id, id))) === 1 }
    },
    /** A field that the profile doesn't show. */
    async code() {
      const hidden = { profileVisible: false, profileEdit: false }
      return { id: await defineField({ fieldType: 'picture', ...hidden }), same: async () => true }
    },
    async requestId() {
      const { requestId: id } = await requester('7712345678')
      return { id, same: async () => (await requestRow(id)).status === 'considered' }
    },
    /** Somebody of a company that isn't the caller's. */
    async userId() {
      const { id } = await createUser()
      await join(await createContractor(), id, [(await createContractorRole()).id])
      return { id, same: async () => (await membersOf(id)).length === 1 }
    },
    async applicationId() {
      const { id: userId } = await createUser()
      const code = randomUUID()
      const [application] = await db().insert(applications).values({ type: 'external', code, name: code }).returning()
      const id = application?.id ?? ''
      const [client] = await db()
        .insert(oidcClients)
        .values({ applicationId: id, clientId: code, name: code, type: 'public', grantTypes: [] })
        .returning()
      await db()
        .insert(oidcConsents)
        .values({ userId, clientId: client?.id ?? '', scopes: ['openid'] })
      return { id, same: async () => (await db().$count(oidcConsents, eq(oidcConsents.userId, userId))) === 1 }
    },
  }
  /** An agreement of another domain. */
  others.id = async () => {
    const [document] = await db().insert(documents).values({ code: randomUUID(), type: 'agreement' }).returning()
    const id = document?.id ?? ''
    return { id, same: async () => (await db().$count(userAgreements, eq(userAgreements.documentId, id))) === 0 }
  }
  /** An open invitation to somebody else. */
  async function invitation() {
    const { id } = await plantInvitation()
    const open = and(eq(invitations.id, id), eq(invitations.status, 'active'))
    return { id, same: async () => (await db().$count(invitations, open)) === 1 }
  }
  Object.assign(others, { acceptOwnInvitation: invitation, declineOwnInvitation: invitation })
  let count = 0
  beforeAll(async () => {
    await browserOf([])
    count = await db().$count(history)
  })

  const personal = contracts.filter(({ access, path }) => access === 'user' && path.includes('{'))
  test.each(byName(personal))('%s: answers 404, and nothing is changed', async (_, contract) => {
    const params = sampleParams(contract)
    for (const name of Object.keys(params)) {
      const make = others[contract.name] ?? others[name]
      if (!make) throw new Error(`say in this test how somebody else comes by a {${name}}`)
      const { id, same } = await make()
      count = await db().$count(history)
      expect(
        await (await browserOf([])).send(handlerOf(contract), contract.method, {
          params: { ...params, [name]: id },
          body: sampleBody(contract),
        }),
      ).toMatchObject({ status: 404, body: { code: 'notFound' } })
      expect(await same()).toBe(true)
    }
    expect(await db().$count(history)).toBe(count)
  })

  const administrative = guarded.filter(({ access, path }) => access !== 'user' && /\{(id|\w+Id)\}/.test(path))
  test.each(byName(administrative))('%s: an unknown id answers 404', async (_, contract) => {
    const [principal] = expectations(contract).findLast(([, verdict]) => verdict === 'allowed') ?? [[]]
    const browser = await browserOf(principal)
    count = await db().$count(history)
    expect(
      await browser.send(handlerOf(contract), contract.method, {
        params: sampleParams(contract),
        query: sampleQuery(contract),
        body: sampleBody(contract),
      }),
    ).toMatchObject({ status: 404, body: { code: 'notFound' } })
    expect(await db().$count(history)).toBe(count)
  })
})
