import type Provider from 'oidc-provider'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { db } from '@/db/client'
import { countUp } from '@/lib/base/runtime/metrics'
import { logReuse } from '@/lib/sign-in/log/record'
import type { ReusedKind } from '../clients/entity'
import { auditReuse } from '../clients/traces'
import { endGrant } from '../token-store/service'
import { orUnavailable } from '../token-store/unavailable'
import { currentContext, replaceMember } from './oidc-provider-internals'
import { requestOf } from './request'

const causes = { refreshToken: 'refreshReused', code: 'codeReused', deviceCode: 'deviceCodeReused' } as const

type Reuse = { of: ReusedKind; accountId: string | null; ended: boolean }

/**
 * Records the reuse of a code or token that works once: in a metric and, within limits, in the client's history and in
 * the sign-in log (docs/rules/openid-provider.md#used-again). `find` runs under the lock of the client, and returns
 * null if there is no reuse.
 */
const recordReuse = (
  { req, oidc }: KoaContextWithOIDC,
  find: (tx: Parameters<typeof endGrant>[0]) => Promise<Reuse | null>,
) =>
  orUnavailable(async () => {
    const clientId = oidc.client?.clientId ?? ''
    const ctx = await requestOf(req).ctx()
    const reuse = await db().transaction((tx) =>
      auditReuse(tx, ctx, clientId, {
        find: () => find(tx),
        also: ({ of: kind, accountId }) => logReuse(tx, ctx, { userId: accountId, clientId, cause: causes[kind] }),
      }),
    )
    if (reuse) countUp('platform_token_reuses_total', { of: reuse.of })
  })

/** Returns the kind of code or token that a token request uses again, with its grant. */
async function reusedBy({ oidc }: KoaContextWithOIDC): Promise<{ of: ReusedKind; grantId: string | undefined }> {
  const { code, device_code: deviceCode, grant_type: grant } = (oidc.params ?? {}) as Record<string, string>
  const { AuthorizationCode, DeviceCode } = oidc.provider
  const findOptions = { ignoreExpiration: true } as const
  if (grant === 'refresh_token') return { of: 'refreshToken', grantId: oidc.entities.RefreshToken?.grantId }
  if (grant === 'authorization_code')
    return { of: 'code', grantId: (await AuthorizationCode.find(code ?? '', findOptions))?.grantId }
  return { of: 'deviceCode', grantId: (await DeviceCode.find(deviceCode ?? '', findOptions))?.grantId }
}

/**
 * Returns whether oidc-provider may end a grant. A token request ends one only because of a reuse: then the grant ends
 * here, so that of thirty such requests at once only one records it.
 */
export async function revokeGrantPolicy(ctx: KoaContextWithOIDC): Promise<boolean> {
  const { route, entities } = ctx.oidc
  if (route === 'token') {
    const { of, grantId } = await reusedBy(ctx)
    if (grantId)
      await recordReuse(ctx, async (tx) => {
        const grant = await endGrant(tx, grantId)
        return grant && { of, accountId: grant.accountId, ended: true }
      })
  }
  // the grant stays if a client revokes its access token
  return !(route === 'revocation' && entities.AccessToken)
}

/** Records a code that is redeemed twice at once: the second request is refused, and ends nothing. */
export function traceRacedCodes(provider: Provider) {
  replaceMember(
    provider,
    'AuthorizationCode#consume',
    (consume) =>
      async function () {
        try {
          await consume.call(this)
        } catch (error) {
          const ctx = currentContext()
          const accountId = this.accountId ?? null
          if (ctx && error instanceof errors.InvalidGrant)
            await recordReuse(ctx, async () => ({ of: 'code', accountId, ended: false }))
          throw error
        }
      },
  )
}
