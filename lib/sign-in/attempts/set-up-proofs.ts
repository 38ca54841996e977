import { appFlow, providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { flowsBesideApp } from '@/lib/access/authentication-schemas/flows'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { notFound } from '@/lib/base/runtime/errors'
import { selectAccountById } from './queries'

/** The password, and a code to the main contact. */
type OwnProof = 'password' | 'code'

/**
 * Returns what the signed-in person must still prove to set up an authenticator app in the profile: as at sign-in two of
 * the account's flows, or its only one; the proof of an identity provider counts as one, and what the session has proven
 * if it is fresh. `needs` is null if they have to sign in again (docs/rules/profile.md#second-factor). Throws 401, 404.
 */
export async function setUpProofs(ctx: Ctx, isFresh: boolean) {
  requireUser(ctx)
  const account = await selectAccountById(ctx.user.id)
  if (!account) throw notFound()
  const has = flowsBesideApp(account)
  const proven = isFresh ? (ctx.session?.proven ?? []).filter((flow) => flow !== appFlow) : []
  const byProvider = account.atProvider || proven.includes(providerFlow)
  const counted = proven.filter((flow) => flow === providerFlow || has.some((own) => own === flow))
  const missing = Math.min(2, has.length + (byProvider ? 1 : 0)) - new Set(counted).size
  const mainContact = account.email ? 'email_code' : 'sms_code'
  const possible: OwnProof[] = [
    ...(has.includes('credentials') && !proven.includes('credentials') ? (['password'] as const) : []),
    ...(has.includes(mainContact) && !proven.includes(mainContact) ? (['code'] as const) : []),
  ]
  const { email, mobile } = account
  return {
    contacts: { email, mobile },
    needs: possible.length < missing ? null : possible.slice(0, Math.max(0, missing)),
  }
}
