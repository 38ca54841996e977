import { appFlow, type FlowId, passkeyFlow, providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { flowsBesideApp } from '@/lib/access/authentication-schemas/flows'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { notFound } from '@/lib/base/runtime/errors'
import { hasPasskeyOf } from '../factors/passkey/passkeys'
import { selectAccountById } from './queries'

/**
 * The password, a code to the main contact, or to the mobile if the e-mail is proven, a code of the authenticator app,
 * and a passkey.
 */
type OwnProof = 'password' | 'code' | 'app' | 'passkey'

/**
 * Returns what the signed-in person must still prove to set up an authenticator app or a passkey in the profile: as at
 * sign-in two of the account's flows, or its only one; the proof of an identity provider counts as one, a passkey as two,
 * and what the session has proven if it is fresh. Who has an app proves it too, because a passkey takes its place. A
 * passkey is asked for if nothing else is enough.
 * `needs` is null if they have to sign in again, `contacts` are where the code goes
 * (docs/rules/profile.md#second-factor). Throws 401, 404.
 */
export async function setUpProofs(ctx: Ctx, isFresh: boolean) {
  requireUser(ctx)
  const account = await selectAccountById(ctx.user.id)
  if (!account) throw notFound()
  const has: string[] = flowsBesideApp(account)
  if (account.hasAuthenticatorApp) has.push(appFlow)
  const { proven: provenFlows = [], passkey } = ctx.session ?? {}
  const isThere = passkey !== undefined && (await hasPasskeyOf(account.id, passkey))
  const proven = isFresh ? provenFlows.filter((flow) => flow !== passkeyFlow || isThere) : []
  const byProvider = account.atProvider || proven.includes(providerFlow)
  const counted = proven.filter((flow) => flow === providerFlow || has.includes(flow))
  const isOpen = (flow: FlowId) => has.includes(flow) && !proven.includes(flow)
  const { email, mobile } = account
  const contact = (['email_code', 'sms_code'] as const).find(isOpen)
  const contacts = { email: contact === 'email_code' ? email : null, mobile: contact === 'sms_code' ? mobile : null }
  if (proven.includes(passkeyFlow)) return { contacts, needs: [] as OwnProof[] }
  const required = Math.min(2, has.length + (byProvider ? 1 : 0))
  const missing = required - new Set(counted).size
  const byApp: OwnProof[] = isOpen(appFlow) ? ['app'] : []
  const others: OwnProof[] = [
    ...(isOpen('credentials') ? ['password' as const] : []),
    ...(contact ? ['code' as const] : []),
  ]
  const isPossible = required > 0 && byApp.length + others.length >= missing
  const byPasskey: OwnProof[] | null = account.hasPasskey ? ['passkey'] : null
  const needs = isPossible ? [...others.slice(0, Math.max(0, missing - byApp.length)), ...byApp] : byPasskey
  return { contacts, needs }
}
