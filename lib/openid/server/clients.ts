import type Provider from 'oidc-provider'
import { type Configuration, errors } from 'oidc-provider'
import { deviceGrant, signingAlgs } from '../clients/contract'
import { redirectOrigins } from '../clients/origins'
import { trialAddress } from '../trials/service'
import { currentContext, replaceMember } from './oidc-provider-internals'
import { isTrialRequest } from './trial-request'

const algorithmOf = (token: string): unknown => {
  try {
    return JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()).alg
  } catch {
    return undefined
  }
}

/**
 * Adapts the clients of the OpenID Provider: errors of RFC 6749 for disallowed grants and response types; `sid` for all
 * clients; ID token hints with any of our algorithms, because a client may have changed its own since; and the address
 * of trials only for requests of trials.
 */
export function patchClients(provider: Provider): void {
  replaceMember(provider, 'Client#includeSid', () => () => true)
  replaceMember(
    provider,
    'Client#grantTypeAllowed',
    (grantTypeAllowed) =>
      function (grant) {
        const allowed = grantTypeAllowed.call(this, grant)
        const oidc = currentContext()?.oidc
        // only for the grant that the request itself asks for, not when oidc-provider checks for possible tokens
        const requestedGrant = oidc?.route === 'device_authorization' ? deviceGrant : oidc?.params?.grant_type
        const isTokenRequest = oidc?.route === 'device_authorization' || oidc?.route === 'token'
        if (!allowed && isTokenRequest && grant === requestedGrant)
          throw new errors.UnauthorizedClient('the client may not use this grant')
        return allowed
      },
  )
  replaceMember(
    provider,
    'Client#redirectUriAllowed',
    (redirectUriAllowed) =>
      function (address) {
        if (address === trialAddress()) return isTrialRequest(currentContext()?.req)
        return redirectUriAllowed.call(this, address)
      },
  )
  replaceMember(
    provider,
    'Client#responseTypeAllowed',
    (responseTypeAllowed) =>
      function (type) {
        if (!responseTypeAllowed.call(this, type))
          throw new errors.UnauthorizedClient('the client may not ask for a code')
        return true
      },
  )
  replaceMember(provider, 'IdToken.validate', (validate) => (token, owner) => {
    const alg = signingAlgs.find((candidate) => candidate === algorithmOf(token))
    return validate(token, alg ? Object.create(owner, { idTokenSignedResponseAlg: { value: alg } }) : owner)
  })
}

/** The latest expiry of a client assertion, in seconds from now. */
const longestAssertion = 3_600

/**
 * Checks a client assertion. Its audience must be the issuer only, because an assertion for another endpoint may have
 * come by a mix-up attack. It must expire soon, because it is stored until then to detect replays.
 */
export const checkClientAssertion: NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']> = (
  { oidc },
  { aud, exp },
) => {
  if (aud !== oidc.issuer) throw new errors.InvalidClientAuth('the audience must be the issuer, as text')
  const secondsLeft = typeof exp === 'number' ? exp - Date.now() / 1000 : Number.NaN
  if (!(secondsLeft <= longestAssertion)) throw new errors.InvalidClientAuth('the end must be within an hour')
}

/**
 * Returns whether a page of another origin may make a call for a client: one at the origin of its redirect addresses or
 * at an allowed origin, for a client without a secret; userinfo for all clients, because a token is enough for that.
 */
export const allowsOrigin: NonNullable<Configuration['clientBasedCORS']> = ({ oidc }, origin, client) => {
  if (oidc.route !== 'userinfo' && client.clientAuthMethod !== 'none') return false
  const allowed = client.allowed_origins
  if (Array.isArray(allowed) && allowed.includes(origin)) return true
  return redirectOrigins(client.redirectUris ?? []).includes(origin)
}
