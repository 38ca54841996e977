import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import * as calls from '@/lib/directory-sync/provider-sign-in/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { startOpenidProvider } from '../../factories/openid-imitation'
import { comeBack, connectProvider, somebody } from '../../factories/openid-provider'
import { proof, provenIn } from '../../factories/proofs'

/** A provider that is offered. */
async function offered() {
  const openid = await startOpenidProvider()
  const administrator = new Caller((await signedInWith(['providers.write'])).browser)
  return { openid, id: await connectProvider(administrator, openid) }
}
type Offered = Awaited<ReturnType<typeof offered>>
const byId = ({ id }: { id: string }) => ({ params: { id } })

async function link(caller: Caller, { openid, id }: Offered) {
  const { leads } = await caller.call(calls.linkOwnProvider, byId({ id }))
  const claims = somebody()
  await comeBack(caller.browser, id, openid.agree(leads, claims))
  return claims
}
async function linked(caller: Caller) {
  const given = await offered()
  return { ...given, claims: await link(caller, given) }
}
const ofOwn = async (caller: Caller, { id }: { id: string }) =>
  (await caller.call(calls.listOwnProviders)).providers.filter((one) => one.id === id)

/** The provider that is somebody's only way to sign in. */
let only = ''

export default [
  proof(calls.listOwnProviders, {
    prepare: linked,
    input: () => ({}),
    shows: ({ id, claims }) => ({
      providers: expect.arrayContaining([
        expect.objectContaining({ id, linked: { name: claims.email, date: expect.any(String) }, linkable: false }),
      ]),
    }),
  }),
  provenIn(calls.linkOwnProvider, ['directory-sync/provider-links.test.ts'], {
    unrecorded: 'leads to the provider; the account that comes back from there is recorded',
  }),
  proof(calls.unlinkOwnProvider, {
    makes: ['update users'],
    prepare: linked,
    input: byId,
    look: ofOwn,
    shows: () => [{ linked: null, linkable: true }],
    errors: {
      notFound: { input: async () => byId(await offered()) },
      providerOnlyWay: {
        by: async () => {
          const { user, browser } = await signedInWith()
          const caller = new Caller(browser)
          only = (await linked(caller)).id
          const nothing = { passwordHash: null, email: null, mobile: null }
          await db().update(users).set(nothing).where(eq(users.id, user.id))
          return caller
        },
        input: () => byId({ id: only }),
      },
    },
  }),
]
