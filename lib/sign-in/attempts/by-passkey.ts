import { readyFlows } from '@/lib/access/authentication-schemas/flows'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { relyingPartyId } from '@/lib/base/http/relying-party'
import { ownPath } from '@/lib/base/navigation/after-sign-in'
import { onward } from '@/lib/base/navigation/onward'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { newChallenge } from '../factors/passkey/challenge'
import { provePasskey } from '../factors/passkey/prove'
import { logPasskeyRefusal } from '../log/record'
import { beginAttempt, currentAttempt } from './attempt'
import { countBegin } from './begin-limits'
import { complete } from './complete'
import type * as calls from './contract'
import { normalizeIdentifier } from './identifier'
import { type AttemptState, firstStage, prove } from './machine'
import { selectAccountById } from './queries'
import { requiredFactors } from './required-factors'

/** Returns what a browser needs for a signature by a passkey. Throws 404 if the platform has no passkeys. */
export async function passkeyOptions(ctx: Ctx): Promise<ServiceOutput<typeof calls.passkeyOptions>> {
  const rpId = relyingPartyId()
  if (!rpId) throw notFound()
  const challenge = Buffer.from(newChallenge(ctx)).toString('base64url')
  return { challenge, rpId, userVerification: 'required' }
}

/**
 * Signs in the owner of a passkey, who types no identifier: with the same steps and guards as everybody. What the own
 * schema asks for besides still follows. Throws 400 with the fault of the field `passkey`, errorPasskeyOff if the schema
 * of the account doesn't begin with a passkey, 400 and 403 as `complete`, 429 (docs/rules/sign-in.md#passkeys).
 */
export async function authPasskey(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.authPasskey>,
): Promise<ServiceOutput<typeof calls.authPasskey>> {
  await countBegin(ctx.ip)
  const path = ownPath(body.path) ?? onward(ctx)
  let userId: string | null = null
  try {
    const passkey = await provePasskey(ctx, body.passkey)
    userId = passkey.userId
    return await signInByPasskey(ctx, { userId, passkey: passkey.id, path: ownPath(body.path) })
  } catch (error) {
    await logPasskeyRefusal(ctx, error, { userId, path })
    throw error
  }
}

type Proven = { userId: string; passkey: string; path: string | null }

async function signInByPasskey(ctx: Ctx, { userId, passkey, path }: Proven) {
  const account = await selectAccountById(userId)
  if (!account?.enabled) throw new AppError(400, 'accountBlocked')
  const { login } = account
  const identifier = normalizeIdentifier('login', login)
  // the provider that keeps an account decides who its people are (docs/rules/providers.md#accounts-of-providers)
  const beginning = account.atProvider
    ? null
    : firstStage(await requiredFactors({ identifier, path }, account), readyFlows())
  const named = { idAttribute: 'login', identifier, typed: login, namedByPasskey: true, passkey } as const
  const state: AttemptState | null = beginning && prove({ ...beginning, ...named, path }, 'passkey')
  if (!state) throw new AppError(400, 'errorPasskeyOff')
  await beginAttempt(ctx, account, state)
  const attempt = await currentAttempt(ctx)
  if (!attempt?.account) throw new AppError(409)
  const step = await complete(ctx, attempt, attempt.account, { termsAgree: undefined })
  return step.next === 'second_factor' ? { ...step, login } : step
}
