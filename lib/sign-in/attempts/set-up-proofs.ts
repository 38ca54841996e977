import { appFlow, type FlowId, providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { flowsBesideApp } from '@/lib/access/authentication-schemas/flows'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { notFound } from '@/lib/base/runtime/errors'
import { selectAccountById } from './queries'

/** The password, and a code to the main contact, or to the mobile if the e-mail is proven. */
type OwnProof = 'password' | 'code'

/**
 * Returns what the signed-in person must still prove to set up an authenticator app in the profile: as at sign-in two of
 * the account's flows, or its only one; the proof of an identity provider counts as one, and what the session has proven
 * if it is fresh. `needs` is null if they have to sign in again, `contacts` are where the code goes
 * (docs/rules/profile.md#second-factor). Throws 401, 404.
 */
export async function setUpProofs(ctx: Ctx, isFresh: boolean) {
  requireUser(ctx)
  const account = await selectAccountById(ctx.user.id)
  if (!account) throw notFound()
  const has = flowsBesideApp(account)
  const proven = isFresh ? (ctx.session?.proven ?? []).filter((flow) => flow !== appFlow) : []
  const byProvider = account.atProvider || proven.includes(providerFlow)
  const counted = proven.filter((flow) => flow === providerFlow || has.some((own) => own === flow))
  const required = Math.min(2, has.length + (byProvider ? 1 : 0))
  const missing = required - new Set(counted).size
  const { email, mobile } = account
  const isOpen = (flow: FlowId) => has.includes(flow) && !proven.includes(flow)
  const contact = (['email_code', 'sms_code'] as const).find(isOpen)
  const contacts = { email: contact === 'email_code' ? email : null, mobile: contact === 'sms_code' ? mobile : null }
  const possible: OwnProof[] = [
    ...(isOpen('credentials') ? ['password' as const] : []),
    ...(contact ? ['code' as const] : []),
  ]
  const isPossible = required > 0 && possible.length >= missing
  return { contacts, needs: isPossible ? possible.slice(0, Math.max(0, missing)) : null }
}
