import { jwtVerify } from 'jose'
import { z } from 'zod'
import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { Id } from '@/lib/base/contracts/contract'
import { digest } from '@/lib/base/crypto/encryption'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { takePoints } from '@/lib/base/limits/limits'
import { redis } from '@/lib/base/redis/redis'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { algorithms, configurationOf, keysOfProvider } from '@/lib/identity-providers/connections/openid'
import { issuerConnectionOf, signInProvider } from '@/lib/identity-providers/connections/sign-in'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import { logProviderRefusal } from '@/lib/sign-in/log/record'
import { endSessionsOfProvider } from '@/lib/sign-in/sessions/by-provider'
import { selectProvenAccount } from './queries'

/** How many logout tokens one address may send. */
const tiers = [{ points: 600, duration: 600 }]

/** Seconds for which a logout token is valid, and by which clocks may differ. */
const tokenLifetime = 300
const clockTolerance = 60

const event = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * The claims of a logout token besides those of every signed token (OpenID Connect Back-Channel Logout 1.0, section
 * 2.4).
 */
const LogoutToken = z
  .looseObject({
    jti: z.string().min(1).max(1024),
    iat: z.number(),
    sub: z.string().min(1).max(255).optional(),
    sid: z.string().min(1).max(1024).optional(),
    events: z.looseObject({ [event]: z.looseObject({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/**
 * Whether a token with this `jti` comes for the first time. Always true without Redis: ending a session twice does no
 * harm.
 */
const isFirst = async (providerId: string, jti: string): Promise<boolean> =>
  (await redis()
    .set(`provider-logout:${digest(`${providerId} ${jti}`)}`, '1', 'EX', tokenLifetime + 2 * clockTolerance, 'NX')
    .catch(() => 'OK')) === 'OK'

/**
 * Logs why a logout token is refused, so that administrators also learn that the session goes on here. Returns the
 * error.
 */
async function logRefusedToken(ctx: Ctx, providerId: string, reason: string): Promise<AppError> {
  log.info({ providerId, reason }, 'a logout token was refused')
  await logProviderRefusal(ctx, { providerId, userId: null, cause: 'providerLogout', reason, path: null })
  return new AppError(400, 'invalidToken')
}

/**
 * Handles the logout token of a provider: ends the sessions that it names, the tokens of their applications, and
 * attempts that wait for a further step. Throws 400 for a token that another issuer signed, that has another audience,
 * is too old or came before; 404 for an unknown provider, 429, and 503 if its keys can’t be read
 * (docs/rules/providers.md#sign-out).
 */
export async function handleProviderLogout(ctx: Ctx, providerId: string, token: string): Promise<void> {
  await takePoints(...addressLimits('provider-logout', ctx.ip, tiers))
  const provider = Id.safeParse(providerId).success ? await signInProvider(providerId) : null
  if (!provider) throw new AppError(404)
  const issuing = issuerConnectionOf(provider)
  const [config, keys] = await Promise.all([configurationOf(issuing), keysOfProvider(issuing)]).catch(async (error) => {
    log.info({ err: error, providerId }, 'a logout token can’t be checked')
    await logRefusedToken(ctx, providerId, 'logoutUnchecked')
    throw new AppError(503)
  })
  const { payload } = await jwtVerify(token, keys, {
    issuer: config.serverMetadata().issuer,
    audience: provider.clientId,
    algorithms: [...algorithms],
    maxTokenAge: tokenLifetime,
    clockTolerance,
  }).catch(async (error) => {
    throw await logRefusedToken(ctx, providerId, String(error?.code ?? 'signature'))
  })
  const claims = LogoutToken.safeParse(payload)
  if (!claims.success) throw await logRefusedToken(ctx, providerId, 'logoutClaims')
  const { jti, sub: subject = null, sid = null } = claims.data
  if (!(await isFirst(providerId, jti))) throw await logRefusedToken(ctx, providerId, 'logoutRepeated')
  // the provider causes this, not a signed-in person
  const nobody: Ctx = { ...ctx, user: null, session: null }
  const after = await db().transaction(async (tx) => {
    const { userIds, afterCommit } = await endSessionsOfProvider(tx, nobody, { providerId, subject, sid })
    const linkedId = subject ? await selectProvenAccount(tx, providerId, subject) : null
    for (const userId of new Set([...userIds, ...(linkedId ? [linkedId] : [])]))
      await endAttempts(tx, userId, ctx.now())
    return afterCommit
  })
  await after()
}
