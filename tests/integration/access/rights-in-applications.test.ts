import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, methods, userRoles } from '@/db/schema'
import { deleteRole, enableRole, updateRole } from '@/lib/access/roles/contract'
import { removeHolder } from '@/lib/accounts/role-holders/contract'
import { serviceItems } from '@/lib/applications/menu/service'
import { dropCached } from '@/lib/base/cache/cache'
import { ensureListening } from '@/lib/base/cache/notifications'
import { enableContractor, mergeContractors, updateContractor } from '@/lib/companies/contractors/contract'
import { enableOrganization } from '@/lib/companies/organizations/contract'
import { emptyRequisites } from '@/lib/companies/requisites'
import { domainByHost } from '@/lib/site/domains/service'
import { Browser } from '../../factories/browser'
import type { Caller } from '../../factories/caller'
import { createContractor, join } from '../../factories/companies'
import { contextOf } from '../../factories/invitations'
import { createClient, follow, redirectUri, request, startProvider } from '../../factories/oidc'
import { codeFor, refusalOf } from '../../factories/oidc-clients'
import { methodIdsOf, plantRole, signedInAdministrator } from '../../factories/roles'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
let caller: Caller
beforeAll(async () => {
  running = await startProvider()
  caller = (await signedInAdministrator()).caller
})
afterAll(() => running.stop())
beforeEach(async () => {
  expect(await ensureListening()).toBe(true)
})

type RoleType = 'systemic' | 'organizational' | 'contractor'

/**
 * A person signed in at an application that only a role of this type opens to them; the role also gives a method of the
 * platform.
 */
async function working(roleType: RoleType) {
  const made = await createClient(running, { secret: `secret ${randomUUID()}`, methods: ['own.read'] })
  const { id: applicationId } = made.application
  await db().update(applications).set({ menuVisible: true }).where(eq(applications.id, applicationId))
  dropCached('applications:menu')
  const [ownMethod] = await db()
    .select({ id: methods.id })
    .from(methods)
    .where(eq(methods.applicationId, applicationId))
  const [read = ''] = await methodIdsOf('history.read')
  const role = await plantRole([ownMethod?.id ?? '', read], roleType)
  const company = await createContractor()
  const [user, browser] = [await createUser({ roles: [] }), new Browser()]
  if (roleType === 'contractor') await join(company, user.id, [role.id])
  else {
    const organizationId = roleType === 'systemic' ? null : company.organization.id
    await db().insert(userRoles).values({ userId: user.id, roleId: role.id, organizationId })
  }
  await signInByPassword(browser, user.login, password)
  // refresh tokens rotate, so each try uses the newest
  let tokens = await (await codeFor(running, browser, made.config))()
  const { config: other } = await createClient(running, {
    secret: `secret ${randomUUID()}`,
    redirectUris: [],
    grantTypes: ['client_credentials'],
  })
  const domain = await domainByHost('localhost')
  /** Each way in which the role acts, and whether it does now. */
  const acts = async () => {
    const { user: seen } = await contextOf(browser)
    const tiles = await serviceItems({ methodIds: seen?.methodIds ?? new Set() }, domain)
    const { url } = await request(made.config)
    const { url: end } = await follow(running, browser, url)
    const access = tokens.access_token
    return {
      session: seen?.methods.has('history.read'),
      tile: tiles.some(({ id }) => id === applicationId),
      introspection: (await client.tokenIntrospection(other, access)).active,
      userinfo: (await refusalOf(client.fetchUserInfo(made.config, access, user.id))) === 'allowed',
      'authorization request': end.href.startsWith(redirectUri) && end.searchParams.has('code'),
      // last, because it uses up its token
      refresh: await client.refreshTokenGrant(made.config, tokens.refresh_token ?? '').then(
        (next) => {
          tokens = { ...tokens, ...next }
          return true
        },
        () => false,
      ),
    }
  }
  return { ...company, user, role, acts }
}
type Working = Awaited<ReturnType<typeof working>>

const all = (acts: boolean) => ({
  session: acts,
  tile: acts,
  introspection: acts,
  userinfo: acts,
  'authorization request': acts,
  refresh: acts,
})

/** Who takes what, by which call, and how it is given back if it can be. */
const changes: [string, RoleType, (of: Working, enabled: boolean) => Promise<unknown>][] = [
  [
    'a role is disabled',
    'systemic',
    ({ role: { id } }, enabled) => caller.call(enableRole, { params: { id }, body: { enabled } }),
  ],
  [
    'an organization is disabled',
    'organizational',
    ({ organization: { id } }, enabled) => caller.call(enableOrganization, { params: { id }, body: { enabled } }),
  ],
  [
    'the organization of a contractor role is disabled',
    'contractor',
    ({ organization: { id } }, enabled) => caller.call(enableOrganization, { params: { id }, body: { enabled } }),
  ],
  [
    'a contractor is disabled',
    'contractor',
    ({ contractor: { id } }, enabled) => caller.call(enableContractor, { params: { id }, body: { enabled } }),
  ],
]

describe('what a role gives in applications and in open sessions', () => {
  test.each(changes)('ends at once when %s, and begins again', async (_, roleType, change) => {
    const worker = await working(roleType)
    expect(await worker.acts()).toEqual(all(true))
    await change(worker, false)
    expect(await worker.acts()).toEqual(all(false))
    await change(worker, true)
    expect(await worker.acts()).toMatchObject({ session: true, tile: true, 'authorization request': true })
  })

  /** Changes after which nothing is to be given back. */
  const ends: [string, RoleType, (of: Working) => Promise<unknown>][] = [
    [
      'loses its methods',
      'systemic',
      ({ role: { id, name } }) =>
        caller.call(updateRole, {
          params: { id },
          body: { name, nameEn: '', comment: '', roleType: 'systemic', methods: [] },
        }),
    ],
    [
      'is taken from its only holder and deleted',
      'systemic',
      async ({ role: { id }, user }) => {
        await caller.call(removeHolder, { params: { id }, query: { userId: user.id } })
        await caller.call(deleteRole, { params: { id } })
      },
    ],
    [
      'goes with an organization that its contractor may no longer use',
      'contractor',
      ({ contractor: { id, name } }) =>
        caller.call(updateContractor, {
          params: { id },
          body: { name, ...emptyRequisites, availableOrganizations: [] },
        }),
    ],
    [
      'goes into a disabled contractor by a merge',
      'contractor',
      async ({ contractor }) => {
        const target = (await createContractor()).contractor.id
        await caller.call(enableContractor, { params: { id: target }, body: { enabled: false } })
        await caller.call(mergeContractors, { body: { targetId: target, sourceIds: [contractor.id] } })
      },
    ],
  ]
  test.each(ends)('ends at once when the role %s', async (_, roleType, end) => {
    const worker = await working(roleType)
    expect(await worker.acts()).toEqual(all(true))
    await end(worker)
    expect(await worker.acts()).toEqual(all(false))
  })

  test('stays when its contractor is merged into an enabled one', async () => {
    const worker = await working('contractor')
    const target = (await createContractor()).contractor.id
    await caller.call(mergeContractors, { body: { targetId: target, sourceIds: [worker.contractor.id] } })
    expect(await worker.acts()).toEqual(all(true))
  })
})
