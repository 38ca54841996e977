import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { db } from '@/db/client'
import { countUp } from '@/lib/base/runtime/metrics'
import { logReuse } from '@/lib/sign-in/log/record'
import type { Reused } from '../clients/entity'
import { auditReuse } from '../clients/traces'
import { endGrant } from '../token-store/service'
import { orUnavailable } from '../token-store/unavailable'
import { requestOf } from './request'

const causes = { refreshToken: 'refreshReused', code: 'codeReused', deviceCode: 'deviceCodeReused' } as const

type Found = { of: Reused; accountId: string | null; ended: boolean }

/**
 * Leaves the traces of something that was used again: a count, and within its bounds a row of the client's history and
 * one of the sign-in log (docs/rules/openid-provider.md#used-again). `find` runs under the lock of the client, and
 * returns null if there is nothing to tell.
 */
const trace = (
  { req, oidc }: KoaContextWithOIDC,
  find: (tx: Parameters<typeof endGrant>[0]) => Promise<Found | null>,
) =>
  orUnavailable(async () => {
    const clientId = oidc.client?.clientId ?? ''
    const ctx = await requestOf(req).ctx()
    const found = await db().transaction((tx) =>
      auditReuse(tx, ctx, clientId, {
        find: () => find(tx),
        also: ({ of, accountId }) => logReuse(tx, ctx, { userId: accountId, clientId, cause: causes[of] }),
      }),
    )
    if (found) countUp('platform_token_reuses_total', { of: found.of })
  })

/** Returns what a token request uses again, with the grant that it belongs to. */
async function reusedBy({ oidc }: KoaContextWithOIDC): Promise<{ of: Reused; grantId: string | undefined }> {
  const { code, device_code: deviceCode, grant_type: grant } = (oidc.params ?? {}) as Record<string, string>
  const { AuthorizationCode, DeviceCode } = oidc.provider
  const even = { ignoreExpiration: true } as const
  if (grant === 'refresh_token') return { of: 'refreshToken', grantId: oidc.entities.RefreshToken?.grantId }
  if (grant === 'authorization_code')
    return { of: 'code', grantId: (await AuthorizationCode.find(code ?? '', even))?.grantId }
  return { of: 'deviceCode', grantId: (await DeviceCode.find(deviceCode ?? '', even))?.grantId }
}

/**
 * The provider asks this before it ends a grant. A token request ends one only because something is used again: then the
 * grant ends here, with its traces, so that of thirty such requests at once one leaves them.
 */
export async function revokeGrantPolicy(ctx: KoaContextWithOIDC): Promise<boolean> {
  const { route, entities } = ctx.oidc
  if (route === 'token') {
    const { of, grantId } = await reusedBy(ctx)
    if (grantId)
      await trace(ctx, async (tx) => {
        const grant = await endGrant(tx, grantId)
        return grant && { of, accountId: grant.accountId, ended: true }
      })
  }
  // an access token that its client revokes leaves the grant
  return !(route === 'revocation' && entities.AccessToken)
}

/** Leaves a trace of a code that is redeemed twice at once: the second request is refused, and ends nothing. */
export function traceRacedCodes({ AuthorizationCode }: Provider) {
  const { consume } = AuthorizationCode.prototype
  AuthorizationCode.prototype.consume = async function (this: InstanceType<typeof AuthorizationCode>) {
    try {
      await consume.call(this)
    } catch (error) {
      const ctx = Provider.ctx as KoaContextWithOIDC | undefined
      const accountId = this.accountId ?? null
      if (ctx && error instanceof errors.InvalidGrant)
        await trace(ctx, async () => ({ of: 'code', accountId, ended: false }))
      throw error
    }
  }
}
